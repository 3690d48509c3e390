#!/usr/bin/env python3
"""Runs the truth cases against a real Prometheus and a real VictoriaMetrics.

A case is a folder with samples.om, spec.yaml and expect.json: `open` (Unix seconds), `args`
(further arguments), `exit` (a number, or a list of allowed ones), `json` (a subset of the JSON
answer: objects by key, lists of objects by `id`, other lists as "holds an element like this";
{"<=": n} and {">=": n} compare), and, where a server cannot store the samples, `servers` with `why`.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import servers  # noqa: E402 # the path is set above

SERVERS = ("prometheus", "victoria")


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        self.samples = folder / "samples.om"
        self.text = self.samples.read_text(encoding="utf-8")
        self.labels = frozenset(re.findall(r'\bcase="([^"]*)"', self.text))
        with open(folder / "expect.json", encoding="utf-8") as f:
            self.expect = json.load(f, parse_float=Decimal)
        unknown = set(self.expect) - {"open", "args", "exit", "json", "servers", "why"}
        if unknown:
            raise ValueError(f"{folder}/expect.json: unknown key {sorted(unknown)[0]!r}")
        exits = self.expect["exit"]
        self.exits = exits if isinstance(exits, list) else [exits]

    def command(self, binary, db):
        return [binary, "evaluate", str(self.folder / "spec.yaml"),
                "--open", str(self.expect["open"]), *map(str, self.expect.get("args", [])),
                "--format", "json", "--db", db]


def find_cases(folders):
    found = []
    for folder in folders:
        folder = Path(folder).resolve()
        if not folder.is_dir():
            raise ValueError(f"{folder}: no such folder of cases")
        here = sorted(path.parent for path in folder.rglob("expect.json"))
        if not here:
            raise ValueError(f"{folder}: holds no case (a folder with expect.json)")
        found += [Case(path) for path in here if path not in {c.folder for c in found}]
    return found


def arrange(cases):
    """Cases whose `case` labels clash, with other samples, must not share a server."""
    sets = []
    for case in cases:
        for group in sets:
            clash = [o for o in group if not case.labels or not o.labels or case.labels & o.labels]
            if all(o.text == case.text for o in clash):
                group.append(case)
                break
        else:
            sets.append([case])
    return sets


def difference(want, have, path="$"):
    """The first place where `have` does not contain `want`, or None."""
    if isinstance(want, dict):
        if want and set(want) <= {"<=", ">="}:
            good = (isinstance(have, (int, Decimal)) and not isinstance(have, bool)
                    and have <= want.get("<=", have) and have >= want.get(">=", have))
            return None if good else f"{path}: wanted {show(want)}, got {show(have)}"
        if not isinstance(have, dict):
            return f"{path}: wanted an object, got {show(have)}"
        for key, value in want.items():
            if key not in have:
                return f"{path}.{key}: wanted {show(value)}, but there is no such key"
            found = difference(value, have[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(want, list):
        return list_difference(want, have, path)
    same = (type(want) is type(have) or not isinstance(want, bool) and not isinstance(have, bool))
    return None if same and want == have else f"{path}: wanted {show(want)}, got {show(have)}"


def list_difference(want, have, path):
    if not isinstance(have, list):
        return f"{path}: wanted a list, got {show(have)}"
    for i, value in enumerate(want):
        if isinstance(value, dict) and "id" in value:
            same = [h for h in have if isinstance(h, dict) and h.get("id") == value["id"]]
            if not same:
                return f"{path}: no element with id {show(value['id'])}"
            found = difference(value, same[0], f"{path}[{value['id']}]")
            if found:
                return found
        elif all(difference(value, h) for h in have):
            return f"{path}[{i}]: nothing like {show(value)} in {show(have)}"
    return None


def show(value):
    return json.dumps(value, ensure_ascii=False, default=float)


def run_case(case, binary, url, db):
    """None if right, else what is wrong."""
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("LOADVERDICT_DB", "PROMETHEUS_URL")}
    environment.update(PROMETHEUS_URL=url, LC_ALL="C", TZ="UTC")
    try:
        done = subprocess.run(case.command(binary, db), stdin=subprocess.DEVNULL, timeout=120,
                              capture_output=True, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "no answer after 120 s"
    except OSError as e:
        return f"cannot run {binary}: {e.strerror}"
    wrong = []
    if done.returncode not in case.exits:
        wanted = " or ".join(map(str, case.exits))
        wrong.append(f"exit code: wanted {wanted}, got {done.returncode}")
    try:
        answer = json.loads(done.stdout, parse_float=Decimal)
        found = difference(case.expect.get("json", {}), answer)
        if found:
            wrong.append(found)
        if wrong:
            wrong.append("reasons: " + show([r.get("code") for r in answer.get("reasons") or []]))
    except ValueError as e:
        wrong.append(f"stdout is no JSON ({e}): {done.stdout[:200]!r}")
    if wrong and done.stderr.strip():
        tail = done.stderr.decode(errors="replace").strip().splitlines()[-4:]
        wrong.append("stderr: " + "\n    ".join(tail))
    return "\n  ".join(wrong) or None


def run_all(sets, binary, names, verbose, stop_early):
    passed = failed = 0
    for group in sets:
        with contextlib.ExitStack() as stack:
            work = stack.enter_context(tempfile.TemporaryDirectory(prefix="loadverdict-truth-"))
            files = list({c.text: str(c.samples) for c in group}.values())
            for name in names:
                if failed and stop_early:
                    break
                server = (servers.prometheus(files, work) if name == "prometheus"
                          else servers.Victoria(files, work))
                with server:
                    good, bad = run_against(group, binary, name, server.url, verbose, stop_early)
                passed, failed = passed + good, failed + bad
    return passed, failed


def run_against(cases, binary, name, url, verbose, stop_early):
    """All cases against a server that is up already and holds their samples."""
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="loadverdict-truth-") as work, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {pool.submit(run_case, case, binary, url, os.path.join(work, f"{i}.db")): case
                for i, case in enumerate(cases) if name in case.expect.get("servers", SERVERS)}
        for job, case in jobs.items():
            if failed and stop_early:
                job.cancel()
                continue
            good = report(job.result(), name, case, binary, verbose)
            passed, failed = passed + good, failed + (not good)
    return passed, failed


def report(wrong, name, case, binary, verbose):
    if wrong is None:
        if verbose:
            print(f"ok      {name:10} {case.name}")
        return True
    again = shlex.join(case.command(binary, "/tmp/truth.db"))
    print(f"FAILED  {name:10} {case.name}\n  {wrong}\n"
          f"  again: tests/truth/run.py --serve {name} {shlex.quote(str(case.folder))}"
          f"  # prints URL; then\n         PROMETHEUS_URL=URL {again}", flush=True)
    return False


def serve(cases, name):
    """For people: keeps one server with these cases up until Ctrl-C."""
    with tempfile.TemporaryDirectory(prefix="loadverdict-serve-") as work:
        files = [str(c.samples) for c in cases]
        with servers.prometheus(files, work) if name == "prometheus" \
                else servers.Victoria(files, work) as server:
            print(server.url, flush=True)
            server.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", nargs="*", help="cases, or folders of cases (default: all here)")
    parser.add_argument("--cases", action="append", default=[], metavar="DIR",
                        help="further folders of cases beside the project's own")
    parser.add_argument("--server", choices=SERVERS, help="only this server")
    parser.add_argument("--serve", choices=SERVERS, help="only start the server with the cases")
    parser.add_argument("--against", metavar="URL", help="a server that --serve started")
    parser.add_argument("-x", action="store_true", help="stop at the first failure")
    parser.add_argument("-v", action="store_true", help="name the passed cases too")
    options = parser.parse_args()
    servers.exit_on_signals()
    binary = os.environ.get("LOADVERDICT", str(ROOT / "build/src/cli/loadverdict"))
    try:
        cases = find_cases((options.folder or [HERE]) + options.cases)
        if options.serve:
            serve(cases, options.serve)
            return 0
        names = (options.server,) if options.server else SERVERS
        if options.against:
            passed, failed = run_against(cases, binary, names[0], options.against, options.v,
                                         options.x)
        else:
            passed, failed = run_all(arrange(cases), binary, names, options.v, options.x)
    except (RuntimeError, OSError, ValueError, KeyError) as e:
        print(f"tests/truth/run.py: {e}", file=sys.stderr)
        passed, failed = 0, 1
    except KeyboardInterrupt:
        return 130
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
