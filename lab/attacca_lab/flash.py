"""Writes firmware to a real board: by avrdude to an Arduino, by OpenOCD and a probe to an STM32, by UF2 to a Pico."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from attacca_lab import prepare, sources, uf2
from attacca_lab.boards import Board, boards
from attacca_lab.errors import USAGE, UserError

PORTS = ("ttyACM*", "ttyUSB*")
FLASH_BASE = {"cortex-m": 0x0800_0000, "rp2040js": 0x1000_0000}  # of a board's instrument; an AVR's flash begins at 0


def _port() -> str | None:
    found = [str(path) for pattern in PORTS for path in sorted(Path("/dev").glob(pattern))]
    if len(found) > 1:
        raise UserError(f"several ports: {' '.join(found)}", "say which with --port", status=USAGE)
    return found[0] if found else None


def _file(name: str, board: Board) -> Path:
    """What is written: a file that is for the board's processor, or a firmware of ours, built alone."""
    file = sources.firmware(Path(name), board)
    form = sources.kind(file)
    if form not in sources.FIRMWARE:
        raise UserError(f"{file} is no firmware: an ELF or Intel hex file is wanted")
    if form == "elf":
        sources.check_processor(file, board)
    else:
        _check_hex(file, board)
    return file


def _check_hex(file: Path, board: Board) -> None:
    """Complain about a hex file that the board's flash cannot hold, which is all that such a file tells."""
    begin, size = FLASH_BASE.get(board.instrument, 0), board.flash or 1 << 32
    upper = 0
    for number, line in enumerate(file.read_text(encoding="ascii", errors="replace").split(), 1):
        try:
            record = bytes.fromhex(line.removeprefix(":"))
        except ValueError:
            record = b""
        if len(record) < 5 or len(record) != record[0] + 5 or sum(record) % 256 or not line.startswith(":"):
            raise UserError(f"{file} is damaged: line {number} is no Intel hex record")
        count, address, form = record[0], int.from_bytes(record[1:3], "big"), record[3]
        if form in (2, 4):
            upper = int.from_bytes(record[4:6], "big") << (4 if form == 2 else 16)
        elif form == 0 and count and not begin <= upper + address <= begin + size - count:
            raise UserError(
                f"{file} is for another processor, or too big: it has bytes at 0x{upper + address:x}; "
                f"{board.name}'s flash is 0x{begin:x} to 0x{begin + size - 1:x}",
                "name its board with --board; ./attacca boards lists them",
            )


def _avrdude(file: Path, board: Board, device: str) -> list[str]:
    form = "i" if file.suffix == ".hex" else "e"
    command = ["avrdude", "-p", str(board.flash_part), "-c", str(board.flash_programmer), "-b", str(board.flash_baud)]
    return [*command, "-P", device, "-D", "-U", f"flash:w:{file}:{form}"]


def _openocd(file: Path, board: Board) -> list[str]:
    scripts = [word for script in board.flash_openocd for word in ("-f", script)]
    return ["openocd", *scripts, "-c", f"program {{{file}}} verify reset exit"]


def _picotool(file: Path, board: Board) -> list[str]:
    """And the UF2 file beside the firmware, which is what it writes."""
    if file.suffix == ".hex":
        raise UserError(f"{file}: for {board.name} an ELF file is wanted")
    assert board.flash_uf2
    made = file.with_suffix(".uf2")
    made.write_bytes(uf2.convert(file, board.flash_uf2))
    return ["picotool", "load", "--verify", "--execute", str(made)]


def _other_ways(file: Path, board: Board) -> str:
    """To write to a Pico without picotool."""
    made = file.with_suffix(".uf2")
    return f"hold BOOTSEL, plug it in, and copy {made} to its drive RPI-RP2; or: {shlex.join(_openocd(file, board))}"


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
    if board.flash_uf2:
        command = _picotool(file, board)
    else:
        command = _avrdude(file, board, device) if device else _openocd(file, board)
    line = shlex.join(command)
    if dry_run:
        print(line)
        return
    if not shutil.which(command[0]) and board.flash_uf2:
        raise UserError(f"{command[0]} is missing", _other_ways(file, board))
    if not shutil.which(command[0]):
        raise UserError(f"{command[0]} is missing", f"{prepare.install_command([command[0]])} && {line}")
    if device and not Path(device).exists():
        where = f"{device} is not there" if port else "no board found on a serial port"
        raise UserError(where, f"plug it in, then: {line}")
    sys.stdout.flush()
    status = subprocess.run(command, check=False).returncode
    if status:
        hint = f"{line}\n{_other_ways(file, board)}" if board.flash_uf2 else line
        raise UserError(f"{command[0]} failed with status {status}", hint)
