"""Interrupts off: the public calls, the table that is written, and what is said when a call got worse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from attacca_lab import interrupts_off
from attacca_lab.boards import board
from attacca_lab.interrupts_off import Measured, Seen, collect, committed, declared, document, worse

HEADER = """
#define att_macro(a) ((a) + att_not_this(a))
#define MORE(x) \\
    att_nor_this(x);
typedef void (*att_entry_t)(void *arg);
typedef struct { int a; } att_thing_t;
struct att_other { void (*callback)(void *); };
enum { ATT_ONE = 1, ATT_TWO };
#ifdef __cplusplus
extern "C" {
#endif
/* Not att_in_comment(void); */
ATT_PORT_NORETURN void att_first(void);
static inline bool att_inline(int a)
{
    if (a) {
        return att_inside(a);
    }
    return false;
}
att_status_t att_second(att_thing_t *thing,
                        void (*callback)(void *arg));
att_status_t att_second_forever(att_thing_t *thing);
#define att_second(thing, timeout) (timeout ? att_second_forever(thing) : (att_second)(thing, timeout))
extern const int *const att_system[];
void att_k_private(void);
#ifdef __cplusplus
}
#endif
"""


def test_a_headers_calls() -> None:
    assert declared(HEADER) == ["att_first", "att_second", "att_second_forever"]


def test_the_projects_calls() -> None:
    calls = interrupts_off.public_calls()
    assert {"att_sem_give", "att_sem_take", "att_sem_take_forever", "att_sem_take_until"} <= set(calls["sem.h"])
    assert calls["base.h"] == ["att_unlock"]
    assert not {"debug.h", "port_api.h"} & set(calls)


def call(name: str, code: int | None = None, handler: int | None = None) -> dict[str, Any]:
    of_code = None if code is None else {"cycles": code}
    return {"function": name, "count": 1, "by_code": of_code, "by_handler": handler and {"cycles": handler}}


def reports(more: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """Each waiter adds 20 to a take; a reset costs 30 a waiter in a handler; the suite finds something longer."""
    found: list[tuple[str, dict[str, Any]]] = []
    for count in (1, 2, 4, 8):
        names = [name for names in interrupts_off.public_calls().values() for name in names]
        calls = [call(name) for name in names if name not in ("att_sem_take", "att_sem_reset")]
        calls += [call("att_sem_take", 100 + 20 * count + more), call("att_sem_reset", 7, 200 + 30 * count)]
        handlers = [{"name": "INT0", "cycles": 200 + 30 * count}]
        found.append((f"calls-sem.waiter-{count}", {"calls": calls, "masked": {"by_handler": handlers}}))
    suite = [call("att_sem_take", 500), call("att_sem_reset", 3, 9_999)]
    return [*found, ("test-sem", {"calls": suite, "masked": {"by_handler": [{"name": "INT0", "cycles": 9_999}]}})]


def measured(more: int = 0) -> Measured:
    seen = collect(reports(more))
    return Measured(seen, board("uno"), "attacca-avr 1.0", "avr-gcc 7.3.0", "-Os", "abc")


def test_a_row() -> None:
    assert measured().row("att_sem_take") == {
        "call": "`att_sem_take`", "first": 120, "slope": "20/waiter", "longest": 500, "where": "test-sem",
        "handler_first": None, "handler_slope": "", "handler_longest": None,
    }  # fmt: skip
    row = measured().row("att_sem_reset") or {}
    assert (row["longest"], row["where"], row["handler_first"], row["handler_slope"], row["handler_longest"]) == (
        7, "calls-sem.waiter-1", 230, "30/waiter", 440,
    )  # fmt: skip
    assert measured().handlers == ["INT0"] and measured().row("att_no_such_call") is None


def test_what_needs_several_or_happens_once_is_no_growth() -> None:
    def slopes(*values: int) -> dict[str, float]:
        seen = Seen()
        for count, value in zip((1, 2, 4, 8), values, strict=True):
            seen.add(f"calls-x.thread-{count}", value)
        return seen.slopes()

    assert slopes(10, 90, 90, 90) == {} and slopes(10, 20, 36, 36) == {} and slopes(10, 10, 10, 14) == {}
    assert slopes(10, 20, 40, 80) == {"thread": 10}


def test_as_measured_is_fine_and_better_too() -> None:
    text = document(measured())
    assert worse(measured(), text) == [] and worse(measured(more=-10), text) == []
    assert text == document(measured()) == document(measured(), text)
    assert committed(text)["att_sem_take"] == {"first": 120, "longest": 500}


def test_a_call_that_got_worse_is_named_with_both_figures() -> None:
    text = document(measured())
    (line,) = worse(measured(more=1), text)
    assert line.startswith(
        "att_sem_take, begun by code, one: 120 cycles became 121; ./attacca interrupts-off --board uno --write"
    )
    first, longest = worse(measured(more=400), text)
    assert "120 cycles became 520" in first
    assert "longest: 500 cycles became 660 in calls-sem.waiter-8" in longest


def test_a_call_without_a_line_and_a_line_without_a_call() -> None:
    text = document(measured())
    (line,) = worse(measured(), "\n".join(one for one in text.splitlines() if "`att_sem_give`" not in one))
    assert line.startswith("att_sem_give: missing in interrupts-off.md")
    (line,) = worse(measured(), text.replace("`att_sem_give` |", "`att_sem_give` |", 1).replace("`INT0`", "`INT1`"))[:1]
    assert "INT0: missing" in line


def test_boards_stand_side_by_side() -> None:
    """Writing one leaves the other as it was, and each is compared with its own part."""
    other = replace(measured(more=7), board=board("mega2560"))
    both = document(other, document(measured()))
    assert both.index("# Arduino Uno") < both.index("# Arduino Mega")
    assert worse(measured(), both) == [] and worse(other, both) == []
    assert len(worse(measured(more=1), both)) == 1
    assert document(measured(), both) == both
    assert any("missing in" in line for line in worse(other, document(measured())))


def test_a_call_that_no_image_makes() -> None:
    full = measured()
    less = {name: one for name, one in full.calls.items() if name != "att_yield"}
    found = replace(full, calls=less)
    assert found.missing() == ["att_yield"]
    assert any(line.startswith("att_yield: no image makes this call") for line in worse(found, document(full)))


def test_the_committed_table_can_be_read() -> None:
    text = interrupts_off.DOCUMENT.read_text(encoding="utf-8")
    table = committed(interrupts_off.part_of(text, "uno"))
    assert {"first", "longest", "handler_first", "handler_longest"} <= set(table["att_sem_give"])
