#!/usr/bin/env python3
"""reasons-doc.py [--check]: writes docs/reasons.md from the table in src/judge/reason.h and the two
catalogues; with --check only tells whether the file is what would be written.

Also refuses a catalogue whose texts use a parameter that reason.h does not name for the code.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
KINDS = [
    ("DECIDES", "They decide", "They make a FAIL, an INVALID or an UNMET."),
    ("DOUBT", "They leave the verdict open", "They make an INCONCLUSIVE or an UNPROVEN."),
    ("NOTE", "Notes", "They change no verdict."),
    ("ERROR", "Nothing was judged", "The exit code is 2, 5, 6 or 70."),
]


def catalogue(lang):
    texts = {}
    for line in (TOP / "templates" / f"{lang}.catalogue").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            key, text = line.split(" = ", 1)
            texts[key] = text
    return texts


def table():
    source = (TOP / "src/judge/reason.h").read_text("utf-8")
    row = re.compile(r'X\((\w+), "([a-z0-9-]+)", (\w+)\)(?:\s*/\*(.*?)\*/)?')
    for m in row.finditer(source):
        yield m.group(2), m.group(3), m.group(4) or ""


def parameters(text):
    return set(re.findall(r"\{([a-z_]+)(?::.)?\}", text))


def plain(text):
    """parameters without their kinds, and nothing that Markdown would read"""
    text = re.sub(r"\{([a-z_]+)(?::.)?\}", r"{\1}", text)
    return re.sub(r"([\\*_\[\]<>|])", r"\\\1", text)


def document():
    en, ko = catalogue("en"), catalogue("ko")
    rows = list(table())
    out = [
        "# Reason codes",
        "",
        "Made by `tools/reasons-doc.py` from `src/judge/reason.h` and `templates/*.catalogue`; do not edit.",
        "A code is never renamed. `loadverdict explain CODE` prints the same.",
    ]
    for severity, title, what in KINDS:
        out += ["", f"## {title}", "", what]
        for code, own, comment in rows:
            if own != severity:
                continue
            named = set(re.findall(r"[a-z_]+", comment)) | {"subject"}
            for texts in (en, ko):
                for key in (f"reason.{code}", f"remedy.{code}"):
                    unknown = parameters(texts[key]) - named
                    if unknown:
                        sys.exit(f"{key} uses {sorted(unknown)}, which reason.h does not name")
            out += ["", f"### {code}", ""]
            for texts in (en, ko):
                out.append(f"- {plain(texts['reason.' + code])}")
                out.append(f"  - → {plain(texts['remedy.' + code])}")
    return "\n".join(out) + "\n"


def main():
    path = TOP / "docs/reasons.md"
    text = document()
    if sys.argv[1:] == ["--check"]:
        if not path.exists() or path.read_text("utf-8") != text:
            sys.exit("docs/reasons.md is out of date: run tools/reasons-doc.py")
    else:
        path.write_text(text, "utf-8")


main()
