"""What is there and what is missing, without installing anything."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from attacca_lab import prepare
from attacca_lab.errors import UserError
from attacca_lab.output import Column, Record, Table

COLUMNS = (
    Column("tool", "tool"),
    Column("there", "there"),
    Column("version", "version"),
    Column("needed_for", "needed for"),
    Column("place", "where, or how to get it", form=lambda place: place.replace(f"{Path.home()}/", "~/")),
)
LEVELS = {
    "lab": "everything",
    "bench": "bench",
    "arm": "bench --board stm32f103, test",
    "gba": "bench --board gba, test",
    "riscv": "build --board virt, test",
    "vexriscv": "bench --board vexriscv, test",
    "nios2": "build --board 10m50, test",
    "nios2-sources": "build --board 10m50, test",
    "qemu": "bench --board virt, test",
    "test": "test",
    "simulators": "test --only instrument",
    "fuzz": "test, fuzz",
    "fresh": "test --fresh",
    "flash": "flash",
}


def _first_version(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\d+\.\d[\w.+~-]*", done.stdout + done.stderr)
    return found.group() if found else None


def _package_version(package: str) -> str | None:
    command = ["dpkg-query", "-W", "-f", "${Version}", package]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or None
    except OSError:
        return None


def _row(tool: str, level: str, purpose: str, where: Path | None, version: str | None, get: str) -> Record:
    return {
        "tool": tool,
        "there": where is not None,
        "version": version,
        "needed_for": LEVELS[level],
        "purpose": purpose,
        "place": str(where) if where else get,
    }


def _debian() -> list[Record]:
    rows = []
    for need in prepare.needs():
        if need.package in ("python3", "python3-venv"):
            continue  # whatever runs this
        where = need.where()
        version = None
        if where and need.probe.startswith("/"):
            version = _package_version(need.package)
        elif where:
            version = _first_version([str(where), "--version"])
        get = prepare.install_command([need.package])
        rows.append(_row(need.package, need.level, need.purpose, where, version, get))
    return rows


def _python(file: str, level: str, purpose: str) -> Record:
    """One row for all packages that a file pins: there when each is there in the version pinned."""
    names, found = [], True
    for line in (prepare.ROOT / "lab" / file).read_text(encoding="utf-8").splitlines():
        name, _, pinned = line.partition("==")
        if line.startswith("#") or not pinned:
            continue
        names.append(name)
        try:
            found = found and metadata.version(name) == pinned
        except metadata.PackageNotFoundError:
            found = False
    where = Path(sys.prefix) if found else None
    get = f"./attacca {'test' if level == 'test' else 'bench'} installs them"
    return _row(f"{len(names)} Python packages", level, purpose, where, None, get)


def _avr() -> Record:
    try:
        avr = prepare.avr_gcc_bin() / "avr-gcc"
    except UserError:
        return _row("avr-gcc", "bench", "builds firmware for the Uno", None, None, "./attacca build installs it")
    return _row("avr-gcc", "bench", "builds firmware for the Uno", avr, _first_version([str(avr), "-dumpversion"]), "")


def _vexriscv() -> Record:
    found = prepare.vexriscv()
    get = "./attacca bench --board vexriscv installs it"
    return _row("VexRiscv", "vexriscv", "the RISC-V processor, as Verilog", found, None, get)


def _nios2() -> Record:
    gcc = prepare.nios2_gcc()
    version = _first_version([str(gcc), "-dumpversion"]) if gcc else None
    get = "./attacca build --board 10m50 builds it"
    return _row("nios2-elf-gcc", "nios2", "builds firmware for Nios II boards", gcc, version, get)


def _simulators() -> Record:
    found = prepare.other_simulators().get("ATTACCA_NODE")
    get = "./attacca test installs them"
    return _row("other simulators", "simulators", "yasimavr and avr8js", Path(found) if found else None, None, get)


def examine() -> Table:
    """A row for each thing that the project needs."""
    rows: list[Record] = [
        _row("python", "lab", "the laboratory itself", Path(sys.executable), sys.version.split()[0], ""),
        _python("requirements.txt", "lab", "the laboratory itself"),
        *_debian(),
        _avr(),
        _vexriscv(),
        _nios2(),
        _python("requirements-test.txt", "test", "tests and checks of the laboratory"),
        _simulators(),
    ]
    lacking = missing(rows)
    verdict = f"lacks {', '.join(lacking)}; it installs what it lacks" if lacking else "has all it needs"
    notes = ["", f"./attacca bench {verdict}. Cache: {prepare.cache()}"]
    if unfinished := prepare.unfinished_packages():
        mend = prepare.as_root("dpkg --configure -a")
        notes.append(f"Unpacked and not set up: {', '.join(unfinished)}. What sets them up: {mend}")
    return Table(COLUMNS, rows, notes=notes)


def missing(rows: Sequence[Record]) -> list[str]:
    """What `bench` needs and the machine lacks."""
    return [row["tool"] for row in rows if not row["there"] and row["needed_for"] in (LEVELS["lab"], LEVELS["bench"])]
