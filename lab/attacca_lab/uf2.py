"""UF2 files, which a board's boot loader takes as a file on a drive: blocks of 512 bytes, each with 256 of flash."""

from __future__ import annotations

import struct
from pathlib import Path

from elftools.elf.elffile import ELFFile

PAYLOAD = 256
MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)  # two at a block's begin, one at its end
FAMILY_STATED = 0x2000


def pages(elf: Path) -> dict[int, bytes]:
    """What an ELF file loads, by physical addresses, in whole pages of flash; what no segment has is all ones."""
    found: dict[int, bytearray] = {}
    with elf.open("rb") as file:
        for segment in ELFFile(file).iter_segments():
            if segment["p_type"] != "PT_LOAD":
                continue
            for at, byte in enumerate(segment.data(), segment["p_paddr"]):
                found.setdefault(at - at % PAYLOAD, bytearray(b"\xff" * PAYLOAD))[at % PAYLOAD] = byte
    return {address: bytes(found[address]) for address in sorted(found)}


def convert(elf: Path, family: int) -> bytes:
    """The UF2 file of a firmware, for the processors of that family."""
    wanted = pages(elf)
    blocks = []
    for number, (address, page) in enumerate(wanted.items()):
        head = (*MAGIC[:2], FAMILY_STATED, address, PAYLOAD, number, len(wanted), family)
        blocks.append(struct.pack("<8I", *head) + page.ljust(476, b"\0") + struct.pack("<I", MAGIC[2]))
    return b"".join(blocks)
