"""What ./attacca scope, trace, run and flash are given: firmware, by file or by name, and captures of every kind."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from attacca_lab.errors import USAGE, UserError
from attacca_lab.vcd_body import PICOSECONDS

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.vcd import Capture

DEFAULT_SECONDS = 2.0
FIRMWARE = ("elf", "hex")
CAPTURES = ("vcd", "sr", "csv", "bin")
_SCALES = {"": 0.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_MACHINES = {"avr": "EM_AVR", "cortex-m": "EM_ARM", "gba": "EM_ARM", "rp2040js": "EM_ARM", "riscv": "EM_RISCV",
             "vexriscv": "EM_RISCV"}  # fmt: skip
_EMULATED = {"qemu-system-arm": "EM_ARM", "qemu-system-riscv32": "EM_RISCV", "qemu-system-nios2": "EM_ALTERA_NIOS2"}
_WANTED = "an ELF or Intel hex file for the board's processor is wanted, or a capture: .vcd, .sr, .csv, .bin"


def kind(file: Path) -> str:
    """One of FIRMWARE or CAPTURES, from what the file begins with and how its name ends."""
    if file.is_dir():
        raise UserError(f"{file} is a directory", _WANTED)
    try:
        with file.open("rb") as stream:
            start = stream.read(4096)
    except OSError as error:
        raise UserError(f"cannot read {file}: {(error.strerror or str(error)).lower()}", _WANTED) from None
    ending = file.suffix.lower()
    if start.startswith(b"\x7fELF"):
        return "elf"
    if re.match(rb"\s*:[0-9A-Fa-f]{10}", start):
        return "hex"
    if start.startswith(b"PK\x03\x04") or (ending == ".sr" and start):
        return "sr"
    if ending == ".vcd" or re.match(rb"\s*\$\w+\s", start):
        return "vcd"
    if ending in (".csv", ".bin") and start:
        return ending[1:]
    raise UserError(f"{file} {'is empty' if not start else 'is neither firmware nor a capture'}", _WANTED)


def firmware(name: Path, board: Board) -> Path:
    """A file as it is; the name of a firmware of ours is built for the board, it alone."""
    if name.exists() or name.suffix or len(name.parts) > 1:
        if not name.is_file():
            raise UserError(f"{name} is no file" if name.exists() else f"there is no file {name}")
        return name
    from attacca_lab import build

    return build.one(board.preset, str(name))


def read_capture(file: Path, form: str, clock_hz: int | None, rate: int | None, channels: int | None) -> Capture:
    """A capture of any kind; `rate` is what the analyser sampled at, where the file does not say."""
    from attacca_lab import logic, vcd

    if channels is not None and form != "bin":
        raise UserError(f"--channels is for raw samples (.bin): {file} says how many it has", status=USAGE)
    if form == "sr":
        return logic.read_sr(file, clock_hz, rate)
    if form == "csv":
        return logic.read_csv(file, clock_hz, rate)
    if form == "bin":
        return logic.read_bin(file, clock_hz, rate, channels)
    capture = vcd.read(file, clock_hz)
    if capture.instrument:
        if rate is not None:
            raise UserError(f"{file} is of {capture.instrument}, whose edges are exact: it has no rate", status=USAGE)
        return capture
    stated = re.search(r"\bat ([\d.]+ ?[kMG]?Hz)", " ".join(capture.comments))
    rate = (logic.hertz(stated[1]) if stated else None) or rate
    return replace(capture, sampling_ps=PICOSECONDS / rate if rate else None)


def duration(text: str, clock_hz: int) -> int:
    """Cycles from "32000000", "2s", "300ms" or "50us"."""
    match = re.fullmatch(r"([\d_]*\.?\d+)\s*(s|ms|us|µs|)", text.strip())
    value = float(match.group(1).replace("_", "")) if match else 0.0
    cycles = round(value * _SCALES[match.group(2)] * clock_hz) if match and match.group(2) else round(value)
    if not 0 < cycles < 1 << 62:
        raise UserError(f"'{text}' is no length of time: say 2s, 300ms, 50us or a number of cycles", status=USAGE)
    return cycles


def budget(text: str, clock_hz: int) -> str:
    """The same for an instrument, which counts a time itself: the firmware may change the clock."""
    cycles = duration(text, clock_hz)
    return str(cycles) if text.strip()[-1].isdigit() else re.sub(r"[\s_]", "", text).replace("µ", "u")


def frequency(text: str | None, what: str = "clock") -> int | None:
    """Hertz from "16MHz", "16M" or "16000000"."""
    if text is None:
        return None
    match = re.fullmatch(r"([\d_]*\.?\d+)\s*([kMG]?)(?:Hz)?", text.strip(), re.IGNORECASE)
    scale = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
    hertz = round(float(match.group(1).replace("_", "")) * scale[match.group(2).lower()]) if match else 0
    if not 0 < hertz <= 10**11:
        raise UserError(f"'{text}' is no {what}: say 16MHz or 16000000", status=USAGE)
    return hertz


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
    wanted = _EMULATED.get(board.emulator) if board.machine else _MACHINES.get(board.instrument)
    if wanted and machine != wanted:
        article = "an" if board.processor[0] in "AEIOU" else "a"
        name = machine.removeprefix("EM_").replace("_", "-").lower()
        raise UserError(
            f"{file} is for another processor ({name}); {board.name} has {article} {board.processor}",
            "build it for that processor, or name its board with --board; ./attacca boards lists them",
        )
    if wanted and not executable:
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
