"""./attacca test --fresh: what a newcomer does, on a machine that has nothing.

An empty Debian 12 is made in a temporary directory, the committed tree cloned into it, and `./attacca bench` and
`./attacca test` typed there. Everything is mounted in a mount namespace of its own, which the kernel takes down with
its last process: whatever happens, no mount is left behind and none is there when the directory is removed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from attacca_lab import prepare
from attacca_lab.errors import UserError
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step
from attacca_lab.tap import Tally

MIRROR = "http://deb.debian.org/debian"
CLONE = "root/attacca"
BUNDLE = "usr/local/share/attacca-ca-bundle.crt"
CERTIFICATES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")
NETWORK = re.compile(
    r"(https?|ftp|all|no)_proxy|PIP_(INDEX_URL|EXTRA_INDEX_URL|PROXY|TRUSTED_HOST|DEFAULT_TIMEOUT)"
    r"|npm_config_(registry|proxy|https_proxy)",
    re.I,
)
PRIVATE = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private")
ENTER = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift && exec chroot "$root" "$@"'


def try_fresh(options: Sequence[str] = ()) -> int:
    """Run both commands on an empty machine, test with these options; 0 when both succeed."""
    if os.geteuid() != 0:
        raise UserError("--fresh makes and enters a root directory: it needs root", "sudo ./attacca test --fresh")
    prepare.tool("debootstrap")
    prepare.tool("git")
    tally = Tally()
    with _directory() as directory:
        _make(directory)
        _clone(directory)
        environment = _connect(directory)
        for typed in ("./attacca bench", shlex.join(["./attacca", "test", *options])):
            print(f"attacca: on the empty machine: {typed}", file=sys.stderr, flush=True)
            inside = f"cd /{CLONE} && exec {typed}"
            command = [*PRIVATE, "sh", "-c", ENTER, "sh", str(directory), "/bin/sh", "-c", inside]
            status = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode
            if status:
                tally.fail(f"{typed} ended with status {status}")
            else:
                tally.passed += 1
    print()
    for trouble in tally.troubles:
        print(trouble)
    print(tally.text)
    return 1 if tally.failed else 0


@contextlib.contextmanager
def _directory() -> Iterator[Path]:
    def ended(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    directory = Path(tempfile.mkdtemp(prefix="attacca-fresh-"))
    directory.chmod(0o755)
    try:
        yield directory
    finally:
        _remove(directory)


def _remove(directory: Path) -> None:
    mounted = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if f" {directory}/" in line]
    if mounted:
        raise UserError(f"something is mounted below {directory}: it was left as it is", f"umount -R {directory}/*")
    with Step("removing the empty machine"):
        subprocess.run(["rm", "-rf", "--one-file-system", str(directory)], check=False)


def _run(command: list[str], failure: str, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        last = "\n".join(done.stdout.decode(errors="replace").splitlines()[-15:])
        raise UserError(failure, last.replace("\n", "\n    "))


def _make(directory: Path) -> None:
    with Step("making an empty Debian 12"):
        make = [str(prepare.tool("debootstrap")), "--variant=minbase", "bookworm", str(directory), MIRROR]
        _run([*PRIVATE, *make], "could not make an empty Debian 12")


def _clone(directory: Path) -> None:
    git = ["git", "-c", "safe.directory=*"]
    with Step("cloning the committed tree into it"):
        _run([*git, "clone", "--quiet", "--no-local", str(ROOT), str(directory / CLONE)], "could not clone the tree")
    status = [*git, "-C", str(ROOT), "status", "--porcelain"]
    if subprocess.run(status, capture_output=True, check=False).stdout:
        print("attacca: note: what is not committed is not tried", file=sys.stderr, flush=True)


def _connect(directory: Path) -> dict[str, str]:
    """Let it use the network as this machine does; its environment."""
    environment = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
    environment |= {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    if os.environ.get("TERM"):
        environment["TERM"] = os.environ["TERM"]
    settings = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False).stdout
    wanted = re.findall(r'^Acquire::(?:https?::[^"]*Proxy|Check-)[^\n]*$', settings, re.M)
    if wanted:
        (directory / "etc/apt/apt.conf.d/90machine").write_text("\n".join(wanted) + "\n", encoding="utf-8")
    for file in (os.environ.get("PIP_CONFIG_FILE", ""), str(Path.home() / ".config/pip/pip.conf"), "/etc/pip.conf"):
        if file and Path(file).is_file():
            shutil.copy(file, directory / "etc/pip.conf")
            break
    bundle = next((os.environ[name] for name in CERTIFICATES if os.environ.get(name)), None)
    if bundle and Path(bundle).is_file():
        shutil.copy(bundle, directory / BUNDLE)
        environment |= dict.fromkeys(CERTIFICATES, f"/{BUNDLE}")
    return environment
