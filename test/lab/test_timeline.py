"""The example that draws the threads' timeline on a screen: its picture, and that it shows what has happened."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from attacca_lab import build, instrument
from attacca_lab.instrument import BUDGET
from conftest import ROOT

WIDTH, HEIGHT = 240, 160
SHOT = ROOT / "examples" / "28-timeline" / "screen.png"
LANES = {"painter": 5, "quick": 35, "medium": 65, "slow": 95, "idle": 125}
COLUMN_MS = 0.244


def picture(path: Path) -> np.ndarray:
    """A portable pixmap, as the instrument writes it, or a PNG of rows without filters."""
    data = path.read_bytes()
    if data.startswith(b"P6\n240 160\n255\n"):
        return np.frombuffer(data[15:], dtype=np.uint8).reshape(HEIGHT, WIDTH, 3)
    assert data.startswith(b"\x89PNG")
    at, packed = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(HEIGHT, 1 + 3 * WIDTH)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(HEIGHT, WIDTH, 3)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    folder = tmp_path_factory.mktemp("timeline")
    elf = build.build("gba", ["example-28-timeline"]).elf("example-28-timeline")
    screen = ("--screen", str(folder / "screen.ppm"))
    instrument.run(build.instrument("gba"), elf, folder, board="gba", cycles="90ms", extra=screen, allow=(BUDGET,))
    return picture(folder / "screen.ppm")


def test_the_picture_is_the_one_that_was_taken(shown: np.ndarray) -> None:
    """But for edges that a few cycles move to the next column."""
    different = (shown != picture(SHOT)).any(axis=2)
    assert not (different[:, 1:] & different[:, :-1]).any()
    assert different.any(axis=0).sum() <= 12


def test_lanes_tell_which_thread_runs(shown: np.ndarray) -> None:
    lanes = {name: shown[top].any(axis=1) for name, top in LANES.items()}
    begins = np.flatnonzero(np.diff(lanes["quick"].astype(int)) == 1) + 1
    assert set(np.diff(begins)) <= {16, 17}  # 4 ms
    assert len(begins) == 14
    taken = lanes["quick"].astype(int) + lanes["medium"] + lanes["slow"] + lanes["idle"]
    assert taken.min() == 1  # always one of them; two in a column in which one follows the other
    medium, slow = (lanes[name].sum() * COLUMN_MS for name in ("medium", "slow"))
    assert 6 * 2 <= medium <= 6 * 2.8 and 30 <= slow + medium <= 45
