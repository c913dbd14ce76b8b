"""Writes firmware to a real board: with avrdude to an Arduino, with OpenOCD and a debug probe to an STM32."""

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


def _avrdude(file: Path, board: Board, device: str) -> list[str]:
    form = "i" if file.suffix == ".hex" else "e"
    command = ["avrdude", "-p", str(board.flash_part), "-c", str(board.flash_programmer), "-b", str(board.flash_baud)]
    return [*command, "-P", device, "-D", "-U", f"flash:w:{file}:{form}"]


def _openocd(file: Path, board: Board) -> list[str]:
    scripts = [word for script in board.flash_openocd for word in ("-f", script)]
    return ["openocd", *scripts, "-c", f"program {{{file}}} verify reset exit"]


def flash(firmware: str, board: Board, port: str | None, dry_run: bool) -> None:
    """Write it, or print the command that would."""
    if not board.can_be_flashed:
        real = ", ".join(name for name, other in boards().items() if other.can_be_flashed)
        raise UserError(f"{board.name} is no board that can be written to; those are: {real}", status=USAGE)
    if port and board.flash_openocd:
        raise UserError(f"{board.name} is written to by a debug probe: it has no --port", status=USAGE)
    file = _file(firmware, board)
    device = None
    if not board.flash_openocd:
        port = port or _port()
        device = port or "/dev/ttyACM0"
    command = _avrdude(file, board, device) if device else _openocd(file, board)
    line = shlex.join(command)
    if dry_run:
        print(line)
        return
    if not shutil.which(command[0]):
        raise UserError(f"{command[0]} is missing", f"{prepare.install_command([command[0]])} && {line}")
    if device and not Path(device).exists():
        where = f"{device} is not there" if port else "no board found on a serial port"
        raise UserError(where, f"plug it in, then: {line}")
    sys.stdout.flush()
    status = subprocess.run(command, check=False).returncode
    if status:
        raise UserError(f"{command[0]} failed with status {status}", line)
