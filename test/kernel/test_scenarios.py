"""How the judge of "an interrupt at every instruction" judges.

The stage `inject` of ./attacca test runs the scenarios themselves (lab/attacca_lab/inject.py, test/kernel/inject).
"""

from __future__ import annotations

import pytest
from elftools.elf.elffile import ELFFile

from attacca_lab import inject_judge as inject
from attacca_lab.inject_judge import AFTER, BEFORE, BLOCKED, OUTSIDE, Case
from attacca_lab.inject_targets import KERNEL, Image, Outcome, Question, Sample, Target
from conftest import Firmware


class Told(Target):
    """A target whose runs are given: what software raises, and what comes of each place."""

    def __init__(self, forked: list[Outcome]) -> None:
        self.preset = "told"
        self.elfs = {}
        self.forked = forked
        self.asked: list[Question] = []

    def ask(self, topic: str, question: Question) -> Outcome:
        self.asked.append(question)
        when = question[5]
        texts = {BEFORE: "u0X0|;0-", BLOCKED: "|;--", AFTER: "X0u0|;0-", inject.EVENT + 1: "X0|u0;0-"}
        return Outcome(texts.get(when, "|;--"), 0)

    def fork(self, topic: str, question: Question, sample: Sample | None) -> list[Outcome]:
        assert question[5] == OUTSIDE
        return self.forked


def judged(*forked: Outcome, also: tuple[inject.Also, ...] = ()) -> inject.Verdict:
    """The verdict on runs that ended so."""
    image = Image("sem", (("give", frozenset({0, inject.WAITING})),), ("wake",))
    judge = inject.Judge({"told": Told(list(forked))}, {"sem": image}, also)
    return judge.try_case(Case("told", "sem", 0, (0,), (0,)))


RIGHT = [Outcome("u0X0|;0-", 0, 0, "give"), Outcome("X0u0|;0-", 0, 1, "give+0x2")]


def test_before_or_after_is_right() -> None:
    verdict = judged(*RIGHT)
    assert not verdict.wrong
    assert (verdict.runs, verdict.between, verdict.places) == (2, 0, {"give", "give+0x2"})


def test_between_is_counted_apart() -> None:
    verdict = judged(*RIGHT, Outcome("X0|u0;0-", 0, 2, "give+0x4"))
    assert not verdict.wrong
    assert verdict.between == 1


def test_a_third_outcome_is_wrong() -> None:
    verdict = judged(*RIGHT, Outcome("X0|;0-", 0, 2, "give+0x4"))
    assert len(verdict.wrong) == 1
    assert "give, known: wake: at give+0x4 (index 2)" in verdict.wrong[0]


def test_a_run_whose_handler_never_came_is_no_reference() -> None:
    assert len(judged(*RIGHT, Outcome("|;--", 0, 2, "give+0x4")).wrong) == 1


def test_a_run_that_ends_badly_is_wrong_whatever_it_says() -> None:
    verdict = judged(*RIGHT, Outcome("u0X0|;0-", 5, 2, "give+0x4"))
    assert len(verdict.wrong) == 1
    assert "status 5" in verdict.wrong[0]


def test_no_runs_are_no_success() -> None:
    assert judged().wrong


def test_an_outcome_with_a_reason_is_excused() -> None:
    entry = inject.Also("sem", "why not", ("give wake X0|;?-",))
    verdict = judged(*RIGHT, Outcome("X0|;0-", 0, 2, "give+0x4"), also=(entry,))
    assert not verdict.wrong
    assert verdict.excused == {"why not": 1}


@pytest.mark.parametrize(("preset", "processor"), [("uno", "avr"), ("stm32f103", "cortex-m")])
def test_handlers_come_in_the_kernel_alone(firmware: Firmware, preset: str, processor: str) -> None:
    """The linker keeps the objects' order: the harness, then the kernel, between the symbols that a fork names."""
    first, end = KERNEL[processor].split(":")
    with firmware(preset, "scenarios-queue").open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        code = [one for one in table.iter_symbols() if one["st_info"]["type"] != "STT_OBJECT"]
    address = {one.name: one["st_value"] & ~1 for one in code}  # bit 0: Thumb
    harness = {name for name in address if name == "main" or name.startswith(("inject_", "machine_", "act_"))}
    kernel = {name for name in address if name.startswith(("att_k_", "att_queue_", "att_sem_"))}
    assert len(harness) > 10 and len(kernel) > 10
    assert not {name for name in harness if address[first] < address[name] < address[end]}
    assert not {name for name in kernel if not address[first] < address[name] < address[end]}
