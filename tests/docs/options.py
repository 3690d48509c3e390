#!/usr/bin/env python3
"""Man pages and command lines of the docs against `loadverdict COMMAND --help`.

usage: options.py LOADVERDICT"""

import re
import shlex
import subprocess
import sys

import pages

HELP_LINES, HELP_COLUMNS = 40, 100


def ask(binary, *args):
    done = subprocess.run([binary, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout


def commands_of(text):
    """Names of the commands that the main help lists."""
    return re.findall(r"^  ([a-z]+) +\S", text, re.M)


def compare(name, of_help, of_man):
    problems = []
    for flag, argument in of_help.items():
        if flag not in of_man:
            problems.append(f"{name}: {flag} is missing from the man page")
        elif of_man[flag] != argument and flag.startswith("--"):
            problems.append(f"{name}: {flag} takes '{argument}' but '{of_man[flag]}' in the man page")
    problems += [f"{name}: {flag} is in the man page only" for flag in of_man if flag not in of_help]
    return problems


def too_large(name, text):
    lines = text.splitlines()
    problems = []
    if len(lines) > HELP_LINES:
        problems.append(f"{name} --help has {len(lines)} lines; a screen holds {HELP_LINES}")
    wide = [line for line in lines if len(line) > HELP_COLUMNS]
    if wide:
        problems.append(f"{name} --help has a line of {len(wide[0])} columns: {wide[0]}")
    return problems


def command_lines(text):
    """Lines of shell, console and YAML blocks, and of man pages' examples, that call loadverdict."""
    lines = []
    for block in pages.blocks(text):
        if block.lang not in ("sh", "console", "yaml", ""):
            continue
        joined = block.text.replace("\\\n", " ")
        if block.lang == "yaml":  # folded scalars: the lines after `run: >` are one
            joined = re.sub(r"(run: >)\n((?:.*\n)*?)(?=\s*- |\Z)",
                            lambda m: "\n" + m.group(2).replace("\n", " ") + "\n", joined)
        lines += [line for line in joined.splitlines()
                  if re.match(r"\s*(?:\$ |- run: )?(?:build/src/cli/)?loadverdict [a-z]", line)]
    return lines


def wrong_options(line, known):
    """Problems of one command line, `known` being {command: options}."""
    words = shlex.split(line.strip().removeprefix("$ ").removeprefix("- run: "), comments=True)
    command, rest = words[1], words[2:]
    if command not in known:
        return [f"'{line.strip()}': there is no command '{command}'"]
    return [f"'{line.strip()}': {command} has no {word}" for word in rest
            if word.startswith("-") and len(word) > 1 and word.partition("=")[0] not in known[command]]


def self_test():
    """The checks must notice: a lost option, one too many, another argument, an unknown option."""
    helped = pages.help_options("  -o, --output=FILE  where\n      --wait   wait\n")
    manned = pages.man_options("# OPTIONS\n\n*-o*, *--output* _FILE_\n\n*--wait*\n# X\n*--no*\n")
    assert helped == {"-o": "FILE", "--output": "FILE", "--wait": ""} == manned, (helped, manned)
    assert compare("x", helped, {**manned, "--more": ""})
    assert compare("x", helped, {"-o": "FILE", "--wait": ""})
    assert compare("x", helped, {**manned, "--output": "DIR"})
    assert not compare("x", helped, manned)
    known = {"plan": {"--open", "-q"}}
    lines = command_lines("```sh\nloadverdict plan x --opem now\nsudo make\n```\n")
    assert len(lines) == 1 and wrong_options(lines[0], known)
    assert wrong_options("loadverdict plam x", known)
    assert not wrong_options("loadverdict plan x --open=now -q # --not-read", known)
    folded = command_lines("```yaml\n- run: >\n    loadverdict plan x\n    --bad\n- run: true\n```\n")
    assert len(folded) == 1 and wrong_options(folded[0], known), folded
    assert too_large("x", "a\n" * 41) and too_large("x", "a" * 101) and not too_large("x", "a\n")


def main(binary):
    self_test()
    problems, checked = [], 0
    status, top = ask(binary, "--help")
    names = commands_of(top)
    if status or not names:
        problems.append("loadverdict --help lists no commands")
    problems += too_large("loadverdict", top)
    known = {}
    main_page = pages.man("loadverdict.1.scd")
    for name in names:
        status, text = ask(binary, name, "--help")
        checked += 1
        if status:
            problems.append(f"{name} --help: exit {status}")
        known[name] = pages.help_options(text)
        problems += too_large(name, text)
        if f"*loadverdict-{name}*(1)" not in main_page:
            problems.append(f"loadverdict.1 does not name {name}")
        try:
            problems += compare(name, known[name],
                                pages.man_options(pages.man(f"loadverdict-{name}.1.scd")))
        except FileNotFoundError:
            problems.append(f"{name} has no man page")
    for page in sorted((pages.ROOT / "docs/man").glob("loadverdict-*.1.scd")):
        name = page.name[len("loadverdict-"):-len(".1.scd")]
        if name not in names:
            problems.append(f"{page.name}: there is no such command")
    texts = pages.markdown() + [(p.name, p.read_text(encoding="utf-8"))
                                for p in sorted((pages.ROOT / "docs/man").glob("*.scd"))]
    for name, text in texts:
        for line in command_lines(text):
            checked += 1
            problems += [f"{name}: {p}" for p in wrong_options(line, known)]
    return pages.finish(problems, checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
