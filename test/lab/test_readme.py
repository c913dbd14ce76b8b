"""The README: its generated parts are in step with what they are generated from, and its links lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from attacca_lab import readme, results_page
from attacca_lab.boards import boards
from attacca_lab.errors import UserError
from attacca_lab.stats import Result
from conftest import ROOT, Typed


def figure(experiment: str, median: float, unit: str = "cycles", **more: object) -> Result:
    common = {"board": "uno", "instrument": "attacca-avr 1.0", "compiler": "avr-gcc 7.3.0", "flags": "-mmcu=x -Os -g"}
    sizes = {"n": 1, "min": median, "median": median, "mean": median, "p99": median, "max": median}
    return Result.from_json({"experiment": experiment, "unit": unit, "commit": "abc", **common, **sizes, **more})


def test_the_example_in_the_readme_is_the_one_that_is_built() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert readme.replace_part(text, "blink", readme.blink()) == text, "./attacca readme writes it anew"


def test_there_is_a_table_of_results() -> None:
    (part,) = re.findall(r"<!-- results:begin -->\n(.*?)<!-- results:end -->", readme.README.read_text(), re.DOTALL)
    assert "(`switch-semaphore`)" in part
    assert "ATmega328P at 16 MHz, simulated by attacca-avr" in part


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:2] == "| "]


def test_the_default_build_with_a_timeout_leads() -> None:
    """The fastest beside it, and only that is compared with the peers."""
    text = readme.results(
        [
            figure("switch-semaphore", 140, build="fast"),
            figure("switch-semaphore", 300, build="fast", variant="timeout"),
            figure("switch-semaphore", 400, build="default"),
            figure("switch-semaphore", 560, build="default", variant="timeout"),
            figure("switch-yield", 300, build="default"),
            figure("flash", 1234, "bytes", build="fast"),
            figure("flash", 2234, "bytes", build="default"),
            figure("no-such-experiment", 1),
        ]
    )
    times, first, second, _, flash = cells(text)
    assert times[1:3] == ["default, with a timeout", "fastest"]
    assert first[0].endswith("(`switch-semaphore`)")
    assert first[1:] == ["**560**", "**140**", "8.750", "ChibiOS/NIL 218", "0.64", "269", "654"]
    assert second[1:] == ["**300**", "-", "18.750", "-", "-", "-", "-"], "checks on: no peer is like it"
    assert flash[1:3] == ["**2,234**", "**1,234**"] and "docs/results.md" in text.splitlines()[-1]


def test_the_tables_in_the_readme_are_at_most_a_screen_each() -> None:
    (part,) = re.findall(r"<!-- results:begin -->\n(.*?)<!-- results:end -->", readme.README.read_text(), re.DOTALL)
    tables = re.findall(r"(?:^\|.*\n)+", part, re.MULTILINE)
    assert tables and max(table.count("\n") for table in tables) <= 24
    assert all(row[1] != "-" or row[2] != "-" for row in cells(part))


def test_the_picture_and_the_table_say_the_same() -> None:
    """Both are generated, by two commands: one of them may be forgotten."""
    text = readme.README.read_text(encoding="utf-8")
    row = next(row for row in cells(text) if row[0].endswith("(`switch-semaphore`)"))
    picture = (ROOT / "docs" / "switch-semaphore.svg").read_text(encoding="utf-8")
    assert f"= {row[2].strip('*')} cycles" in picture


def test_the_document_of_all_rows_is_of_the_same_figures() -> None:
    page, text = readme.DETAILS.read_text(encoding="utf-8"), readme.README.read_text(encoding="utf-8")
    assert set(re.findall(r"commit (\w+)", page)) == set(re.findall(r"commit (\w+)", text))
    fastest = [row[2] for row in cells(text) if row[0].endswith("(`switch-semaphore`)")]
    every = [row[1] for row in cells(page) if row[0].endswith("(`switch-semaphore`)")]
    assert every[: len(fastest)] == fastest, "boards that do not exist come behind"


def test_all_rows_of_the_document() -> None:
    lines = results_page.tables(
        [
            figure("switch-semaphore", 140),
            figure("switch-semaphore", 999, variant="no timer"),
            figure("switch-semaphore", 140, threads=4),
            figure("switch-semaphore", 140, threads=16),
            figure("flash", 1234, "bytes"),
            figure("no-such-experiment", 1),
        ]
    ).splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert [row[0].split("(")[-1].strip("`)") for row in rows] == [
        "median, in cycles",
        "switch-semaphore",
        "in bytes",
        "flash",
    ]
    assert rows[1][1:] == ["**140**", "8.750", "ChibiOS/NIL 218", "0.64", "269", "654"]
    assert rows[3][1] == "**1,234**"
    assert rows[3][3] == "0.71"
    assert "`switch-semaphore` with 2, 4 and 16 threads: 140 each time." in lines
    assert any("avr-gcc 7.3.0 -Os, checks off" in line for line in lines)


def test_another_level_is_a_column() -> None:
    """Beside the best peer of that level; the board's own makes the table, whichever comes first."""
    more = {"board": "stm32f103", "compiler": "arm-none-eabi-gcc 12.2.1"}
    small, fast = {**more, "flags": "-mthumb -Os -g"}, {**more, "flags": "-mthumb -O2 -g"}
    text = results_page.tables(
        [
            figure("switch-semaphore", 62, **small),
            figure("switch-semaphore", 61, **fast),
            figure("signal-wait-loop", 70, **fast),
            figure("signal-wait-loop", 71, **small),
            figure("pair-mutex", 40, **fast),
        ]
    )
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:2] == "| "]
    assert rows[0][-1] == "with `-Os` (best peer)"
    assert rows[1][1] == "**61**" and rows[1][4] == "ChibiOS/RT-compact 101" and rows[1][-1] == "**62** (119)"
    assert rows[2][1] == "**70**" and rows[2][-1] == "**71**"
    assert rows[3][-1] == "-"
    assert "12.2.1 -O2, checks off" in text


def test_more_threads_that_cost_something_are_told() -> None:
    text = results_page.tables([figure("switch-semaphore", 140), figure("switch-semaphore", 150, threads=8)])
    assert "`switch-semaphore` with 2 and 8 threads: 140, 150." in text


def test_a_boards_table_does_not_vanish(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    blank = "<!-- blink:begin -->\n<!-- blink:end -->\n<!-- results:begin -->\n{}<!-- results:end -->\n"
    file.write_text(blank.format("### Arduino Uno\n\n### STM32F103\n\n"))
    uno, stm32 = figure("switch-semaphore", 140), figure("switch-semaphore", 76, board="stm32f103")
    with pytest.raises(UserError, match="the README shows STM32F103 too"):
        readme.update(file, [uno])
    assert readme.update(file, [uno, stm32]) and "### STM32F103" in file.read_text()


def test_the_documented_lines_make_all_that_is_generated() -> None:
    """Every board and level of docs/results.md has its line, and every file of a line is given to the last one."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\./attacca bench(?: --board (\w+))?(?: --optimize (-\w+))? -o (\S+)$", text, re.MULTILINE)
    (given,) = re.findall(r"^\./attacca readme (.+)$", text, re.MULTILINE)
    assert given.split() == [file for _, _, file in lines]
    made = {boards()[name or "uno"].title for name, _, _ in lines}
    page = readme.DETAILS.read_text(encoding="utf-8") + readme.README.read_text(encoding="utf-8")
    assert set(re.findall(r"^##+ (Arduino \w+|STM32\w+|Cortex-\S+)$", page, re.MULTILINE)) <= made
    assert ("stm32f103", "-Os") in {(name, level) for name, level, _ in lines}


def test_only_what_is_between_the_markers_changes(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    text = "a\n<!-- blink:begin -->\nold\n<!-- blink:end -->\nb\n<!-- results:begin -->\nold\n<!-- results:end -->\nc\n"
    file.write_text(text)
    assert readme.update(file, [figure("switch-semaphore", 140)])
    after = file.read_text()
    assert re.sub(r":begin -->\n.*?\n<!-- (\w+):end", r":begin -->\nold\n<!-- \1:end", after, flags=re.DOTALL) == text
    assert "ATT_SYSTEM" in after
    assert not readme.update(file)


@pytest.mark.parametrize("text", ["", "<!-- blink:end -->\n<!-- blink:begin -->\n", "<!-- blink:begin -->\n" * 2])
def test_markers_must_be_there(tmp_path: Path, text: str) -> None:
    file = tmp_path / "README.md"
    file.write_text(text)
    with pytest.raises(UserError, match="blink:begin"):
        readme.update(file)


@pytest.mark.parametrize("text", ["", "{}", '"x"', "[1]", "[{}]", "[]"])
def test_a_file_without_results(attacca: Typed, tmp_path: Path, text: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(text)
    done = attacca("readme", file)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) <= 2
    assert "Traceback" not in done.stderr


def test_results_are_loaded_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    one = figure("switch-semaphore", 140, threads=4)
    file.write_text(json.dumps([one.as_json()]))
    assert readme.load(file) == [one]


def pages() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("docs", "lab", "port", "instrument", "examples"):
        found += sorted((ROOT / folder).rglob("*.md"))
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"\w+:", target):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"
