#!/usr/bin/env python3
"""Compile files in: embed.py NAME OUT.c FILE...

Writes a C file that defines `const struct embedded_file NAME[]` (src/base/embed.h).
"""
import os
import sys


def rows(data):
    for i in range(0, len(data), 16):
        yield "\t" + " ".join("%d," % byte for byte in data[i:i + 16])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    name, out, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    text = ["/* Made by tools/embed.py: do not edit. */", '#include "base/embed.h"', ""]
    table = []
    for i, path in enumerate(files):
        with open(path, "rb") as f:
            data = f.read()
        if b"\0" in data:
            sys.exit("%s: holds a NUL byte" % path)
        text.append("static const unsigned char file_%d[] = {" % i)
        text.extend(rows(data + b"\0"))
        text.append("};")
        table.append('\t{"%s", (const char *)file_%d, sizeof file_%d - 1},'
                     % (os.path.basename(path), i, i))
    text.append("extern const struct embedded_file %s[];" % name)
    text.append("const struct embedded_file %s[] = {" % name)
    text.extend(table)
    text.extend(["\t{0},", "};", ""])
    with open(out, "w", encoding="ascii") as f:
        f.write("\n".join(text))


main()
