"""Counts instructions: a firmware of the bench in QEMU, and what its plugin wrote down (instrument/qemu) as a capture.

The counts are exact and the same in each run. They are no cycles: no time follows from them, and nothing that was
measured in cycles is set beside them.
"""

from __future__ import annotations

import functools
import re
import subprocess
import time
from pathlib import Path

import numpy as np

from attacca_lab import instrument, prepare, qemu
from attacca_lab.boards import Board
from attacca_lab.errors import UserError
from attacca_lab.firmware import symbols
from attacca_lab.vcd import Capture, Channel

# In step with bench/qemu/bench_board.h: the probe words, and what a store to each does to a channel.
EVENTS = (("probe_a", 1), ("probe_a", 0), ("probe_b", 1), ("probe_b", 0), ("marker", 1))


def run(
    plugin: Path, board: Board, firmware: Path, directory: Path, name: str, timeout: float = 60.0
) -> instrument.Run:
    """The run of a firmware that ends itself, as an instrument's."""
    here = symbols(firmware)
    if "bench_probe" not in here:
        raise UserError(f"{firmware.name} is no firmware of the bench: it has no bench_probe")
    log = directory / f"{name}.counts"
    options = f"probe={here['bench_probe']:x},words={len(EVENTS)},log={log}"
    for symbol, _, more in (entry.partition("+") for entry in board.entries):
        place = (here[symbol] & ~1) + int(more or 0)  # a Thumb function's address is odd
        options += f",entry={place:x}"
    command = [*qemu.command(board, firmware), "-plugin", f"{plugin},{options}"]
    begun = time.monotonic()
    console, status = qemu.run_command(command, f"{firmware.stem} on {board.name}", timeout)
    if status:
        said = console.strip().splitlines()
        raise UserError(f"{firmware.name} ended with status {status}{': ' + said[-1] if said else ''}")
    return instrument.Run(
        status, directory, command, console, {"instrument": f"QEMU {version(board.emulator)}, instructions"},
        time.monotonic() - begun, None, firmware.name, read(log),
    )  # fmt: skip


def read(log: Path) -> Capture:
    """A capture whose ticks are instructions."""
    changes: dict[str, list[tuple[int, int]]] = {name: [(0, 0)] for name, _ in EVENTS} | {"irq": [(0, 0)]}
    last = 0
    for line in log.read_text(encoding="ascii").splitlines():
        count, what = line.split()
        last = int(count)
        if what == "irq":  # how long the handler is active is not seen
            changes["irq"] += [(last, 1), (last, 0)]
        else:
            channel, level = EVENTS[int(what)]
            if changes[channel][-1][1] != level:
                changes[channel].append((last, level))
    channels = {
        name: Channel(name, 1, np.array([at for at, _ in some], np.int64), np.array([to for _, to in some], np.int64))
        for name, some in changes.items()
    }
    return Capture(str(log), channels, None, "QEMU", last, counted=True)


@functools.cache
def version(emulator: str) -> str:
    """QEMU's version."""
    said = subprocess.run(
        [str(prepare.tool(emulator)), "--version"], capture_output=True, text=True, check=False
    ).stdout
    found = re.search(r"version (\d+\.\d+[\d.]*)", said)
    return found[1] if found else ""
