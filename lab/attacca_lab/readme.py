"""The README's generated parts: the table of results, and the example that blinks.

Each stands between two marker lines, `<!-- NAME:begin -->` and `<!-- NAME:end -->`, and is replaced whole. Nothing in
the table is typed by hand: its figures come from a file that `./attacca bench -o results.json` wrote. It holds the rows
of headline.py; all others stand in docs/results.md, which is generated whole (results_page.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attacca_lab import headline, overview
from attacca_lab.boards import Board, board, boards
from attacca_lab.build import levels
from attacca_lab.builds import FAST
from attacca_lab.compare import optimisation
from attacca_lab.errors import UserError
from attacca_lab.output import Column, Table, markdown, write_atomic
from attacca_lab.prepare import ROOT
from attacca_lab.stats import Result, number

README = ROOT / "README.md"
EXAMPLE = ROOT / "examples" / "01-blink" / "main.c"

BESIDE = ("ChibiOS/RT", "FreeRTOS")  # shown in columns of their own, whichever is the best
DETAILS = ROOT / "docs" / "results.md"


def replace_part(text: str, name: str, part: str) -> str:
    """The text with what stands between the markers of that name replaced."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    pattern = re.compile(rf"^{re.escape(begin)}$.*?^{re.escape(end)}$", re.MULTILINE | re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise UserError(f"the lines {begin} and {end} must stand there once, in this order")
    return pattern.sub(lambda _: f"{begin}\n{part.strip()}\n{end}", text)


def blink(example: Path = EXAMPLE) -> str:
    """The example, whole."""
    return f"```c\n{example.read_text(encoding='utf-8').strip()}\n```"


def load(path: Path) -> list[Result]:
    """The results of a file that the bench wrote."""
    try:
        found = [Result.from_json(record) for record in json.loads(path.read_text(encoding="utf-8"))]
        if found:
            return found
        raise ValueError("an empty list")
    except OSError as error:
        raise UserError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, TypeError, AttributeError):
        raise UserError(f"{path} holds no results", "./attacca bench -o results.json writes such a file") from None


def results(found: Sequence[Result]) -> str:
    """The tables of each board that exists, at most a screen each, and where their figures come from."""
    if not found:
        raise UserError("no results", "./attacca bench -o results.json writes a file with some")
    names = [name for name, one in boards().items() if not one.caution and any(two.board == name for two in found)]
    parts = []
    for name in names:
        if len(names) > 1:
            parts.append(f"### {board(name).title}\n")
        parts.append(_of_board(own_level([one for one in found if one.board == name])))
    return "\n".join(parts)


def own_level(results: Sequence[Result]) -> list[Result]:
    """Those of the board's own optimisation level; failing that, of the first."""
    usual = next(iter(levels(board(results[0].board).preset)))
    named = [optimisation(one.flags) for one in results]
    wanted = usual if usual in named else named[0]
    return [one for one, level in zip(results, named, strict=True) if level == wanted]


def _of_board(found: Sequence[Result]) -> str:
    target = board(found[0].board)
    parts = []
    for title, wanted in (("median, in cycles", headline.TIMES), ("in bytes", headline.SIZES)):
        rows = [_row(found, row, target) for row in headline.rows(found, wanted, target)]
        if rows:
            parts.append(markdown(Table(_columns(title, target, rows), rows)))
    if not parts:
        raise UserError("the results hold nothing that the README shows", "run ./attacca bench --all")
    one = next((one for one in found if (one.build or FAST) == FAST), found[0])
    clock = f"{(target.clock_hz or 0) / 1e6:g} MHz"
    slow = ", cycles without wait states, µs with two" if target.wait_states else ""
    parts.append(
        f"{target.processor} at {clock}{slow}, simulated by {one.instrument}; {one.compiler} "
        f"{optimisation(one.flags)}; commit {one.commit}. *Default*: as a program gets it that states no option, "
        "callers checked; it waits with a timeout. *Fastest*: checks off, waits for ever, as the peers were measured; "
        "µs and ratio (ours divided by the best peer's) are that one's. All other rows, shapes of calls and builds: "
        "[docs/results.md](docs/results.md).\n"
    )
    return "\n".join(parts)


def _columns(title: str, target: Board, rows: Sequence[dict[str, Any]]) -> list[Column]:
    timed = any(row["us"] for row in rows)
    lead = any(row["lead"] for row in rows)
    return [
        Column("what", title),
        *([Column("lead", "default, with a timeout" if timed else "default", right=True)] if lead else []),
        Column("ours", "fastest", right=True),
        *([Column("us", "µs", right=True)] if timed else []),
        Column("best", "best peer"),
        Column("ratio", "ratio", right=True),
        *(Column(kernel, kernel, right=True) for kernel in BESIDE),
    ]


def _row(found: Sequence[Result], row: dict[str, Any], target: Board) -> dict[str, Any]:
    one, others = row["result"], row["others"]
    theirs = {peer.kernel: number(peer.value) for peer in others.peers} if others else {}
    return {
        "what": f"{row['title']} (`{one.experiment}`)",
        "lead": f"**{row['lead']}**" if row["lead"] else None,
        "ours": f"**{row['fastest']}**" if row["fastest"] else None,
        "us": overview.time(found, one, target.clock_hz, not target.cycles_are_time) or None,
        "best": row["best"],
        "ratio": row["ratio"],
        **{kernel: theirs.get(kernel) for kernel in BESIDE},
    }


def check_boards(text: str, found: Sequence[Result]) -> None:
    """Complain about results that lack a board which the README shows: its table would vanish."""
    part = text.partition("<!-- results:begin -->")[2].partition("<!-- results:end -->")[0]
    given = {board(one.board).title for one in found}
    missing = [title for title in re.findall(r"^### (.+)$", part, re.MULTILINE) if title not in given]
    if missing:
        raise UserError(
            f"the README shows {', '.join(missing)} too: its results are missing",
            "./attacca bench --board NAME -o NAME.json writes them; CONTRIBUTING.md has all lines",
        )


def update(readme: Path = README, found: Sequence[Result] | None = None, details: Path | None = None) -> bool:
    """Write the generated parts anew, tables only if there are results, all rows into `details`; True: it changed."""
    before = readme.read_text(encoding="utf-8")
    after = replace_part(before, "blink", blink())
    if found is not None:
        check_boards(after, found)
        after = replace_part(after, "results", results(found))
    if after != before:
        write_atomic(readme, after)
    if found is None or details is None:
        return after != before
    from attacca_lab import results_page

    page, old = results_page.page(found), details.read_text(encoding="utf-8") if details.exists() else ""
    if page != old:
        write_atomic(details, page)
    return after != before or page != old
