"""Runs a test firmware in QEMU: what it printed, and the status with which it ended itself, by semihosting.

QEMU is no instrument: it knows no cycles and no pins. It shows that the kernel works on processors for which there is
none.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from attacca_lab import prepare
from attacca_lab.errors import UserError

PROGRAM = "qemu-system-arm"
# Virtual time is 8 ns an instruction, and sleep jumps to the next timer: each run is the same as the last. Boards must
# not sleep on a periodic timer, of which QEMU would then skip periods; the kernel's clocks have none.
CLOCK = "shift=3,sleep=off"


def command(machine: str, firmware: Path) -> list[str]:
    """What to type: the console is standard output, and nothing waits for a person."""
    options = ["-display", "none", "-monitor", "none", "-serial", "stdio", "-audiodev", "none,id=none"]
    door = ["-semihosting-config", "enable=on,target=native"]
    return [str(prepare.tool(PROGRAM)), "-M", machine, *options, *door, "-icount", CLOCK, "-kernel", str(firmware)]


def run(machine: str, firmware: Path, timeout: float) -> tuple[str, int]:
    """Console text and status; a UserError if the firmware does not come to an end."""
    try:
        done = subprocess.run(
            command(machine, firmware),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as slow:
        said = (slow.stdout or b"").decode(errors="replace").strip().splitlines()
        last = f"; the last that it said: {said[-1]}" if said else ""
        raise UserError(f"{firmware.stem} on {machine}: has not ended after {timeout:.0f} s{last}") from None
    return done.stdout.decode(errors="replace"), done.returncode
