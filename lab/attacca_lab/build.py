"""Builds firmware and instruments with CMake, and says what a figure from them was built with.

A preset of CMakePresets.json is configured once into build/<preset>, and again when the presets or the compiler's
place change: CMake itself notices everything else. A compiler's errors are shown whole; its warnings too.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacca_lab import limits, prepare
from attacca_lab.alone import alone
from attacca_lab.errors import UserError, unknown
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step

if TYPE_CHECKING:
    from attacca_lab.boards import Board

BUILD = ROOT / "build"
# A board's instrument -> its executable; sources in instrument/<name>.
INSTRUMENTS = {"avr": "attacca-avr", "cortex-m": "attacca-cortex-m", "gba": "attacca-gba",
               "vexriscv": "attacca-vexriscv"}  # fmt: skip
SUITE = ("kernel-suite", "test-port")  # the targets that are all images of the kernel's tests
SECONDS = 3600  # that one build may take
OPTIMIZE = "ATTACCA_OPTIMIZE"  # the presets' variable


@dataclass(frozen=True)
class Build:
    """A preset that has been built, and what it was built with."""

    preset: str
    directory: Path
    compiler: str
    compiler_version: str
    flags: str
    commit: str

    def elf(self, name: str) -> Path:
        """The firmware of that name, without .elf; a UserError when the preset does not make it."""
        path = self.directory / "firmware" / f"{name}.elf"
        if not path.exists():
            raise unknown("firmware", name, [elf.stem for elf in self.elfs()], plural=f"{self.preset} has")
        return path

    def elfs(self, pattern: str = "*") -> list[Path]:
        """All firmware whose name matches, in the order of their names."""
        return sorted((self.directory / "firmware").glob(f"{pattern}.elf"))

    def provenance(self) -> dict[str, str]:
        """The keys that every result carries."""
        return {
            "compiler": f"{self.compiler} {self.compiler_version}".strip(),
            "flags": self.flags,
            "commit": self.commit,
        }


@functools.cache
def commit() -> str:
    """The commit of the tree, "-dirty" behind it when the tree differs from it; "unknown" where git cannot tell."""
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return done.stdout.strip() if done.returncode == 0 else "unknown"


@functools.cache
def entries() -> dict[str, dict[str, Any]]:
    """All configure presets, by their names."""
    file = ROOT / "CMakePresets.json"
    if not file.exists():
        raise UserError(f"{file} is missing: this tree has nothing to build")
    found = json.loads(file.read_text(encoding="utf-8"))["configurePresets"]
    return {entry["name"]: entry for entry in found}


def presets() -> dict[str, str]:
    """The configure presets that can be asked for, and what they are."""
    return {name: e.get("displayName", "") for name, e in entries().items() if not e.get("hidden", False)}


def _variables(preset: str) -> dict[str, str]:
    """What a preset sets, and what it inherits; of two that it inherits from, the first has its way."""
    entry = entries()[preset]
    parents = entry.get("inherits", [])
    found: dict[str, str] = {}
    for parent in reversed([parents] if isinstance(parents, str) else parents):
        found |= _variables(parent)
    found |= entry.get("cacheVariables", {})
    return found


def levels(preset: str) -> dict[str, str]:
    """How firmware can be optimised: a preset for each -O, the same as this one in everything else; its own first."""
    own = _variables(preset)
    like = [name for name in presets() if _variables(name) | {OPTIMIZE: ""} == own | {OPTIMIZE: ""}]
    found = {_variables(name).get(OPTIMIZE, ""): name for name in like}
    return {own.get(OPTIMIZE, ""): preset} | found


def at_level(board: Board, level: str) -> str:
    """The preset that builds a board's firmware so; a UserError when none does."""
    known = levels(board.preset)
    if level not in known:
        raise unknown("optimisation", level, list(known), plural=f"{board.name} has")
    return known[level]


def build(preset: str, targets: Sequence[str] = ()) -> Build:
    """Build a preset, all of it or only some targets."""
    known = presets()
    if preset not in known:
        raise unknown("preset", preset, list(known))
    directory = BUILD / preset
    _cmake(f"{preset}", directory, ["--preset", preset], ROOT, targets)
    return _describe(preset, directory)


def one(preset: str, name: str) -> Path:
    """Build one firmware and nothing else; a UserError when the preset does not make it."""
    known = presets()
    if preset not in known:
        raise unknown("preset", preset, list(known))
    directory = BUILD / preset
    _cmake(f"{preset}'s list of firmware", directory, ["--preset", preset], ROOT, ["build.ninja"])
    made = firmware_names(directory)
    if name not in made:
        raise unknown("firmware", name, made, plural=f"{preset} has", more="./attacca build lists them")
    _cmake(f"{name} for {preset}", directory, ["--preset", preset], ROOT, [name])
    return directory / "firmware" / f"{name}.elf"


def firmware_names(directory: Path) -> list[str]:
    """What a configured preset can make, whether it has been built or not."""
    text = (directory / "build.ninja").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"^build firmware/([\w.-]+)\.elf\b", text, re.MULTILINE)))


def instrument(name: str) -> Path:
    """Build an instrument; the path of its executable."""
    if name not in INSTRUMENTS:
        raise unknown("instrument", name, list(INSTRUMENTS))
    return _instrument(name, INSTRUMENTS[name])


def counter() -> Path:
    """Build QEMU's plugin that counts instructions; its path."""
    return _instrument("qemu", "attacca-count.so")


def _instrument(name: str, file: str) -> Path:
    if name == "vexriscv" and prepare.vexriscv() is None:
        raise UserError("the VexRiscv processor is not installed", "./attacca build --board vexriscv installs it")
    source = ROOT / "instrument"
    directory = BUILD / "instrument"
    options = ["-S", str(source), "-B", str(directory), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    _cmake(f"the {name} instrument", directory, options, source, (f"{name}/all",))
    return directory / name / file


def fuzzer() -> Path:
    """Build the fuzzer of verify/fuzz, which needs clang; the path of its executable."""
    source = ROOT / "verify" / "fuzz"
    directory = BUILD / "fuzz"
    options = ["-S", str(source), "-B", str(directory), "-G", "Ninja", f"-DCMAKE_C_COMPILER={prepare.tool('clang')}"]
    _cmake("the fuzzer", directory, options, source, ())
    return directory / "attacca-fuzz"


def _describe(preset: str, directory: Path) -> Build:
    facts: dict[str, object] = {}
    file = directory / "flags.json"
    if file.exists():
        facts = json.loads(file.read_text(encoding="utf-8"))
    flags = facts.get("flags", "")
    return Build(
        preset,
        directory,
        Path(str(facts.get("compiler", "unknown"))).name,
        str(facts.get("compiler_version", "")),
        " ".join(flags) if isinstance(flags, list) else str(flags),
        commit(),
    )


def _environment() -> dict[str, str]:
    env = dict(os.environ)
    try:
        env["ATTACCA_AVR_GCC"] = str(prepare.avr_gcc_bin())
    except UserError:
        env.pop("ATTACCA_AVR_GCC", None)  # presets of other processors do not need it; the toolchain file says so
    env["ATTACCA_VEXRISCV"] = str(prepare.vexriscv() or "")
    return env


def _configuration(options: Sequence[str], source: Path, env: dict[str, str]) -> str:
    """A hash of what CMake does not watch by itself."""
    parts = [*options, str(source), env.get("ATTACCA_AVR_GCC", ""), env.get("ATTACCA_NIOS2_GCC", "")]
    digest = hashlib.sha256("\0".join(parts).encode())
    if source.name == "instrument":
        digest.update(env["ATTACCA_VEXRISCV"].encode())
    if options[0] == "--preset":
        digest.update((ROOT / "CMakePresets.json").read_bytes())
    return digest.hexdigest()


def _cmake(what: str, directory: Path, options: list[str], source: Path, targets: Sequence[str]) -> None:
    if not (source / "CMakeLists.txt").exists():
        raise UserError(f"nothing to build: {source.relative_to(ROOT)} has no CMakeLists.txt")
    cmake = str(prepare.tool("cmake"))
    prepare.tool("ninja")
    env = _environment()
    stamp = directory / "attacca-configured"
    wanted = _configuration(options, source, env)
    command = [cmake, "--build", str(directory)]
    if targets:
        command += ["--target", *targets]
    with alone(directory.with_suffix(".lock"), f"builds {what}"):
        configured = (directory / "build.ninja").exists() and stamp.exists() and stamp.read_text() == wanted
        if not configured:
            stamp.unlink(missing_ok=True)
            with Step(f"configuring {what}"):
                _run([cmake, *options, "--fresh"], env, f"could not configure {what}")
            stamp.write_text(wanted)
        with Step(f"building {what}") as step:
            done = _run(command, env, f"could not build {what}")
            step.silent = "ninja: no work to do" in done
    if "warning:" in done:
        sys.stderr.write(done)


def _run(command: list[str], env: dict[str, str], failure: str) -> str:
    """Run quietly; show everything that was said when it fails."""
    status, text = limits.run(command, SECONDS, cwd=ROOT, env=env)
    if status:
        if strange := re.search(r"unknown target '([^']+)'", text):
            raise unknown("target", strange[1], firmware_names(Path(command[2])), plural="firmware")
        sys.stderr.write(f"\n{text}" if text else "")
        raise UserError(failure)
    return text
