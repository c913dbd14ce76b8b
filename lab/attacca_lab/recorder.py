"""Kernel events out of a memory image: the firmware's ELF file says where the recorder lies and what things are called.

The recorder's own table in ROM (`att_recorder_layout`, include/attacca/recorder.h) says what a record is made of, so no
debug information is needed; names of events come from trace.h, names of objects from the symbol table. An address
inside a symbol is a part of that object: of a thread, something on its stack.
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from attacca_lab.errors import UserError
from attacca_lab.prepare import ROOT

TABLE = "att_recorder_layout"
MAGIC, VERSION = 0xA77E, 1
RUNS = 0xFFFF  # what `left` is while no end is set
USER = 0x80
AVR_DATA, AVR_EEPROM = 0x800000, 0x810000  # an AVR ELF file shifts its data addresses by the first
READING = "./attacca trace --help has an example; docs/debugging.md says what a program needs"


@dataclass(frozen=True)
class Event:
    """One record."""

    time: int  # of the kernel's clock, in its unit; it does not wrap here
    thread: str  # that ran; "" of an event of the application's
    name: str
    subject: str
    value: int | None  # of an event of the application's


@dataclass(frozen=True)
class Recording:
    """The events that a recorder still holds, oldest first."""

    events: list[Event]
    written: int  # since its start
    frozen: bool


@dataclass(frozen=True)
class Memory:
    """Data memory from `base` on."""

    data: bytes
    base: int
    source: str

    def number(self, address: int, size: int) -> int:
        return int.from_bytes(self.read(address, size), "little")

    def read(self, address: int, size: int) -> bytes:
        at = address - self.base
        if at < 0 or at + size > len(self.data):
            raise UserError(
                f"{self.source} has {len(self.data):,} bytes from 0x{self.base:x}, and nothing at 0x{address:x}",
                "dump all of the RAM, and say with --base at which address the dump begins",
            )
        return self.data[at : at + size]


def event_names() -> dict[int, str]:
    """Numbers and names of the kernel's events."""
    text = (ROOT / "include" / "attacca" / "trace.h").read_text(encoding="utf-8")
    found = re.findall(r"^    ATT_EVENT_(\w+) = (\d+),", text, re.M)
    return {int(number): name.lower().replace("_", " ") for name, number in found}


class Program:
    """What an ELF file says about addresses."""

    def __init__(self, path: Path, vectors: Mapping[int, str] | None = None) -> None:
        self.path = path
        self._vectors = vectors or {}
        self._functions: dict[int, str] = {}
        self.objects: list[tuple[int, int, str]] = []  # address, size, name; by address
        try:
            with path.open("rb") as file:
                elf = ELFFile(file)
                self._avr = elf["e_machine"] == "EM_AVR"
                table = elf.get_section_by_name(".symtab")
                if not isinstance(table, SymbolTableSection):
                    raise UserError(f"{path} has no symbols", "give the ELF file as the linker wrote it, not stripped")
                for symbol in table.iter_symbols():
                    self._add(symbol.name, symbol.entry)
                self.layout = self._layout(elf, table)
        except OSError as error:
            raise UserError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
        except ELFError as error:
            raise UserError(f"{path} is not an ELF file: {error}", READING) from None
        self.objects.sort()

    def _add(self, name: str, entry: Any) -> None:
        kind, address = entry["st_info"]["type"], int(entry["st_value"])
        if kind == "STT_FUNC":
            self._functions.setdefault(address // 2 if self._avr else address, name)
        elif kind == "STT_OBJECT" and entry["st_size"]:
            if self._avr and not AVR_DATA <= address < AVR_EEPROM:
                return
            name = re.sub(r"\.\d+$", "", name)  # a function's own static object
            self.objects.append((address - AVR_DATA if self._avr else address, int(entry["st_size"]), name))

    def _layout(self, elf: ELFFile, table: SymbolTableSection) -> dict[str, int]:
        """The recorder's table, as numbers."""
        found = table.get_symbol_by_name(TABLE)
        if not found:
            raise UserError(
                f"{self.path} records nothing: it has no {TABLE}",
                "define ATT_TRACE in its attacca_config.h and start a recorder: docs/debugging.md, A recorder",
            )
        address, size = int(found[0]["st_value"]), int(found[0]["st_size"])
        data = b""
        for section in elf.iter_sections():
            at = address - section["sh_addr"]
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and 0 <= at < section["sh_size"]:
                data = section.data()[at : at + size]
        head = data[:6].ljust(6, b"\0")
        magic, version, _, pointer, record = struct.unpack("<HBBBB", head)
        if (magic, version) != (MAGIC, VERSION):
            raise UserError(f"{self.path}: its {TABLE} is of version {version}; this is {VERSION}", "build it again")
        at = -(-6 // pointer) * pointer
        layout = {"pointer": pointer, "record": record, "current": int.from_bytes(data[at : at + pointer], "little")}
        members = ("records", "count", "next", "written", "left", "time", "subject", "value", "event")
        return layout | dict(zip(members, data[at + pointer :], strict=False))

    def recorder(self, name: str) -> int:
        """The address of the recorder of that name."""
        for address, _, known in self.objects:
            if known == name:
                return address
        raise UserError(f"{self.path} has no object '{name}'", "--recorder names what ATT_RECORDER defined")

    def name(self, address: int) -> str:
        """What lies there, as its author calls it."""
        if address == 0:
            return ""
        if address in self._functions:
            name = self._functions[address]
            vector = re.fullmatch(r"__vector_(\d+)", name)
            return self._vectors.get(int(vector[1]), name) if vector else name
        place = bisect.bisect_right(self.objects, (address, 1 << 62, "")) - 1
        if place >= 0:
            begin, size, name = self.objects[place]
            if address < begin + size:
                offset = address - begin
                return "idle" if name == "att_k" else f"{name}+{offset}" if offset else name
        return f"0x{address:x}"


def read(program: Program, memory: Memory, recorder: str | None = None) -> Recording:
    """Decode a recorder; the one that events went to last, if none is named."""
    at = program.layout
    if recorder:
        place = program.recorder(recorder)
    else:
        place = memory.number(at["current"], at["pointer"])
        if place == 0:
            raise UserError(
                f"{memory.source}: no recorder has been started, or the last was stopped with att_recorder_start(NULL)",
                "run it longer (--cycles), or name the recorder with --recorder",
            )
    ring = memory.number(place + at["records"], at["pointer"])
    count, following, left = (memory.number(place + at[key], 2) for key in ("count", "next", "left"))
    written = memory.number(place + at["written"], 4)
    if not 0 < count <= RUNS or following >= count:
        raise UserError(
            f"{memory.source}: what lies at 0x{place:x} is no recorder",
            f"was this memory written by {program.path.name}, and does the dump begin where --base says?",
        )
    events: list[Event] = []
    names = event_names()
    kept = min(written, count)
    for number in range(kept):
        slot = ring + (following - kept + number) % count * at["record"]
        event = _event(program, memory, slot, names)
        if events:  # the clock has 32 bits
            event = Event(events[-1].time + (event.time - events[-1].time) % 2**32, *_rest(event))
        events.append(event)
    return Recording(events, written, left == 0)


def _rest(event: Event) -> tuple[str, str, str, int | None]:
    return event.thread, event.name, event.subject, event.value


def _event(program: Program, memory: Memory, slot: int, names: Mapping[int, str]) -> Event:
    at = program.layout
    code = memory.number(slot + at["event"], 1)
    subject = program.name(memory.number(slot + at["subject"], at["pointer"]))
    value = memory.number(slot + at["value"], at["pointer"])
    time = memory.number(slot + at["time"], 4)
    if code >= USER:
        return Event(time, "", f"user {code - USER}", subject, value)
    return Event(time, program.name(value), names.get(code, f"event {code}"), subject, None)
