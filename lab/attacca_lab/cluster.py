"""`./attacca test --exhaustive --on tcp://HOST:8786`: the long campaign's shards on the machines of a Dask cluster.

Each worker has this tree, in the same state, where ATTACCA_ROOT says in its environment, or where it is here. It types
`./attacca test --exhaustive --shard K/N` there and hands back the report; merging them finds a tree that differs.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attacca_lab import progress, shards
from attacca_lab.errors import UserError
from attacca_lab.prepare import ROOT
from attacca_lab.shards import Shard
from attacca_lab.tap import Tally

A_WORKER = 4  # shards: the last ones do not all end on one machine
SECONDS = 30  # to reach the scheduler


def _on_a_worker(root: str, shard: str, topics: list[str]) -> tuple[str, str]:
    """Runs there, without this package: the report's text, or '' and what was said."""
    import os
    import subprocess
    import tempfile
    from pathlib import Path

    place = os.environ.get("ATTACCA_ROOT") or root
    with tempfile.TemporaryDirectory(prefix="attacca-") as folder:
        report = Path(folder) / "report.json"
        command = [f"{place}/attacca", "test", "--exhaustive", "--shard", shard, "--report", str(report)]
        for topic in topics:
            command += ["--topic", topic]
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ATTACCA_ROOT")}
        with (Path(folder) / "said").open("w+b") as said:
            status = subprocess.call(
                command, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )
            said.seek(0)
            text = said.read().decode(errors="replace")
        return (report.read_text(), text) if report.exists() else ("", f"status {status}: {text.strip()}")


def run(address: str, topics: Sequence[str]) -> Tally:
    """Hand out the shards and merge what comes back."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise UserError(
            "the package `distributed` is not installed", "./attacca test --exhaustive --on installs it"
        ) from None
    _on_a_worker.__module__ = "__main__"  # so that it is sent by value: a worker has no such package
    try:
        client = distributed.Client(address, timeout=SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise UserError(
            f"no scheduler of Dask at {address}: {str(error).splitlines()[0] if str(error) else 'no answer'}"
        ) from None
    with client, tempfile.TemporaryDirectory(prefix="attacca-") as folder:
        try:
            client.wait_for_workers(1, timeout=SECONDS)
        except (OSError, TimeoutError):
            raise UserError(f"{address} has no workers") from None
        of = A_WORKER * len(client.nthreads())
        waiting = {}
        for number in range(1, of + 1):
            shard = Shard(number, of)
            future = client.submit(_on_a_worker, str(ROOT), str(shard), list(topics), pure=False, retries=1)
            waiting[future] = shard
        paths = []
        for done, future in enumerate(distributed.as_completed(list(waiting)), 1):
            shard = waiting[future]
            try:
                text, said = future.result()
            except Exception as error:  # whatever a worker may die of
                raise UserError(f"shard {shard}: {type(error).__name__}: {error}") from None
            if not text:
                raise UserError(f"shard {shard} was not tried: {said}")
            progress.note(f"shard {shard} is done, {done} of {of}")
            paths.append(Path(folder) / f"{shard.number}.json")
            paths[-1].write_text(text, encoding="utf-8")
        return shards.merge(sorted(paths))
