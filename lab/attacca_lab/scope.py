"""The oscilloscope: pulses of any firmware, of any kernel, or of a capture from a real board.

Firmware runs on the board's instrument, a VCD file is taken as it is; from there on the two are one path.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from attacca_lab import instrument, picture, pulses, stats, terminal, vcd
from attacca_lab.boards import Board
from attacca_lab.errors import USAGE, UserError
from attacca_lab.output import Column, Output, Table, on_terminal
from attacca_lab.progress import Step
from attacca_lab.waveform import Waveform, waveform

DEFAULT_SECONDS = 2.0
ENDINGS = (".html", ".svg", ".vcd", ".json", ".csv", ".txt", ".md")
PROBES = ("probe_a", "probe_b", "probe_c", "probe_d")
_SCALES = {"": 0.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}


@dataclass(frozen=True)
class ScopeOptions:
    """What `./attacca scope` was asked for."""

    output: Output = field(default_factory=Output)
    pin: str | None = None  # None: the board's first probe, or the one channel of a capture that has pulses
    cycles: str | None = None  # how long to run: cycles, or a time as "2s", "300ms"
    clock: str | None = None  # the clock behind a capture: "16MHz", "16000000"
    seed: int | None = None
    stimulus: Path | None = None


@dataclass(frozen=True)
class Sight:
    """What the oscilloscope saw."""

    name: str
    capture: vcd.Capture
    samples: pulses.Samples
    wave: Waveform
    pin: str
    origin: stats.Origin
    notes: list[str]
    vcd_text: str


def run(file: Path, board: Board, options: ScopeOptions) -> int | None:
    """Measure, print, write; the exit status."""
    with instrument.workspace() as directory:
        sight = look(file, board, options, directory)
        output = options.output
        output.extra.update(
            {
                ".svg": lambda: picture.scope(sight.wave, 920, True, f"{sight.name}, {sight.pin}"),
                ".vcd": lambda: sight.vcd_text,
                ".html": lambda: _page(sight, board, file, options),
            }
        )
        output.emit(table(sight))
        if output.format == "table" and not output.quiet:
            _draw(sight)
    return None


def look(file: Path, board: Board, options: ScopeOptions, directory: Path) -> Sight:
    """Get a capture, find the pulses."""
    kind = _kind(file)
    notes: list[str] = []
    if kind == "vcd":
        path = file
        capture = vcd.read(file, frequency(options.clock))
        name, compiler = capture.instrument or "capture", "unknown"
        if capture.clock_hz is None:
            notes.append("times in µs: the capture states no clock; --clock 16MHz gives cycles")
    else:
        run_ = _execute(file, kind, board, options, directory, notes)
        assert run_.vcd is not None
        path, capture, name = run_.vcd, run_.capture, run_.instrument
        compiler = compiler_of(file) if kind == "elf" else "unknown"
    channel, pin = find_channel(capture, board, options.pin)
    try:
        samples = pulses.measure(capture, channel, pin=pin)
    except UserError as error:
        told = [note for note in notes if not note.startswith("seen for")]
        raise UserError(error.message, "; ".join([*told, error.hint or ""]), error.status) from None
    notes += _remarks(samples)
    commit = _commit()
    return Sight(
        file.name, capture, samples, waveform(capture, samples, pin=pin), pin,
        stats.Origin(board.name, name, compiler, "unknown", commit, options.seed), notes,
        path.read_text(encoding="utf-8", errors="replace"),
    )  # fmt: skip


def _execute(
    file: Path, kind: str, board: Board, options: ScopeOptions, directory: Path, notes: list[str]
) -> instrument.Run:
    from attacca_lab import build

    if board.clock_hz is None or not board.measures:
        raise UserError(f"times mean nothing on board '{board.name}'; try --board uno", status=USAGE)
    if kind == "elf":
        check_processor(file, board)
    known = [probe.upper() for probe in board.probes]
    watch = ["--watch", options.pin] if options.pin and options.pin.upper() not in known else []
    budget = duration(options.cycles or f"{DEFAULT_SECONDS}s", board.clock_hz)
    executable = build.instrument(board.instrument)
    with Step(f"running {file.name} on {board.title}") as step:
        done = instrument.run(
            executable, file, directory, board=board.name, cycles=budget, seed=options.seed,
            stimulus=options.stimulus, progress=step.update, extra=watch,
            allow=(instrument.OK, instrument.ENDED_BADLY, instrument.BUDGET, instrument.HALTED),
        )  # fmt: skip
    spent = done.report.get("cycles", budget)
    if done.status == instrument.ENDED_BADLY:
        notes.append(f"the firmware ended with status {done.report.get('end', {}).get('status', 1)}")
    elif done.status == instrument.HALTED:
        detail = done.report.get("end", {}).get("detail", "interrupts off")
        notes.append(f"the processor halted after {spent:,} cycles: {detail}")
    elif done.status == instrument.BUDGET:
        notes.append(f"seen for {spent:,} cycles ({pulses.time_text(spent / board.clock_hz)})")
    return done


def table(sight: Sight) -> Table:
    """The statistics: the operation and its overhead, or the pulses and their period."""
    samples, unit = sight.samples, sight.capture.ticks_per_unit
    rows: list[tuple[str, Any]] = []
    if samples.method == "pairs":
        rows = [("tCD - tAB", samples.values), ("tAB", (samples.b - samples.a) / unit)]
    else:
        rows = [("pulse", samples.values)]
        if len(samples.c) > 1:
            rows.append(("period", np.diff(samples.c) / unit))
    records, shown = [], []
    for place, (what, values) in enumerate(rows):
        summary = stats.summarise(values, samples.disturbed if place == 0 else None)
        extra = {"overhead": samples.overhead} if place == 0 and samples.method == "pairs" else {}
        result = stats.result("scope", sight.origin, summary, sight.capture.unit, variant=what, **extra)
        records.append({**result.as_json(), "file": sight.name, "pin": sight.pin})
        us = summary.median * 1e6 / sight.capture.clock_hz if sight.capture.clock_hz else None
        shown.append({**{k: getattr(summary, k) for k in ("n", "min", "median", "mean", "p99", "max", "disturbed")},
                      "what": what, "us": us})  # fmt: skip
    decimals = None if sight.capture.clock_hz else 3

    def form(value: float) -> str:
        return stats.number(value, decimals)

    columns = [Column("what", sight.pin), Column("n", "n")]
    columns += [
        Column(key, key, sight.capture.unit.replace("us", "µs") if key == "min" else "", form=form, right=True)
        for key in ("min", "median", "mean", "p99", "max")
    ]
    if sight.capture.clock_hz:
        columns.append(Column("us", "median", "µs", digits=3))
    if samples.disturbed is not None:
        columns.append(Column("disturbed", "disturbed"))
    return Table(columns, shown, title=sight.name, notes=sight.notes, records=records)


def _draw(sight: Sight) -> None:
    import shutil

    width = min(shutil.get_terminal_size().columns, 120) if on_terminal(sys.stdout) else 80
    plain = (sys.stdout.encoding or "ascii").lower().replace("-", "") not in ("utf8", "utf16")
    sys.stdout.write("\n" + terminal.draw(sight.wave, width, unicode=not plain))


def _page(sight: Sight, board: Board, file: Path, options: ScopeOptions) -> str:
    from attacca_lab import report

    samples, summary = sight.samples, stats.summarise(sight.samples.values, sight.samples.disturbed)
    result = stats.result("scope", sight.origin, summary, sight.capture.unit, overhead=samples.overhead)
    command = f"./attacca scope {file} --board {board.name}" + (f" --pin {options.pin}" if options.pin else "")
    command += f" --cycles {options.cycles}" if options.cycles else ""
    command += f" --clock {options.clock}" if options.clock else ""
    entry = report.Entry(
        result, what=_sentence(samples, sight.pin), title=sight.name, samples=samples, waveform=sight.wave,
        notes=sight.notes,
    )  # fmt: skip
    head = report.Head(
        title=f"{sight.name} on {board.title}", board=board.title, processor=board.processor,
        clock_hz=sight.capture.clock_hz, instrument=sight.origin.instrument, compiler=sight.origin.compiler,
        flags="", commit="", command=f"{command} -o report.html",
    )  # fmt: skip
    return report.render(head, [entry])


def _sentence(samples: pulses.Samples, pin: str) -> str:
    if samples.method == "pairs":
        return (
            f"Pairs of pulses on {pin}: A-B, with nothing between its edges, is what the pin's own instructions cost; "
            "C-D spans the operation; shown is tCD - tAB."
        )
    return f"Pulses on {pin}, from the rising to the falling edge; the pin's own instructions are in it."


def _remarks(samples: pulses.Samples) -> list[str]:
    notes = []
    if samples.method == "pairs":
        taken = stats.number(samples.overhead, 3 if samples.unit == "us" else None)
        unit = samples.unit.replace("us", "µs")
        notes.append(f"A-B and C-D pairs: {taken} {unit} of overhead (median tAB) taken off")
    else:
        notes.append("plain pulses: the cost of setting and clearing the pin is still in them")
    if samples.disturbed is None:
        notes.append("disturbed samples unknown: the capture has no irq channel")
    if samples.overhead_hit:
        notes.append(f"{samples.overhead_hit:,} A-B pulses were interrupted: the median tAB was taken off instead")
    if samples.lost:
        notes.append(f"{samples.lost:,} pulse{'s' * (samples.lost > 1)} belonged to no pair")
    return notes


def find_channel(capture: vcd.Capture, board: Board, pin: str | None) -> tuple[str, str]:
    """The channel of a pin, and the pin as people call it."""
    names = list(capture.channels)
    if pin is None:
        if "probe_a" in capture.channels:
            return "probe_a", board.probes[0] if board.probes else ""
        alive = [name for name in names if capture.channels[name].width == 1 and len(capture.channels[name].edges())]
        if len(alive) == 1:
            return alive[0], alive[0]
        if not alive:
            raise UserError(f"{capture.source}: no edge on any of its {len(names)} channels")
        raise UserError(f"{capture.source}: which channel is the probe's?", f"--pin with one of: {', '.join(alive)}")
    upper = [probe.upper() for probe in board.probes]
    wanted = [pin, f"pin_{pin}", f"in_{pin}"]
    if pin.upper() in upper:
        wanted.insert(0, PROBES[upper.index(pin.upper())])
    for candidate in wanted:
        for name in names:
            if name.lower() == candidate.lower():
                return name, pin
    raise UserError(f"no channel for pin {pin}; there are: {', '.join(names) or 'none'}", status=USAGE)


def duration(text: str, clock_hz: int) -> int:
    """Cycles from "32000000", "2s", "300ms" or "50us"."""
    match = re.fullmatch(r"([\d_]*\.?\d+)\s*(s|ms|us|µs|)", text.strip())
    value = float(match.group(1).replace("_", "")) if match else 0.0
    cycles = round(value * _SCALES[match.group(2)] * clock_hz) if match and match.group(2) else round(value)
    if cycles <= 0:
        raise UserError(f"'{text}' is no length of time: say 2s, 300ms, 50us or a number of cycles", status=USAGE)
    return cycles


def frequency(text: str | None) -> int | None:
    """Hertz from "16MHz", "16M" or "16000000"."""
    if text is None:
        return None
    match = re.fullmatch(r"([\d_]*\.?\d+)\s*([kMG]?)(?:Hz)?", text.strip(), re.IGNORECASE)
    scale = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
    hertz = round(float(match.group(1).replace("_", "")) * scale[match.group(2).lower()]) if match else 0
    if not 0 < hertz <= 10**11:
        raise UserError(f"'{text}' is no clock: say 16MHz or 16000000", status=USAGE)
    return hertz


def _kind(file: Path) -> str:
    """ "elf", "hex" or "vcd", from what the file begins with."""
    try:
        with file.open("rb") as stream:
            start = stream.read(4096)
    except OSError as error:
        raise UserError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    if start.startswith(b"\x7fELF"):
        return "elf"
    if re.match(rb"\s*:[0-9A-Fa-f]{10}", start):
        return "hex"
    if file.suffix.lower() == ".vcd" or re.match(rb"\s*\$\w+\s", start):
        return "vcd"
    what = "is empty" if not start else "is neither firmware nor a capture"
    raise UserError(f"{file} {what}", "an ELF or Intel hex file for the board's processor, or a VCD file, is wanted")


_MACHINES = {"avr": "EM_AVR", "cortex-m": "EM_ARM", "arm7": "EM_ARM", "riscv": "EM_RISCV"}


def check_processor(file: Path, board: Board) -> None:
    """Complain about an ELF file for another processor than the board's."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        with file.open("rb") as stream:
            elf = ELFFile(stream)
            machine = str(elf["e_machine"])
            executable = elf["e_type"] == "ET_EXEC"
    except (ELFError, OSError, ValueError) as error:
        raise UserError(f"{file} is no ELF file that can be read: {error or 'it is cut off'}") from None
    wanted = _MACHINES.get(board.instrument)
    if wanted and machine != wanted:
        name = machine.removeprefix("EM_").replace("_", "-").lower()
        raise UserError(
            f"{file} is for another processor ({name}); {board.name} has an {board.processor}",
            "build it for that processor, or name its board with --board; ./attacca boards lists them",
        )
    if not executable:
        raise UserError(f"{file} is not a linked program: an object file or library", "link it first")


def compiler_of(file: Path) -> str:
    """What the ELF file says that it was compiled with."""
    from elftools.elf.elffile import ELFFile

    with file.open("rb") as stream:
        elf = ELFFile(stream)
        section = elf.get_section_by_name(".comment")
        text = section.data().decode(errors="replace") if section else ""
        avr = elf["e_machine"] == "EM_AVR"
    match = re.search(r"GCC: \([^)]*\) ([\d.]+)", text)
    return f"{'avr-' if avr else ''}gcc {match.group(1)}" if match else "unknown"


def _commit() -> str:
    from attacca_lab import build

    return build.commit()
