#!/usr/bin/env python3
"""Make schema/loadverdict-spec.schema.json, or check it and docs/spec.md against the loader.

  spec-schema.py SPEC_TOOL DOCS SCHEMA            write SCHEMA
  spec-schema.py --check SPEC_TOOL DOCS SCHEMA    compare; exit 1 and say what differs

SPEC_TOOL is the test program that prints the loader's table of keys; the descriptions come from
the tables in DOCS.
"""
import json
import re
import subprocess
import sys
import tempfile
import os

NEEDED, ONE, ANY, BLOCK, LATER, MISPLACED = 1, 2, 4, 8, 16, 32
ID = "^[A-Za-z0-9_.-]{1,100}$"
NAME = "^[A-Za-z_][A-Za-z0-9_]{0,99}$"
KEYS = {"id": ID, "label": NAME, "variable": NAME, "percentile": r"^p[0-9]{1,2}(\.[0-9]+)?$",
        "header": r"^[!#$%&'*+.^_`|~A-Za-z0-9-]{1,100}$"}
DURATION = r"([0-9]+(\.[0-9]+)?(y|w|d|h|m|s|ms))+"
DECIMAL = r"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?"
PATTERNS = {
    "share": r"^([0-9.]+%%|%s(/%s)*)$" % (DECIMAL, DECIMAL),
    "number": r"^%s(/%s)*(%%|[KMGTP]i?B|B)?$" % (DECIMAL, DECIMAL),
    "per_time": r"^%s%%?/[smhd]$" % DECIMAL,
    "duration": "^(%s|0)$" % DURATION,
    "seconds": "^%s$" % DURATION,
    "matchers": r"^\s*\{",
    "url": "^https?://",
    "zone": "^[A-Za-z0-9_+/-]+$",
    "pack": "^(.+#.+|[^/]+/.+)$",
}


def scalar(kind, words):
    variable = {"type": "string", "pattern": r"\$\{"}
    if kind == "format":
        return {"const": 1}
    if kind == "any":
        return {"type": "object"}
    if kind == "word":
        return {"anyOf": [{"enum": words}, variable]}
    if kind == "bool":
        return {"anyOf": [{"type": "boolean"}, variable]}
    if kind == "integer":
        return {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 64}, variable]}
    if kind == "share":
        return {"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                          {"type": "string", "pattern": PATTERNS["share"]}, variable]}
    if kind == "number":
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": PATTERNS["number"]},
                          variable]}
    if kind in KEYS and kind != "percentile":
        return {"anyOf": [{"type": ["string", "integer"], "pattern": KEYS[kind]}, variable]}
    if kind == "pack":
        return {"type": "string", "pattern": PATTERNS[kind]}
    if kind in PATTERNS:
        return {"anyOf": [{"type": "string", "pattern": PATTERNS[kind]}, variable]}
    if kind in ("selector", "histogram", "exclude", "query"):
        return {"type": "string", "minLength": 1}
    if kind in ("open", "path"):
        return {"type": ["string", "number", "boolean"]}
    if kind == "value":
        return {"type": ["string", "number", "boolean"]}
    return {"type": ["string", "number", "boolean"], "minLength": 1}


def shape(t):
    kind = t["kind"]
    if kind == "map":
        own = {"$ref": "#/$defs/" + t["name"]}
    elif kind == "dict":
        own = {"type": "object", "propertyNames": {"pattern": KEYS[t["keys"]]},
               "additionalProperties": shape(t["of"])}
        if t["keys"] == "percentile":
            own["minProperties"] = 1
    elif kind == "list":
        own = {"type": "array", "items": shape(t["of"])}
        if not t["may_be_empty"]:
            own["minItems"] = 1
    elif kind == "word":
        own = scalar(kind, t["words"])
    else:
        own = {"$ref": "#/$defs/value-" + kind}
    return {"anyOf": [own, shape(t["other"])]} if "other" in t else own


def needs(keys):
    out = {}
    needed = [k for k, v in keys.items() if v["flags"] & NEEDED]
    one = [k for k, v in keys.items() if v["flags"] & ONE]
    some = [k for k, v in keys.items() if v["flags"] & ANY]
    if needed:
        out["required"] = needed
    if one:
        out["oneOf"] = [{"required": [k]} for k in one]
    if some:
        out["anyOf"] = [{"required": [k]} for k in some]
    return out


def definition(name, keys, docs):
    usable = {k: v for k, v in keys.items() if not v["flags"] & (LATER | MISPLACED)}
    props = {}
    for key, value in usable.items():
        props[key] = dict({"description": docs[name].get(key, "")}, **shape(value["type"]))
    out = {"type": "object", "additionalProperties": False, "properties": props}
    rules = needs(usable)
    if rules and "use" in usable:  # what is missing may come from the pack
        out["if"] = {"not": {"required": ["use"]}}
        out["then"] = rules
    else:
        out.update(rules)
    return out


def read_docs(path):
    docs, later, names, in_table = {}, set(), None, False
    for line in open(path, encoding="utf-8"):
        mark = re.match(r"<!-- (keys:|later)(.*)-->", line)
        row = re.match(r"\| `([^`]+)` \| (.*) \|$", line)
        if mark:
            names, in_table = mark.group(2).split(), True
            if mark.group(1) == "later":
                names = None
            for name in names or []:
                docs.setdefault(name, {})
        elif in_table and row:
            for name in names or []:
                if row.group(1) in docs[name]:
                    sys.exit("%s: `%s` stands twice for %s" % (path, row.group(1), name))
                docs[name][row.group(1)] = row.group(2).replace("`", "")
            if names is None:
                later.add(row.group(1))
        elif in_table and not line.startswith("|"):
            in_table = False
    return docs, later


def drift(table, docs, later, docs_path):
    """What the docs lack, or have and should not."""
    out = []
    for name in sorted(set(table) | set(docs)):
        keys = table.get(name, {})
        own = {k for k, v in keys.items() if not v["flags"] & (LATER | MISPLACED)}
        told = set(docs.get(name, {}))
        out += ["%s: %s lacks the key `%s`" % (docs_path, name, k) for k in sorted(own - told)]
        out += ["%s: %s has no key `%s` in the loader" % (docs_path, name, k)
                for k in sorted(told - own)]
    refused = {k for keys in table.values() for k, v in keys.items() if v["flags"] & LATER}
    out += ["%s: `%s` differs under \"Not in this build\"" % (docs_path, k)
            for k in sorted(refused ^ later)]
    return out


def examples(tool, docs_path):
    """Loads every yaml block of the docs; the fragments are completed first."""
    text = open(docs_path, encoding="utf-8").read()
    blocks = re.findall(r"```yaml\n(.*?)```", text, re.S)
    stage = "stages: [{ id: s, objective: 99%, good: 'a{b=\"c\"}', total: a }]\n"
    if len(blocks) < 5:
        return ["%s: only %d examples were found" % (docs_path, len(blocks))]
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, block in enumerate(blocks):
            name = os.path.join(folder, "example-%d.yaml" % i)
            if block.startswith("pack:"):
                name = os.path.join(folder, "own.yaml")
            else:
                names.append(name)
                if not block.startswith("loadverdict:"):
                    block = "loadverdict: 1\nname: example\n" + block
                if not re.search("^(stages|invariants):", block, re.M):
                    block += stage
            with open(name, "w", encoding="utf-8") as f:
                f.write(block)
        run = subprocess.run([tool, "load"] + names, stdout=subprocess.PIPE, text=True)
        if run.returncode:
            return ["%s: an example does not load:\n%s" % (docs_path, run.stdout)]
    return []


def main():
    args = sys.argv[1:]
    check = args[:1] == ["--check"]
    tool, docs_path, schema_path = args[1:] if check else args
    table = json.loads(subprocess.run([tool, "table"], stdout=subprocess.PIPE, check=True).stdout)
    docs, later = read_docs(docs_path)
    problems = drift(table, docs, later, docs_path) + examples(tool, docs_path)
    if problems:
        sys.exit("\n".join(problems))
    of_packs = {"pack", "pack_item", "param"}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "loadverdict spec, format 1",
        "$ref": "#/$defs/spec",
        "$defs": {n: definition(n, k, docs) for n, k in table.items() if n not in of_packs},
    }
    for kind in sorted(set(re.findall('"#/\\$defs/value-([a-z_]+)"', json.dumps(schema)))):
        schema["$defs"]["value-" + kind] = scalar(kind, None)
    text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    if not check:
        with open(schema_path, "w", encoding="utf-8") as f:
            f.write(text)
    elif open(schema_path, encoding="utf-8").read() != text:
        sys.exit("%s is not what the loader says: run tools/spec-schema.py" % schema_path)


main()
