"""What an ELF file takes of a chip."""

from __future__ import annotations

import os
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from attacca_lab.build import Build
from attacca_lab.errors import UserError
from attacca_lab.output import Column, Table

COLUMNS = (
    Column("firmware", "firmware"),
    Column("flash", "flash", "bytes"),
    Column("ram", "RAM", "bytes"),
    Column("path", "file"),
)
AVR_EEPROM = 0x810000  # from here on an AVR ELF file holds EEPROM, fuses and signature, which are neither


def sizes(path: Path) -> tuple[int, int]:
    """Bytes of flash (code, constants and initial values) and of RAM (data, bss and noinit, stacks included)."""
    flash = ram = 0
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            for section in elf.iter_sections():
                flags = section["sh_flags"]
                if not flags & SH_FLAGS.SHF_ALLOC:
                    continue
                if elf["e_machine"] == "EM_AVR" and section["sh_addr"] >= AVR_EEPROM:
                    continue
                if section["sh_type"] != "SHT_NOBITS":
                    flash += section["sh_size"]
                if flags & SH_FLAGS.SHF_WRITE and not flags & SH_FLAGS.SHF_EXECINSTR:
                    ram += section["sh_size"]
    except ELFError as error:
        raise UserError(f"{path} is not an ELF file: {error}") from None
    return flash, ram


def stack_bytes(path: Path) -> int:
    """Bytes of RAM that are the linker script's stacks, those of handlers and of main; threads' are variables."""
    with path.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
        return sum(int(section["sh_size"]) for section in sections if section.name.endswith("_stack"))


def start_up_bytes(path: Path) -> int:
    """Bytes of flash that are the board's: vectors, what those without a handler lead to, what runs before main."""
    with path.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
        return sum(int(section["sh_size"]) for section in sections if section.name in (".vectors", ".startup"))


def symbol_sizes(path: Path, prefix: str) -> dict[str, int]:
    """Sizes in bytes of the symbols whose names begin so."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        return {symbol.name: int(symbol["st_size"]) for symbol in symbols if symbol.name.startswith(prefix)}


def symbols(path: Path) -> dict[str, int]:
    """Every symbol's address."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        found = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        return {symbol.name: int(symbol["st_value"]) for symbol in found}


def _short(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def size_table(build: Build) -> Table:
    """A row for each firmware of a build; the records carry what it was built with."""
    rows = []
    for elf in build.elfs():
        flash, ram = sizes(elf)
        rows.append({"firmware": elf.stem, "flash": flash, "ram": ram, "path": _short(elf)})
    facts = build.provenance()
    records = [{**row, "preset": build.preset, **facts} for row in rows]
    notes = [f"{build.preset}: {facts['compiler']} {facts['flags']}, commit {facts['commit']}"]
    if not rows:
        notes.insert(0, f"no firmware in this preset; what it builds is in {build.directory}")
    return Table(COLUMNS, rows, notes=notes, records=records)
