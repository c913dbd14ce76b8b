"""The table of all commands' arguments, for the shell script: lab/arguments.txt, read by lab/arguments.awk.

A line a command (its help), an option (its names, the kind of its value), or the arguments of a command (how many, of
what kind). A kind is `flag`, `text`, `number:LEAST:MOST`, `file`, `firmware`, `one:WHAT:NAMES` or
`list:WHAT:NAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from attacca_lab.commands.common import BoardType
from attacca_lab.prepare import ROOT

TABLE = ROOT / "lab" / "arguments.txt"


def _stages() -> Iterable[str]:
    from attacca_lab import quick, testing

    return list(dict.fromkeys([*(stage.name for stage in testing.STAGES), *quick.STAGES]))


def _experiments() -> Iterable[str]:
    from attacca_lab.what import WHAT

    return WHAT


def _presets() -> Iterable[str]:
    from attacca_lab.build import presets

    return presets()


def _kernel() -> Iterable[str]:
    return sorted(path.stem for path in (ROOT / "kernel").glob("*.c"))


def _boards() -> Iterable[str]:
    from attacca_lab.boards import boards

    return boards()


# What click does not know: the command's own code compares these names.
KINDS: dict[tuple[str, str], tuple[str, Callable[[], Iterable[str]]]] = {
    ("bench", "experiments"): ("one:experiment", _experiments),
    ("build", "preset"): ("one:preset", _presets),
    ("test", "only"): ("one:stage", _stages),
    ("mutate", "files"): ("list:file of kernel/", _kernel),
}
FIRMWARE = {("scope", "file"), ("trace", "file"), ("run", "file"), ("flash", "firmware")}


def _kind(command: str, parameter: click.Parameter) -> str:
    name = parameter.name or ""
    if (command, name) in FIRMWARE:
        return "firmware"
    if (command, name) in KINDS:
        form, names = KINDS[command, name]
        return f"{form}:{' '.join(names())}"
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return "flag"
    kind = parameter.type
    if isinstance(kind, BoardType):
        return f"one:board:{' '.join(_boards())}"
    if isinstance(kind, click.Choice):
        return f"one:{name}:{' '.join(str(choice) for choice in kind.choices)}"
    if isinstance(kind, click.IntRange):
        return f"number:{kind.min if kind.min is not None else ''}:{'' if kind.max is None else kind.max}"
    if isinstance(kind, click.Path) and kind.exists and not kind.dir_okay:
        return "file"
    return "text"


def text() -> str:
    """The table."""
    from attacca_lab.cli import COMMANDS, cli

    lines = ["# Written by ./attacca arguments, from the commands themselves."]
    context = click.Context(cli)
    for name, help_line in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        lines.append(f"command\t{name}\t{help_line}")
        positional = [one for one in command.params if isinstance(one, click.Argument)]
        most = -1 if any(one.nargs < 0 for one in positional) else len(positional)
        kind = _kind(name, positional[0]) if positional else "text"
        called = (positional[0].human_readable_name if positional else "-").strip("[].")
        lines.append(f"argument\t{name}\t{sum(one.required for one in positional)}\t{most}\t{kind}\t{called}")
        for option in command.params:
            if isinstance(option, click.Option):
                names = ",".join([*option.opts, *option.secondary_opts])
                lines.append(f"option\t{name}\t{names}\t{_kind(name, option)}")
    return "\n".join(lines) + "\n"
