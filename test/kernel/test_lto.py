"""Link-time optimisation with the kernel in an archive, as an application's build may have it."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import ROOT

SEMAPHORE = "02-two-threads-semaphore"
# Whose objects' paths are assembly, or ask the linker for more by name.
OTHERS = ["04-periodic", "08-events", "10-mutex", "13-timer", "15-mailbox", "17-message", "18-wait-set"]
SAYS = [f"consumed {number}" for number in range(1, 4)]
COMMON = ["-Os", "-flto", "-ffunction-sections", "-fdata-sections", "-std=gnu11"]
LEVELS = [0, 1, 2]


def _run(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class Target:
    gcc: Path
    ar: Path
    options: list[str]
    folders: tuple[str, ...]
    link: list[str]
    libraries: list[str]

    def image(self, folder: Path, name: str, options: list[str]) -> Path:
        """An example, all else in an archive; each object of C is in the compiler's own language."""
        includes = [f"-I{ROOT / name}" for name in ("include", "kernel", "examples", *self.folders)]
        every = [*self.options, *options, *COMMON, *includes]
        archive = folder / "libattacca.a"
        if not archive.exists():
            places = [path for name in ("kernel", *self.folders) for path in sorted((ROOT / name).iterdir())]
            sources = [path for path in places if path.suffix in (".c", ".S")]
            objects = [folder / f"{number}.o" for number in range(len(sources))]
            for source, made in zip(sources, objects, strict=True):
                _run(self.gcc, *every, "-c", source, "-o", made)
            _run(self.ar, "rcs", archive, *objects)
        elf = folder / f"{name}.elf"
        main = ROOT / "examples" / name / "main.c"
        _run(self.gcc, *every, main, archive, *self.link, "-Wl,--gc-sections", *self.libraries, "-o", elf)
        return elf


def _first_lines(instrument: Path, board: str, cycles: str, elf: Path) -> list[str]:
    command = [str(instrument), "--board", board, "--cycles", cycles, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout.splitlines()[: len(SAYS)]


@pytest.fixture(scope="session")
def avr(avr_gcc: Path) -> Target:
    options = ["-mmcu=atmega328p", "-DF_CPU=16000000UL"]
    return Target(avr_gcc / "avr-gcc", avr_gcc / "avr-gcc-ar", options, ("port/avr", "board/arduino"), [], [])


@pytest.fixture(scope="session")
def cortex_m() -> Target:
    gcc, ar = shutil.which("arm-none-eabi-gcc"), shutil.which("arm-none-eabi-gcc-ar")
    assert gcc is not None and ar is not None
    options = ["-mcpu=cortex-m3", "-mthumb", "-ffreestanding", "-DSTM32F103", "-DATT_CFG_NEAR_RAM=1"]
    board = ROOT / "board"
    script = board / "stm32f1" / "stm32f103.ld"
    link = ["-nostdlib", f"-L{board / 'cortex-m'}", f"-L{script.parent}", f"-T{script}"]
    folders = ("port/cortex-m", "board/stm32f1", "board/cortex-m")
    return Target(Path(gcc), Path(ar), options, folders, link, ["-lgcc"])


@pytest.mark.parametrize("level", LEVELS)
def test_on_an_avr(tmp_path: Path, avr: Target, attacca_avr: Path, level: int) -> None:
    elf = avr.image(tmp_path, SEMAPHORE, [f"-DATT_CFG_CHECK={level}"])
    assert _first_lines(attacca_avr, "uno", "8M", elf) == SAYS


@pytest.mark.parametrize("lock", [0, 0x40])
@pytest.mark.parametrize("level", LEVELS)
def test_on_a_cortex_m(tmp_path: Path, cortex_m: Target, attacca_cortex_m: Path, level: int, lock: int) -> None:
    elf = cortex_m.image(tmp_path, SEMAPHORE, [f"-DATT_CFG_CHECK={level}", f"-DATT_CFG_LOCK_PRIORITY={lock}"])
    assert _first_lines(attacca_cortex_m, "stm32f103", "36M", elf) == SAYS


def test_other_examples_link(tmp_path: Path, avr: Target, cortex_m: Target) -> None:
    for number, target in enumerate((avr, cortex_m)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in OTHERS:
            target.image(folder, name, ["-DATT_CFG_CHECK=0"])
