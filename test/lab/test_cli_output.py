"""Tables and files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from attacca_lab.errors import UserError
from attacca_lab.output import Column, Output, Table, atomic, csv_text, markdown, plain, write_atomic

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
        "a|b                   -         0.12",
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
