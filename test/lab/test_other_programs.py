"""What documents say to type into other programs: gdb beside an Uno in QEMU, a dump of an STM32, sigrok."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from attacca_lab import build, instrument
from attacca_lab.boards import board
from conftest import ROOT, Typed

PAGE = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
MEASURING = (ROOT / "docs" / "measuring.md").read_text(encoding="utf-8")
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
    folder = tempfile.mkdtemp(dir="/tmp")  # a socket's path has 107 characters at most
    door = Path(folder) / "door"
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
            shutil.rmtree(folder)
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


needs_sigrok = pytest.mark.skipif(shutil.which("sigrok-cli") is None, reason="sigrok-cli is not installed")


def block(begin: str) -> list[list[str]]:
    """The words of each line to type, in the block of docs/measuring.md that begins so; without what stands behind."""
    (text,) = re.findall(rf"```\n({re.escape(begin)}.*?)```", MEASURING, re.S)
    return [re.split(r" {2,}", line)[0].split() for line in text.splitlines()]


@needs_sigrok
def test_a_capture_of_a_logic_analyser(tmp_path: Path, attacca: Typed) -> None:
    """By sigrok's own demonstration device in place of the analyser: 2 million samples at 24 MHz of something."""
    capture, plain, cycles = block("sigrok-cli -d fx2lafw")
    capture[capture.index("fx2lafw")] = "demo"
    subprocess.run(capture, cwd=tmp_path, check=True, timeout=60, capture_output=True)
    shown = [attacca(*one[1:], cwd=tmp_path, command=ROOT / "attacca") for one in (plain, cycles)]
    assert [done.returncode for done in shown] == [0, 0], shown
    assert "median [µs]" not in shown[0].stdout and "n  min [µs]" in shown[0].stdout
    assert "n  min [cycles]" in shown[1].stdout and "±" in shown[1].stdout


@needs_sigrok
def test_sigrok_decodes_an_instruments_capture(tmp_path: Path, attacca: Typed) -> None:
    """Each stretch of the pin as it says, to the cycle: A-B and C-D add up to what scope measures."""
    run, decode = block("attacca-avr --vcd-flat")
    shutil.copy(build.build("uno", ["switch-semaphore"]).elf("switch-semaphore"), tmp_path / "firmware.elf")
    run[0] = str(build.instrument("avr"))
    for command in (run, decode):
        done = subprocess.run(command, cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    unit = {"ns": 1e-9, "μs": 1e-6, "ms": 1e-3}
    stretches = [
        round(float(number) * unit[name] * 16e6) for number, name in re.findall(r": ([\d.]+) (\S+) \(", done.stdout)
    ]
    measured = json.loads(attacca("scope", tmp_path / "firmware.elf", "--json").stdout)[0]
    high = sorted(stretches[::2])
    assert stretches[0] == measured["overhead"] == 2
    assert high[len(high) * 3 // 4] - 2 == measured["median"]
