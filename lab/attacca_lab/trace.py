"""A recorder's events as lines, as a VCD file (GTKWave, PulseView), as Chrome's trace format (ui.perfetto.dev).

The kernel's clock has a coarse unit, in which several events may fall: in the two files they stand in their order,
evenly in that unit. So an event's place is right to a unit, and the order is right always.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacca_lab import build, instrument, recorder
from attacca_lab.boards import Board
from attacca_lab.errors import USAGE, UserError
from attacca_lab.output import Column, Output, Table
from attacca_lab.progress import Step
from attacca_lab.recorder import Event, Recording
from attacca_lab.sources import DEFAULT_SECONDS, budget, check_processor, firmware, frequency

THREADS, INTERRUPTS = "threads", "interrupts"
Track = tuple[str, str]  # which of the two, and its name
Change = tuple[int, Track, str]  # from which event on, what, its state
RUNNING, READY, WAITING, UNKNOWN = "1", "z", "0", "x"  # of a thread's signal; "z" is drawn between the two levels
SECOND = 10**9  # stamps are nanoseconds


@dataclass(frozen=True)
class TraceOptions:
    """What `./attacca trace` was asked for."""

    output: Output = field(default_factory=Output)
    memory: Path | None = None  # a dump of a board's RAM; None: the firmware is run on the board's instrument
    base: int | None = None  # where `memory` begins
    recorder: str | None = None
    cycles: str | None = None
    clock: str | None = None  # of the kernel's time
    seed: int | None = None
    stimulus: Path | None = None


def run(file: Path, board: Board, options: TraceOptions) -> None:
    """Decode, print, write."""
    hz = frequency(options.clock) or board.time_hz
    if hz is None:
        raise UserError(f"what unit has the time of board '{board.name}'?", "--clock 250kHz: its ATT_TIME_HZ", USAGE)
    file = firmware(file, board)
    program = recorder.Program(file, vectors(board))
    if options.memory:
        given = [name for name in ("cycles", "seed", "stimulus") if getattr(options, name) is not None]
        if given:
            raise UserError(f"--{given[0]} is for a run: --memory is read instead", status=USAGE)
        try:
            memory = recorder.Memory(options.memory.read_bytes(), options.base or 0, str(options.memory))
        except OSError as error:
            raise UserError(f"cannot read {options.memory}: {(error.strerror or str(error)).lower()}") from None
    elif options.base is not None:
        raise UserError("--base says where the file of --memory begins: there is none", status=USAGE)
    else:
        memory = _execute(file, board, options)
    recording = recorder.read(program, memory, options.recorder)
    output = options.output
    output.extra.update(
        {".vcd": lambda: vcd(recording.events, hz), ".trace": lambda: chrome(recording.events, hz, file.name)}
    )
    output.emit(table(recording, hz, file.name))


def _execute(file: Path, board: Board, options: TraceOptions) -> recorder.Memory:
    if board.clock_hz is None or not board.measures:
        raise UserError(
            f"board '{board.name}' has no instrument with memory to look into; try --board uno", status=USAGE
        )
    check_processor(file, board)
    length = budget(options.cycles or f"{DEFAULT_SECONDS:g}s", board.clock_hz)
    executable = build.instrument(board.instrument)
    with instrument.workspace() as directory, Step(f"running {file.name} on {board.title}") as step:
        dump = directory / "memory.bin"
        done = instrument.run(
            executable, file, directory, board=board.name, cycles=length, seed=options.seed, stimulus=options.stimulus,
            progress=step.update, capture=False, extra=["--memory", str(dump)],
            allow=(instrument.OK, instrument.ENDED_BADLY, instrument.BUDGET, instrument.CRASH, instrument.HALTED),
        )  # fmt: skip
        return recorder.Memory(dump.read_bytes(), done.report.get("memory", {}).get("base", 0), file.name)


def vectors(board: Board) -> dict[int, str]:
    """The names of the interrupts, as the board's instrument knows them."""
    if board.instrument not in build.INSTRUMENTS:
        return {}
    command = [str(build.instrument(board.instrument)), "--board", board.name, "--list-vectors"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {int(number): name for number, name in (line.split() for line in listed.splitlines())}


def table(recording: Recording, hz: int, title: str) -> Table:
    """A line an event."""
    rows: list[dict[str, Any]] = []
    first = recording.written - len(recording.events)
    for number, event in enumerate(recording.events):
        rows.append(
            {
                "number": first + number,
                "ms": 1000 * event.time / hz,
                "thread": event.thread or None,
                "event": event.name,
                "object": event.subject or None,
                "value": event.value,
            }
        )
    columns = [Column("number", "number"), Column("ms", "time", "ms", digits=3), Column("thread", "thread")]
    columns += [Column("event", "event"), Column("object", "object")]
    if any(row["value"] is not None for row in rows):
        columns.append(Column("value", "value"))
    kept = "" if first == 0 else f" (the ring holds {len(rows):,})"
    notes = [f"{recording.written:,} events since it was started{kept}; {'frozen' * recording.frozen or 'it records'}"]
    return Table(columns, rows, title=title, notes=notes)


def stamps(events: Sequence[Event], hz: int) -> list[int]:
    """When each event was, in nanoseconds: those of one unit of the clock evenly in it."""
    result: list[int] = []
    for time, number in Counter(event.time for event in events).items():
        result += [(SECOND * (time * number + place)) // (hz * number) for place in range(number)]
    return result


def changes(events: Sequence[Event]) -> list[Change]:
    """What each thread and each handler does.

    A thread that blocks or ends runs until another one does; a switch that never comes, because it was made ready again
    meanwhile, shows nowhere.
    """
    result: list[Change] = []
    then: dict[str, str] = {}  # the state that a thread has when it stops running
    running = ""
    for place, event in enumerate(events):
        thread = (THREADS, event.subject)
        if not running and event.thread:
            running = event.thread
            result.append((place, (THREADS, running), RUNNING))
        if event.name in ("isr enter", "isr leave"):
            state = RUNNING if event.name == "isr enter" else WAITING
            result.append((place, (INTERRUPTS, event.subject), state))
        elif event.name in ("block", "end"):
            then[event.subject] = WAITING
        elif event.name == "ready":
            then[event.subject] = READY
            if event.subject != running:
                result.append((place, thread, READY))
        elif event.name == "run" and event.subject != running:
            result += [(place, (THREADS, running), then.get(running, READY)), (place, thread, RUNNING)]
            then[event.subject] = READY
            running = event.subject
    return result


def tracks(changed: Sequence[Change]) -> list[Track]:
    """Threads, then handlers, each in the order in which they come up."""
    return sorted(dict.fromkeys(track for _, track, _ in changed), key=lambda track: track[0] == INTERRUPTS)


def vcd(events: Sequence[Event], hz: int) -> str:
    """One signal a thread: 1 runs, z is ready, 0 waits, x is not known yet; and one a handler."""
    changed, times = changes(events), stamps(events, hz)
    letters = [chr(number) for number in range(ord("!"), ord("~") + 1)]
    codes = {
        track: letters[place % len(letters)] + letters[place // len(letters)]
        for place, track in enumerate(tracks(changed))
    }
    lines = ["$comment a thread: 1 runs, z is ready, 0 waits, x is not known yet $end", "$timescale 1 ns $end"]
    for kind in (THREADS, INTERRUPTS):
        named = [f"$var wire 1 {code} {track[1]} $end" for track, code in codes.items() if track[0] == kind]
        lines += [f"$scope module {kind} $end", *named, "$upscope $end"]
    last = times[0] if times else 0
    lines += ["$enddefinitions $end", f"#{last}", "$dumpvars", *(f"{UNKNOWN}{code}" for code in codes.values()), "$end"]
    for place, track, state in changed:
        if times[place] != last:
            last = times[place]
            lines.append(f"#{last}")
        lines.append(f"{state}{codes[track]}")
    if events:
        lines.append(f"#{SECOND * (events[-1].time + 1) // hz}")
    return "\n".join(lines) + "\n"


def chrome(events: Sequence[Event], hz: int, title: str) -> str:
    """Slices where a thread runs or is ready or a handler runs, and a mark for each event; times are microseconds."""
    changed, times = changes(events), stamps(events, hz)
    numbers = {track: number for number, track in enumerate(tracks(changed), 1)}
    end = SECOND * (events[-1].time + 1) // hz if events else 0
    out: list[dict[str, Any]] = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": title}}]
    for track, number in numbers.items():
        out.append({"ph": "M", "pid": 1, "tid": number, "name": "thread_name", "args": {"name": track[1]}})
        mine = [(times[place], state) for place, one, state in changed if one == track]
        for (begin, state), (until, _) in zip(mine, [*mine[1:], (end, "")], strict=True):
            if state in (RUNNING, READY):
                what = {RUNNING: "runs", READY: "ready"}[state]
                span = {"ts": begin / 1000, "dur": (until - begin) / 1000}
                out.append({"ph": "X", "pid": 1, "tid": number, "name": what, **span})
    for event, stamp in zip(events, times, strict=True):
        name = " ".join(part for part in (event.name, event.subject) if part)
        mark = {"ph": "i", "pid": 1, "tid": numbers.get((THREADS, event.thread), 0), "ts": stamp / 1000, "name": name}
        more = {} if event.value is None else {"args": {"value": event.value}}
        out.append({**mark, "s": "t" if event.thread else "p", **more})
    return json.dumps({"displayTimeUnit": "ms", "traceEvents": out}, ensure_ascii=False) + "\n"
