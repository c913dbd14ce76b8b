"""What the documents point to is there: files, sections, and each part of the kernel in the architecture's table."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import click
import pytest

from attacca_lab import board_table, build, costs, prepare, testing
from attacca_lab.bench import experiments
from attacca_lab.boards import boards
from attacca_lab.cli import COMMANDS, UNLISTED, cli
from conftest import ROOT

HEADERS = ROOT / "include" / "attacca"
# What the umbrella leaves out, or others include for it.
APART = {"attacca.h", "config.h", "debug.h", "dynamic.h", "dynamic_objects.h", "inline.h", "mask.h", "port_api.h"}


def documents() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", documents())
def test_links_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_architecture_lists_the_kernel() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    sources = {path.name for path in (ROOT / "kernel").glob("*.c") if not path.stem.endswith("_timed")}
    assert [name for name in sorted(sources) if f"`{name}`" not in text] == []


def test_the_umbrella_includes_all_but_those_apart_in_order() -> None:
    included = re.findall(r'#include "attacca/(\w+\.h)"', (HEADERS / "attacca.h").read_text(encoding="utf-8"))
    assert included == sorted(included)
    assert {path.name for path in HEADERS.glob("*.h")} - set(included) == APART


# --- what they claim -----------------------------------------------------------------------------------------------


def typed() -> list[tuple[str, list[str]]]:
    """Each line that a document says to type: the words after ./attacca, without comments behind them."""
    found = []
    for name in documents():
        text = (ROOT / name).read_text(encoding="utf-8")
        blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += re.findall(r"`(\./attacca [^`]+)`", text.replace("\n", " "))
        for line in lines:
            line = re.sub(r"^\s*(?:\$ )?(?:sudo )?", "", line)
            if line.startswith("./attacca "):
                words = re.split(r" {2,}| && | #|[|<>]", line)[0].split()[1:]
                found.append((name, [word.rstrip(",") for word in words if word != "…"]))
    return found


@pytest.mark.parametrize(
    ("name", "words"), typed(), ids=lambda value: value if isinstance(value, str) else " ".join(value)
)
def test_what_is_to_be_typed_exists(name: str, words: list[str]) -> None:
    """The command, its options, boards, experiments, firmware."""
    if words[0].startswith("-"):
        assert words[0] in ("--help", "--version")
        return
    if words[0].isupper():
        return  # a stand-in, as in COMMAND
    assert words[0] in (*COMMANDS, *UNLISTED), words
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None
    options = {option: one for one in command.params for option in one.opts}
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            if words[0] == "bench" and re.fullmatch(r"[a-z-]+", word):
                assert word in experiments(), words
            if words[0] == "flash" and word.startswith("example"):
                assert (ROOT / "examples" / word.removeprefix("example-")).is_dir(), words
            continue
        option, _, value = word.partition("=")
        if option in ("-h", "--help"):
            continue
        assert option in options, f"{name}: ./attacca {' '.join(words)}"
        if not getattr(options[option], "is_flag", False):
            value = value or next(rest, "")
            assert value, words
            if option == "--board" and value.islower():
                assert value in boards(), words
            if option == "--only" and value.islower():
                assert value in [stage.name for stage in testing.STAGES], words


def folder(processors: str) -> str:
    """The port's."""
    return processors.lower().replace("risc-v", "riscv").replace("nios ii", "nios2")


def test_choosing_has_the_table_of_boards() -> None:
    text = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    assert board_table.part().strip() in text, "./attacca readme writes it anew"
    assert set(board_table.ports()) >= set(boards())
    ports = {path.name for path in (ROOT / "port").iterdir() if path.is_dir()} - {"template"}
    assert {row["port"] for row in board_table.rows()} == ports
    (processors,) = re.findall(r"^\| processors \| ([^|]+?) \|", text, re.M)
    assert {folder(name) for name in processors.split(", ")} == ports - {"host"}


NAME = re.compile(r"\b(?:att_[a-z0-9_]+|ATT_[A-Z0-9_]+)")


def code() -> str:
    """All that is no document."""
    kinds = ("*.c", "*.h", "*.S", "*.py", "*.txt", "*.cmake", "*.json", "*.ld", "*.inc", "*.ino")
    listed = subprocess.run(["git", "ls-files", *kinds], cwd=ROOT, capture_output=True, text=True, check=True)
    files = (ROOT / name for name in listed.stdout.splitlines())
    return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files if file.exists())


def test_names_of_the_kernel_exist() -> None:
    """Calls, types and options that a document names; a name that ends in _ stands for all that begin so."""
    names = set(NAME.findall(code()))
    starts = {name[: end + 1] for name in names for end, letter in enumerate(name) if letter == "_"}
    missing = {
        (name, one)
        for name in documents()
        for one in NAME.findall((ROOT / name).read_text(encoding="utf-8"))
        if one not in names and one not in starts
    }
    assert not missing


# In a document, but not in this tree: built, the reader's own, or another kernel's (docs/choosing.md lists those).
ELSEWHERE = re.compile(r"build/|attacca_config\.h$|os/|[A-Z]+\.")
PEERS = {"chdynamic.h", "chpipes.h", "include/task.h", "include/stream_buffer.h", "tasks.c"}


def test_files_that_are_named_exist() -> None:
    """A path is a tracked file's, or the end of one's."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    there = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    ends = {name[at:] for name in there for at in [0, *(match.end() for match in re.finditer("/", name))]}
    named = re.compile(r"`([\w./-]+\.(?:c|h|S|py|ld|cmake|toml|csv))`")
    missing = {
        (name, one)
        for name in documents()
        for one in named.findall((ROOT / name).read_text(encoding="utf-8"))
        if one.removeprefix("attacca/") not in ends and not ELSEWHERE.match(one)
        if name != "docs/choosing.md" or one not in PEERS
    }
    assert not missing


def test_the_trace_is_of_what_its_text_says() -> None:
    """How long the logger holds the bus, and the name that is explained."""
    text = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
    shown = listed(text)
    (begin,) = (float(words[1]) for words in shown if words[2:5] == ["logger", "lock", "bus"])
    end = min(float(words[1]) for words in shown if words[2:5] == ["logger", "unlock", "bus"])
    (said,) = re.findall(r"from the logger's lock to its unlock (\d+) ms", " ".join(text.split()))
    assert int(said) == round(end - begin)
    (named,) = re.findall(r"^- .*?`(\w+\+\d+)` is", text, re.M)
    assert any(named in words for words in shown)


# An ATT_WAITABLE_… and what the README calls it.
WAITED_FOR = {
    "SEM": "semaphores", "MAILBOX": "mailboxes", "QUEUE": "queues", "FIFO": "FIFOs", "FLAGS": "flags",
    "GROUP": "groups", "INBOX": "messages", "REF": "references", "JOIN": "ends of threads",
}  # fmt: skip


def test_the_readme_lists_what_a_wait_set_may_hold() -> None:
    headers = "".join(path.read_text(encoding="utf-8") for path in HEADERS.glob("*.h"))
    defined = set(re.findall(r"#define ATT_WAITABLE_(\w+)", headers))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^\| wait sets \| one wait for any mixture of (.*?) \|", text, re.M)
    assert set(said.split(", ")) == {WAITED_FOR[name] for name in defined}


def test_testing_says_what_is_about_the_host() -> None:
    text = " ".join((ROOT / "docs" / "testing.md").read_text(encoding="utf-8").split())
    assert "`--board host` is suite, sanitizers, coverage and fuzzer." in text
    assert [one.name for one in testing.STAGES if "host" in one.boards] == ["host", "sanitizers", "coverage", "fuzz"]


def test_testing_lists_what_the_fuzzer_knows() -> None:
    text = " ".join((ROOT / "docs" / "testing.md").read_text(encoding="utf-8").split())
    (said,) = re.findall(r"It knows (.*?)\. What it does not try", text)
    names = {"sem": "semaphores", "ref": "references", "cond": "condition variables", "flags": "event flags",
             "group": "event groups", "mailbox": "mailboxes", "mutex": "mutexes",
             "rwlock": "reader-writer locks"}  # fmt: skip
    kinds = re.findall(r"&kind_(\w+)", (ROOT / "verify" / "fuzz" / "kinds.c").read_text(encoding="utf-8"))
    kinds.remove("end")  # of threads
    assert set(re.split(r", | and ", said)) == {names.get(kind, f"{kind}s") for kind in kinds}


def test_one_page_says_what_pwm_is_lost() -> None:
    pages = [name for name in documents() if re.search(r"PWM[^.|]* D\d|analogWrite", (ROOT / name).read_text())]
    assert pages == ["board/arduino/README.md"]
    text = (ROOT / pages[0]).read_text(encoding="utf-8")
    # Timer1's outputs A and B, as the Arduino core has them for each board.
    assert "`analogWrite` on D9 and D10 (Uno), on D11 and D12 (Mega;" in text


def listed(text: str) -> list[list[str]]:
    """The events of a trace, as words: number, time, thread, event (one or two words), object, value."""
    lines = [line.split() for line in text.splitlines()]
    return [words for words in lines if len(words) > 5 and words[0].isdigit() and words[1] != "events"]


def test_the_trace_is_what_the_command_prints() -> None:
    """Event by event; a time may be off by what a change of some cycles adds up to."""
    page = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
    (printed,) = re.findall(r"^\$ (\./attacca trace example.*)\n((?:.*\n)*?)```", page, re.M)
    build.build("uno", ["example-26-recorder"])
    command = [str(ROOT / "attacca"), *printed[0].split(" -o ")[0].split()[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    there, here = listed(printed[1]), listed(done.stdout)
    assert [words[2:-1] for words in there] == [words[2:-1] for words in here], "docs/debugging.md: print it anew"
    for old, new in zip(there, here, strict=True):
        assert abs(float(old[1]) - float(new[1])) < 0.5, "docs/debugging.md: print it anew"


def test_sizes_of_the_compiler_are_right() -> None:
    """As the README and the step that installs it say."""
    folder = prepare.avr_gcc_bin().parents[1]
    megabytes = sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_symlink()) / 1e6
    for name in ("README.md", "attacca"):
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        (said,) = re.findall(r"57 MB to fetch, (\d+) MB on disk", text)
        assert abs(megabytes - int(said)) < 0.1 * megabytes, name


def test_what_is_installed_is_told() -> None:
    """Each Debian package beyond those of bench, by the name that people know it by."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## Two commands")[1].split("```")[2].lower()
    for line in (ROOT / "lab" / "packages.txt").read_text(encoding="utf-8").splitlines():
        level, name, *_ = [*line.split(), "", ""]
        if level in ("arm", "riscv", "test") or name == "clang":
            known = re.sub(r"^(qemu|gdb)-.*", r"\1", name)
            assert known in text, name


def test_how_long_a_test_takes() -> None:
    """A quarter of an hour or two: the sum of what its stages took when their costs were published."""
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "`test` a quarter of an hour or two: `./attacca test --list` prints what each stage took" in text
    published = json.loads(costs.PUBLISHED.read_text(encoding="utf-8"))
    assert published.keys() == {stage.name for stage in testing.STAGES}
    assert 12 * 60 < sum(cost["wall"] for cost in published.values()) < 33 * 60


def test_the_first_screen_says_what_the_tables_say() -> None:
    """Less than three tenths of FreeRTOS's cycles, less than three quarters of ChibiOS/RT's, on both processors."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = " ".join(text[: text.index("\n## ")].split())
    assert "less than three tenths of FreeRTOS's cycles and less than three quarters of ChibiOS/RT's, on both" in first
    seen = 0
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [[cell.strip(" *") for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
        for row in rows:
            if "(`switch-semaphore`)" in row[0]:
                cells = dict(zip(rows[0], row, strict=True))
                ours, chibios, freertos = (float(cells[name]) for name in ("fastest", "ChibiOS/RT", "FreeRTOS"))
                assert ours < 0.3 * freertos and ours < 0.75 * chibios
                seen += 1
    assert seen == 2


def test_why_then_code_then_the_rest() -> None:
    """The first 25 lines say what it is to a reader, code begins in the next ten, tables come late."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert not any(line.startswith(("|", "```")) for line in lines[:18])
    assert lines.index("```c") < 35
    assert lines.index("## Blinking") < lines.index("## Two commands") < lines.index("## Results")


def test_the_architecture_names_every_port_board_and_instrument() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"```\n(attacca .*?)```", text, re.S)
    for line, folder in ((r"port/<arch>/", "port"), (r"board/<board>/", "board"), (r"instrument/", "instrument")):
        (row,) = re.findall(rf"^{line} +(.*)$", tree, re.M)
        there = {path.name for path in (ROOT / folder).iterdir() if path.is_dir()}
        assert there <= set(re.findall(r"[\w-]+", row)), folder
