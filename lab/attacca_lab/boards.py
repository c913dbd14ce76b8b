"""The boards, read from data/boards.toml."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from attacca_lab.errors import unknown


@dataclass(frozen=True)
class Board:
    """One board: what it is, what runs its firmware, and what a time measured on it means."""

    name: str
    title: str
    processor: str
    instrument: str
    toolchain: str
    timing: str  # "cycles", "instructions" or "none"
    preset: str  # the CMake preset that builds its firmware
    probes: tuple[str, ...] = ()
    edge: str | None = None  # the input whose edges interrupt the bench's firmware
    handlers: tuple[str, ...] = ()  # interrupts that the tests take: known to the kernel, foreign to it, nested
    clock_hz: int | None = None
    time_hz: int | None = None  # ATT_BOARD_TIME_HZ: the unit of the kernel's time
    mcu: str | None = None
    flash: int | None = None
    ram: int | None = None
    bounds: tuple[str, ...] = ()  # the lower and the upper timing of an instrument that is a model
    floats: bool = False  # a floating-point unit, whose registers the experiments use too
    wait_states: str = ""  # what its timing is to be for the flash of a real chip at this clock
    caution: str = ""  # no such chip exists: what it is, and how far its cycles are to be trusted
    untested: tuple[str, ...] = ()  # images of the suite that take too long there
    test_presets: tuple[str, ...] = ()  # further ways to build it, that the tests are run in too
    machine: str | None = None  # what QEMU calls it
    emulator: str = "qemu-system-arm"  # QEMU's program for its processor
    entries: tuple[str, ...] = ()  # symbols where interrupts begin, "+N" behind them, where instructions are counted
    emulator_options: tuple[str, ...] = ()
    flash_openocd: tuple[str, ...] = ()  # the configuration files with which OpenOCD writes to it
    flash_uf2: int | None = None  # the family of its processor, if its boot loader takes UF2 files
    flash_part: str | None = None  # what avrdude calls it
    flash_programmer: str | None = None
    flash_baud: int | None = None

    @property
    def can_be_flashed(self) -> bool:
        """Whether there is a real board that firmware can be written to."""
        return bool(self.flash_part or self.flash_openocd)

    @property
    def flash_tool(self) -> str:
        """What writes firmware to it."""
        return "picotool" if self.flash_uf2 else "openocd" if self.flash_openocd else "avrdude"

    @property
    def is_modelled(self) -> bool:
        """Whether its instrument models time with parameters (--timing), and the firmware sets the clock."""
        return self.instrument == "cortex-m"

    @property
    def cycles_are_time(self) -> bool:
        """Whether cycles are µs: not where flash is slower than the processor, nor of a chip that does not exist."""
        return not self.wait_states and not self.caution

    @property
    def measures(self) -> bool:
        """Whether times taken on this board mean anything."""
        return self.timing == "cycles"

    @property
    def counts(self) -> bool:
        """Whether instructions are counted there, and nothing is timed."""
        return self.timing == "instructions"


@functools.cache
def boards() -> dict[str, Board]:
    """Every board by its name, in the order of the file."""
    with (Path(__file__).parent / "data" / "boards.toml").open("rb") as file:
        table = tomllib.load(file)
    lists = ("probes", "test_presets", "bounds", "handlers", "untested", "flash_openocd", "emulator_options",
             "entries")  # fmt: skip
    return {
        name: Board(name=name, **facts | {key: tuple(facts.get(key, ())) for key in lists})
        for name, facts in table.items()
    }


def board(name: str) -> Board:
    """The board of that name; a UserError that lists them when there is none."""
    known = boards()
    if name not in known:
        raise unknown("board", name, list(known), more="./attacca boards lists them")
    return known[name]
