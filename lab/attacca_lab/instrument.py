"""Runs an instrument: firmware and stimulus in, capture, console text and report out.

An instrument is an executable with one contract (docs/instrument.md). Here its exit status becomes either a Run or
one line that says what the firmware did, where, and what to do.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from attacca_lab import boards, errors
from attacca_lab.errors import UserError
from attacca_lab.vcd import Capture, read

OK, ENDED_BADLY, USAGE, CANNOT_LOAD, BUDGET, CRASH, STIMULUS, HALTED = range(8)

Progress = Callable[[str], None]


@dataclass
class Run:
    """What one run left behind. The files lie in `directory`, which its maker removes."""

    status: int
    directory: Path
    command: list[str]
    console: str
    report: dict[str, Any]
    seconds: float
    vcd: Path | None
    firmware: str = ""
    _capture: Capture | None = field(default=None, repr=False)

    @property
    def capture(self) -> Capture:
        """Its capture, read when first asked for."""
        if self._capture is None:
            if self.vcd is None:
                raise UserError("this run was not captured")
            seen = read(self.vcd)
            self._capture = replace(seen, end=max(seen.end, int(self.report.get("cycles", 0))))
        return self._capture

    @property
    def instrument(self) -> str:
        """The instrument's name and version, as results carry it."""
        name, version = self.report.get("instrument", ""), self.report.get("instrument_version", "")
        return f"{name} {version}".strip()

    @property
    def clock_hz(self) -> int | None:
        """The clock of the processor."""
        clock = self.report.get("clock_hz")
        return int(clock) if clock else None

    def masked(self, by: str = "code") -> list[dict[str, Any]]:
        """Stretches with interrupts masked, longest first, by "code" or by "handler"."""
        found = self.report.get("masked", {}).get(f"by_{by}", [])
        return sorted(found, key=lambda one: -int(one.get("cycles", 0)))


@contextlib.contextmanager
def workspace() -> Iterator[Path]:
    """A directory for runs, gone when the block ends."""
    with tempfile.TemporaryDirectory(prefix="attacca-") as name:
        yield Path(name)


def run(
    executable: Path,
    firmware: Path,
    directory: Path,
    *,
    board: str | None = None,
    stimulus: Path | str | None = None,
    cycles: int | str | None = None,
    guard: str | None = None,
    seed: int | None = None,
    extra: Sequence[str] = (),
    capture: bool = True,
    allow: Sequence[int] = (OK,),
    timeout: float = 300.0,
    progress: Progress | None = None,
    name: str = "run",
    by_registers: bool = False,
) -> Run:
    """Run firmware on an instrument; any status that is not allowed is a UserError.

    `directory` receives NAME.vcd, NAME.json and NAME.txt. A stimulus may be a file or its text. `progress` is called
    a few times a second with what there is to tell. Where the instrument is a model, the clock is the board's and
    flash has no wait states, so that figures can be compared; `by_registers`: both are what the firmware sets, unless
    `extra` says otherwise.
    """
    if not firmware.is_file():
        raise UserError(f"there is no file {firmware}" if not firmware.exists() else f"{firmware} is no file")
    vcd, report, console = (directory / f"{name}{ending}" for ending in (".vcd", ".json", ".txt"))
    command = [str(executable)]
    if board:
        command += ["--board", board]
    if stimulus is not None:
        if isinstance(stimulus, str):
            (directory / f"{name}.stimulus").write_text(stimulus, encoding="utf-8")
            stimulus = directory / f"{name}.stimulus"
        command += ["--stimulus", str(stimulus)]
    if capture:
        command += ["--vcd", str(vcd)]
    command += ["--console", str(console), "--report", str(report)]
    for option, value in (("--cycles", cycles), ("--guard", guard), ("--seed", seed)):
        if value is not None:
            command += [option, str(value)]
    if board and not by_registers:
        command += forced(board, extra)
    command += [*extra, str(firmware)]
    begun = time.monotonic()
    status, complaint = _wait(command, timeout, progress, vcd if capture else None)
    outcome = Run(
        status=status,
        directory=directory,
        command=command,
        console=console.read_text(encoding="utf-8", errors="replace") if console.exists() else "",
        report=load_report(report),
        seconds=time.monotonic() - begun,
        vcd=vcd if capture and vcd.exists() else None,
        firmware=firmware.name,
    )
    if status not in allow:
        raise failure(outcome, complaint)
    return outcome


def forced(board: str, extra: Sequence[str] = ()) -> list[str]:
    """The options that force the board's clock and, if the caller states no timing, flash without wait states."""
    facts = boards.boards().get(board)
    if facts is None or not facts.is_modelled:
        return []
    clock = [] if "--clock" in extra else ["--clock", str(facts.clock_hz)]
    return clock + ([] if "--timing" in extra else ["--timing", "main"])


def _wait(command: list[str], timeout: float, progress: Progress | None, growing: Path | None) -> tuple[int, str]:
    """Exit status and standard error; the process is ended when it takes too long or we are interrupted."""
    begun = time.monotonic()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise UserError(
            f"cannot run the instrument {command[0]}: {(error.strerror or str(error)).lower()}",
            "./attacca build makes it; ./attacca doctor tells what is missing",
        ) from None
    with process:
        try:
            while True:
                try:
                    _, stderr = process.communicate(timeout=0.25)
                    return process.returncode, stderr.decode(errors="replace")
                except subprocess.TimeoutExpired:
                    passed = time.monotonic() - begun
                    if passed > timeout:
                        raise UserError(
                            f"{Path(command[-1]).name}: the instrument has not ended after {passed:.0f} s",
                            "give it fewer cycles",
                        ) from None
                    if progress:
                        size = growing.stat().st_size if growing and growing.exists() else 0
                        progress(f"{passed:.0f} s, {size / 1e6:.1f} MB captured" if size else f"{passed:.0f} s")
        finally:
            if process.poll() is None:
                process.kill()


def load_report(path: Path) -> dict[str, Any]:
    """A report, or nothing where there is none."""
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def failure(outcome: Run, complaint: str = "") -> UserError:
    """What went wrong in a run, in one line, and what to do."""
    name = outcome.firmware
    end = outcome.report.get("end", {})
    said = _last_line(complaint, outcome.command)
    if outcome.status == ENDED_BADLY:
        detail = f": {_last_line(outcome.console)}" if outcome.console.strip() else ""
        return UserError(
            f"{name} ended with status {end.get('status', 1)}{detail}", "that is the firmware's own verdict"
        )
    if outcome.status == USAGE:
        return UserError(said or "the instrument rejects its command, and gives no reason", status=errors.USAGE)
    if outcome.status == CANNOT_LOAD:
        return UserError(
            said or f"{name} cannot be loaded",
            "the firmware must be an ELF or Intel hex file for the board's processor; --board says which board",
        )
    if outcome.status == BUDGET:
        cycles = outcome.report.get("cycles")
        spent = f"after {cycles:,} cycles" if isinstance(cycles, int) else "when its budget of cycles was used up"
        return UserError(f"{name} had not ended {spent}{where(end)}", "give it more with --cycles")
    if outcome.status == CRASH:
        reason = end.get("detail") or end.get("reason") or said or "for no known reason"
        return UserError(f"{name} crashed: {reason}{where(end)}")
    if outcome.status == STIMULUS:
        return UserError(said or f"the stimulus for {name} cannot be used")
    if outcome.status == HALTED:
        return UserError(
            f"{name} halted: {end.get('detail') or 'asleep for ever with interrupts off'}{where(end)}",
            "a firmware that ends that way is measured up to there, unless it should have gone on",
        )
    if outcome.status < 0:
        return UserError(f"the instrument was ended by signal {-outcome.status}{': ' + said if said else ''}")
    return UserError(f"the instrument ended with status {outcome.status}{': ' + said if said else ''}")


def where(end: dict[str, Any]) -> str:
    """ ", at 0x1a2 in main" from the report's end."""
    pc, symbol = end.get("pc"), str(end.get("symbol") or "")
    if symbol.startswith("_etext"):
        symbol = ""  # behind all code: no function
    place = f"0x{pc:04x}" if isinstance(pc, int) else str(pc) if pc else ""
    if not place and not symbol:
        return ""
    return f", at {place}{f' in {symbol}' if symbol else ''}" if place else f", in {symbol}"


def _last_line(text: str, command: Sequence[str] = ()) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    prefix = f"{Path(command[0]).name}: " if command else ""
    return lines[-1].removeprefix(prefix).removeprefix("error: ")
