"""A plugin of pytest: a test that hangs fails after its time, and the next one begins. conftest.py loads it.

pytest-timeout raises an exception in a test whose time is up (lab/pyproject.toml says how long). That does not help a
test that waits for a program on its way out, as `with subprocess.Popen(...)` does. So the test's programs end first.
What a test leaves behind when it is over ends too: it would take processor time, a lock or a file from the next.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from attacca_lab import ending

GRACE = 2.0  # seconds for programs that are asked to end
# What the shell or the CI that starts the tests may have ignored or blocked: it would be inherited by what they start.
USUAL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD, signal.SIGQUIT)


def pytest_configure() -> None:
    for one in USUAL:
        if signal.getsignal(one) is signal.SIG_IGN:
            signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    ending.adopt()


def _end_all_but(those: set[int]) -> None:
    ending.end(set(ending.programs()) - those, GRACE)


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: Any, settings: Any) -> bool | None:
    """In place of pytest-timeout's own: the same, and the programs end."""
    import pytest_timeout

    if settings.method != "signal":
        return None
    before = set(ending.programs())

    def late(number: int, frame: FrameType | None) -> None:
        __tracebackhide__ = True
        if settings.disable_debugger_detection or not pytest_timeout.is_debugging():
            _end_all_but(before)
        pytest_timeout.timeout_sigalrm(item, settings)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    item.cancel_timeout = cancel
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, settings.timeout)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """What fixtures have started stays as long as they."""
    before = set(ending.programs())
    try:
        return (yield)
    finally:
        _end_all_but(before)
