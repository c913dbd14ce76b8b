"""Captures: exact cycles, foreign files, damaged files, speed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from captures import UNO, capture, pairs, pulse, stamp, text

from attacca_lab import vcd
from attacca_lab.errors import UserError
from conftest import ROOT


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


HEAD = b"$timescale 1 ps $end " + b"".join(
    b"$var wire %d %s n%d $end " % (8 if code == b"b" else 1, code, place)
    for place, code in enumerate((b"!", b"b", b"#", b"0", b"$x", b"r1", b"zz!", b"a-long-identifier"))
)


def random_body(seed: int, names: list[bytes]) -> bytes:
    """Words of every kind, in every order, with identifiers that look like something else."""
    generator = np.random.default_rng(seed)
    words, now = [b"$dumpvars 0! $end"], 0
    for _ in range(150):
        place, kind = int(generator.integers(len(names))), int(generator.integers(8))
        if seed % 2 and kind:  # a channel has scalars or vectors, as from most programs
            kind = 1 + kind % 3 if place % 2 else 4 + kind % 4
        code = names[place]
        now += int(generator.integers(0, 3))
        words.append([b"#%d" % now, b"1" + code, b"0" + code, b"x" + code, b"b101 " + code, b"bx1 " + code,
                      b"r1.5 " + code, b"sword " + code][kind])  # fmt: skip
    return b"".join(word + [b" ", b"\n", b"\r\n", b"  "][int(generator.integers(4))] for word in words)


@pytest.mark.parametrize("seed", range(12))
def test_pieces_of_any_size_and_words_one_by_one_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [b"!", b"b", b"#", b"0", b"$x", b"r1", b"zz!"]
    body = random_body(seed, names)
    head = HEAD.replace(b"$var wire 1 a-long-identifier n7 $end ", b"") + b"$enddefinitions $end\n"
    monkeypatch.setattr("attacca_lab.vcd.HEADER_PIECE", len(head))
    expected = vcd.parse(HEAD + b"$enddefinitions $end\n" + body, "slow.vcd")  # an identifier that long is read apart
    for size in (1 << 20, 64, 13, 1):
        monkeypatch.setattr("attacca_lab.vcd_body.PIECE", size)
        for words in (body, body.replace(b"$end", b"$end $comment 1! #9999 b1 $end", 1)):
            seen = vcd.parse(head + words, "fast.vcd")
            assert seen.end == expected.end
            for name, channel in seen.channels.items():
                assert channel.times.tolist() == expected.channels[name].times.tolist(), (name, size)
                assert channel.values.tolist() == expected.channels[name].values.tolist(), (name, size)


def test_cycles_go_on_where_the_clock_changes() -> None:
    """An instrument's stamps: those after a change are counted from it by the new clock."""
    slow, fast = 8_000_000, 72_000_000
    change = stamp(1_003, slow)
    lines = [f"$comment clock_hz={slow} instrument=x/1 $end $timescale 1 ps $end $var wire 1 ! a $end"]
    lines += ["$var wire 32 & clock_hz [31:0] $end $enddefinitions $end", f"#0 0! b{slow:b} &"]
    lines += [f"#{stamp(cycle, slow)} {cycle % 2}!" for cycle in range(1, 1_003)]
    lines += [f"#{change} b{fast:b} & 1!"]
    lines += [f"#{change + stamp(cycle, fast)} {(cycle + 1) % 2}!" for cycle in range(1, 5_000)]
    seen = vcd.parse("\n".join(lines).encode(), "t.vcd")
    assert seen.channels["a"].times.tolist() == list(range(1_003 + 5_000))
    assert (seen.clock_hz, seen.clocks) == (fast, ((0, slow), (1_003, fast)))
    assert seen.clock_at(np.array([5, 900])) == slow and seen.clock_at(np.array([2_000])) == fast
    assert seen.clock_at(np.array([5, 2_000])) is None
    stated = vcd.parse("\n".join(lines).encode(), "t.vcd", clock_hz=slow)
    assert stated.clocks == ((0, slow),) and stated.end == 1_003 + round(4_999 * slow / fast)


LARGE = """
import resource, sys
from pathlib import Path
from attacca_lab import scope, boards
from attacca_lab.output import Output
scope.run(Path(sys.argv[1]), None, scope.ScopeOptions(Output("json")))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def test_a_large_capture_takes_little_memory_and_time(tmp_path: Path) -> None:
    """The whole way of ./attacca scope. A file of 155 MB takes 5 s and 400 MB; this is a quarter of it."""
    part = text(pairs(10_000, 2, 118, every=500), channels=("probe_a", "irq"))
    head, body = part.split("$dumpvars")
    path = tmp_path / "large.vcd"
    lines = body.splitlines()[4:]
    with path.open("w") as file:
        file.write(f'{head}$dumpvars\n0!\n0"\n$end\n')
        for turn in range(60):
            shift = turn * 10_000 * 500
            moved = (f"#{int(line[1:]) + stamp(shift)}" if line[0] == "#" else line for line in lines)
            file.write("\n".join(moved) + "\n")
    size = path.stat().st_size
    assert 30e6 < size < 50e6
    begun = os.times()
    place = os.environ | {"PYTHONPATH": str(ROOT / "lab")}
    done = subprocess.run(
        [sys.executable, "-c", LARGE, str(path)], capture_output=True, text=True, check=False, env=place
    )
    ended = os.times()
    spent = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    assert done.returncode == 0, done.stderr
    assert [record["n"] for record in json.loads(done.stdout)] == [600_000, 600_000]
    assert spent < 15 * size / 155e6 + 1
    assert int(done.stderr.split()[-1]) < 100 + 400 * size / 155e6


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


@pytest.mark.parametrize("cut", range(1, 14))
def test_what_comes_before_a_cut_is_good(cut: int) -> None:
    """Wherever the file ends: in a stamp, which then seems to run back, or between a value and its identifier."""
    body = b"$timescale 1 ps $end $var wire 1 ! a $end $enddefinitions $end\n#0\n0!\n#100\n1!\n#234\n0!\n#1000\n1!\n"
    seen = vcd.parse(body[:-cut], "cut.vcd")
    assert seen.channels["a"].times.tolist()[:3] == [0, 100, 234][: 3 - (cut > 10)]


def test_a_missing_file_and_a_missing_channel(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        vcd.read(tmp_path / "none.vcd")
    with pytest.raises(UserError, match="no channel probe_z; it has: probe_a"):
        capture([]).channel("probe_z")
