"""What docs/debugging.md says to type into a debugger, typed: gdb beside an Uno in QEMU; a dump of an STM32's RAM."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from attacca_lab import build, instrument
from attacca_lab.boards import board
from conftest import ROOT, Typed

PAGE = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
THREADS = {"controller", "logger", "watcher"}


def said(pattern: str) -> str:
    found = re.search(pattern, PAGE)
    assert found, pattern
    return found[1]


def names(printed: str) -> set[str]:
    """All that stand alone in a table's cell."""
    return {word for line in printed.splitlines() for word in re.split(r"\s{2,}", line.strip())}


@pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="avr-gdb is not installed")
@pytest.mark.skipif(shutil.which("qemu-system-avr") is None, reason="qemu-system-avr is not installed")
def test_gdb_dumps_the_ram_of_an_uno(tmp_path: Path, attacca: Typed) -> None:
    """QEMU's Uno has no interrupt that switches, so nothing but the start of the threads is in the recorder."""
    dump, typed = said(r"\(gdb\) (dump .*)\n"), said(r"\(gdb\) dump .*\n\$ \./attacca (.*)\n").split()
    built = build.build("uno", ["example-26-recorder"]).elf("example-26-recorder")
    shutil.copy(built, tmp_path / "firmware.elf")
    door = tmp_path / "door"
    command = ["qemu-system-avr", "-M", "uno", "-bios", "firmware.elf", "-display", "none", "-serial", "none",
               "-monitor", "none", "-gdb", f"unix:{door},server=on,wait=off"]  # fmt: skip
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as qemu:
        try:
            for _ in range(30):  # until it has come to the end of its start
                time.sleep(0.5)
                gdb = ["avr-gdb", "-batch", "-nx", "-ex", f"target remote {door}", "-ex", dump, "firmware.elf"]
                done = subprocess.run(gdb, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
                if (tmp_path / "ram.bin").exists():
                    shown = attacca(*typed, cwd=tmp_path, command=ROOT / "attacca")
                    if names(shown.stdout) >= THREADS:
                        break
            else:
                pytest.fail(done.stderr + shown.stderr)
        finally:
            qemu.kill()
    assert (tmp_path / "ram.bin").stat().st_size == 2048
    assert re.search(r"\n6 events since it was started; it records$", shown.stdout.rstrip())


def test_a_dump_of_an_stm32(tmp_path: Path, attacca: Typed) -> None:
    """Of all its RAM, from the address that the document says to the one it says."""
    begin, end = (
        int(said(rf"`dump binary memory ram\.bin {place}"), 16) for place in (r"(0x2\w+)", r"0x2\w+ (0x2\w+)`")
    )
    base = said(r"and `--base (0x2\w+)`")
    firmware = build.build("stm32f103", ["example-26-recorder"]).elf("example-26-recorder")
    dump = tmp_path / "ram.bin"
    instrument.run(build.instrument("cortex-m"), firmware, tmp_path, board="stm32f103", cycles=8_000_000, capture=False,
                   extra=["--memory", str(dump)], allow=(instrument.BUDGET,))  # fmt: skip
    assert dump.stat().st_size == end - begin == board("stm32f103").ram
    assert begin == int(base, 16)
    done = attacca("trace", firmware, "--board", "stm32f103", "--memory", dump, "--base", base)
    assert names(done.stdout) >= THREADS, done.stderr
