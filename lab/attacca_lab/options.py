"""What the commands hand to the functions that do their work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from attacca_lab.output import Output
from attacca_lab.stats import Result

BENCH_ENDINGS = (".json", ".csv", ".txt", ".md", ".html")
SCOPE_ENDINGS = (*BENCH_ENDINGS, ".svg", ".vcd")
TRACE_ENDINGS = (".vcd", ".trace", ".json", ".csv", ".txt", ".md")


@dataclass(frozen=True)
class BenchOptions:
    """What `./attacca bench` was asked for; no experiment named means all that the board can run."""

    experiments: tuple[str, ...]
    output: Output
    vcd: Path | None  # directory for captures
    seed: int
    samples: int | None  # None: each experiment's own number
    quiet: bool
    beside: tuple[Result, ...] = ()  # other boards' results, in cycles
    optimize: str | None = None  # None: as the board's preset has it
    build: str | None = None  # None: the fastest, the default one, and where all is asked for the others
    everything: bool = False  # --all
    paper: str | None = None  # a publication's experiments

    @property
    def is_short(self) -> bool:
        """Whether only the rows that stand first are wanted."""
        return not (self.experiments or self.everything or self.output.files or self.paper or self.vcd or self.build
                    or self.beside or self.output.format != "table" or self.samples)  # fmt: skip
