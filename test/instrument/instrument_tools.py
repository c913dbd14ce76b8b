"""Runs an instrument by its command line and reads what it writes: all that the tests in this folder share.

It is apart from the laboratory on purpose: what checks an instrument must not lean on what is built upon it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Capture:
    """A VCD file in cycles: for each channel its changes as (cycle, value), the initial value at cycle 0 first."""

    clock_hz: int
    instrument: str
    widths: dict[str, int]
    changes: dict[str, list[tuple[int, int]]]
    end: int

    def edges(self, name: str) -> list[tuple[int, int]]:
        return self.changes[name][1:]

    def rising(self, name: str) -> list[int]:
        return [cycle for cycle, value in self.edges(name) if value == 1]

    def falling(self, name: str) -> list[int]:
        return [cycle for cycle, value in self.edges(name) if value == 0]


def read_vcd(path: Path) -> Capture:
    text = path.read_text()
    comment = re.search(r"\$comment clock_hz=(\d+) instrument=(\S+) \$end", text)
    assert comment, "the VCD states no clock_hz= and instrument="
    assert re.search(r"\$timescale\s+1\s*ps\s+\$end", text)
    assert re.search(r"\$scope module attacca \$end", text)
    clock_hz = int(comment[1])
    header, body = text.split("$enddefinitions $end", 1)
    names: dict[str, str] = {}
    widths: dict[str, int] = {}
    for width, code, name in re.findall(r"\$var wire (\d+) (\S+) (\S+)(?: \[\d+:0\])? \$end", header):
        names[code] = name
        widths[name] = int(width)
    changes: dict[str, list[tuple[int, int]]] = {name: [] for name in names.values()}
    cycle = stamp = 0
    since, base, hz = 0, 0, clock_hz  # the clock's last change: stamp, cycle, and what it is
    words = iter(body.split())
    for word in words:
        if word[0] == "#":
            assert int(word[1:]) >= stamp, "time runs back"
            stamp = int(word[1:])
            passed = ((stamp - since) * hz + 5 * 10**11) // 10**12
            # The rule's other direction: exactly this stamp belongs to that cycle.
            assert (passed * 10**12 + hz // 2) // hz == stamp - since
            cycle = base + passed
        elif word[0] == "b":
            name, value = names[next(words)], int(word[1:], 2)
            changes[name].append((cycle, value))
            if name == "clock_hz":
                since, base, hz = stamp, cycle, value
        elif word[0] in "01":
            changes[names[word[1:]]].append((cycle, int(word[0])))
    return Capture(clock_hz, comment[2], widths, changes, cycle)


@dataclass
class Run:
    status: int
    stdout: str
    stderr: str
    report: dict
    vcd: Capture | None
    folder: Path

    def markers(self) -> list[tuple[int, int]]:
        assert self.vcd is not None
        return self.vcd.edges("marker")


def call(executable: Path, *arguments: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [str(executable), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def run(executable: Path, firmware: Path, folder: Path, *arguments: object, vcd: bool = True) -> Run:
    report, wave = folder / "run.json", folder / "run.vcd"
    for old in (report, wave):
        old.unlink(missing_ok=True)
    files = ["--report", report, *(["--vcd", wave] if vcd else [])]
    done = call(executable, *files, *arguments, firmware)
    return Run(
        done.returncode,
        done.stdout,
        done.stderr,
        json.loads(report.read_text()) if report.exists() and report.stat().st_size else {},
        read_vcd(wave) if wave.exists() and wave.stat().st_size else None,
        folder,
    )


def avr_instrument() -> Path:
    """The executable that ATTACCA_AVR names, else one built into build/instrument/avr."""
    if named := os.environ.get("ATTACCA_AVR"):
        return Path(named).resolve()
    return _built("avr") / "attacca-avr"


def cortex_m_instrument(target: str = "attacca-cortex-m") -> Path:
    """The executable in the folder of the one that ATTACCA_CORTEX_M names, else built in build/instrument/cortex-m."""
    if named := os.environ.get("ATTACCA_CORTEX_M"):
        return Path(named).resolve().parent / target
    return _built("cortex-m") / target


def vexriscv_instrument() -> Path:
    """The executable that ATTACCA_VEXRISCV_INSTRUMENT names; what it is made from only the laboratory can fetch."""
    return Path(os.environ["ATTACCA_VEXRISCV_INSTRUMENT"]).resolve()


def _built(name: str) -> Path:
    folder = ROOT / "build" / "instrument"
    if not (folder / "CMakeCache.txt").exists():
        source = ROOT / "instrument"
        subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja"], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", folder, "--target", f"{name}/all"], check=True, capture_output=True)
    return folder / name


def avr_gcc() -> str | None:
    """avr-gcc in the folder that ATTACCA_AVR_GCC names, else on PATH."""
    folder = os.environ.get("ATTACCA_AVR_GCC")
    if folder:
        return shutil.which("avr-gcc", path=folder)
    return shutil.which("avr-gcc")


def build_avr(sources: list[Path], target: Path, *flags: str, mcu: str = "atmega328p") -> Path:
    compiler = avr_gcc()
    assert compiler, "no avr-gcc: set ATTACCA_AVR_GCC to its folder or put it on PATH"
    command = [compiler, f"-mmcu={mcu}", "-Os", "-g", "-Wall", *flags, "-o", str(target), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def arm_gcc() -> str | None:
    return shutil.which("arm-none-eabi-gcc")


def build_cortex_m(sources: list[Path], target: Path, *flags: str, script: Path | None = None) -> Path:
    """By a linker script, or with code from 0x08000000, its vector table first, and .bss in RAM."""
    compiler = arm_gcc()
    assert compiler, "no arm-none-eabi-gcc: apt-get install gcc-arm-none-eabi"
    command = [compiler, "-mcpu=cortex-m3", "-mthumb", "-Os", "-g", "-Wall", "-fno-builtin", "-nostdlib"]
    places = [f"-Wl,-T,{script}"] if script else ["-Wl,-Ttext=0x08000000", "-Wl,-Tbss=0x20000000", "-Wl,--entry=start"]
    command += ["-fno-tree-loop-distribute-patterns", "-Wl,--no-warn-rwx-segments", *places, *flags]
    done = subprocess.run([*command, "-o", target, *sources], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def riscv_gcc() -> str | None:
    return shutil.which("riscv64-unknown-elf-gcc")


def build_riscv(sources: list[Path], target: Path, *flags: str, script: Path | None = None) -> Path:
    """By a linker script, or with code from 0x80000000 and .bss in RAM."""
    compiler = riscv_gcc()
    assert compiler, "no riscv64-unknown-elf-gcc: apt-get install gcc-riscv64-unknown-elf"
    command = [compiler, "-march=rv32im", "-mabi=ilp32", "-misa-spec=2.2", "-Os", "-g", "-Wall", "-fno-builtin"]
    command += ["-ffreestanding", "-nostdlib", "-mno-relax", "-fno-tree-loop-distribute-patterns"]
    places = [f"-Wl,-T,{script}"] if script else ["-Wl,-n,-Ttext=0x80000000,-Tbss=0x90000000,--entry=start"]
    command += ["-Wl,--no-warn-rwx-segments", *places, *flags]
    done = subprocess.run([*command, "-o", target, *sources], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def no_gba() -> str:
    """Why there is no GBA instrument here; empty if there is."""
    if not arm_gcc():
        return "no arm-none-eabi-gcc: apt-get install gcc-arm-none-eabi"
    return "" if Path("/usr/include/mgba/core/core.h").exists() else "no libmgba: apt-get install libmgba-dev"


def gba_instrument() -> Path:
    """The executable that ATTACCA_GBA names, else one built into build/instrument/gba."""
    if named := os.environ.get("ATTACCA_GBA"):
        return Path(named).resolve()
    return _built("gba") / "attacca-gba"


def build_gba(sources: list[Path], target: Path, *flags: str, script: Path) -> Path:
    compiler = arm_gcc()
    assert compiler, "no arm-none-eabi-gcc: apt-get install gcc-arm-none-eabi"
    command = [compiler, "-mcpu=arm7tdmi", "-marm", "-Os", "-g", "-Wall", "-fno-builtin", "-nostdlib", "-Wl,-n"]
    command += ["-fno-tree-loop-distribute-patterns", "-Wl,--no-warn-rwx-segments", f"-Wl,-T,{script}", *flags]
    done = subprocess.run([*command, "-o", target, *sources], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def segments(elf: bytes) -> list[tuple[int, bytes]]:
    """What a 32-bit ELF file loads, by load address."""
    offset = int.from_bytes(elf[28:32], "little")
    size, count = (int.from_bytes(elf[i : i + 2], "little") for i in (42, 44))
    found = []
    for i in range(count):
        words = [int.from_bytes(elf[offset + i * size + 4 * k :][:4], "little") for k in range(8)]
        kind, start, _, physical, filled = words[:5]
        if kind == 1 and filled:
            found.append((physical, elf[start : start + filled]))
    return found


def write_hex(parts: list[tuple[int, bytes]], target: Path) -> Path:
    """Intel hex, written by hand so that no further tool is needed."""
    lines = []
    for base, data in parts:
        for at in range(0, len(data), 16):
            here = base + at
            upper = bytes([2, 0, 0, 4, *(here >> 16).to_bytes(2, "big")])
            part = data[at : at + 16]
            for record in (upper, bytes([len(part), here >> 8 & 0xFF, here & 0xFF, 0]) + part):
                lines.append(":" + record.hex().upper() + f"{-sum(record) & 0xFF:02X}")
    target.write_text("\n".join([*lines, ":00000001FF", ""]))
    return target
