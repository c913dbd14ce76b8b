"""The oscilloscope's picture in characters, for a terminal: two lines a signal, one a state, marks and an axis."""

from __future__ import annotations

from attacca_lab.stats import number
from attacca_lab.waveform import Trace, Waveform

_MARGIN = 12


class _Columns:
    """Ticks to columns; every edge gets a column of its own where there is room, however short the pulse."""

    def __init__(self, wave: Waveform, width: int) -> None:
        self.wave = wave
        cuts = 3 * (len(wave.parts) - 1)
        self.per_tick = (width - cuts - 1) / max(wave.ticks, 1)
        self.begin: list[int] = []
        column = 0
        for start, stop in wave.parts:
            self.begin.append(column)
            column += round((stop - start) * self.per_tick) + 3
        self.width = width
        self.moved: dict[int, int] = {}
        taken = -1
        for tick in sorted({tick for _, tick in wave.marks}):
            place = max(self._exact(tick), taken + 2 if taken >= 0 else 0)
            self.moved[tick] = taken = min(place, width - 1)

    def _exact(self, tick: int) -> int:
        for (start, stop), begin in zip(self.wave.parts, self.begin, strict=True):
            if tick <= stop:
                return begin + round(max(tick - start, 0) * self.per_tick)
        return self.width - 1

    def __call__(self, tick: int) -> int:
        return min(self.moved.get(tick, self._exact(tick)), self.width - 1)


def draw(wave: Waveform, width: int = 80, unicode: bool = True) -> str:
    """The picture, at most `width` columns wide."""
    columns = _Columns(wave, max(width - _MARGIN - 1, 24))
    lines = [" " * _MARGIN + _marks(wave, columns)]
    for trace in wave.traces:
        drawn = _state(trace, columns) if trace.band else _signal(trace, columns)
        for row, text in enumerate(drawn):
            label = trace.title if row == len(drawn) - 1 else ""
            lines.append(f"{label[: _MARGIN - 1]:<{_MARGIN}}{_cut(text, wave, columns)}")
    lines += _axis(wave, columns)
    lines.append("")
    parts = [wave.caption] if _MARGIN + len(wave.caption) <= width else wave.caption.split("; ")
    lines += [f"{'':{_MARGIN}}{part}" for part in parts]
    text = "\n".join(line.rstrip() for line in lines)
    if not unicode:
        text = text.translate(str.maketrans("┌┐┘└─┴█▒▁µ", "++++-+#:_u"))
    return text + "\n"


def _marks(wave: Waveform, columns: _Columns) -> str:
    line = [" "] * columns.width
    for name, tick in wave.marks:
        line[columns(tick)] = name
    return "".join(line)


def _signal(trace: Trace, columns: _Columns) -> list[str]:
    high, low = [" "] * columns.width, [" "] * columns.width
    changes = {columns(tick): value for tick, value in trace.steps[1:]}
    level = trace.steps[0][1]
    for column in range(columns.width):
        if column in changes and changes[column] != level:
            level = changes[column]
            high[column], low[column] = ("┌", "┘") if level else ("┐", "└")
        else:
            high[column], low[column] = ("─", " ") if level else (" ", "─")
    return ["".join(high), "".join(low)]


def _state(trace: Trace, columns: _Columns) -> list[str]:
    """Full where the state lasts for the whole column, grey where it comes and goes within it."""
    line = ["▁"] * columns.width
    begun = trace.steps[0][0] if trace.steps[0][1] else None
    end = columns.wave.parts[-1][1]
    for tick, value in [*trace.steps[1:], (end, 0)]:
        if value and begun is None:
            begun = tick
        elif not value and begun is not None:
            first, last = columns(begun), columns(tick) if tick < end else columns.width
            if last > first and (tick - begun) * columns.per_tick > 0.9:
                line[first:last] = "█" * (last - first)
            elif line[first] == "▁":
                line[first] = "▒"
            begun = None
    return ["".join(line)]


def _cut(text: str, wave: Waveform, columns: _Columns) -> str:
    for begin in columns.begin[1:]:
        text = text[: begin - 2] + "//" + text[begin:]
    return text


def _axis(wave: Waveform, columns: _Columns) -> list[str]:
    rule, figures = ["─"] * columns.width, [" "] * (columns.width + 12)
    unit = 10**6 if wave.unit == "µs" else 1
    free = 0
    for name, tick in wave.marks:
        column = columns(tick)
        rule[column] = "┴"
        text = number((tick - wave.zero) / unit)
        if name in ("C", "D") or len(wave.marks) <= 2:
            begin = max(column - len(text) + 1 if name == "D" else column, free)
            figures[begin : begin + len(text)] = text
            free = begin + len(text) + 1
    label = "us" if wave.unit == "µs" else wave.unit
    return [
        f"{'':{_MARGIN}}{_cut(''.join(rule), wave, columns)}",
        f"{label:<{_MARGIN}}{''.join(figures).rstrip()}",
    ]
