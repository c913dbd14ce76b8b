"""./attacca run: the console of any firmware, without a board, and how it ended.

On a board with an instrument the limit is of the processor's own time. QEMU and this computer know none: there it is
of the clock on the wall.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attacca_lab import build, instrument, pulses, qemu, sources
from attacca_lab.boards import Board
from attacca_lab.errors import USAGE, UserError, printable
from attacca_lab.output import on_terminal

DEFAULT = "10s"
_KEPT = "\n\r\t"  # of what is no letter, on a terminal: the rest may be an order to it


@dataclass(frozen=True)
class RunOptions:
    """What `./attacca run` was asked for."""

    cycles: str | None = None
    clock: str | None = None
    timing: str | None = None
    seed: int | None = None
    stimulus: Path | None = None
    quiet: bool = False


def run(file: Path, board: Board, options: RunOptions) -> int:
    """Show the console; the instrument's exit status."""
    file = sources.firmware(file, board)
    form = sources.kind(file)
    if form not in sources.FIRMWARE:
        raise UserError(f"{file} is a capture, no firmware", "./attacca scope looks at it", USAGE)
    if form == "elf":
        sources.check_processor(file, board)
    if board.instrument not in build.INSTRUMENTS:
        return _elsewhere(file, form, board, options)
    if options.timing is not None and not board.is_modelled:
        raise UserError(f"--timing is for boards whose time is a model; {board.name} is exact", status=USAGE)
    assert board.clock_hz
    clock = sources.frequency(options.clock)
    limit = sources.budget(options.cycles or DEFAULT, clock or board.clock_hz)
    executable = build.instrument(board.instrument)
    with instrument.workspace() as directory:
        report = directory / "run.json"
        command = [str(executable), "--board", board.name, "--console", "-", "--report", str(report), "--cycles", limit]
        given = (
            ("--clock", clock),
            ("--timing", options.timing),
            ("--seed", options.seed),
            ("--stimulus", options.stimulus),
        )
        for name, value in given:
            command += [name, str(value)] if value is not None else []
        ended, complaint = _watch([*command, str(file)])
        status = -1 if ended is None else ended
        facts = instrument.load_report(report)
    if status not in (instrument.OK, instrument.ENDED_BADLY, instrument.BUDGET, instrument.CRASH, instrument.HALTED):
        raise instrument.failure(
            instrument.Run(status, report.parent, command, "", facts, 0, None, file.name), complaint
        )
    if not options.quiet:
        _say(how(file.name, status, facts, clock or board.clock_hz))
    return status


def how(name: str, status: int, facts: dict[str, Any], clock_hz: int) -> str:
    """How a run ended, and after what time."""
    end, cycles = facts.get("end", {}), int(facts.get("cycles", 0))
    seconds = facts.get("picoseconds", cycles * 1e12 / clock_hz) / 1e12
    after = f"after {cycles:,} cycles, {pulses.time_text(seconds)}"
    where = instrument.where(end)
    if status in (instrument.OK, instrument.ENDED_BADLY):
        return f"{name} ended itself with status {end.get('status', status)} {after}"
    if status == instrument.BUDGET:
        return f"{name} had not ended {after}{where}: its time was up; --cycles gives it more"
    if status == instrument.HALTED:
        return f"{name} halted {after}{where}: {end.get('detail') or 'asleep for ever with interrupts off'}"
    return f"{name} crashed {after}{where}: {end.get('detail') or end.get('reason') or 'for no known reason'}"


def _elsewhere(file: Path, form: str, board: Board, options: RunOptions) -> int:
    """In QEMU, or on this computer."""
    for name in ("clock", "timing", "seed", "stimulus"):
        if getattr(options, name) is not None:
            raise UserError(f"--{name} is for boards with an instrument; {board.name} has none", status=USAGE)
    text = options.cycles or DEFAULT
    if text.strip()[-1:].isdigit():
        raise UserError(f"{board.name} counts no cycles: --cycles 2s says how long at most", status=USAGE)
    seconds = sources.duration(text, 10**9) / 1e9
    if form != "elf":
        raise UserError(f"{file}: on {board.name} an ELF file is wanted")
    command = qemu.command(board, file) if board.name != "host" else [str(file.resolve())]
    begun = time.monotonic()
    ended, complaint = _watch(command, seconds)
    after = f"after {pulses.time_text(time.monotonic() - begun)}"
    if ended is None:
        told, status = f"{file.name} had not ended {after}: its time was up; --cycles gives it more", instrument.BUDGET
    elif ended < 0:
        told, status = f"{file.name} crashed {after}: {signal.Signals(-ended).name}", instrument.CRASH
    else:
        told, status = f"{file.name} ended itself with status {ended} {after}", min(ended, instrument.ENDED_BADLY)
    if not options.quiet:
        for line in complaint.splitlines()[-5:]:
            _say(line)
        _say(told)
    return status


def _say(text: str) -> None:
    sys.stdout.flush()
    print(f"attacca: {printable(text)}", file=sys.stderr)


def _watch(command: Sequence[str], seconds: float | None = None) -> tuple[int | None, str]:
    """Pass on what a program prints, as it comes. Its status, None if it was ended for its time; its complaint."""
    show, finish = _shower()
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        raise UserError(f"cannot run {command[0]}: {(error.strerror or str(error)).lower()}") from None
    assert process.stdout and process.stderr
    complaint = b""
    with process, _ended(process), selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        ready.register(process.stderr, selectors.EVENT_READ)
        end = None if seconds is None else time.monotonic() + seconds
        while ready.get_map():
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                finish()
                return None, complaint.decode(errors="replace")
            for key, _ in ready.select(left):
                more = os.read(key.fd, 1 << 16)
                if not more:
                    ready.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    show(more)
                else:
                    complaint = (complaint + more)[-4096:]
        finish()
        return process.wait(), complaint.decode(errors="replace")


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Nothing goes on behind our back, whatever happens here."""
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _shower() -> tuple[Callable[[bytes], None], Callable[[], None]]:
    """Writes to stdout: the bytes as they are, but letters alone where a terminal would obey the others."""
    sys.stdout.flush()
    if not on_terminal(sys.stdout):
        out = getattr(sys.stdout, "buffer", None)

        def plain(more: bytes) -> None:
            if out is None:
                sys.stdout.write(more.decode(errors="replace"))
            else:
                out.write(more)
                out.flush()

        return plain, lambda: None
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    last = "\n"

    def letters(more: bytes) -> None:
        nonlocal last
        text = "".join(one if one in _KEPT else printable(one) for one in decoder.decode(more))
        if text:
            last = text[-1]
            sys.stdout.write(text)
            sys.stdout.flush()

    return letters, lambda: None if last == "\n" else print()
