"""The Pico's second stage of booting and its UF2 file, as the chip's ROM wants them."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from attacca_lab import build, rp2040, uf2
from attacca_lab.boards import board
from attacca_lab.errors import UserError
from attacca_lab.flash import flash

BOOT, SIZE = 0x1000_0000, 256


@pytest.fixture(scope="module")
def blink() -> Path:
    return build.one("pico", "example-01-blink")


def crc(data: bytes) -> int:
    """CRC-32, polynomial 04C11DB7h, from all ones, nothing reversed or inverted."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C1_1DB7 if value >> 31 else 0)) & 0xFFFF_FFFF
    return value


def test_sum_of_the_second_stage(blink: Path) -> None:
    stage = uf2.pages(blink)[BOOT]
    assert len(stage) == SIZE
    assert struct.unpack("<I", stage[-4:]) == (crc(stage[:-4]),), "the last word of board/pico/boot.S"


def test_uf2(blink: Path) -> None:
    pages, made = uf2.pages(blink), uf2.convert(blink, board("pico").flash_uf2 or 0)
    blocks = [made[at : at + 512] for at in range(0, len(made), 512)]
    heads = [struct.unpack("<8I", block[:32]) for block in blocks]
    assert len(made) == 512 * len(pages)
    assert [(head[3], block[32 : 32 + SIZE]) for head, block in zip(heads, blocks, strict=True)] == list(pages.items())
    assert all(head[:3] == (0x0A324655, 0x9E5D5157, 0x2000) for head in heads)
    assert all(head[4:] == (SIZE, number, len(pages), 0xE48BFF56) for number, head in enumerate(heads))
    assert all(block[-4:] == struct.pack("<I", 0x0AB16F30) for block in blocks)


def test_flashing_line(blink: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    target, made = board("pico"), blink.with_suffix(".uf2")
    made.unlink(missing_ok=True)
    flash(str(blink), target, None, dry_run=True)
    assert capsys.readouterr().out == f"picotool load --verify --execute {made}\n"
    assert made.read_bytes() == uf2.convert(blink, target.flash_uf2 or 0)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="picotool is missing") as stop:
        flash(str(blink), target, None, dry_run=False)
    assert stop.value.hint and "BOOTSEL" in stop.value.hint and "openocd -f interface/cmsis-dap.cfg" in stop.value.hint


def test_a_damaged_second_stage_does_not_start(blink: Path, tmp_path: Path) -> None:
    if rp2040.modules() is None:
        pytest.skip("rp2040js is not installed: ./attacca test --only pico installs it")
    damaged = bytearray(blink.read_bytes())
    stage = uf2.pages(blink)[BOOT]
    damaged[damaged.index(stage) + 4] ^= 1
    (tmp_path / "damaged.elf").write_bytes(damaged)
    done = subprocess.run(rp2040.command(tmp_path / "damaged.elf", 1000), capture_output=True, text=True, check=False)
    assert (done.returncode, "its sum is wrong" in done.stderr) == (254, True)
