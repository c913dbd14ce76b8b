"""One self-contained HTML page of results: figures, oscilloscope pictures, histograms, comparisons, measured source.

Nothing on it comes from outside (no font, no script, no image), so that it can be mailed, archived and printed. Its
text is that of the templates; what it shows is made in Python, escaped by Jinja2 except for our own SVG.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacca_lab import growth, picture
from attacca_lab.beside import Beside
from attacca_lab.compare import SOURCES, Comparison, Figure, configuration, optimisation
from attacca_lab.output import Table
from attacca_lab.pulses import Samples
from attacca_lab.source_lines import Excerpt
from attacca_lab.stats import Result, histogram, microseconds, number, ratio
from attacca_lab.waveform import Waveform

TEMPLATES = Path(__file__).parent / "templates"
MEASURED = {
    "ATmega328P": "median of about 1,000 samples, on a simulated ATmega328P with the datasheet's interrupt response, a "
    "1 kHz tick running",
    "Cortex-M3": "on a model of the Cortex-M3 with Arm's published timing, without wait states",
}
WIDE, NARROW = 960, 350


@dataclass(frozen=True)
class Head:
    """What stands above all results."""

    title: str
    board: str
    processor: str
    clock_hz: int | None
    instrument: str
    compiler: str
    flags: str
    commit: str
    command: str  # exactly what to type to repeat it
    notes: Sequence[str] = ()
    beside: Sequence[Beside] = ()  # other boards

    @property
    def optimisation(self) -> str:
        """The level among the flags."""
        return optimisation(self.flags)


@dataclass
class Entry:
    """One result with all that is shown of it; everything but the result and the sentence may be missing."""

    result: Result
    what: str  # what is measured, in one sentence
    title: str = ""
    group: str = ""  # entries of one group stand under one heading, in the order given
    samples: Samples | None = None
    waveform: Waveform | None = None
    excerpts: Sequence[Excerpt] = ()
    comparison: Comparison | None = None
    notes: Sequence[str] = ()
    tables: Sequence[Table] = field(default_factory=list)
    has_time: bool = True  # cycles are µs of a real chip
    brief: bool = False  # of a build that is shown in tables only

    @property
    def name(self) -> str:
        """The experiment, and what tells it from others of its name."""
        if self.title:
            return self.title
        one = self.result
        more = [text for text in (one.variant, one.edge, one.call) if text]
        more += [f"{one.threads} threads"] if one.threads else []
        more += [f"{one.timers} timer{'s' * (one.timers > 1)}"] if one.timers else []
        more += [f"build {one.build}"] if self.brief and one.build else []
        return one.experiment + (f" ({', '.join(more)})" if more else "")


@dataclass(frozen=True)
class Bar:
    """A line of a comparison chart."""

    kind: str
    name: str
    value: str
    percent: float
    ratio: str
    tip: str


@dataclass(frozen=True)
class Growth:
    """The curves of one experiment; a point of them has no picture of its own."""

    id: str
    name: str
    curves: Sequence[dict[str, Any]]


def render(head: Head, entries: Sequence[Entry], paper: Table | None = None) -> str:
    """The page; of several results with a summary at its head, and with a publication's table if it is about one."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from attacca_lab import matrix, overview

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(num=number, ratio=ratio, us=microseconds, words=_words)
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    whole = [entry for entry in entries if not entry.brief]
    views = [_view(entry, head, place) for place, entry in enumerate(whole)]
    groups = _groups(views, whole)
    ids = {view["entry"].name: view["id"] for view in views}
    results = [entry.result for entry in entries]
    headlines = overview.headlines(results, {group["name"]: group["id"] for group in groups}) if len(views) > 1 else []
    for group in groups:
        group["open"] = group["name"] in overview.OPEN
    shown = [view for view in views if not growth.is_point(view["result"])]
    for view in shown:
        view["target"] = ids[view["entry"].name] if view["entry"].name in ids else view["id"]
    page = environment.get_template("report.html.j2").render(
        head=head,
        style=Markup(picture.STYLE + picture.RULES + style),
        script=Markup((TEMPLATES / "report.js").read_text(encoding="utf-8")),
        several=len(views) > 1,
        paper=paper,
        headlines=headlines,
        has_lead=any(row["lead"] for _, rows in headlines for row in rows),
        chart=overview.chart(results) if len(views) > 1 else [],
        picture=next(
            (view for view in views if view["result"].experiment == "switch-semaphore" and view["wide"]), None
        ),
        matrix=matrix.table(results),
        table_groups=[
            [v for v in shown if v["entry"].group == name] for name in dict.fromkeys(v["entry"].group for v in shown)
        ],
        bounded=any(view["bounds"] for view in views),
        groups=groups,
        sources=_sources(entries),
        configurations=_configurations(entries),
        measured=MEASURED.get(head.processor, ""),
        build=next((entry.comparison.build for entry in entries if entry.comparison and entry.comparison.build), ""),
        clock=_clock(head.clock_hz),
    )
    return re.sub(r"\n\s*\n+", "\n", page)


def _view(entry: Entry, head: Head, place: int) -> dict[str, Any]:
    from markupsafe import Markup

    result, comparison = entry.result, entry.comparison
    timed = result.unit != "bytes"
    view: dict[str, Any] = {
        "id": growth_id(result) if growth.is_point(result) else f"e{place + 1}-{_slug(entry.name)}",
        "entry": entry, "name": entry.name, "result": result, "timed": timed, "comparison": comparison,
        "unit": {"us": "µs"}.get(result.unit, result.unit),
        "clock_hz": head.clock_hz if result.unit == "cycles" and entry.has_time else None,
        "bounds": result.bounds,
        "beside": [other.median(result) for other in head.beside],
        "decimals": 3 if result.unit == "us" else None,
        "other_build": other_build(result, head),
        "wide": "", "narrow": "", "histogram": "", "constant": "",
        "bars": bars(entry) if comparison else [],
        "printed": [_row(f, head.processor) for f in [*comparison.published, *comparison.elsewhere]]
        if comparison else [],
    }  # fmt: skip
    if entry.waveform is not None:
        label = f"{entry.name}, oscilloscope picture"
        view["wide"] = Markup(picture.scope(entry.waveform, WIDE, title=label))
        view["narrow"] = Markup(picture.scope(entry.waveform, NARROW, title=label))
    if entry.samples is not None and len(entry.samples) > 1:
        if result.min == result.max:
            value = number(result.min, view["decimals"])
            view["constant"] = f"All {result.n:,} samples are the same: {value} {view['unit']}."
        else:
            bins = histogram(entry.samples.values, entry.samples.disturbed)
            view["histogram"] = Markup(picture.histogram(bins, view["unit"], result.median, result.p99, 350))
    return view


def bars(entry: Entry) -> list[Bar]:
    """Ours among the others, the smallest first."""
    comparison = entry.comparison
    assert comparison is not None
    lowest = {figure.kernel: figure for figure in reversed(comparison.bounds)}  # one a kind is enough
    others = [*comparison.peers, *comparison.reduced, *lowest.values()]
    if not comparison.peers:
        others += [figure for figure in comparison.published if figure.ratio is not None]
    if not others:
        return []
    longest = max([comparison.ours, *(figure.value for figure in others)]) or 1.0
    drawn = [
        Bar(figure.kind, _label(figure), number(figure.value), 100 * figure.value / longest,
            ratio(figure.ratio) if figure.ratio is not None else "",
            figure.note or configuration(figure.processor, figure.kernel))
        for figure in others
    ]  # fmt: skip
    ours = Bar("ours", "Attacca", number(comparison.ours), 100 * comparison.ours / longest, "", "")
    ordered = sorted(
        [(comparison.ours, 0, ours), *((f.value, 1, bar) for f, bar in zip(others, drawn, strict=True))],
        key=lambda item: item[:2],
    )
    return [bar for _, _, bar in ordered]


def _label(figure: Figure) -> str:
    if figure.kind == "lower-bound":
        return figure.kernel
    if figure.kind == "published":
        return f"{figure.name}, published"
    return figure.name + (", reduced" if figure.kind == "reduced" else "")


def _row(figure: Figure, processor: str) -> dict[str, str]:
    own = {"cycles": "", "bytes": " bytes"}
    printed = f"{figure.us:,.10g} µs" if figure.us is not None else f"{number(figure.value)}{own.get(figure.unit, '')}"
    if figure.unit not in ("cycles", "bytes"):
        printed = f"{number(figure.value)} {figure.unit}" + (f", likely {figure.us:,.10g} µs" if figure.us else "")
    return {
        "kernel": figure.name, "processor": figure.processor, "printed": printed,
        "cycles": number(figure.value) if figure.unit == "cycles" else "",
        "ratio": ratio(figure.ratio) if figure.ratio is not None else "",
        "statistic": "" if figure.statistic == "single" else figure.statistic,
        "source": figure.source, "note": figure.note,
    }  # fmt: skip


def other_build(result: Result, head: Head) -> str:
    """What a result was built or taken with, where that is not what the head says."""
    pairs = ((result.instrument, head.instrument), (result.compiler, head.compiler), (result.flags, head.flags),
             (result.commit, head.commit))  # fmt: skip
    return "; ".join(own for own, common in pairs if common and own != common)


def _groups(views: list[dict[str, Any]], entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The experiments: what each is about, its variants, its curves."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for view in views:
        groups.setdefault(view["entry"].group, []).append(view)
    found = []
    for name, some in groups.items():
        plain = [view for view in some if not growth.is_point(view["result"])]
        curves = _growths([view["entry"] for view in some if growth.is_point(view["result"])], entries)
        more = len(plain) - 1
        texts = [f"{more} variant{'s' * (more > 1)}"] if more > 0 else []
        texts += ["growth"] if curves else []
        found.append({"name": name, "id": "x-" + _slug(name), "first": plain[:1], "more": plain[1:], "growths": curves,
                      "more_text": " and ".join(texts), "brief": _brief(plain[0]) if plain else ""})  # fmt: skip
    return found


def _brief(view: dict[str, Any]) -> str:
    """`141 cycles, 0.65 × ChibiOS/NIL`: a folded experiment in a few words."""
    one, beside = view["result"], view["comparison"]
    text = f"{number(one.median, view['decimals'])} {view['unit']}"
    return f"{text}, {ratio(beside.ratio)} × {beside.best.kernel}" if beside and beside.best else text


def _words(text: object) -> Any:
    """A long name may go on in the next line behind an underscore, as it may behind a hyphen."""
    from markupsafe import Markup, escape

    return Markup(str(escape(text)).replace("_", "_<wbr>"))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def growth_id(result: Result) -> str:
    """Where the curves of a result stand."""
    return "growth-" + _slug(" ".join(filter(None, growth.identity(result))))


def _growths(points: Sequence[Entry], entries: Sequence[Entry]) -> list[Growth]:
    from markupsafe import Markup

    found: dict[str, Growth] = {}
    results = [entry.result for entry in entries]
    for point in points:
        one = point.result
        if (place := growth_id(one)) not in found:
            base = next(
                (e for e in entries if growth.identity(e.result) == growth.identity(one) and e.comparison), None
            )
            best = base.comparison.best if base and base.comparison else None
            peer = (best.name, best.value) if best and best.kind == "peer" else None
            curves = [
                {"text": curve.text, "picture": Markup(growth.picture(curve))}
                for curve in growth.curves(results, one, peer)
            ]
            name = one.experiment + (f" ({one.variant})" if one.variant else "")
            found[place] = Growth(place, name, curves)
    return list(found.values())


def _figures(entries: Sequence[Entry]) -> list[Figure]:
    return [
        figure
        for entry in entries
        if (c := entry.comparison)
        for figure in (*c.peers, *c.reduced, *c.variants, *c.bounds, *c.published, *c.elsewhere)
    ]


def _sources(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    used = {figure.source for figure in _figures(entries)}
    return [(key, text) for key, text in SOURCES.items() if key in used]


def _configurations(entries: Sequence[Entry]) -> list[tuple[str, str, str]]:
    measured = {(f.processor, f.kernel, f.version) for f in _figures(entries) if f.source == "measured"}
    return [(kernel, version, configuration(where, kernel)) for where, kernel, version in sorted(measured)]


def _clock(clock_hz: int | None) -> str:
    if not clock_hz:
        return ""
    return f"{clock_hz / 1e6:g} MHz" if clock_hz >= 10**6 else f"{clock_hz / 1e3:g} kHz"
