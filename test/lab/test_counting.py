"""Instructions counted in QEMU: the plugin's log as a capture, and figures that are told from cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacca_lab import build, counting, pulses, report, stats, summary
from attacca_lab.boards import board, boards
from attacca_lab.errors import UserError
from attacca_lab.experiments import CASES
from attacca_lab.stats import Origin

# A-B of 3, C-D of 45 with an interrupt in it, twice; a word that is not there.
LOG = "100 0\n103 1\n110 0\n120 irq\n155 1\n200 0\n203 1\n210 0\n252 1\n252 4\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log").write_text(LOG)
    return tmp_path / "log"


def test_a_log_is_a_capture_of_instructions(log: Path) -> None:
    capture = counting.read(log)
    samples = pulses.measure(capture, method="pairs")
    assert (capture.unit, samples.unit) == ("instructions", "instructions")
    assert samples.values.tolist() == [42, 39]
    assert samples.overhead == 3
    assert samples.disturbed is not None
    assert samples.disturbed.tolist() == [True, False]
    assert capture.channel("marker").edges("rise").tolist() == [252]


def test_no_time_and_no_ratio_stand_beside_instructions() -> None:
    origin = Origin("virt", "QEMU", "gcc", "-O2", "commit")
    found = stats.result("switch-yield", origin, stats.summarise([60.0, 61.0]), "instructions")
    (table,) = summary.tables([report.Entry(found, "", group="switch-yield")], None)
    headings = [column.heading for column in table.columns]
    assert headings[1] == "median [instructions]"
    assert not {"µs", "best peer", "ratio"} & set(headings)


def test_boards_count_or_measure() -> None:
    for one in boards().values():
        assert not (one.counts and one.measures)
        if one.counts:
            assert one.machine and one.entries and one.clock_hz is None, one.name
            cases = [case for case in CASES if case.is_on(one)]
            assert cases
            assert not any(case.stimulus or case.seconds for case in cases)


@pytest.mark.parametrize(("name", "overhead"), [("virt", 2), ("realview-pb-a8", 3)])
def test_the_count_is_exact_and_repeats(name: str, overhead: int, tmp_path: Path) -> None:
    """Setting and clearing a pin is a store and what makes its address: as many instructions as are written there."""
    target, plugin = board(name), build.counter()
    firmware = build.build(target.preset, ["switch-yield"]).elf("switch-yield")
    first, again = (
        counting.run(plugin, target, firmware, tmp_path, one).capture.channel("probe_a").times.tolist()
        for one in ("first", "again")
    )
    assert first == again
    samples = pulses.measure(counting.run(plugin, target, firmware, tmp_path, "third").capture, method="pairs")
    assert (samples.overhead, len(samples)) == (overhead, 1000)


def test_another_firmware_is_refused(tmp_path: Path) -> None:
    target = board("virt")
    firmware = build.build(target.preset, ["quick-sem"]).elf("quick-sem")
    with pytest.raises(UserError, match="no firmware of the bench"):
        counting.run(build.counter(), target, firmware, tmp_path, "no")
