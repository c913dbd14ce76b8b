"""What a session measures in one build of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from attacca_lab.builds import DEFAULT, FAST

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.experiments import Case

Row = tuple[str, str | None]  # experiment, variant


@dataclass(frozen=True)
class Plan:
    """A build, and the experiments or single rows of them that are measured in it; none named: everything."""

    build: str
    experiments: Sequence[str] = ()
    rows: frozenset[Row] | None = None  # only these
    bounds: bool = True  # with the two bounds of an instrument that is a model
    slow: bool = True  # with wait states too
    brief: bool = False  # figures for the tables, without pictures
    images: tuple[str, ...] = field(default=())  # what is built for it; none: all images

    @property
    def is_empty(self) -> bool:
        return self.rows is not None and not self.rows

    def has(self, experiment: str) -> bool:
        """Whether anything of an experiment is measured."""
        if self.rows is not None:
            return any(name == experiment for name, _ in self.rows)
        return not self.experiments or experiment in self.experiments

    def wants(self, experiment: str, variant: str | None) -> bool:
        """Whether a row is measured."""
        return (experiment, variant) in self.rows if self.rows is not None else self.has(experiment)

    def cases(self, board: Board) -> list[Case]:
        """The timed figures of it."""
        from attacca_lab.experiments import CASES, MOST_THREADS

        most = MOST_THREADS.get(board.name) if self.build != FAST else None
        here = (case for case in CASES if case.is_on(board) and (most is None or (case.threads or 0) <= most))
        return [
            case
            for case in here
            if self.wants(case.experiment, case.variant) and (self.rows is None or not case.is_growth)
        ]


def named(board: Board, build: str, experiments: Sequence[str]) -> Plan:
    """All of these experiments; everything if none is named."""
    plan = Plan(build, experiments)
    if not experiments or any(name.startswith("masked-by-") for name in experiments):
        return plan  # the longest stretch of every call is in every image
    return replace(plan, images=_images_of(board, plan))


def _images_of(board: Board, plan: Plan) -> tuple[str, ...]:
    """The images that a plan's experiments are measured in."""
    from attacca_lab.experiments import AVR
    from attacca_lab.paper import PROGRAMS
    from attacca_lab.what import MASKED

    found = [case.firmware for case in plan.cases(board)]
    for prefixes, images in (
        (("timer-interrupt",), ["timer.callback", "timer.periodic", "timer.nothing-armed"]),
        (("flash", "ram", "size-"), ["sizes", "memory", "memory.empty"]),
        (("ram",), [f"lan-kannan.{name}" for name in PROGRAMS if board.name in AVR]),
        (("stack",), ["stack"]),
        (("masked-by-",), list(MASKED.values())),
    ):
        names = plan.experiments if plan.rows is None else [name for name, _ in plan.rows]
        found += images if any(name.startswith(prefixes) for name in names) else []
    return tuple(dict.fromkeys(found))


def headlines(board: Board, build: str) -> Plan:
    """The rows that stand first everywhere."""
    return Plan(build, rows=_headline_rows(board, build), bounds=False, slow=False, brief=True,
                images=_images(board, build, []))  # fmt: skip


def shapes(board: Board, build: str, experiments: Sequence[str]) -> Plan:
    """Every shape of a call, and the rows that stand first; of these experiments if any are named."""
    from attacca_lab.experiments import CASES

    cases = [case for case in CASES if case.is_shape and case.is_on(board)]
    rows = _headline_rows(board, build) | {(case.experiment, case.variant) for case in cases}
    if experiments:
        rows = frozenset(row for row in rows if row[0] in experiments)
    return Plan(build, rows=rows, bounds=False, slow=False, brief=True, images=_images(board, build, cases))


def papers(name: str, board: Board, build: str) -> Plan:
    """What a publication's table needs."""
    from attacca_lab import paper

    plan = Plan(build, rows=paper.rows(name), bounds=False)
    return replace(plan, images=_images_of(board, plan))


def _headline_rows(board: Board, build: str) -> frozenset[Row]:
    from attacca_lab import headline

    wanted = [*headline.TIMES, *(row for row in headline.SIZES if headline.is_shown(row, board))]
    return frozenset((row.experiment, row.lead if build == DEFAULT else row.variant) for row in wanted)


def _images(board: Board, build: str, cases: Sequence[Case]) -> tuple[str, ...]:
    from attacca_lab import headline

    return tuple(dict.fromkeys([*headline.firmware(board, build), *(case.firmware for case in cases)]))
