"""Captures: exact cycles, foreign files, damaged files, speed."""

from __future__ import annotations

import io
import time
from pathlib import Path

import numpy as np
import pytest
from captures import UNO, capture, pairs, pulse, stamp, text

from attacca_lab import vcd
from attacca_lab.errors import UserError


@pytest.mark.parametrize("clock", [1_000_000, 16_000_000, 16_780_000, 72_000_000, 33_333_333, 999_999_937, 10**10])
def test_cycles_come_back_exactly(clock: int) -> None:
    generator = np.random.default_rng(clock)
    cycles = np.unique(np.concatenate((np.arange(2_000), generator.integers(0, 60 * clock, 20_000))))
    stamps = np.array([stamp(int(cycle), clock) for cycle in cycles], dtype=np.int64)
    assert np.array_equal(vcd.to_cycles(stamps, clock), cycles)
    assert np.array_equal(vcd.to_picoseconds(cycles[:500], clock), stamps[:500])


def test_an_instruments_capture() -> None:
    seen = capture([*pulse(7, 3), (9, "irq", 1), (12, "irq", 0), (20, "marker", 165)])
    assert seen.clock_hz == UNO
    assert seen.instrument == "attacca-test 1.2"
    assert (seen.unit, seen.ticks_per_unit, seen.end) == ("cycles", 1, 20)
    assert seen.channels["probe_a"].edges("rise").tolist() == [7]
    assert seen.channels["probe_a"].edges("fall").tolist() == [10]
    assert seen.channels["irq"].edges().tolist() == [9, 12]
    assert (seen.channels["marker"].at(19), seen.channels["marker"].at(20)) == (0, 165)


FOREIGN = b"""$date Mon 3 May 2021 $end
$version libsigrok 0.5.2 $end
$comment Acquisition with 2/8 channels at 24 MHz $end
$timescale 10 ns $end
$scope module libsigrok $end
$var wire 1 ! D0 $end
$var wire 1 " CH 1 $end
$upscope $end
$enddefinitions $end
#0 1! x"
#12 0! 0"
#20 1!
#31 0! 1"
"""


def test_a_logic_analysers_capture_counts_picoseconds() -> None:
    seen = vcd.parse(FOREIGN, "d.vcd")
    assert seen.clock_hz is None and seen.unit == "us" and seen.ticks_per_unit == 10**6
    probe = seen.channels["D0"]
    assert probe.edges("rise").tolist() == [200_000]
    assert probe.edges("fall").tolist() == [120_000, 310_000]
    assert list(seen.channels) == ["D0", "CH 1"]
    assert seen.channels["CH 1"].edges().tolist() == [310_000], "a change from x is no edge"


def test_a_stated_clock_makes_cycles_of_it() -> None:
    seen = vcd.parse(FOREIGN, "d.vcd", clock_hz=100_000_000)
    assert seen.channels["D0"].edges("rise").tolist() == [20]


@pytest.mark.parametrize(("scale", "expected"), [("1 fs", 1), ("100 ps", 100_000), ("1 us", 10**9), ("1s", 10**15)])
def test_timescales(scale: str, expected: int) -> None:
    body = f"$timescale {scale} $end $var wire 1 ! a $end $enddefinitions $end #0 0! #1000 1!"
    assert vcd.parse(body.encode(), "t.vcd").channels["a"].times.tolist() == [0, expected]


def test_scopes_reals_strings_comments_and_a_cut_end() -> None:
    body = (
        b"$timescale 1 ns $end $scope module top $end $var wire 1 ! a $end $scope module sub $end $var wire 1 ! b $end "
        b'$var real 64 " r $end $upscope $end $upscope $end $enddefinitions $end\n#0\n$dumpvars 0! r1.5 " $end\n'
        b'$comment 1! #99 $end\n#5 1! r2.5 "\n#7 sword "\n#9 b1'
    )
    seen = vcd.parse(body, "t.vcd")
    assert seen.channels["a"].times.tolist() == [0, 5_000]
    assert seen.channels["sub.b"].times.tolist() == [0, 5_000]


def test_agrees_with_pyvcd_word_for_word() -> None:
    from vcd.reader import TokenKind, tokenize

    source = text([*pairs(50, 2, 118), (1_003, "irq", 1), (1_090, "irq", 0), (1_200, "marker", 3)]).encode()
    seen = vcd.parse(source, "t.vcd")
    now, names, expected = 0, {}, {}
    for token in tokenize(io.BytesIO(source)):
        if token.kind is TokenKind.VAR:
            names[token.var.id_code] = token.var.reference
            expected[token.var.reference] = []
        elif token.kind is TokenKind.CHANGE_TIME:
            now = token.time_change
        elif token.kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR):
            change = token.data
            expected[names[change.id_code]].append((now, int(change.value)))
    for name, changes in expected.items():
        channel = seen.channels[name]
        stamps = [(stamp(int(t)), int(v)) for t, v in zip(channel.times, channel.values, strict=True)]
        assert stamps == changes, name


def test_two_hundred_thousand_edges_in_a_second() -> None:
    source = text(pairs(50_000, 2, 118)).encode()
    begun = time.perf_counter()
    seen = vcd.parse(source, "t.vcd")
    assert time.perf_counter() - begun < 1.0
    assert len(seen.channels["probe_a"].edges()) == 200_000


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "no $enddefinitions"),
        (b"\x7fELF\x02\x01", "no $enddefinitions"),
        (b"$enddefinitions $end", "no $timescale"),
        (b"$timescale 1 ns $end $enddefinitions $end", "no channel"),
        (b"$timescale 3 parsecs $end $var wire 1 ! a $end $enddefinitions $end", "timescale .3parsecs. is none"),
        (b"$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end #5 1! #4 0!", "runs back"),
        (b"$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end #5 1! garbage", "neither a time nor"),
        (b"$timescale 1 ns $end $var wire ! a $end $enddefinitions $end #1 1!", "defines no channel"),
        (b"$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end #x", "damaged"),
        (b"$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end #1 b101 ?", "damaged"),
    ],
)
def test_bad_files_are_one_line(data: bytes, complaint: str) -> None:
    with pytest.raises(UserError, match=complaint.replace("$", r"\$")) as caught:
        vcd.parse(data, "bad.vcd")
    assert "bad.vcd" in caught.value.message and "\n" not in caught.value.message


def test_a_missing_file_and_a_missing_channel(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        vcd.read(tmp_path / "none.vcd")
    with pytest.raises(UserError, match="no channel probe_z; it has: probe_a"):
        capture([]).channel("probe_z")
