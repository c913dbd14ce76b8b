"""What others need for the same thing: figures that were published, and figures measured for this project.

Both are data (data/README.md says where each column comes from). A peer's figure is comparable with ours when it was
measured on the same processor, with the same compiler and the same optimisation; the best peer is the smallest median
among those. Kept apart from the peers: variants of a kernel (another configuration, more threads), kernels that offer
clearly less (`reduced`, in memory only), and hand-written lower bounds, which are no kernels. A ratio is ours divided
by theirs, and is given only where both are in the same unit on the same processor.
"""

from __future__ import annotations

import csv
import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

from attacca_lab.stats import number

UNCHECKED = (None, "fast", "c")  # the kernel's builds that do as much as the peers' did

DATA = Path(__file__).parent / "data"

# Our names for what the publications measured under other names.
_PUBLISHED_AS = {
    "masked-by-code": ("interrupts-off",),
    "irq-to-handler": ("interrupt-latency",),
    "inversion-resolve": ("priority-inversion",),
}
# Experiments of a publication that are not quite ours: the pin is written another way, the tick is another one, or the
# sum of several operations was taken apart afterwards. They stand beside without a ratio.
_OTHERWISE = {
    ("lan-kannan-2015", "context-switch"),
    ("lan-kannan-2015", "interrupt-latency"),
    ("lan-kannan-2015", "semaphore-acquire"),
    ("lan-kannan-2015", "priority-inversion"),
}
# Our variants that measure what the peers' plain figure is of: whatever else is a variant has its own peers or none.
_AS_PLAIN = ("", "inlined", "digitalWrite", "no timer")
# Sources that print ms where the magnitudes say µs: both readings are shown, and neither has a ratio.
_LIKELY_US = {"pavlas-2010"}
# What a result without a variant is compared with, where the peers were measured in several ways.
_USUAL_VARIANT = {"masked-by-code": "semaphore", "irq-to-handler": "semaphore", "irq-to-thread": "semaphore"}

# Where the peers were measured a little otherwise than we measure.
_SYNCHRONISER = (
    "The peers' figures lack the 2 cycles that the pin's synchroniser takes (the simulator they were "
    "measured on has none); ours hold them."
)
_PENDED = "The peers' interrupt was requested by software, with nothing to acknowledge; so is ours."
_CAUTIONS = {
    ("ATmega328P", "irq-to-handler"): _SYNCHRONISER,
    ("ATmega328P", "irq-to-thread"): _SYNCHRONISER,
    ("Cortex-M3", "irq-to-handler"): _PENDED,
    ("Cortex-M3", "irq-to-thread"): _PENDED,
}
# On a Cortex-M3 at full speed flash is slower than the processor. The peers were measured without wait states, what
# was published is of chips that have them: ours is measured both ways, and each is compared with its like.
WAIT_STATES = "two wait states"
WITHOUT_START_UP = "without start-up"  # flash, where start-up code is the board's and not the kernel's

SOURCES = {
    "chibios-switch": "a hobby project's page on ChibiOS/RT's context switch time on four boards (2013)",
    "krnl-performance": "the performance page of the KRNL kernel for Arduino",
    "lan-kannan-2015": "D. Lan, K. Kannan: Performance Analysis of FreeRTOS and ChibiOS/RT Real-Time Operating "
    "Systems for Arduino Uno (KTH, 2015)",
    "pavlas-2010": "L. Pavlas: Experimental Performance Measuring on Real-Time Operating Systems for Embedded Devices "
    "(University of West Bohemia, 2010); the table prints ms, the magnitudes say µs",
    "chibios-reports": "ChibiOS's own benchmark reports, as clock ÷ score: the loop is in them",
    "measured": "measured for this project, with the same method (docs/measuring.md)",
}


@dataclass(frozen=True)
class Figure:
    """A kernel's figure for an experiment."""

    kernel: str
    version: str
    kind: str  # "peer", "variant", "reduced", "lower-bound" or "published"
    processor: str
    value: float  # the median, or the one value there is
    unit: str
    source: str  # a key of SOURCES
    ratio: float | None = None  # ours divided by this
    min: float | None = None
    max: float | None = None
    low: float | None = None  # bounds of the model that it was measured with
    high: float | None = None
    us: float | None = None
    build: str = ""
    statistic: str = ""
    note: str = ""

    @property
    def name(self) -> str:
        """The kernel, and its version's number."""
        digits = re.match(r"[\d.]+", self.version)
        return f"{self.kernel} {digits.group()}" if digits and not self.kernel.endswith(digits.group()) else self.kernel


@dataclass(frozen=True)
class Comparison:
    """Our figure beside all others. Every list is sorted, the smallest first."""

    experiment: str
    ours: float
    unit: str
    peers: list[Figure] = field(default_factory=list)
    reduced: list[Figure] = field(default_factory=list)
    variants: list[Figure] = field(default_factory=list)
    bounds: list[Figure] = field(default_factory=list)
    published: list[Figure] = field(default_factory=list)  # on the same processor
    elsewhere: list[Figure] = field(default_factory=list)  # published for other processors: no ratio
    build: str = ""  # what the peers were built with
    caution: str = ""  # what to keep in mind when comparing

    @property
    def best(self) -> Figure | None:
        """The best peer; where no peer was measured, the best published figure."""
        candidates = self.peers or [figure for figure in self.published if figure.ratio is not None]
        return candidates[0] if candidates else None

    @property
    def best_text(self) -> str:
        """For one cell of a table: `ChibiOS/NIL 218`; a smaller kernel's figure behind it, when it is smaller."""
        if self.best is None:
            return ""
        text = f"{self.best.kernel} {number(self.best.value)}"
        if self.best.kind == "published":
            text += " (published)"
        if self.reduced and self.reduced[0].value < self.best.value:
            text += f" (reduced: {self.reduced[0].kernel} {number(self.reduced[0].value)})"
        return text

    @property
    def best_short(self) -> str:
        """The same without what is smaller and less."""
        return f"{self.best.kernel} {number(self.best.value)}" if self.best else ""

    @property
    def ratio(self) -> float | None:
        """Ours divided by the best peer's."""
        return self.best.ratio if self.best else None

    def __bool__(self) -> bool:
        return bool(self.peers or self.reduced or self.bounds or self.published or self.elsewhere)


def compare(
    experiment: str,
    processor: str,
    ours: float,
    unit: str = "cycles",
    *,
    compiler: str = "avr-gcc 7.3.0",
    flags: str = "-Os",
    variant: str | None = None,
    edge: str | None = None,
    build: str | None = None,
) -> Comparison:
    """All kernels' figures for an experiment on a processor, beside ours (a median).

    `compiler` and `flags` are those of the result: the version and the last -O count, and whether -flto is there.
    `build` is the kernel's: one with checks or traces stands alone, for no other kernel was measured with them.
    """
    if build not in UNCHECKED:
        return Comparison(experiment, ours, unit)
    made = _build(compiler, flags)
    builds = [build_of(row) for row in _time() if row["processor"] == processor]
    if made not in builds:
        made = builds[0] if builds else made
    wanted = variant or _USUAL_VARIANT.get(experiment, "")
    slow = WAIT_STATES in wanted
    rows = [row for row in _time() if row["experiment"] == experiment and row["processor"] == processor and not slow]
    variants_known = {row["variant"] for row in rows}
    if wanted not in variants_known and wanted in _AS_PLAIN:
        wanted = _USUAL_VARIANT.get(experiment, "")
    alike = [row for row in rows if build_of(row) == made and row["variant"] == wanted]
    once = {
        (row["kernel"], row["kind"], row["median"], row["threads"]): row for row in alike
    }  # some was measured twice
    figures = [_timed(row, ours, unit) for row in once.values()]
    figures += [
        _sized(row, ours, unit)
        for row in _memory()
        if row["experiment"] == experiment
        and row["processor"] == processor
        and build_of(row) == made
        and _counts(row)
        and row["variant"] == (variant or "")
    ]
    published = [_printed(row, ours, unit, _alike(row, processor, slow)) for row in _published()
                 if _is(row, experiment, variant, edge)]  # fmt: skip

    def of(kind: str) -> list[Figure]:
        return sorted((f for f in figures if f.kind == kind), key=lambda f: (f.value, f.kernel))

    bounds = [figure for figure in of("lower-bound") if figure.value <= ours]  # what ours is below is no bound

    published.sort(key=lambda f: (f.processor, f.unit, f.value))
    return Comparison(
        experiment, ours, unit, of("peer"), of("reduced"), of("variant"), bounds,
        published=[f for f in published if f.processor.startswith(processor)],
        elsewhere=[f for f in published if not f.processor.startswith(processor) and not _is_smaller(f, processor)],
        build=" ".join(made), caution=_CAUTIONS.get((processor, experiment), "") if figures else "",
    )  # fmt: skip


def _counts(row: dict[str, str]) -> bool:
    """A kernel's least configuration; another only for what the least has not got."""
    least = [
        one
        for one in _memory()
        if one["configuration"] == "minimal"
        and all(one[key] == row[key] for key in ("processor", "kernel", "experiment"))
    ]
    return row["configuration"] == "minimal" or not least


def build_of(row: dict[str, str]) -> tuple[str, str]:
    """What a peer's row was built with."""
    return row["compiler"], row["flags"]


def published_rows(source: str) -> list[dict[str, str]]:
    """What one publication printed."""
    return [row for row in _published() if row["source"] == source]


def configuration(processor: str, kernel: str) -> str:
    """How a peer was configured."""
    rows = (row for row in _table("peers_kernels") if (row["processor"], row["kernel"]) == (processor, kernel))
    return next((row["configuration"] for row in rows), "")


def _build(compiler: str, flags: str) -> tuple[str, str]:
    match = re.search(r"([\w-]*gcc|clang)[ -](\d+(?:\.\d+)*)", compiler)
    name = f"{match.group(1)} {match.group(2)}" if match else compiler
    return name, optimisation(flags)


def optimisation(flags: str) -> str:
    """The level among a compiler's flags, the last one given, and whether it links with optimisation."""
    levels = re.findall(r"(?:^|\s)(-O\w*)", flags)
    level = levels[-1] if levels else "-O0"
    return f"{level} -flto" if re.search(r"(?:^|\s)-flto", flags) else level


@functools.cache
def _table(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _time() -> list[dict[str, str]]:
    return _table("peers_avr_time") + _table("peers_avr_sleep") + _table("peers_cortex_m3_time")


def _memory() -> list[dict[str, str]]:
    return _table("peers_avr_memory") + _table("peers_cortex_m3_memory")


def _published() -> list[dict[str, str]]:
    return _table("published")


@functools.cache
def _versions() -> dict[tuple[str, str], str]:
    return {(row["processor"], row["kernel"]): row["version"] for row in _table("peers_kernels")}


def _version(row: dict[str, str]) -> str:
    return _versions().get((row["processor"], row["kernel"]), "")


def _alike(row: dict[str, str], processor: str, slow: bool) -> bool:
    """Whether something published is of the same processor under the same conditions."""
    same = row["cpu"].startswith(processor) and (row["source"], row["experiment"]) not in _OTHERWISE
    return same and (processor != "Cortex-M3" or (slow and row["clock_mhz"] == "72"))


def _is_smaller(figure: Figure, processor: str) -> bool:
    """Whether it is of an 8-bit processor and ours is not: such a figure says nothing beside ours."""
    return figure.processor.startswith("ATmega") and not processor.startswith("ATmega")


def _is(row: dict[str, str], experiment: str, variant: str | None, edge: str | None) -> bool:
    if row["experiment"] == "ram":
        return experiment == "ram" and variant == row["statistic"]
    if row["experiment"].startswith("pin-response"):
        return row["experiment"] == experiment and row["statistic"].split()[0] == edge
    return row["experiment"] == experiment or row["experiment"] in _PUBLISHED_AS.get(experiment, ())


def _ratio(ours: float, theirs: float, same: bool) -> float | None:
    return ours / theirs if same and theirs > 0 else None


def _timed(row: dict[str, str], ours: float, unit: str) -> Figure:
    value = float(row["median"])
    note = [text for text in (row.get("what"), row["note"]) if text]
    if row["threads"]:
        note.append(f"{row['threads']} threads")
    if row["disturbed"] and row["disturbed"] != "0":
        note.append(f"{row['disturbed']} of {row['n']} disturbed by the tick")
    return Figure(
        row["kernel"], _version(row), row["kind"], row["processor"], value, "cycles", "measured",
        ratio=_ratio(ours, value, unit == "cycles"), **_numbers(row, "min", "max", "low", "high"),
        us=value / float(row["clock_mhz"]) if row["clock_mhz"] else None, build=" ".join(build_of(row)),
        statistic="median", note="; ".join(note),
    )  # fmt: skip


def _numbers(row: dict[str, str], *keys: str) -> dict[str, float]:
    return {key: float(row[key]) for key in keys if row.get(key)}


def _sized(row: dict[str, str], ours: float, unit: str) -> Figure:
    value = float(row["bytes"])
    return Figure(
        row["kernel"], _version(row), row["kind"], row["processor"], value, "bytes", "measured",
        ratio=_ratio(ours, value, unit == "bytes"), build=" ".join(build_of(row)), note=row["note"],
    )  # fmt: skip


def _printed(row: dict[str, str], ours: float, unit: str, same: bool) -> Figure:
    in_bytes, cycles = row["unit"] == "bytes", row["value_cycles"]
    value = float(cycles or row["value"])
    given = "bytes" if in_bytes else "cycles" if cycles else row["unit"]
    note = row["note"].strip()
    in_us = row["unit"] == "us" or row["source"] in _LIKELY_US
    return Figure(
        row["rtos"], row["rtos_version"], "published", row["cpu"], value, given, row["source"],
        ratio=_ratio(ours, value, same and unit == given), us=float(row["value"]) if in_us else None,
        statistic=row["statistic"], note="" if note == "likewise" else note,
    )  # fmt: skip
