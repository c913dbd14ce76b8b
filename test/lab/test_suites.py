"""Which board runs how much of the suite: nothing is left out everywhere, and docs/testing.md says it as it is."""

from __future__ import annotations

import re

from attacca_lab import build, testing
from attacca_lab.boards import board
from conftest import ROOT

BOARDS = (ROOT / "cmake" / "boards.cmake").read_text(encoding="utf-8")
PORTS = {name: (port, flags) for name, port, flags in
         re.findall(r"^attacca_board\((\S+) (\S+) [^\s)]+ ?([^)]*)\)$", BOARDS, re.MULTILINE)}  # fmt: skip
PORTS |= {name: ("cortex-m", flags) for name, flags in
          re.findall(r"^attacca_board_on\((\S+) \S+ [^\s)]+ ([^)]*)\)$", BOARDS, re.MULTILINE)}  # fmt: skip
SUITES = ("all", "brief", "port")


def those() -> list[tuple[str, int, str]]:
    """Board, check level and suite of each preset that a stage builds."""
    names = dict.fromkeys(name for stage in testing.STAGES for name in stage.boards if name != "host")
    found = []
    for target in map(board, names):
        for preset in (target.preset, *target.test_presets):
            variables = build._variables(preset)
            found.append((target.name, int(variables["ATTACCA_CHECK"]), variables.get("ATTACCA_SUITE", "all")))
    return found


def processor(name: str) -> str:
    """What the compiler is told of it: -mcpu=cortex-m3."""
    words = PORTS[name][1].split()
    return next((word for word in words if word.startswith(("-mcpu", "-mmcu", "-march"))), words[0])


def test_presets_set_what_there_is() -> None:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    known = set(re.findall(r"^(?:set|option)\((ATTACCA_\w+)", text, re.MULTILINE))
    used = {name for preset in build.presets() for name in build._variables(preset)}
    assert {name for name in used if name.startswith("ATTACCA_")} <= known
    assert {build._variables(preset).get("ATTACCA_SUITE", "all") for preset in build.presets()} <= set(SUITES)


def test_every_port_runs_the_whole_suite_with_and_without_checks() -> None:
    for port in {PORTS[name][0] for name, _, _ in those()}:
        here = [(level, suite) for name, level, suite in those() if PORTS[name][0] == port]
        assert {0, 2} <= {level for level, suite in here if suite != "port"}, port
        assert any(suite == "all" for _, suite in here), port


def test_levels_with_assembly_of_their_own_run_the_whole_suite() -> None:
    """Where a port's assembly asks for a check level, that level is tested on that port."""
    for port in {PORTS[name][0] for name, _, _ in those()}:
        source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "port" / port).glob("*.S"))
        for relation, number in set(re.findall(r"ATT_CFG_FAST && ATT_CFG_CHECK (==|<) (\d)", source)):
            wanted = {int(number)} if relation == "==" else set(range(int(number)))
            assert wanted <= {level for name, level, suite in those() if PORTS[name][0] == port and suite != "port"}


def test_a_board_that_runs_a_part_shares_its_port() -> None:
    for name, _, suite in those():
        if suite == "port":
            assert any(PORTS[other][0] == PORTS[name][0] for other, _, more in those() if more != "port"), name


def test_the_document_has_this_table() -> None:
    rows = [f"| `{one}` | {PORTS[one][0]}, `{processor(one)}` | {level} | {suite} |" for one, level, suite in those()]
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    found = [line for line in page.splitlines() if re.match(r"\| `[\w-]+` \| \w[\w-]*, `", line)]
    assert found == rows, "\n".join(rows)


def test_what_a_port_decides_are_tests_that_exist() -> None:
    text = (ROOT / "test" / "kernel" / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = re.search(r"set\(ATTACCA_PORT_TESTS ([^)]*)\)", text)
    assert listed
    made = set(re.findall(r"attacca_test(?:_alone)?\(([\w-]+) ", text))
    made |= {f"{name}-basepri" for line in re.findall(r"foreach\(image ([^)]*)\)", text) for name in line.split()}
    assert set(listed[1].split()) <= made
