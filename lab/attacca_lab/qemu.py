"""Runs a test firmware in QEMU: what it printed, and the status with which it ended itself: by semihosting on Arm, by a
device on RISC-V.

QEMU is no instrument: it knows no cycles and no pins. It shows that the kernel works on processors for which there is
none, and counts instructions there (counting.py).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from attacca_lab import prepare, rp2040
from attacca_lab.boards import Board
from attacca_lab.errors import UserError

# Virtual time is 8 ns an instruction, and sleep jumps to the next timer: each run is the same as the last. Boards must
# not sleep on a periodic timer, of which QEMU would then skip periods; the kernel's clocks have none.
CLOCK = "shift=3,sleep=off"


def command(board: Board, firmware: Path) -> list[str]:
    """What to type: the console is standard output, and nothing waits for a person. The Pico is rp2040js's."""
    if board.instrument == rp2040.INSTRUMENT:
        return rp2040.command(firmware)
    program = str(prepare.tool(board.emulator))
    options = ["-display", "none", "-monitor", "none", "-serial", "stdio", "-audiodev", "none,id=none"]
    options += [*board.emulator_options, "-semihosting-config", "enable=on,target=native", "-icount", CLOCK]
    return [program, "-M", board.machine or "", *options, "-kernel", str(firmware)]


def run(board: Board, firmware: Path, timeout: float) -> tuple[str, int]:
    """Console text and status; a UserError if the firmware does not come to an end."""
    return run_command(command(board, firmware), f"{firmware.stem} on {board.name}", timeout)


def run_command(typed: list[str], what: str, timeout: float) -> tuple[str, int]:
    """The same of a command."""
    try:
        done = subprocess.run(
            typed,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as slow:
        said = (slow.stdout or b"").decode(errors="replace").strip().splitlines()
        last = f"; the last that it said: {said[-1]}" if said else ""
        raise UserError(f"{what}: has not ended after {timeout:.0f} s{last}") from None
    return done.stdout.decode(errors="replace"), done.returncode
