"""Growth: what more threads or armed timers cost, as curves. Results that differ in nothing but their number of
threads, or of timers, make one; it begins with the result that has neither.

A curve's places are the numbers that were measured, at equal distances: each is twice or four times the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from attacca_lab.stats import Result, number

THREADS = 2  # of a result that does not say
WHAT = {"threads": "threads in all", "timers": "timers armed for later"}


@dataclass(frozen=True)
class Curve:
    """The medians of one experiment by the number of something."""

    key: str  # "threads" or "timers"
    points: tuple[tuple[int, float], ...]
    unit: str
    peer: tuple[str, float] | None = None  # the best one, with its usual number

    @property
    def flat(self) -> bool:
        """Whether it costs nothing."""
        return len({value for _, value in self.points}) == 1

    @property
    def text(self) -> str:
        """What it says, in words."""
        what = WHAT[self.key]
        first, last = self.points[0], self.points[-1]
        if self.flat:
            return f"{number(first[1])} {self.unit}, with {first[0]} to {last[0]} {what}."
        return f"{number(first[1])} {self.unit} with {first[0]}, {number(last[1])} with {last[0]} {what}."


def identity(one: Result) -> tuple[str | None, ...]:
    """What results of one curve have in common."""
    return (one.experiment, one.variant, one.edge, one.call)


def is_point(one: Result) -> bool:
    """Whether it is there for a curve only."""
    return one.threads is not None or one.timers is not None


def curves(results: Sequence[Result], of: Result, peer: tuple[str, float] | None = None) -> list[Curve]:
    """The curves of which a result is the beginning; `of` may be any point of them."""
    same = [one for one in results if identity(one) == identity(of)]
    base = [one for one in same if not is_point(one)]
    found = []
    for key, usual in (("threads", THREADS), ("timers", 0)):
        points = {getattr(one, key): one.median for one in same if getattr(one, key) is not None}
        if points:
            points.update((usual, one.median) for one in base)
            found.append(Curve(key, tuple(sorted(points.items())), of.unit, peer))
    return found


def picture(curve: Curve, width: int = 440, height: int = 190) -> str:
    """The curve as SVG, from zero upward."""
    left, right, top, floor = 52.0, width - 26.0, 26.0, height - 40.0
    most = max([value for _, value in curve.points] + ([curve.peer[1]] if curve.peer else [])) * 1.08 or 1.0
    step = (right - left - 30) / max(len(curve.points) - 1, 1)

    def place(index: int) -> float:
        return left + 15 + index * step

    def y(value: float) -> float:
        return floor - value / most * (floor - top)

    body = [f'<path class="axis" d="M{left:g} {floor:g}H{right:g}"/>']
    body += [_level(level, left, right, y(level)) for level in _levels(most)]
    if curve.peer:
        name, value = curve.peer
        body.append(f'<path class="mark" d="M{left:g} {y(value):.1f}H{right:g}"/>')
        body.append(_text(right, y(value) - 5, f"{name} {number(value)}", "end", "tag"))
    line = "L".join(f"{place(i):.1f} {y(value):.1f}" for i, (_, value) in enumerate(curve.points))
    body.append(f'<path class="trace" d="M{line}"/>')
    for i, (count, value) in enumerate(curve.points):
        body.append(f'<circle class="bar" cx="{place(i):.1f}" cy="{y(value):.1f}" r="3.5"/>')
        below = curve.peer is not None and abs(y(value) - y(curve.peer[1])) < 22 and value < curve.peer[1]
        body.append(_text(place(i), y(value) + (17 if below else -8), number(value), "middle", "strong"))
        body.append(_text(place(i), floor + 15, str(count), "middle", ""))
    body.append(_text((left + right) / 2, height - 6, f"{curve.unit}, by {WHAT[curve.key]}", "middle", "quiet"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="scope" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(curve.text)}">{"".join(body)}</svg>\n'
    )


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _level(value: float, left: float, right: float, y: float) -> str:
    line = f'<path class="grid" d="M{left:g} {y:.1f}H{right:g}"/>' if value else ""
    return line + _text(left - 6, y + 4, number(value), "end", "quiet")


def _levels(most: float) -> Iterable[float]:
    from attacca_lab.picture import nice

    step = nice(most / 4)
    return (step * i for i in range(int(most / step) + 1))
