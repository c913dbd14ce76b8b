"""The oscilloscope: pulses of any firmware, of any kernel, or of a capture from a real board.

Firmware runs on the board's instrument, a capture is taken as it is; from there on the two are one path. What an
option says is done, or refused with a reason: none is passed over.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from attacca_lab import boards, instrument, picture, pulses, stats, terminal, vcd
from attacca_lab.boards import Board
from attacca_lab.errors import USAGE, UserError, candidates, printable
from attacca_lab.output import Column, Output, Table, on_terminal
from attacca_lab.progress import Step
from attacca_lab.sources import (
    DEFAULT_SECONDS,
    FIRMWARE,
    budget,
    check_processor,
    compiler_of,
    firmware,
    frequency,
    kind,
    read_capture,
)
from attacca_lab.waveform import Waveform, waveform

ENDINGS = (".html", ".svg", ".vcd", ".json", ".csv", ".txt", ".md")
PROBES = ("probe_a", "probe_b", "probe_c", "probe_d")
SHAPES = ("auto", "pairs", "pulses", "toggles", "low")


@dataclass(frozen=True)
class ScopeOptions:
    """What `./attacca scope` was asked for."""

    output: Output = field(default_factory=Output)
    pin: str | None = None  # None: the board's first probe, or the one channel of a capture that has pulses
    cycles: str | None = None  # how long to run: cycles, or a time as "2s", "300ms"
    clock: str | None = None  # the processor's clock, of firmware or behind a capture: "16MHz", "16000000"
    seed: int | None = None
    stimulus: Path | None = None
    shape: str = "auto"  # one of SHAPES: how edges are read
    timing: str | None = None  # of an instrument that is a model
    samplerate: str | None = None  # of a capture that does not state its own
    channels: int | None = None  # of raw samples


@dataclass(frozen=True)
class Source:
    """Where edges come from: a run or a capture, and what is known of it."""

    name: str
    capture: vcd.Capture
    board: Board | None
    origin: stats.Origin
    notes: list[str]
    vcd_text: Callable[[], str]
    bounds: tuple[vcd.Capture, ...] = ()  # the same run with the model's lower and upper timing


@dataclass(frozen=True)
class Sight:
    """What the oscilloscope saw."""

    source: Source
    samples: pulses.Samples
    wave: Waveform
    pin: str
    notes: list[str]
    bounds: tuple[pulses.Samples, ...] = ()

    @property
    def capture(self) -> vcd.Capture:
        return self.source.capture


def run(file: Path, board: Board | None, options: ScopeOptions) -> int | None:
    """Measure, print, write; the exit status. Without a board it is the Uno for firmware, none for a capture."""
    with instrument.workspace() as directory:
        sight = look(file, board, options, directory)
        output = options.output
        output.extra.update(
            {
                ".svg": lambda: picture.scope(sight.wave, 920, True, f"{sight.source.name}, {sight.pin}"),
                ".vcd": sight.source.vcd_text,
                ".html": lambda: _page(sight, file, options),
            }
        )
        output.emit(table(sight))
        if output.format == "table" and not output.quiet:
            _draw(sight)
    return None


def look(file: Path, board: Board | None, options: ScopeOptions, directory: Path) -> Sight:
    """Get a capture, find the pulses."""
    if not file.exists() and not file.suffix and len(file.parts) == 1:
        file = firmware(file, board or boards.board("uno"))
    form = kind(file)
    if form in FIRMWARE:
        source = _of_firmware(file, form, board or boards.board("uno"), options, directory)
    else:
        source = _of_capture(file, form, board, options)
    capture = source.capture
    channel, pin = find_channel(capture, source.board, options.pin)
    try:
        samples = _read(capture, channel, pin, options.shape)
        clock = capture.clock_at(np.concatenate((samples.c, samples.d)))
        has_time = clock is not None or not capture.clocks
        if clock and clock != capture.clock_hz:
            capture, samples = replace(capture, clock_hz=clock), replace(samples, clock_hz=clock)
        shape = samples.method
        bounds = tuple(_read(one, channel, pin, shape) for one in source.bounds)
    except UserError as error:
        told = [note for note in source.notes if not note.startswith("seen for")]
        raise UserError(error.message, "; ".join([*told, error.hint or ""]), error.status) from None
    notes = [*source.notes, *_remarks(samples, options.shape, capture)]
    if not has_time:
        notes.append("no µs: the clock changes between the pulses")
    wave = waveform(capture, samples, pin=pin, has_time=has_time)
    return Sight(replace(source, capture=capture), samples, wave, pin, notes, bounds)


def _read(capture: vcd.Capture, channel: str, pin: str, shape: str) -> pulses.Samples:
    if shape == "toggles":
        return pulses.toggles(capture, channel, pin=pin)
    return pulses.measure(capture, channel, method=shape, pin=pin)


def _of_capture(file: Path, form: str, board: Board | None, options: ScopeOptions) -> Source:
    for name in ("cycles", "seed", "stimulus", "timing"):
        if getattr(options, name) is not None:
            raise UserError(
                f"--{name} is for firmware that is run: {file} is a capture, and has been taken", None, USAGE
            )
    clock, rate = frequency(options.clock), frequency(options.samplerate, "rate")
    capture = read_capture(file, form, clock, rate, options.channels)
    notes = []
    if capture.instrument:
        whose = capture.instrument.split()[0]
        maker = _maker(board) if board else whose
        if board and maker != whose and any(_maker(one) == whose for one in boards.boards().values()):
            raise UserError(
                f"{file} is a capture of {whose}; {board.name} is run by {maker or 'no instrument'}", None, USAGE
            )
        board = board or next((one for one in boards.boards().values() if _maker(one) == whose), None)
    elif board and not clock:
        if board.clock_hz is None:
            raise UserError(f"board '{board.name}' has no clock; --clock 16MHz says what it is", status=USAGE)
        capture = read_capture(file, form, board.clock_hz, rate, options.channels)
        notes.append(f"cycles of {board.title}'s clock, {board.clock_hz / 1e6:g} MHz")
    if capture.clock_hz is None:
        notes.append("times in µs: the capture states no clock; --clock 16MHz gives cycles")
    text = (lambda: file.read_text(encoding="utf-8", errors="replace")) if form == "vcd" else lambda: vcd.text(capture)
    origin = stats.Origin(
        board.name if board else "unknown", capture.instrument or "capture", "unknown", "unknown", _commit()
    )
    return Source(file.name, capture, board, origin, notes, text)


def _maker(board: Board) -> str:
    from attacca_lab import build

    return build.INSTRUMENTS.get(board.instrument, "")


def _of_firmware(file: Path, form: str, board: Board, options: ScopeOptions, directory: Path) -> Source:
    from attacca_lab import build

    if board.clock_hz is None or not board.measures:
        raise UserError(f"times mean nothing on board '{board.name}'; try --board uno", status=USAGE)
    for name in ("samplerate", "channels"):
        if getattr(options, name) is not None:
            raise UserError(f"--{name} is for captures: {file} is firmware, which is run", status=USAGE)
    if options.timing is not None and not board.is_modelled:
        raise UserError(f"--timing is for boards whose time is a model; {board.name} is exact", status=USAGE)
    if form == "elf":
        check_processor(file, board)
    known = [probe.upper() for probe in board.probes]
    extra = ["--watch", options.pin] if options.pin and options.pin.upper() not in known else []
    clock = frequency(options.clock)
    extra += ["--clock", str(clock)] if clock else []
    length = budget(options.cycles or f"{DEFAULT_SECONDS:g}s", clock or board.clock_hz)
    executable = build.instrument(board.instrument)

    def execute(timing: str | None, name: str) -> instrument.Run:
        with Step(f"running {file.name} on {board.title}{', ' + timing if timing else ''}") as step:
            return instrument.run(
                executable, file, directory, board=board.name, cycles=length, seed=options.seed, name=name,
                stimulus=options.stimulus, progress=step.update,
                extra=[*extra, *(("--timing", timing) if timing else ())],
                allow=(instrument.OK, instrument.ENDED_BADLY, instrument.BUDGET, instrument.HALTED), by_registers=True,
            )  # fmt: skip

    done = execute(options.timing, "run")
    bounds = [execute(timing, f"run-{number}") for number, timing in enumerate(_bounds(board, done))]
    path = done.vcd
    assert path is not None
    origin = stats.Origin(
        board.name,
        done.instrument,
        compiler_of(file) if form == "elf" else "unknown",
        "unknown",
        _commit(),
        options.seed,
    )
    return Source(
        file.name, done.capture, board, origin, _ends(done, clock or board.clock_hz),
        lambda: path.read_text(encoding="utf-8"), tuple(one.capture for one in bounds),
    )  # fmt: skip


def _bounds(board: Board, done: instrument.Run) -> list[str]:
    """The model's lower and upper timing, with all else as it was; none for a timing that is one of them."""
    stated = str(done.report.get("timing", "main"))
    first, _, rest = stated.partition(",")
    if "=" in first:
        first, rest = "main", stated
    return [",".join(filter(None, (bound, rest))) for bound in board.bounds] if first == "main" else []


def _ends(done: instrument.Run, clock_hz: int) -> list[str]:
    """How the run ended, with which timing and clocks."""
    notes = []
    spent = int(done.report.get("cycles", 0))
    end = done.report.get("end", {})
    if done.status == instrument.ENDED_BADLY:
        notes.append(f"the firmware ended with status {end.get('status', 1)}")
    elif done.status == instrument.HALTED:
        notes.append(f"the processor halted after {spent:,} cycles: {end.get('detail', 'interrupts off')}")
    elif done.status == instrument.BUDGET:
        picoseconds = done.report.get("picoseconds")
        seconds = picoseconds / 1e12 if picoseconds else spent / clock_hz
        notes.append(f"seen for {spent:,} cycles ({pulses.time_text(seconds)})")
    if timing := done.report.get("timing"):
        notes.append(f"the model's timing: {timing}")
    if clocks := done.report.get("clocks"):
        notes.append(
            "clock: " + ", then ".join(f"{one['hz'] / 1e6:g} MHz for {one['cycles']:,} cycles" for one in clocks)
        )
    return notes


def sampling_error(capture: vcd.Capture, widths: int) -> float | None:
    """How wrong a value of so many widths can be, in the capture's unit: a sample late, a cycle rounded, each edge."""
    if capture.sampling_ps is None:
        return None
    if not capture.clock_hz:
        return widths * capture.sampling_ps / 1e6
    cycles = capture.sampling_ps * capture.clock_hz / 1e12
    return widths * (cycles + (0 if abs(cycles - round(cycles)) < 1e-9 else 1))


def _rows(sight: Sight) -> list[tuple[str, Any, int, list[Any]]]:
    """What is shown: its name, its values, how many widths are in one, and its values with the model's bounds."""
    samples, unit = sight.samples, sight.capture.ticks_per_unit
    if samples.method == "pairs":
        return [
            ("tCD - tAB", samples.values, 2, [one.values for one in sight.bounds]),
            ("tAB", (samples.b - samples.a) / unit, 1, [one.b - one.a for one in sight.bounds]),
        ]
    name = {"pulses": "pulse", "low": "low pulse", "toggles": "edge to edge"}[samples.method]
    rows = [(name, samples.values, 1, [one.values for one in sight.bounds])]
    if len(samples.c) > 1 and samples.method != "toggles":
        wide = [np.diff(one.c) for one in sight.bounds if len(one.c) > 1]
        rows.append(("period", np.diff(samples.c) / unit, 1, wide if len(wide) == len(sight.bounds) else []))
    return rows


def _limits(values: Any, bounds: list[Any]) -> dict[str, float]:
    """The lowest and the highest median by the model's timings; main's too, which lies outside of the others where a
    wait ends with something that no timing moves."""
    middles = [float(np.median(one)) for one in (values, *bounds)] if bounds else []
    return {"low": min(middles), "high": max(middles)} if middles else {}


def table(sight: Sight) -> Table:
    """The statistics: the operation and its overhead, or the pulses and their period."""
    samples, capture = sight.samples, sight.capture
    clock = capture.clock_hz if sight.wave.has_time else None
    records, shown = [], []
    for place, (what, values, widths, bounds) in enumerate(_rows(sight)):
        summary = stats.summarise(values, samples.disturbed if place == 0 else None)
        more: dict[str, Any] = {"overhead": samples.overhead} if place == 0 and samples.method == "pairs" else {}
        limits = _limits(values, bounds)
        more |= limits
        result = stats.result("scope", sight.source.origin, summary, capture.unit, variant=what, **more)
        error = sampling_error(capture, widths)
        told = {} if error is None else {"sampling_error": stats.tidy(error)}
        records.append({**result.as_json(), **told, "file": sight.source.name, "pin": sight.pin})
        shown.append({**{k: getattr(summary, k) for k in ("n", "min", "median", "mean", "p99", "max", "disturbed")},
                      "what": what, "us": stats.microseconds(summary.median, clock) if clock else None, "error": error,
                      "bounds": " to ".join(map(stats.number, limits.values())) or None})  # fmt: skip
    return Table(_columns(sight, clock), shown, title=sight.source.name, notes=sight.notes, records=records)


def _columns(sight: Sight, clock: int | None) -> list[Column]:
    capture = sight.capture
    decimals = None if capture.clock_hz else 3

    def form(value: float) -> str:
        return stats.number(value, decimals)

    unit = capture.unit.replace("us", "µs")
    columns = [Column("what", sight.pin), Column("n", "n")]
    columns += [
        Column(key, key, unit if key == "min" else "", form=form, right=True)
        for key in ("min", "median", "mean", "p99", "max")
    ]
    if capture.sampling_ps is not None:
        columns.insert(4, Column("error", "±", form=form, right=True))
    if sight.bounds:
        columns.insert(4, Column("bounds", "low to high", right=True))
    if clock:
        columns.append(Column("us", "median", "µs", right=True))
    if sight.samples.disturbed is not None:
        columns.append(Column("disturbed", "disturbed"))
    return columns


def _draw(sight: Sight) -> None:
    import shutil

    width = min(shutil.get_terminal_size().columns, 120) if on_terminal(sys.stdout) else 80
    plain = (sys.stdout.encoding or "ascii").lower().replace("-", "") not in ("utf8", "utf16")
    sys.stdout.write("\n" + terminal.draw(sight.wave, width, unicode=not plain))


def _page(sight: Sight, file: Path, options: ScopeOptions) -> str:
    from attacca_lab import report

    samples, source, board = sight.samples, sight.source, sight.source.board
    summary = stats.summarise(samples.values, samples.disturbed)
    result = stats.result("scope", source.origin, summary, sight.capture.unit, overhead=samples.overhead,
                          **_limits(samples.values, [one.values for one in sight.bounds]))  # fmt: skip
    entry = report.Entry(
        result, what=_sentence(samples, sight.pin), title=source.name, samples=samples, waveform=sight.wave,
        notes=sight.notes, has_time=sight.wave.has_time,
    )  # fmt: skip
    head = report.Head(
        title=source.name + (f" on {board.title}" if board else ""), board=board.title if board else "unknown",
        processor=board.processor if board else "unknown", clock_hz=sight.capture.clock_hz,
        instrument=source.origin.instrument, compiler=source.origin.compiler, flags="", commit="",
        command=f"{_command(file, board, options)} -o report.html",
    )  # fmt: skip
    return report.render(head, [entry])


def _command(file: Path, board: Board | None, options: ScopeOptions) -> str:
    """What to type for the same."""
    words = ["./attacca", "scope", str(file)]
    if board and kind(file) in FIRMWARE:
        words += ["--board", board.name]
    for name in ("pin", "cycles", "clock", "seed", "stimulus", "timing", "samplerate", "channels"):
        if (value := getattr(options, name)) is not None:
            words += [f"--{name}", str(value)]
    words += ["--shape", options.shape] if options.shape != "auto" else []
    return shlex.join(words)


def _sentence(samples: pulses.Samples, pin: str) -> str:
    if samples.method == "pairs":
        return (
            f"Pairs of pulses on {pin}: A-B, with nothing between its edges, is what the pin's own instructions cost; "
            "C-D spans the operation; shown is tCD - tAB."
        )
    if samples.method == "toggles":
        return f"From each edge on {pin} to the next one, rising or falling; the pin's own instructions are in it."
    edges = "falling to the rising" if samples.method == "low" else "rising to the falling"
    return f"Pulses on {pin}, from the {edges} edge; the pin's own instructions are in it."


def _remarks(samples: pulses.Samples, asked: str, capture: vcd.Capture) -> list[str]:
    notes = []
    if samples.method == "pairs":
        taken = stats.number(samples.overhead, 3 if samples.unit == "us" else None)
        unit = samples.unit.replace("us", "µs")
        other = "; --shape pulses takes nothing off" if asked == "auto" else ""
        notes.append(f"A-B and C-D pairs: {taken} {unit} of overhead (median tAB) taken off{other}")
    else:
        notes.append(f"plain {samples.method}: the cost of setting and clearing the pin is still in them"
                     .replace("plain low", "low pulses"))  # fmt: skip
    if capture.sampling_ps is not None:
        period = pulses.time_text(capture.sampling_ps / 1e12)
        notes.append(f"±: a sample every {period}; an edge may be that much earlier than it is seen")
    elif not capture.instrument:
        notes.append("sampling error unknown: the capture does not state its rate; --samplerate 24MHz does")
    if samples.disturbed is None:
        notes.append("disturbed samples unknown: the capture has no irq channel")
    if samples.overhead_hit:
        notes.append(f"{samples.overhead_hit:,} A-B pulses were interrupted: the median tAB was taken off instead")
    if samples.lost:
        notes.append(f"{samples.lost:,} pulse{'s' * (samples.lost > 1)} belonged to no pair")
    return notes


def find_channel(capture: vcd.Capture, board: Board | None, pin: str | None) -> tuple[str, str]:
    """The channel of a pin, and the pin as people call it."""
    names = list(capture.channels)
    if pin is None:
        if "probe_a" in capture.channels:
            return "probe_a", board.probes[0] if board and board.probes else "probe_a"
        alive = [name for name in names if capture.channels[name].width == 1 and len(capture.channels[name].edges())]
        if len(alive) == 1:
            return alive[0], alive[0]
        if not alive:
            raise UserError(f"{capture.source}: no edge on any of its {len(names)} channels")
        raise UserError(
            f"{capture.source}: which channel is the probe's?", f"--pin with one of: {candidates('', alive)}"
        )
    upper = [probe.upper() for probe in board.probes] if board else []
    wanted = [pin, f"pin_{pin}", f"in_{pin}"]
    if pin.upper() in upper:
        wanted.insert(0, PROBES[upper.index(pin.upper())])
    for candidate in wanted:
        for name in names:
            if name.lower() == candidate.lower():
                return name, pin
    there = candidates(pin, names) or "none"
    raise UserError(f"no channel for pin '{printable(pin)}'; there are: {there}", status=USAGE)


def _commit() -> str:
    from attacca_lab import build

    return build.commit()
