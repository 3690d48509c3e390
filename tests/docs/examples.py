#!/usr/bin/env python3
"""Runs what the docs show: specs are validated, marked command lines executed, and the report excerpt
of README is compared with the report that the same figures give on a real Prometheus.

usage: examples.py LOADVERDICT

A mark is a comment on the line before a block:
  <!-- file: NAME -->    the block is a file that commands may use
  <!-- run: EXIT -->     every line is run, in an empty folder with the page's files
  <!-- report: NAME -->  an excerpt of the text report of examples/run's run NAME"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pages

sys.path.insert(0, str(pages.ROOT / "tests/support"))
import servers  # noqa: E402 # the path is set above

OPEN = 1780000000


class Program:
    def __init__(self, binary):
        self.binary = str(Path(binary).resolve())

    def run(self, args, folder, **more):
        keep = {k: v for k, v in os.environ.items()
                if k not in ("LOADVERDICT_DB", "XDG_DATA_HOME", "COLUMNS", "PROMETHEUS_URL")}
        return subprocess.run([self.binary, *args], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              encoding="utf-8", timeout=120, check=False,
                              env={**keep, "HOME": str(folder), "TZ": "UTC", **more})


def specs(program, name, blocks, folder):
    """Every YAML block that is a whole spec loads; returns problems and how many there were."""
    problems, n = [], 0
    for block in blocks:
        if not block.text.startswith("loadverdict: 1"):
            continue
        n += 1
        (folder / "spec.yaml").write_text(block.text, encoding="utf-8")
        done = program.run(["validate", "spec.yaml"], folder)
        if done.returncode:
            problems.append(f"{name}:{block.line}: the spec does not load:\n{done.stdout.rstrip()}")
    return problems, n


def commands(program, name, blocks, folder):
    problems, n = [], 0
    for block in blocks:
        if block.mark and block.mark[0] == "file":
            (folder / block.mark[1]).write_text(block.text, encoding="utf-8")
        if not block.mark or block.mark[0] != "run":
            continue
        for line in block.lines:
            words = shlex.split(line, comments=True)
            if not words:
                continue
            n += 1
            done = program.run(words[1:], folder)
            if words[0] != "loadverdict" or done.returncode != int(block.mark[1]):
                problems.append(f"{name}:{block.line}: '{line}' gave exit {done.returncode}:\n"
                                f"{done.stdout.rstrip()}")
    return problems, n


def fail_samples():
    """What the second run of examples/run leaves in Prometheus: 2,000 good and 4 bad queries."""
    where = 'job="prometheus",instance="127.0.0.1:9090"'
    query = where + ',handler="/api/v1/query"'
    lines = []
    for t in range(OPEN - 30, OPEN + 41):
        good = 500 + 200 * min(10, max(0, t - OPEN))
        bad = 4 if t > OPEN else 0
        values = [(f"up{{{where}}}", 1), (f"prometheus_ready{{{where}}}", 1),
                  (f"process_start_time_seconds{{{where}}}", OPEN - 3600),
                  (f"process_resident_memory_bytes{{{where}}}", 61698048),
                  (f'prometheus_http_requests_total{{{query},code="200"}}', good),
                  (f"prometheus_http_request_duration_seconds_count{{{query}}}", good + bad)]
        values += [(f'prometheus_http_request_duration_seconds_bucket{{{query},le="{le}"}}', good + bad)
                   for le in ("0.1", "0.2", "0.4", "1", "3", "8", "20", "60", "120", "+Inf")]
        if bad:
            values.append((f'prometheus_http_requests_total{{{query},code="400"}}', bad))
        lines += [f"{name} {value} {t}" for name, value in values]
    by_name = sorted(lines, key=lambda line: line.split("{")[0])  # a family's lines stand together
    return "\n".join(by_name) + "\n# EOF\n"


def fail_report(program, folder):
    (folder / "fail.om").write_text(fail_samples(), encoding="utf-8")
    with servers.prometheus([str(folder / "fail.om")], str(folder)) as server:
        done = program.run(["evaluate", str(pages.ROOT / "examples/prometheus-self/spec.yaml"),
                            "--open", str(OPEN), "--before", "10s", "--after", "20s", "--load", "2000",
                            "--name", "example-fail", "--db", "runs.db", "--color", "never", "-q"],
                           folder, PROMETHEUS_URL=server.url)
    if done.returncode != 1:
        return None, [f"the example's figures give exit {done.returncode}, not 1:\n{done.stdout}"]
    return done.stdout, []


def not_in_order(excerpt, report):
    """The first line of the excerpt that the report does not have after the one before; or None."""
    left = iter(report.splitlines())
    for line in excerpt:
        if line.strip() and not any(line == other for other in left):
            return line
    return None


def excerpts(program, name, blocks, folder):
    problems, n = [], 0
    for block in blocks:
        if not block.mark or block.mark[0] != "report":
            continue
        n += 1
        report, wrong = fail_report(program, folder)
        problems += wrong
        lost = None if report is None else not_in_order(block.lines, report)
        if lost:
            problems.append(f"{name}:{block.line}: the report has no line '{lost}' there:\n{report}")
    return problems, n


def self_test(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        bad = pages.blocks("```yaml\nloadverdict: 1\nnam: x\n```\n")
        assert specs(program, "x", bad, folder)[0]
        wrong = pages.blocks("<!-- run: 0 -->\n```sh\nloadverdict validate missing.yaml\n```\n")
        assert wrong[0].mark == ("run", "0") and commands(program, "x", wrong, folder)[0]
    assert not_in_order(["b", "a"], "a\nb\n") == "a" and not_in_order(["a", "", "b"], "a\nx\nb\n") is None


def main(binary):
    program = Program(binary)
    servers.exit_on_signals()
    self_test(program)
    problems, checked = [], 0
    for name, text in pages.markdown() + [("loadverdict-spec.5", pages.man("loadverdict-spec.5.scd"))]:
        for check in (specs, commands, excerpts):
            with tempfile.TemporaryDirectory(prefix="loadverdict-docs-") as folder:
                wrong, n = check(program, name, pages.blocks(text), Path(folder))
            problems += wrong
            checked += n
            if name == "README.md" and not n:
                problems.append(f"README.md has nothing for '{check.__name__}' to check")
    return pages.finish(problems, checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
