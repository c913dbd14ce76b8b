"""The contract of docs/instrument.md, by command line only. Any instrument passes this file.

ATTACCA_INSTRUMENT names the executable (default: the kit's own), ATTACCA_INSTRUMENT_KIT the kit in kits/
(default: avr).
A kit is a module `kit` with the names that kits/avr/kit.py defines and firmwares that behave as theirs do.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import instrument_tools as tools

KIT = importlib.import_module(f"kits.{os.environ.get('ATTACCA_INSTRUMENT_KIT', 'avr')}.kit")

pytestmark = pytest.mark.skipif(bool(KIT.available()), reason=KIT.available() or "available")

Runner = Callable[..., tools.Run]


@pytest.fixture(scope="module")
def exe() -> Path:
    named = os.environ.get("ATTACCA_INSTRUMENT")
    return Path(named).resolve() if named else KIT.executable()


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("firmware")
    built: dict[str, Path] = {}

    def get(name: str) -> Path:
        if name not in built:
            built[name] = KIT.build(name, folder)
        return built[name]

    return get


@pytest.fixture
def run(exe: Path, firmware: Callable[[str], Path], tmp_path: Path) -> Runner:
    def go(name: str, *arguments: object, **more: bool) -> tools.Run:
        return tools.run(exe, firmware(name), tmp_path, "--board", KIT.BOARD, *arguments, **more)

    return go


def one_line(text: str) -> None:
    assert text.count("\n") == 1 and len(text) > 10, repr(text)


# Options.


def test_help_has_an_example_and_every_option(exe: Path) -> None:
    done = tools.call(exe, "--help")
    assert done.returncode == 0
    assert "xample" in done.stdout and "--vcd" in done.stdout.split("xample")[1]
    for option in [
        "board",
        "mcu",
        "clock",
        "stimulus",
        "seed",
        "vcd",
        "vcd-flat",
        "console",
        "report",
        "trace",
        "memory",
        "cycles",
        "guard",
        "mark",
        "mark-hit",
        "until",
        "inject",
        "fork",
        "fork-enabled",
        "fork-in",
        "fork-one-in",
        "fork-then",
        "ask",
        "random-irq",
        "probe",
        "watch",
        "list-vectors",
        "version",
    ]:
        assert f"--{option}" in done.stdout


def test_version_is_a_name_and_a_number(exe: Path) -> None:
    done = tools.call(exe, "--version")
    assert done.returncode == 0
    assert re.fullmatch(r"\S+ \d+\.\d+\S*\n", done.stdout)


def test_vectors_are_listed_without_a_firmware(exe: Path) -> None:
    done = tools.call(exe, "--board", KIT.BOARD, "--list-vectors")
    assert done.returncode == 0
    assert f"{KIT.VECTOR_NUMBER} {KIT.VECTOR}\n" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--no-such-option"],
        [],
        ["--board", "no-such-board", "FIRMWARE"],
        ["--mcu", "no-such-mcu", "FIRMWARE"],
        ["--cycles", "soon", "FIRMWARE"],
        ["--guard", "no_such_symbol", "FIRMWARE"],
        ["--mark", "no_such_symbol", "FIRMWARE"],
        ["--mark", "marker=999", "FIRMWARE"],
        ["--inject", "NO_SUCH_VECTOR@1", "FIRMWARE"],
        ["--inject", "1", "FIRMWARE"],
        ["--random-irq", "1:20:10", "FIRMWARE"],
        ["--probe", "z=1", "FIRMWARE"],
        ["--watch", "nowhere", "FIRMWARE"],
        ["--vcd", "/no/such/folder/x.vcd", "FIRMWARE"],
        ["--seed", "blue", "FIRMWARE"],
    ],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_a_wrong_command_line_is_2_and_one_line(
    exe: Path, firmware: Callable[[str], Path], arguments: list[str]
) -> None:
    done = tools.call(exe, *[firmware("hello") if a == "FIRMWARE" else a for a in arguments])
    assert done.returncode == 2
    one_line(done.stderr)
    assert done.stdout == ""


def test_an_unknown_board_lists_the_known_ones(exe: Path, firmware: Callable[[str], Path]) -> None:
    assert KIT.BOARD in tools.call(exe, "--board", "no-such-board", firmware("hello")).stderr


# Ends.


def test_0_after_the_end_mark(run: Runner) -> None:
    r = run("hello")
    assert (r.status, r.stderr) == (0, "")
    assert r.report["end"]["reason"] == "mark" and r.report["end"]["status"] == 0


def test_1_with_the_firmwares_value(run: Runner) -> None:
    r = run("fail")
    assert r.status == 1
    assert r.report["end"]["status"] == 42
    one_line(r.stderr)


def test_3_for_what_is_no_firmware(exe: Path, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    whole = firmware("hello").read_bytes()
    bad = {
        "missing.elf": None,
        "empty.elf": b"",
        "text.elf": b"this is no firmware\n",
        "head.elf": whole[:40],
        "cut.elf": whole[: len(whole) // 2],
        "bad.hex": b":10000000FFFF\n",
        "sum.hex": b":0100000000FE\n:00000001FF\n",
        "unended.hex": b":0100000000FF\n",
        "elsewhere.elf": Path("/bin/true").resolve().read_bytes(),
    }
    for name, content in bad.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        done = tools.call(exe, "--board", KIT.BOARD, path)
        assert done.returncode == 3, (name, done)
        one_line(done.stderr)
        assert name in done.stderr
    done = tools.call(exe, "--board", KIT.BOARD, KIT.build_too_big(tmp_path))
    assert done.returncode == 3 and "too big" in done.stderr


def test_4_when_the_budget_is_used_up(run: Runner) -> None:
    r = run("spin", "--cycles", "5000")
    assert r.status == 4
    assert 5000 <= r.report["cycles"] < 5020
    assert r.report["end"]["reason"] == "budget"
    one_line(r.stderr)


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("7k", 7000),
        ("0x1000", 4096),
        ("1ms", KIT.CLOCK_HZ // 1000),
        ("0.5ms", KIT.CLOCK_HZ // 2000),
        ("300us", KIT.CLOCK_HZ * 3 // 10000),
    ],
)
def test_the_budget_has_suffixes(run: Runner, text: str, cycles: int) -> None:
    assert cycles <= run("spin", "--cycles", text, vcd=False).report["cycles"] < cycles + 20


@pytest.mark.parametrize(("name", "word"), [("erased", "flash"), ("opcode", "opcode")])
def test_5_for_a_crash_with_its_place(run: Runner, name: str, word: str) -> None:
    r = run(name)
    assert r.status == 5
    assert r.report["end"]["reason"] == "crash" and word in r.report["end"]["detail"]
    assert isinstance(r.report["end"]["pc"], int) and r.report["end"]["symbol"]
    assert word in r.stderr
    one_line(r.stderr)


def test_5_for_a_stack_below_the_guard(run: Runner) -> None:
    guarded = run("stack", "--guard", KIT.GUARD)
    assert guarded.status == 5 and "guard" in guarded.report["end"]["detail"]
    assert guarded.report["end"]["symbol"].startswith("descend")
    assert guarded.report["stack"]["lowest_sp"] > 0
    free = run("stack", "--cycles", "1M")
    assert free.status in (4, 5) and "guard" not in free.report["end"]["detail"]


def test_6_for_a_bad_stimulus(exe: Path, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    for text in (
        "100 nowhere 1",
        f"100 {KIT.INPUT} 2",
        f"soon {KIT.INPUT} 1",
        "100 uart 256",
        '100 uart "open',
        f"random pin={KIT.INPUT} n=5",
        f"random pin={KIT.INPUT} n=5 min=10 max=5 hold=1",
        f"random pin={KIT.INPUT} n=5 min=10 max=50 hold=1 colour=red",
        f"square pin={KIT.INPUT} n=5",
        f"square pin={KIT.INPUT} n=5 half=100 jitter=100",
    ):
        path = tmp_path / "bad.txt"
        path.write_text(f"# a comment\n{text}\n")
        done = tools.call(exe, "--board", KIT.BOARD, "--stimulus", path, firmware("hello"))
        assert done.returncode == 6, text
        one_line(done.stderr)
        assert "bad.txt:2: " in done.stderr
    assert tools.call(exe, "--board", KIT.BOARD, "--stimulus", tmp_path / "none", firmware("hello")).returncode == 6


@pytest.mark.parametrize("name", ["halt", "deaf"])
def test_7_when_nothing_can_happen_any_more(run: Runner, name: str) -> None:
    r = run(name)
    assert r.status == 7
    assert r.report["end"]["reason"] == "halt"
    one_line(r.stderr)


def test_restarts_are_counted(run: Runner) -> None:
    assert run("hello").report["restarts"] == 0
    assert run("restart").report["restarts"] == 2


# Files.


def test_hex_runs_as_elf_does(exe: Path, run: Runner, tmp_path: Path) -> None:
    elf = run("hello")
    hexed = tools.run(exe, KIT.build_hex("hello", tmp_path), tmp_path, "--board", KIT.BOARD)
    assert hexed.status == 0 and hexed.stdout == elf.stdout
    assert hexed.vcd == elf.vcd


def test_console_to_standard_output_or_a_file(run: Runner, tmp_path: Path) -> None:
    r = run("hello")
    assert r.stdout == "hello\n"
    assert r.report["console"]["bytes"] == 6
    r = run("hello", "--console", tmp_path / "console.txt")
    assert r.stdout == "" and (tmp_path / "console.txt").read_text() == "hello\n"


def test_vcd_channels_and_pulses(run: Runner) -> None:
    r = run("hello", "--watch", KIT.WATCH)
    vcd = r.vcd
    assert vcd is not None and vcd.clock_hz == KIT.CLOCK_HZ
    wanted = {"probe_a": 1, "probe_b": 1, "probe_c": 1, "probe_d": 1, "marker": 8, "irq": 1, "entries": 8,
              "software": 8, "masked": 1}  # fmt: skip
    assert vcd.widths == wanted | {f"pin_{KIT.WATCH}": 1} | KIT.CHANNELS
    assert vcd.changes["masked"][0] == (0, int(KIT.MASKED_AT_RESET))
    assert all(channel[0] == (0, 0) for name, channel in vcd.changes.items() if name not in ("masked", "clock_hz"))
    rising, falling = vcd.rising("probe_a"), vcd.falling("probe_a")
    assert len(rising) == 3
    assert {b - a for a, b in zip(rising, falling, strict=True)} == {KIT.PULSE_CYCLES}
    for name in ("probe_b", "probe_c", "probe_d", f"pin_{KIT.WATCH}"):
        assert len(vcd.edges(name)) == 1
    assert [value for _, value in vcd.edges("marker")] == [0x5A, 0x25]
    assert vcd.end == r.report["cycles"]
    assert r.report["probes"]["a"]["rising"] == r.report["probes"]["a"]["falling"] == 3


def test_vcd_round_trip_at_a_clock_that_divides_nothing(run: Runner) -> None:
    # read_vcd asserts both directions of the rule at every stamp.
    odd = run("hello", "--clock", "14745601").vcd
    even = run("hello").vcd
    assert odd is not None and even is not None
    even.changes.pop("clock_hz", None)  # is there where the firmware can change the clock, and it is not forced
    assert odd.changes == even.changes and odd.clock_hz == 14745601


def test_flat_vcd_has_the_marker_bit_by_bit(run: Runner) -> None:
    vcd = run("hello", "--vcd-flat").vcd
    assert vcd is not None and set(vcd.widths.values()) == {1}
    value = 0
    for bit in range(8):
        value |= vcd.changes[f"marker_{bit}"][-1][1] << bit
    assert value == 0x25


@pytest.mark.skipif(shutil.which("sigrok-cli") is None, reason="no sigrok-cli")
def test_sigrok_reads_the_flat_vcd_cycle_by_cycle(run: Runner) -> None:
    r = run("hello", "--vcd-flat")
    picoseconds = 10**12 // KIT.CLOCK_HZ
    command = ["sigrok-cli", "-I", f"vcd:downsample={picoseconds}", "-i", str(r.folder / "run.vcd"), "-O", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    rows = [line.split(",") for line in done.stdout.splitlines() if line and line[0] in "01"]
    assert abs(len(rows) - r.report["cycles"]) <= 1
    levels = [row[0] for row in rows]
    rising = [i for i in range(1, len(levels)) if levels[i - 1] == "0" and levels[i] == "1"]
    assert [b - a for a, b in pairwise(rising)] == [b - a for a, b in pairwise(r.vcd.rising("probe_a"))]


def test_probes_may_be_moved(run: Runner) -> None:
    r = run("hello", "--probe", f"a={KIT.OTHER_PROBE}")
    assert r.vcd is not None
    assert len(r.vcd.edges("probe_a")) == 1


def test_memory_is_what_the_run_left_there(run: Runner, tmp_path: Path) -> None:
    memory = tmp_path / "memory.bin"
    run("hello", "--memory", memory)  # its text is no constant of the flash
    assert memory.read_bytes().count(b"hello\n\0") == 1


def test_trace_has_a_line_an_instruction(run: Runner, tmp_path: Path) -> None:
    trace = tmp_path / "trace.txt"
    r = run("window", "--trace", trace, "--inject", f"{KIT.VECTOR}@0", "--mark", "marker=1")
    lines = trace.read_text().splitlines()
    executed = [line.split() for line in lines if not line.startswith("#")]
    assert len(executed) == r.report["instructions"]
    cycles = [int(words[0]) for words in executed]
    assert cycles == sorted(cycles)
    assert all(re.fullmatch(r"[0-9a-f]+", words[i]) for words in executed for i in (1, 3, 4, 5))
    assert any(words[2].startswith(KIT.FUNCTION) for words in executed)
    entries = [line for line in lines if line.startswith("#")]
    assert len(entries) == 1 and entries[0].endswith(f"interrupt {KIT.VECTOR}")


def test_report_keys(run: Runner) -> None:
    report = run("window").report
    assert set(report) >= {
        *[
            "instrument",
            "instrument_version",
            "board",
            "mcu",
            "clock_hz",
            "unit",
            "firmware",
            "seed",
            "end",
            "cycles",
            "instructions",
            "sleep_cycles",
        ],
        *["restarts", "interrupts", "masked", "stack", "probes", "console"],
    }
    assert set(report["end"]) == {"reason", "status", "detail", "pc", "symbol"}
    assert report["unit"] == "cycles" and report["board"] == KIT.BOARD and report["clock_hz"] == KIT.CLOCK_HZ
    stretch = next(s for s in report["masked"]["by_code"] if s["function"] == KIT.FUNCTION)
    assert set(stretch) == {"function", "pc", "cycles", "count", "total", "at", "ended_in"}
    assert stretch["count"] == 2 and stretch["total"] == 2 * stretch["cycles"] > 0
    assert stretch["ended_in"] == KIT.FUNCTION
    if KIT.MASKED_AT_RESET:
        assert report["masked"]["by_reset"]["count"] == 1
    else:
        assert report["masked"]["by_reset"] is None


def test_report_to_standard_output(exe: Path, firmware: Callable[[str], Path]) -> None:
    done = tools.call(exe, "--board", KIT.BOARD, "--report", "-", "--console", os.devnull, firmware("hello"))
    assert json.loads(done.stdout)["end"]["reason"] == "mark"


# Stimulus and randomness.


def test_pins_and_console_wire(run: Runner, tmp_path: Path) -> None:
    stimulus = tmp_path / "s.txt"
    stimulus.write_text(f'# up, down\n5000 {KIT.INPUT} 1\n9k {KIT.INPUT} 0 # back\n20000 uart "ab\\n"\n40000 uart 46\n')
    r = run("echo", "--stimulus", stimulus)
    assert r.status == 0, r.stderr
    assert r.stdout == "ab\n."
    assert r.vcd is not None
    assert r.vcd.edges(f"in_{KIT.INPUT}") == [(5000, 1), (9000, 0)]
    assert [value for _, value in r.vcd.edges("probe_b")] == [1, 0]
    assert all(
        0 < b - a < 40 for (a, _), (b, _) in zip(r.vcd.edges(f"in_{KIT.INPUT}"), r.vcd.edges("probe_b"), strict=True)
    )


def random_edges(run: Runner, stimulus: Path, *arguments: object) -> list[tuple[int, int]]:
    r = run("echo", "--stimulus", stimulus, "--cycles", "200k", *arguments)
    assert r.status == 4 and r.vcd is not None
    return r.vcd.edges(f"in_{KIT.INPUT}")


def test_random_stimulus_keeps_its_promises(run: Runner, tmp_path: Path) -> None:
    stimulus = tmp_path / "s.txt"
    stimulus.write_text(f"random pin={KIT.INPUT} level=1 n=50 from=1000 min=700 max=2000 hold=120\n")
    edges = random_edges(run, stimulus)
    starts = [cycle for cycle, value in edges if value == 1]
    assert len(starts) == 50
    assert all(700 <= b - a <= 2000 for a, b in pairwise([1000, *starts]))
    assert all(end - start == 120 for (start, _), (end, _) in zip(edges[::2], edges[1::2], strict=True))
    assert len({b - a for a, b in pairwise(starts)}) > 30
    assert edges == random_edges(run, stimulus, "--seed", 1)
    assert edges != random_edges(run, stimulus, "--seed", 2)
    stimulus.write_text(f"random pin={KIT.INPUT} level=1 n=50 from=1000 min=700 max=2000 hold=120 seed=1\n")
    assert edges == random_edges(run, stimulus, "--seed", 2)


def test_square_stimulus(run: Runner, tmp_path: Path) -> None:
    stimulus = tmp_path / "s.txt"
    stimulus.write_text(f"square pin={KIT.INPUT} n=3 half=10k\n")
    assert random_edges(run, stimulus) == [(10000 * (i + 1), (i + 1) % 2) for i in range(6)]


def test_a_square_with_jitter(run: Runner, tmp_path: Path) -> None:
    stimulus = tmp_path / "s.txt"
    text = f"square pin={KIT.INPUT} n=20 half=2000 jitter=1500"
    stimulus.write_text(f"{text}\n")
    edges = random_edges(run, stimulus)
    assert [value for _, value in edges] == [(i + 1) % 2 for i in range(40)]
    late = [cycle - 2000 * (i + 1) for i, (cycle, _) in enumerate(edges)]
    assert all(0 <= one <= 1500 for one in late) and len(set(late)) > 30  # from the ideal edge, which does not move
    assert edges != random_edges(run, stimulus, "--seed", 2)
    stimulus.write_text(f"{text} seed=1\n")
    assert edges == random_edges(run, stimulus, "--seed", 2)


def test_the_same_input_gives_the_same_bytes(run: Runner, tmp_path: Path) -> None:
    stimulus = tmp_path / "s.txt"
    stimulus.write_text(f'random pin={KIT.INPUT} level=1 n=20 min=700 max=2000 hold=120\n60000 uart "."\n')
    seen = set()
    for _ in range(2):
        run("echo", "--stimulus", stimulus, "--trace", tmp_path / "t", "--console", tmp_path / "c")
        seen.add(b"".join((tmp_path / name).read_bytes() for name in ("run.json", "run.vcd", "t", "c")))
    assert len(seen) == 1


def test_random_interrupts_are_seeded(run: Runner) -> None:
    def entries(seed: int) -> list[int]:
        r = run("window", "--random-irq", f"{KIT.VECTOR}:{KIT.STRAYS}", "--seed", seed)
        assert r.status == 0 and r.vcd is not None
        assert r.report["interrupts"][0]["injected"] > 3
        return r.vcd.rising("irq")

    assert entries(5) == entries(5) != entries(6)


# Time asleep.


def test_sleep_is_skipped_and_exact(run: Runner) -> None:
    r = run("ticks")
    assert r.status == 0
    stamps = [cycle for cycle, _ in r.markers()]
    assert all(abs(b - a - KIT.VECTOR_PERIOD) <= KIT.JITTER for a, b in pairwise(stamps))
    assert abs(stamps[-1] - stamps[0] - (len(stamps) - 1) * KIT.VECTOR_PERIOD) <= KIT.JITTER
    assert r.report["sleep_cycles"] > 0.9 * r.report["cycles"]
    assert r.report["interrupts"] == [{"vector": KIT.VECTOR_NUMBER, "name": KIT.VECTOR, "count": 20, "injected": 0}]


# Window, injection, fork.

WINDOW = ("--mark", "marker=1", "--until", "marker=2")


def test_an_injected_interrupt_is_taken_once(run: Runner) -> None:
    assert run("window").stdout == "0\n"
    for name in (KIT.VECTOR, KIT.VECTOR_NUMBER):
        r = run("window", *WINDOW, "--inject", f"{name}@0")
        assert r.stdout == "1\n"
        assert r.report["interrupts"] == [{"vector": KIT.VECTOR_NUMBER, "name": KIT.VECTOR, "count": 1, "injected": 1}]
        assert len(r.vcd.rising("irq")) == 1 and len(r.vcd.falling("irq")) == 1
        # It comes right after the instruction that wrote the marker: before instruction 0.
        assert 0 <= r.vcd.rising("irq")[0] - r.markers()[0][0] <= KIT.ENTRY_WITHIN


def test_several_injections(run: Runner) -> None:
    assert run("window", *WINDOW, "--inject", f"{KIT.VECTOR}@0", "--inject", f"{KIT.VECTOR}@20").stdout == "2\n"


def test_the_window_limits_what_masks_are_counted(run: Runner) -> None:
    def stretches(*arguments: object) -> int:
        code = run("window", *arguments).report["masked"]["by_code"]
        return sum(s["count"] for s in code if s["function"] == KIT.FUNCTION)

    assert stretches() == 2
    assert stretches(*WINDOW) == 1
    assert stretches("--mark", KIT.FUNCTION) == 2
    assert stretches("--mark", KIT.FUNCTION, "--mark-hit", 2) == 1
    assert stretches("--mark", KIT.FUNCTION, "--mark-hit", 3) == 0
    assert stretches("--mark", KIT.FUNCTION, "--until", "marker=2") == 1


def test_fork_tries_every_instruction(run: Runner, tmp_path: Path) -> None:
    r = run("window", *WINDOW, "--fork", KIT.VECTOR)
    assert r.status == 0
    children = [json.loads(line) for line in r.stdout.splitlines()]
    assert [child["index"] for child in children] == list(range(len(children)))
    assert len(children) > 10
    keys = [
        "index",
        "pc",
        "symbol",
        "taken",
        "taken_pc",
        "taken_symbol",
        "taken_cycle",
        "end",
        "exit",
        "cycles",
        "console",
        "console_hash",
    ]
    for child in children:
        assert list(child) == keys
        assert child["taken"] and child["exit"] == 0 and child["console"] == "1\n"
        assert child["end"]["reason"] == "mark"
    assert len({child["console_hash"] for child in children}) == 1
    # Inside the masked stretch it has to wait, elsewhere it is taken on the spot.
    late = [child for child in children if child["taken_pc"] != child["pc"]]
    assert 0 < len(late) < len(children)
    assert len({child["taken_pc"] for child in late}) == 1
    assert f"{len(children)} runs forked: {len(children)} passed" in r.stderr
    assert r.report["forked"] == len(children)
    # A child is the same run as an injection.
    same = run("window", *WINDOW, "--inject", f"{KIT.VECTOR}@7")
    assert same.report["cycles"] == children[7]["cycles"]


def test_fork_leaves_out_what_would_repeat(run: Runner) -> None:
    def children(*options: str) -> list[dict[str, object]]:
        r = run("window", *WINDOW, "--fork", KIT.VECTOR, *options)
        return [json.loads(line) for line in r.stdout.splitlines()]

    def ends(all_of_them: list[dict[str, object]]) -> set[tuple[object, ...]]:
        return {(one["taken_pc"], one["taken_cycle"], one["cycles"], one["console"]) for one in all_of_them}

    every, enabled = children(), children("--fork-enabled")
    assert len(enabled) < len(every)
    assert ends(enabled) == ends(every)
    low, high = sorted({int(str(one["pc"])) for one in every})[2:5:2]
    some = children("--fork-in", f"{low}:{high}")
    assert some == [one for one in every if low <= int(str(one["pc"])) < high]
    assert 0 < len(some) < len(every)


def test_fork_takes_a_seeded_share(run: Runner) -> None:
    def indexes(*options: object) -> list[int]:
        r = run("window", *WINDOW, "--fork", KIT.VECTOR, *options)
        return [json.loads(line)["index"] for line in r.stdout.splitlines()]

    every, some = indexes(), indexes("--fork-one-in", 3)
    assert 0 < len(some) < len(every) / 1.5 and set(some) < set(every)
    assert indexes("--fork-one-in", 3) == some != indexes("--fork-one-in", 3, "--seed", 2)


def test_a_second_interrupt_in_each_fork(run: Runner) -> None:
    def children(low: int, high: int, *options: object) -> list[dict[str, object]]:
        then = f"{KIT.VECTOR}:{low}:{high}"
        r = run("window", *WINDOW, "--fork", KIT.VECTOR, "--fork-then", then, *options)
        return [json.loads(line) for line in r.stdout.splitlines()]

    # It is the same run as with two injections, and none where the window is over before.
    near, far = children(13, 13), children(100000, 100000)
    both = run("window", *WINDOW, "--inject", f"{KIT.VECTOR}@7", "--inject", f"{KIT.VECTOR}@20")
    assert near[7]["cycles"] == both.report["cycles"] and near[7]["console"] == both.stdout == "2\n"
    assert {child["console"] for child in far} == {"1\n"}
    assert len({child["cycles"] for child in children(1, 20)}) > 1
    assert children(1, 20) == children(1, 20) != children(1, 60, "--seed", 2)


def test_fork_leaves_the_original_alone(run: Runner, tmp_path: Path) -> None:
    plain = run("window")
    forked = run("window", *WINDOW, "--fork", KIT.VECTOR, "--console", tmp_path / "console")
    assert (tmp_path / "console").read_text() == "0\n"
    assert forked.vcd == plain.vcd


def test_ask_is_a_copy_for_each_line(run: Runner, tmp_path: Path) -> None:
    questions = tmp_path / "questions"
    questions.write_text("97 98 46\n46\n97 98 46\n97\n")
    r = run("echo", "--mark", "marker=1", "--ask", questions, "--cycles", "200k")
    copies = [json.loads(line) for line in r.stdout.splitlines()]
    assert [copy["console"] for copy in copies] == ["ab.", ".", "ab.", "a"]
    assert [copy["exit"] for copy in copies] == [0, 0, 0, 4]
    assert copies[0] == copies[2]
    assert (r.status, r.report["end"]["reason"]) == (0, "mark")
    assert "4 runs forked: 3 passed, 1 used up the budget" in r.stderr


def test_ask_answers_before_it_reads_on(exe: Path, firmware: Callable[[str], Path]) -> None:
    command = [exe, "--board", KIT.BOARD, "--mark", "marker=1", "--ask", "-", firmware("echo")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        assert asked.stdin and asked.stdout
        for byte in (97, 98):
            asked.stdin.write(f"{byte} 46\n".encode())
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["console"] == f"{chr(byte)}."
        asked.stdin.close()
        assert asked.wait() == 0


@pytest.mark.parametrize("line", ["256", "ab", "1 2 x"])
def test_ask_knows_bytes_only(run: Runner, tmp_path: Path, line: str) -> None:
    questions = tmp_path / "questions"
    questions.write_text(f"{line}\n46\n")
    r = run("echo", "--mark", "marker=1", "--ask", questions)
    assert (r.status, [json.loads(one)["console"] for one in r.stdout.splitlines()]) == (2, ["."])
