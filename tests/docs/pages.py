"""The pages of the documentation as tests see them: fenced blocks, tables, links, man options."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

FENCE = re.compile(r"^( *)```(\w*)\s*$")
MARK = re.compile(r"^<!-- (file|run|report): (.*) -->$")


class Block:
    """A fenced block: its language, its text, the line of its fence, and the mark before it."""

    def __init__(self, lang, line, mark):
        self.lang, self.line, self.mark, self.lines = lang, line, mark, []

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks(text):
    found, open_block, mark = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if open_block is None:
            if fence:
                open_block = Block(fence.group(2), number, mark)
                indent = fence.group(1)
            elif MARK.match(line):
                mark = MARK.match(line).groups()
            elif line.strip():
                mark = None
        elif fence and not fence.group(2):
            found.append(open_block)
            open_block = mark = None
        else:
            open_block.lines.append(line.removeprefix(indent))
    if open_block is not None:
        raise ValueError(f"line {open_block.line}: this block is never closed")
    return found


def prose(text):
    """The text with fenced blocks blanked, so that line numbers stay."""
    out, inside = [], False
    for line in text.splitlines():
        fence = FENCE.match(line)
        out.append("" if inside or fence else line)
        if fence:
            inside = not inside
    return "\n".join(out)


def markdown():
    """Every Markdown page of the project, as (name, text)."""
    paths = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    return [(str(p.relative_to(ROOT)), p.read_text(encoding="utf-8")) for p in paths]


def man(name):
    return (ROOT / "docs/man" / name).read_text(encoding="utf-8")


def man_options(text):
    """Options that head a paragraph of a page's OPTIONS, as {name: argument}."""
    found, inside = {}, False
    for line in text.splitlines():
        if line.startswith("# "):
            inside = line == "# OPTIONS"
        elif inside and line.startswith("*-"):
            argument = re.sub(r"\*[^*]*\*,? ?", "", line).strip().strip("_")
            for flag in re.findall(r"\*(-[^*]*)\*", line):
                found[flag] = argument
    return found


def help_options(text):
    """Options of a --help text, as {name: argument}."""
    found = {}
    for line in text.splitlines():
        if not re.match(r" {2,6}-", line):
            continue
        head = re.split(r" {2,}", line.strip())[0]
        argument = head.partition("=")[2]
        for flag in head.partition("=")[0].split(", "):
            found[flag] = argument
    return found


def anchors(text):
    """The anchors that GitHub gives to a page's headings."""
    made = set()
    for line in prose(text).splitlines():
        if line.startswith("#"):
            title = re.sub(r"[`*_]", "", line.lstrip("#").strip()).lower()
            made.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return made


def table(text, first):
    """Rows of the table whose first header cell is `first`, cells stripped."""
    rows, inside = [], False
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            if inside and not set(line) <= set("|-: "):
                rows.append(cells)
            elif not inside:
                inside = cells[0] == first
        elif inside:
            break
    return rows


def finish(problems, checked):
    """Prints and gives the exit status. Nothing checked is a failure too."""
    for problem in problems:
        print("FAILED " + problem)
    print(f"{checked} checked, {len(problems)} wrong")
    return 1 if problems or not checked else 0
