"""Pictures as SVG: the oscilloscope's, and the histogram. Deterministic text, no library, nothing from outside.

Colours are CSS variables (`--trace` and so on): a report sets them for the page, a picture that stands alone brings
its own, light and dark. A picture is drawn for a width in pixels and not scaled, so that its text keeps its size;
a report holds a wide and a narrow drawing of each.
"""

from __future__ import annotations

import math
from html import escape

from attacca_lab.stats import Bin, number
from attacca_lab.waveform import Trace, Waveform

STYLE = """
.scope{--ink:#1b1f24;--quiet:#656d76;--grid:#e4e7eb;--axis:#c3c9d0;--trace:#0b62d6;--band:#d97706;--band2:#7c3aed;
--mark:#c2185b;--paper:#fff;--bar:#0b62d6;--hit:#d97706;font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,
"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-size:12px;font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){.scope{--ink:#e6edf3;--quiet:#9aa4af;--grid:#22303c;--axis:#3d4c5a;
--trace:#ffd54a;--band:#ff9d57;--band2:#b79cff;--mark:#ff7fab;--paper:#0d141b;--bar:#58a6ff;--hit:#ff9d57}}
"""
RULES = """
.scope .paper{fill:var(--paper)}.scope .grid{stroke:var(--grid);stroke-width:1;fill:none}
.scope .axis{stroke:var(--axis);stroke-width:1;fill:none}.scope text{fill:var(--ink)}
.scope .quiet{fill:var(--quiet)}.scope .trace{stroke:var(--trace);stroke-width:2;fill:none;stroke-linejoin:round}
.scope .glow{stroke:var(--trace);stroke-width:6;fill:none;opacity:.13;stroke-linejoin:round}
.scope .band{fill:var(--band);fill-opacity:.22;stroke:var(--band);stroke-width:1.5}
.scope .band2{fill:var(--band2);fill-opacity:.18;stroke:var(--band2);stroke-width:1.5}
.scope .thin{stroke:none;fill-opacity:.55}.scope .base{stroke:var(--axis);stroke-width:1.5}
.scope .mark{stroke:var(--mark);stroke-width:1;stroke-dasharray:3 3;fill:none}
.scope .tag{fill:var(--mark);font-weight:700}.scope .cursor{stroke:var(--mark);stroke-width:1.25;fill:none}
.scope .bar{fill:var(--bar)}.scope .hit{fill:var(--hit)}.scope .strong{font-weight:700}
"""

_TOP, _SIGNAL, _BAND, _GAP = 30, 62, 20, 12


class _Axis:
    """Ticks to pixels, over parts with cuts between them."""

    def __init__(self, parts: list[tuple[int, int]], left: float, right: float) -> None:
        self.cut = 26.0
        total = sum(end - begin for begin, end in parts) or 1
        self.scale = (right - left - self.cut * (len(parts) - 1)) / total
        self.places: list[tuple[int, int, float]] = []
        for start, stop in parts:
            self.places.append((start, stop, left))
            left += (stop - start) * self.scale + self.cut

    def x(self, tick: float) -> float:
        """Where a tick is drawn."""
        for start, stop, place in self.places:
            if tick <= stop:
                return place + max(tick - start, 0) * self.scale
        start, stop, place = self.places[-1]
        return place + (stop - start) * self.scale


def scope(wave: Waveform, width: int = 920, standalone: bool = False, title: str = "") -> str:
    """The oscilloscope's picture."""
    wide = width >= 600
    left = 118.0 if wide else 10.0
    axis = _Axis(wave.parts, left, width - 14.0)
    head = 22 if standalone and title else 0
    y = float(_TOP + head)
    if not wide:
        y += 14
    body: list[str] = []
    rows: list[tuple[Trace, float, float]] = []
    labels: list[str] = []
    bands = 0
    for trace in wave.traces:
        height = float(_BAND if trace.band else _SIGNAL)
        rows.append((trace, y, height))
        y += height + _GAP + (0 if wide else 13)
    bottom = y - _GAP + 6 - (0 if wide else 13)
    top = float(_TOP + head - 8)
    body += _graticule(axis, wave, top, bottom, width, wide)
    for trace, row, height in rows:
        label = escape(trace.title)
        if wide:
            body.append(f'<text x="{left - 12:g}" y="{row + height / 2 + 4:.1f}" text-anchor="end">{label}</text>')
        else:
            room = 6.4 * len(trace.title) + 4
            labels.append(
                f'<rect class="paper" x="{left:g}" y="{row - 14:.1f}" width="{room:.0f}" height="14"/>'
                f'<text class="quiet" x="{left + 2:g}" y="{row - 3:.1f}">{label}</text>'
            )
        if trace.band:
            body += _band(trace, axis, row, height, "band" if bands % 2 == 0 else "band2")
            bands += 1
        else:
            body += _signal(trace, axis, row, height)
    body += [*_marks(wave, axis, top, bottom), *labels]
    body += _cursors(wave, axis, bottom + 22 + (0 if wide else 2), width)
    end = bottom + 22 + 22 * len(wave.cursors) + 30
    body.append(
        f'<text class="strong" x="{left:g}" y="{end - 8:.1f}">{escape(_fit(wave.caption, width - left))}</text>'
    )
    if head:
        body.insert(0, f'<text class="strong" x="{left:g}" y="20" font-size="14">{escape(title)}</text>')
    return _svg(body, width, end + 4, standalone, title or "oscilloscope picture",
                None if standalone else left)  # fmt: skip


def histogram(bins: list[Bin], unit: str, median: float, p99: float, width: int = 440, height: int = 170) -> str:
    """How often each value occurred; a logarithmic count where one value outweighs the rest."""
    low, high = bins[0].low, bins[-1].high
    most = max(one.count for one in bins)
    logarithmic = most > 50 * min(one.count for one in bins)
    left, right, top, floor = 44.0, width - 16.0, 16.0, height - 36.0
    span = max(high - low, 1e-9)
    step = max(bins[0].high - bins[0].low, 0.0) + (1 if all(b.low == int(b.low) for b in bins) else 0)
    pixels = (right - left) / (span + max(step, span / 40)) if high > low else (right - left)
    bar = min(max(step * pixels - 1, 5.0), 26.0)

    def x(value: float) -> float:
        return left + bar / 2 + (value - low) / span * (right - left - bar) if high > low else (left + right) / 2

    def y(count: float) -> float:
        if count <= 0:
            return floor
        share = (math.log10(count) + 0.25) / (math.log10(most) + 0.25) if logarithmic else count / most
        return floor - share * (floor - top)

    body = []
    levels = [10**e for e in range(int(math.log10(most)) + 1)] if logarithmic else _levels(most)
    for level in levels:
        body.append(f'<path class="grid" d="M{left:g} {y(level):.1f}H{right:g}"/>')
        body.append(
            f'<text class="quiet" x="{left - 6:g}" y="{y(level) + 4:.1f}" text-anchor="end">{number(level)}</text>'
        )
    for one in bins:
        middle = x((one.low + one.high) / 2)
        tip = f"{number(one.low)}{'' if one.low == one.high else ' to ' + number(one.high)} {unit}: {one.count:,}"
        if one.disturbed:
            tip += f", {one.disturbed:,} of them disturbed"
        kind = "hit" if one.disturbed * 2 > one.count else "bar"
        body.append(
            f'<rect class="{kind}" x="{middle - bar / 2:.1f}" y="{y(one.count):.1f}" width="{bar:.1f}" '
            f'height="{floor - y(one.count):.1f}"><title>{escape(tip)}</title></rect>'
        )
    body.append(f'<path class="axis" d="M{left:g} {floor:g}H{right:g}"/>')
    wanted = [low, high, *(one.low for one in bins)] if len(bins) <= 12 else [low, high]
    drawn: list[tuple[float, float]] = []
    for value in wanted:
        half = 3.6 * len(number(value)) + 4
        place = min(max(x(value), left - 6 + half), width - half)
        if all(abs(place - other) > half + reach for other, reach in drawn):
            drawn.append((place, half))
            body.append(f'<text x="{place:.1f}" y="{floor + 15:g}" text-anchor="middle">{number(value)}</text>')
    for name, value in (("median", median), ("p99", p99)):
        body.append(f'<path class="mark" d="M{x(value):.1f} {top - 4:g}V{y(_count(bins, value)):.1f}"/>')
        place = min(max(x(value), left + 20), right - 12)
        if name == "p99" and abs(x(p99) - x(median)) < 52:
            continue
        body.append(f'<text class="tag" x="{place:.1f}" y="{top - 6:g}" text-anchor="middle">{name}</text>')
    scale = "count (log)" if logarithmic else "count"
    body.append(
        f'<text class="quiet" x="{(left + right) / 2:.0f}" y="{height - 6}" text-anchor="middle">'
        f"{escape(unit)}, {scale}</text>"
    )
    return _svg(body, width, height, False, "histogram")


def _count(bins: list[Bin], value: float) -> int:
    return next((one.count for one in bins if one.low <= value <= one.high), 0)


def _svg(body: list[str], width: float, height: float, standalone: bool, title: str, left: float | None = None) -> str:
    kept = f' data-left="{left:g}"' if left is not None else ""  # what lies left of it is not stretched by a zoom
    style = f"<style>{STYLE}{RULES}</style>" if standalone else ""
    paper = f'<rect class="paper" width="{width:g}" height="{height:g}"/>' if standalone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="scope" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}"{kept} role="img" aria-label="{escape(title)}">'
        f"{style}{paper}{''.join(body)}</svg>\n"
    )


def _graticule(axis: _Axis, wave: Waveform, top: float, bottom: float, width: int, wide: bool) -> list[str]:
    out = []
    unit = 10**6 if wave.unit == "µs" else 1
    step = nice(wave.ticks / unit / (10 if wide else 5)) * unit
    if wave.unit != "µs":
        step = max(step, 1)
    for start, stop, left in axis.places:
        edge = left + (stop - start) * axis.scale
        out.append(f'<rect class="grid" x="{left:.1f}" y="{top:.1f}" width="{edge - left:.1f}" '
                   f'height="{bottom - top:.1f}"/>')  # fmt: skip
        tick = math.ceil((start - wave.zero) / step) * step + wave.zero
        while tick <= stop:
            x = axis.x(tick)
            out.append(f'<path class="grid" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>')
            if edge - x > 12 or not wide:
                out.append(
                    f'<text class="quiet" x="{x:.1f}" y="{bottom + 14:.1f}" text-anchor="middle">'
                    f"{number((tick - wave.zero) / unit)}</text>"
                )
            tick += step
    for _, _, left in axis.places[1:]:
        middle = left - axis.cut / 2
        for shift in (-3, 3):
            out.append(
                f'<path class="axis" d="M{middle + shift - 3:.1f} {bottom:.1f}L{middle + shift + 3:.1f} {top:.1f}"/>'
            )
    name = wave.unit
    if wide:
        out.append(f'<text class="quiet" x="106" y="{bottom + 14:.1f}" text-anchor="end">{name} from C</text>')
    return out


def _signal(trace: Trace, axis: _Axis, y: float, height: float) -> list[str]:
    high, low = y + 6, y + height - 6
    out = []
    for start, stop, _ in axis.places:
        level = _level(trace, start)
        path = f"M{axis.x(start):.2f} {high if level else low:g}"
        for tick, value in trace.steps:
            if start < tick <= stop:
                path += f"H{axis.x(tick):.2f}V{high if value else low:g}"
        path += f"H{axis.x(stop):.2f}"
        out.append(f'<path class="glow" d="{path}"/><path class="trace" d="{path}"/>')
    return out


def _band(trace: Trace, axis: _Axis, y: float, height: float, kind: str) -> list[str]:
    out = []
    for start, stop, _ in axis.places:
        out.append(f'<path class="base" d="M{axis.x(start):.1f} {y + height:.1f}H{axis.x(stop):.1f}"/>')
        begun = start if _level(trace, start) else None
        for tick, value in [*[s for s in trace.steps if start < s[0] <= stop], (stop, 0)]:
            if value and begun is None:
                begun = tick
            elif not value and begun is not None:
                x, end = axis.x(begun), axis.x(tick)
                kinds = f"{kind} thin" if end - x < 3 else kind
                out.append(
                    f'<rect class="{kinds}" x="{x:.1f}" y="{y:.1f}" width="{max(end - x, 0.5):.1f}" '
                    f'height="{height:.1f}"><title>{number(tick - begun)}</title></rect>'
                )
                begun = None
    return out


def _level(trace: Trace, tick: int) -> int:
    level = 0
    for time, value in trace.steps:
        if time > tick:
            break
        level = value
    return level


def _marks(wave: Waveform, axis: _Axis, top: float, bottom: float) -> list[str]:
    out = []
    reach = bottom + 22 + 22 * len(wave.cursors) - 6
    last = -99.0
    for name, tick in wave.marks:
        x = axis.x(tick)
        out.append(
            f'<path class="mark" d="M{x:.1f} {top - 4:.1f}V{bottom:.1f}M{x:.1f} {bottom + 20:.1f}V{reach:.1f}"/>'
        )
        place = max(x, last + 11)
        at = f'data-at="{x:.1f}"'  # of what it names: zooming moves it there
        out.append(f'<text class="tag" {at} x="{place:.1f}" y="{top - 8:.1f}" text-anchor="middle">{name}</text>')
        last = place
    return out


def _cursors(wave: Waveform, axis: _Axis, y: float, width: int) -> list[str]:
    out = []
    for cursor in wave.cursors:
        y += 20
        x, end = axis.x(cursor.start), axis.x(cursor.stop)
        out.append(f'<path class="cursor" d="M{x:.1f} {y - 9:.1f}V{y + 1:.1f}M{end:.1f} {y - 9:.1f}V{y + 1:.1f}'
                   f'M{x:.1f} {y - 4:.1f}H{end:.1f}"/>')  # fmt: skip
        text = f"{cursor.name} = {cursor.text}"
        room = 6.6 * len(text) + 12
        if end - x > room:
            middle = (x + end) / 2
            out.append(
                f'<rect class="paper" x="{middle - room / 2:.1f}" y="{y - 13:.1f}" width="{room:.1f}" height="17"/>'
                f'<text class="tag" x="{middle:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
            )
        elif end + room < width:
            at = f'data-at="{end:.1f}"'
            out.append(
                f'<rect class="paper" {at} x="{end + 5:.1f}" y="{y - 13:.1f}" width="{room - 8:.1f}" height="17"/>'
                f'<text class="tag" {at} x="{end + 8:.1f}" y="{y:.1f}">{escape(text)}</text>'
            )
        else:
            at = f'data-at="{x:.1f}"'
            out.append(f'<text class="tag" {at} x="{x - 8:.1f}" y="{y:.1f}" text-anchor="end">{escape(text)}</text>')
    return out


def _fit(text: str, room: float) -> str:
    """The caption as far as it fits: its parts are separated by semicolons."""
    while len(text) * 6.7 > room and "; " in text:
        text = text.rpartition("; ")[0]
    return text


def nice(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, … that is not smaller."""
    if value <= 0:
        return 1
    power = 10.0 ** math.floor(math.log10(value))
    for factor in (1, 2, 5, 10):
        if factor * power >= value * 0.999:
            return factor * power
    return 10 * power


def _levels(most: int) -> list[int]:
    step = max(1, int(nice(most / 4)))
    return list(range(step, most + 1, step))
