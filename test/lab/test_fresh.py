"""./attacca test --fresh: what is typed on the empty machine, and what of this one's network it may use."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacca_lab import fresh
from attacca_lab.errors import UserError
from conftest import Typed


def test_its_downloads_trust_what_this_machine_trusts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip, npm and curl each ask for the certificates by a name of their own."""
    (tmp_path / "etc/apt/apt.conf.d").mkdir(parents=True)
    (tmp_path / fresh.BUNDLE).parent.mkdir(parents=True)
    (tmp_path / "bundle").write_text("certificates")
    for name in fresh.CERTIFICATES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "bundle"))
    monkeypatch.setenv("https_proxy", "http://proxy:1")
    monkeypatch.setenv("npm_config_registry", "http://npm:2")
    monkeypatch.setenv("SECRET", "of this machine")
    environment = fresh._connect(tmp_path)
    assert (tmp_path / fresh.BUNDLE).read_text() == "certificates"
    for name in ("PIP_CERT", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE"):
        assert environment[name] == f"/{fresh.BUNDLE}"
    assert (environment["https_proxy"], environment["npm_config_registry"]) == ("http://proxy:1", "http://npm:2")
    assert "SECRET" not in environment and environment["HOME"] == "/root"


@pytest.mark.parametrize(("status", "sum_"), [(0, "2 passed, 0 failed"), (3, "0 passed, 2 failed")])
def test_both_commands_are_typed_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int, sum_: str
) -> None:
    """The options of test go along, and what fails there fails here."""
    typed: list[str] = []

    @contextlib.contextmanager
    def directory() -> Iterator[Path]:
        yield tmp_path

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        assert command[: len(fresh.PRIVATE)] == list(fresh.PRIVATE)
        typed.append(command[-1])
        return subprocess.CompletedProcess(command, status)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(fresh.prepare, "tool", Path)
    monkeypatch.setattr(fresh, "_directory", directory)
    for name in ("_make", "_clone"):
        monkeypatch.setattr(fresh, name, lambda directory: None)
    monkeypatch.setattr(fresh, "_connect", lambda directory: {})
    monkeypatch.setattr(fresh.subprocess, "run", run)
    assert fresh.try_fresh(["--only", "host"]) == (1 if status else 0)
    assert [line.split(" && exec ")[1] for line in typed] == ["./attacca bench", "./attacca test --only host"]
    assert capsys.readouterr().out.splitlines()[-1].startswith(sum_)


def test_it_is_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(UserError, match="needs root"):
        fresh.try_fresh()


def test_what_is_wrong_is_said_before_anything_is_made(attacca: Typed) -> None:
    for options, said in ((["--only", "foo"], "unknown stage 'foo'"), (["--publish"], "not with --fresh")):
        done = attacca("test", "--fresh", *options)
        assert done.returncode == 2 and said in done.stderr
