"""Runs the fuzzer of verify/fuzz: libFuzzer, from the kept corpus, for some time.

The corpus is one text file, an input a line in base64: hundreds of tiny files would be kept and shown badly. It is
unpacked into the build folder, where what a run finds on top stays until it is merged into the file. Inputs that have
failed once stand in a file of their own, each with its story; every run begins with them, and no merge drops them.

In both files inputs are reduced: a call is its number, not any byte that stands for it. So an input still means the
same when there are kinds of objects more.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attacca_lab import build
from attacca_lab.alone import alone
from attacca_lab.errors import USAGE, UserError
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step

CORPUS = ROOT / "verify" / "fuzz" / "corpus.txt"
REGRESSIONS = ROOT / "verify" / "fuzz" / "regressions.txt"
LONGEST = 600  # bytes of an input
REPEATED = 40_000  # runs of the stage of the tests
SLOWEST = 1800  # seconds that they may take
SHORTEN_SECONDS = 20  # that a failing input is shortened for
# Threads that are still under way at the end of an input are forgotten with all that lies on their stacks.
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0:handle_abort=0"}
ALWAYS = ("-detect_leaks=0", "-timeout=60", "-rss_limit_mb=0", f"-max_len={LONGEST}")
SPARE = 120  # seconds after which a fuzzer that should have ended is ended


@dataclass(frozen=True)
class Found:
    """What a run came to."""

    seed: int
    runs: int
    seconds: float
    coverage: tuple[int, int]  # branches of code reached by the corpus, and at the end
    corpus: tuple[int, int]  # inputs kept, and found on top
    crash: Path | None  # the input that failed, shortened
    trouble: str  # and how

    @property
    def text(self) -> str:
        """One line."""
        before, after = self.coverage
        rate = self.runs / self.seconds if self.seconds else 0
        return (
            f"seed {self.seed}: {self.runs} runs in {self.seconds:.0f} s, {rate:.0f} a second; coverage {after},"
            f" {after - before} of it new; corpus {self.corpus[0]}, {self.corpus[1]} found"
        )


def shown(path: Path) -> str:
    """A path as a user types it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _folder(name: str) -> Path:
    path = build.BUILD / "fuzz" / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def pack(inputs: Sequence[bytes]) -> str:
    """Inputs as the corpus file holds them, the shortest first."""
    ordered = sorted(set(inputs), key=lambda data: (len(data), data))
    return "".join(f"{base64.b64encode(data).decode()}\n" for data in ordered)


def unpack(text: str) -> list[bytes]:
    """The inputs of a corpus file."""
    return [base64.b64decode(line) for line in text.splitlines() if line and not line.startswith("#")]


def _unpacked(name: str, *files: Path) -> Path:
    """The inputs of these files in a folder."""
    folder = build.BUILD / "fuzz" / name
    shutil.rmtree(folder, ignore_errors=True)
    _folder(name)
    for file in files:
        for number, data in enumerate(unpack(file.read_text(encoding="ascii"))):
            (folder / f"{file.stem}-{number:04}").write_bytes(data)
    return folder


def _run(command: Sequence[str | Path], seconds: float, wish: str = "") -> tuple[int, str]:
    """The fuzzer's status and all that it said. A wish: LIST or REDUCE."""
    env = os.environ | OPTIONS | ({f"ATTACCA_FUZZ_{wish}": "1"} if wish else {})
    try:
        done = subprocess.run(
            [str(part) for part in (command[0], *ALWAYS, *command[1:])],
            cwd=_folder("run"),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds + SPARE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(f"the fuzzer has not ended after {seconds + SPARE:.0f} s") from error
    return done.returncode, done.stdout.decode(errors="replace")


def _number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def _trouble(text: str) -> str:
    """The line that says what failed."""
    pattern = r"^(?:FAILED: .*|.*runtime error: .*|==\d+==\s*ERROR: .*|port: .*|board: .*)$"
    lines = re.findall(pattern, text, re.MULTILINE)
    return lines[0] if lines else text.strip().rpartition("\n")[2]


def _shortened(fuzzer: Path, crash: Path) -> Path:
    short = crash.with_name(crash.name.replace("crash-", "short-"))
    options = ["-minimize_crash=1", f"-max_total_time={SHORTEN_SECONDS}", f"-exact_artifact_path={short}"]
    with contextlib.suppress(UserError), Step("shortening the input that failed"):
        _run([fuzzer, *options, crash], SHORTEN_SECONDS)
    return short if short.exists() else crash


def _search(limit: Sequence[str], seconds: int, seed: int, found: Path) -> Found:
    fuzzer = build.fuzzer()
    with alone(build.BUILD / "fuzzing.lock", "fuzzes in this tree"):
        return _search_alone(fuzzer, limit, seconds, seed, found)


def _search_alone(fuzzer: Path, limit: Sequence[str], seconds: int, seed: int, found: Path) -> Found:
    kept = _unpacked("kept", REGRESSIONS, CORPUS)
    already = len(list(found.iterdir()))
    crashes = build.BUILD / "fuzz" / "crashes"
    shutil.rmtree(crashes, ignore_errors=True)
    _folder("crashes")
    command: list[str | Path] = [fuzzer, *limit, f"-seed={seed}", "-print_final_stats=1"]
    command += [f"-artifact_prefix={crashes}/", found, kept]
    with Step("fuzzing") as step:
        status, text = _run(command, seconds)
        took = step.seconds
    crash = next(iter(sorted(crashes.iterdir())), None)
    if status and not crash:
        raise UserError(f"the fuzzer failed: {_trouble(text)}")
    trouble = _trouble(text) if crash else ""
    if crash:
        crash = _shortened(fuzzer, crash)
    return Found(
        seed,
        _number(r"stat::number_of_executed_units:\s*(\d+)", text),
        took,
        (_number(r"INITED\s+cov: (\d+)", text), _number(r"cov: (\d+)", text)),
        (len(list(kept.iterdir())), len(list(found.iterdir())) - already),
        crash,
        trouble,
    )


def search(seconds: int, seed: int | None) -> Found:
    """Run for some seconds, or until something fails; without a seed another one each time."""
    return _search([f"-max_total_time={seconds}"], seconds, seed or 1 + secrets.randbelow(2**31), _folder("found"))


def repeat() -> Found:
    """The same runs each time: the kept inputs, and what comes from them by a fixed seed.

    Without what depends on time (looking for inputs that another process found), or on addresses (values compared).
    """
    with tempfile.TemporaryDirectory(prefix="attacca-") as found:
        return _search([f"-runs={REPEATED}", "-reload=0", "-use_cmp=0"], SLOWEST, 1, Path(found))


def listing(file: Path) -> tuple[bool, str]:
    """Run one input: whether all went well, and every call of it in words."""
    if not file.is_file():
        raise UserError(f"{file} is missing", status=USAGE)
    status, text = _run([build.fuzzer(), file.resolve()], 20, "LIST")
    lines = text.splitlines()
    begin = next((number + 1 for number, line in enumerate(lines) if line.startswith("Running: ")), 0)
    ends = [number for number, line in enumerate(lines) if line == _trouble(text) or line.startswith("Executed ")]
    end = ends[0] + (status != 0) if ends else len(lines)
    return status == 0, "\n".join(lines[begin:end])


def reduced(inputs: Sequence[Path]) -> list[bytes]:
    """The inputs as they are kept."""
    status, text = _run([build.fuzzer(), *inputs], 600, "REDUCE")
    if status:
        raise UserError(f"an input fails: {_trouble(text)}")
    return [bytes.fromhex(line) for line in re.findall(r"^reduced: (\w+)$", text, re.MULTILINE)]


def minimize() -> tuple[int, int]:
    """Merge what was found into the kept corpus, and leave out what adds nothing; inputs before and after."""
    fuzzer = build.fuzzer()
    kept, found = _unpacked("kept", CORPUS), _folder("found")
    merged = build.BUILD / "fuzz" / "merged"
    shutil.rmtree(merged, ignore_errors=True)
    _folder("merged")
    with Step("merging the corpus"):
        status, text = _run([fuzzer, "-set_cover_merge=1", merged, kept, found], 600)
        if status:
            raise UserError(f"could not merge: {_trouble(text)}")
        inputs = reduced(sorted(merged.iterdir()))
    before = len(list(kept.iterdir()))
    CORPUS.write_text(pack(inputs), encoding="ascii")
    shutil.rmtree(found)
    return before, len(inputs)
