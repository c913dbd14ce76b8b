"""Tables and files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from attacca_lab.errors import UserError
from attacca_lab.output import Column, Output, Table, atomic, csv_text, markdown, plain, write_atomic
from conftest import ROOT, Typed

TABLE = Table(
    (Column("name", "name"), Column("median", "median", "cycles"), Column("us", "median", "us", digits=2)),
    [{"name": "switch", "median": 1234, "us": 7.5, "seed": 1}, {"name": "a|b", "median": None, "us": 0.125}],
    title="Times",
    notes=["a note"],
)


def test_plain_is_aligned() -> None:
    assert plain(TABLE).splitlines() == [
        "Times",
        "name    median [cycles]  median [us]",
        "switch            1,234         7.50",
        "a|b                   -         0.13",
        "a note",
    ]


def test_markdown_escapes() -> None:
    text = markdown(TABLE).splitlines()
    assert text[2:5] == ["| name | median [cycles] | median [us] |", "|---|---:|---:|", "| switch | 1,234 | 7.50 |"]
    assert "a\\|b" in text[5]


def test_csv_has_every_key_and_raw_numbers() -> None:
    assert csv_text(TABLE.data) == "name,median,us,seed\nswitch,1234,7.5,1\na|b,,0.125,\n"


def test_json_of_several_tables_is_one_list(capsys: pytest.CaptureFixture[str]) -> None:
    Output("json").emit(TABLE, Table((), [], records=[{"n": 1}]))
    assert [sorted(record) for record in json.loads(capsys.readouterr().out)][2] == ["n"]


def test_extra_ending(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    Output(files=[path], quiet=True, extra={".html": lambda: "<p>"}).emit(TABLE)
    assert path.read_text() == "<p>"


def test_interrupted_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


def test_written_file_has_usual_rights_and_links_stay(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("real.txt")
    write_atomic(link, "text")
    umask = os.umask(0)
    os.umask(umask)
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_text() == "text"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o666 & ~umask


def test_device_is_written_in_place() -> None:
    write_atomic(Path("/dev/null"), "text")
    assert not Path("/dev/null").is_file()


def test_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        write_atomic(tmp_path / "none" / "r.json", "text")


WIDE = Table(
    (Column("name", "experiment"), Column("a", "median", "cycles"), Column("best", "best peer"),
     *(Column(f"n{i}", f"column-{i}") for i in range(9))),
    [{"name": "switch-semaphore (low-preempted, digitalWrite)", "a": 1_234_567, "best": "ChibiOS/RT-compact 101",
      **{f"n{i}": 10**i for i in range(9)}}],
    title="A title of some words",
    notes=["a note of many words " * 8],
)  # fmt: skip


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 140])
def test_a_narrow_table_breaks_no_name_and_says_what_it_leaves_out(width: int) -> None:
    text = plain(WIDE, width)
    words = set(text.replace(",\n", ", ").split())
    for word in ("switch-semaphore", "(low-preempted,", "digitalWrite)", "experiment"):
        assert word in words, text
    shown = [f"column-{i}" for i in range(9) if f"column-{i}" in text.splitlines()[1].split()]
    note = " ".join(text.split())
    for i in range(9):
        assert f"column-{i}" in shown or (f"Not shown in {width} columns" in note and f"column-{i}" in note)
    assert all(f"{10 ** int(name[-1]):,}" in words for name in shown), "numbers stand whole"
    assert max(map(len, text.splitlines())) <= width
    assert "Not shown" not in plain(WIDE)


def test_a_full_disk_is_said_and_is_no_bug(attacca: Typed) -> None:
    for arguments in (["boards"], ["boards", "--json"], ["bench", "--list"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([ROOT / "attacca", *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False, timeout=60)  # fmt: skip
        assert (done.returncode, done.stderr) == (1, "attacca: cannot write the output: no space left on device\n")
