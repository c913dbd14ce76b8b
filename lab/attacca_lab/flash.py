"""Writes firmware to a real board with avrdude."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from attacca_lab import prepare
from attacca_lab.boards import Board, boards
from attacca_lab.errors import USAGE, UserError

PORTS = ("ttyACM*", "ttyUSB*")


def _port() -> str | None:
    found = [str(path) for pattern in PORTS for path in sorted(Path("/dev").glob(pattern))]
    if len(found) > 1:
        raise UserError(f"several ports: {' '.join(found)}", "say which with --port", status=USAGE)
    return found[0] if found else None


def _file(firmware: str, board: Board) -> Path:
    if Path(firmware).suffix in (".elf", ".hex"):
        if not Path(firmware).exists():
            raise UserError(f"no file {firmware}")
        return Path(firmware)
    from attacca_lab import build

    return build.build(board.preset).elf(firmware)


def flash(firmware: str, board: Board, port: str | None, dry_run: bool) -> None:
    """Write it, or print the command that would."""
    if not board.flash_part:
        real = ", ".join(name for name, other in boards().items() if other.flash_part)
        raise UserError(f"{board.name} is no board that can be written to; those are: {real}", status=USAGE)
    file = _file(firmware, board)
    port = port or _port()
    form = "i" if file.suffix == ".hex" else "e"
    device = port or "/dev/ttyACM0"
    command = ["avrdude", "-p", board.flash_part, "-c", str(board.flash_programmer), "-b", str(board.flash_baud)]
    command += ["-P", device, "-D", "-U", f"flash:w:{file}:{form}"]
    line = shlex.join(command)
    if dry_run:
        print(line)
        return
    if not shutil.which("avrdude"):
        raise UserError("avrdude is missing", f"{prepare.install_command(['avrdude'])} && {line}")
    if not Path(device).exists():
        where = f"{device} is not there" if port else "no board found on a serial port"
        raise UserError(where, f"plug it in, then: {line}")
    sys.stdout.flush()
    status = subprocess.run(command, check=False).returncode
    if status:
        raise UserError(f"avrdude failed with status {status}", line)
