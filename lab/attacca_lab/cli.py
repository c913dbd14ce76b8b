"""The command line. A command's module is imported only when that command is asked for.

The list of commands, with the line that --help shows for each, stands here so that neither costs an import.
"""

from __future__ import annotations

import importlib
from collections.abc import MutableMapping

import click

from attacca_lab import __version__
from attacca_lab.errors import unknown

COMMANDS = {
    "bench": "Measure the kernel and set it beside what was published for others.",
    "test": "Run every test of the project.",
    "interrupts-off": "Tell for every call how long it keeps interrupts off.",
    "scope": "Find and measure the pulses of any firmware, of any kernel.",
    "run": "Run any firmware without a board and show its console.",
    "trace": "Show the kernel events that a firmware's recorder holds.",
    "boards": "List the boards.",
    "doctor": "Tell what is there and what is missing.",
    "build": "Build firmware and instruments.",
    "flash": "Write firmware to a real board.",
    "fuzz": "Try random calls of threads and interrupts against a model of the kernel.",
    "mutate": "Change the kernel in small ways and list what no test notices.",
    "model": "Show the Cortex-M's timing model beside silicon.",
    "arguments": "Write the table by which wrong arguments are refused before anything is installed.",
    "readme": "Write the generated parts of the README anew.",
}
UNLISTED = ("fuzz", "mutate", "model", "arguments", "readme")  # listed apart: for work on the project


class LazyGroup(click.Group):
    """A group whose commands are the modules of attacca_lab.commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"attacca_lab.commands.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise unknown("command", args[0], list(COMMANDS), more="./attacca --help lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([item for item in COMMANDS.items() if item[0] not in UNLISTED])
        with formatter.section("To work on the project"):
            formatter.write_dl([item for item in COMMANDS.items() if item[0] in UNLISTED])


CONTEXT: MutableMapping[str, object] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(
    cls=LazyGroup,
    context_settings=CONTEXT,
    epilog="\b\nExamples:\n  ./attacca bench\n  ./attacca bench switch-semaphore --vcd /tmp\n  ./attacca test",
)
@click.version_option(__version__, prog_name="attacca", message="%(prog)s %(version)s")
def cli() -> None:
    """Attacca: a real-time kernel that comes with its own oscilloscope.

    Data goes to stdout, progress to stderr. Status 0: done; 1: failed, and said why; 2: wrong usage.
    """
