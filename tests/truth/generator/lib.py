"""The language of the generated truth cases: targets, their scrapes, what a scrape exposed.

Times are seconds from the window's start; the window is (0, 360], the opening at 60. Scrapes are at
5, 20, ... 350, 365 unless said, so the baseline is at -10 and the last sample inside at 350."""

import json
import math

START = 1780000000
OPEN = START + 60
FIRST, LAST, EVERY = -310, 395, 15

CASES = {}


def at(t):
    """A moment as a sample's value (start times, _created)."""
    return START + t


def ramp(growth, since=5, until=335, base=0):
    """Grows evenly after `since`, is flat from `until` on: nothing happens near the edges."""
    def value(t):
        share = min(max((t - since) / (until - since), 0), 1)
        return base + math.floor(growth * share + 1e-9)
    return value


def per_scrape(growth, base=0, since=FIRST):
    """Grows by the same number at every scrape."""
    return lambda t: base + growth * max(0, math.ceil((t - since) / EVERY))


def steps(*points):
    """Holds each value from its time on; absent before the first and where it is None."""
    def value(t):
        found = None
        for since, v in points:
            if since <= t:
                found = v
        return found
    return value


class Target:
    """One scraped process. `down`: up is 0, nothing else is exposed; `gone`: not scraped at all."""

    def __init__(self, case, job, instance, *, first=FIRST, last=LAST, every=EVERY, start=-86400,
                 up=True, down=(), gone=(), extra=(), up_labels=None, labels=None):
        self.case = case
        self.labels = labels if labels is not None else {"job": job, "instance": instance}
        scrapes = []
        t = first
        while t <= last:
            scrapes.append(t)
            t += every
        scrapes = [t for t in sorted(scrapes + list(extra))
                   if not any(a <= t <= b for a, b in gone)]
        self.good = [t for t in scrapes if not any(a <= t <= b for a, b in down)]
        own = {"job": job, "instance": instance, **(up_labels or {})}
        if up:
            self.case.series("up", own, [(t, int(t in self.good)) for t in scrapes])
        if start is not None:
            moment = start if callable(start) else lambda _t: start
            self.case.series("process_start_time_seconds", own,
                             [(t, at(moment(t))) for t in self.good])

    def add(self, name, value, **labels):
        """Exposes a series at every good scrape; `value` is a number or a function of time."""
        value_at = value if callable(value) else lambda _t: value
        points = [(t, value_at(t)) for t in self.good]
        self.case.series(name, {**self.labels, **labels}, [p for p in points if p[1] is not None])
        return self

    def histogram(self, name, buckets, count, since=5, until=335, **labels):
        for le, growth in {**buckets, "+Inf": count}.items():
            self.add(f"{name}_bucket", ramp(growth, since, until), le=le, **labels)
        return self.add(f"{name}_count", ramp(count, since, until), **labels)


class Case:
    """One case. In `spec` the sign @ stands for this case's matcher, `case="NAME"`."""

    def __init__(self, name, why, spec, exit_code, answer=None, *, args=(), only=None, only_why=""):
        assert name not in CASES, name
        assert "\n" not in why
        CASES[name] = self
        self.name, self.lines = name, []
        body = spec.strip("\n").replace("@", f'case="{name}"')
        self.spec = (f"# {why}\nloadverdict: 1\nname: {name}\n"
                     f"source: {{ url: '${{PROMETHEUS_URL}}' }}\n{body}\n")
        self.expect = {"open": OPEN, "args": list(args), "exit": exit_code}
        if only:
            self.expect.update(servers=[only], why=only_why)
        self.expect["json"] = answer or {}

    def target(self, instance="a:1", job="app", **options):
        return Target(self, job, instance, **options)

    def series(self, name, labels, points):
        shown = ",".join(f'{k}="{escape(v)}"' for k, v in {"case": self.name, **labels}.items())
        for t, v in points:
            self.lines.append(f"{name}{{{shown}}} {v} {START + t:.3f}\n")

    def files(self):
        return {
            "samples.om": "".join(self.lines) + "# EOF\n",
            "spec.yaml": self.spec,
            "expect.json": json.dumps(self.expect, indent=1) + "\n",
        }


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def both(n):
    """An exact count."""
    return {"low": n, "high": n}


def span(low, high):
    return {"low": low, "high": high}


def invariant(verdict, observed=None, name="i", **more):
    found = {"id": name, "verdict": verdict, **more}
    if observed is not None:
        found["observed"] = observed
    return found


def zero(verdict, observed=None, **more):
    """The answer of a case whose one invariant is `i`."""
    run = {"HELD": "PASS", "VIOLATED": "INVALID", "UNPROVEN": "INCONCLUSIVE"}[verdict]
    return {"verdict": run, "invariants": [invariant(verdict, observed, **more)]}


def stage(verdict, name="s", **more):
    return {"id": name, "verdict": verdict, **more}


def one_stage(verdict, **more):
    """The answer of a case whose one stage is `s`."""
    run = "INCONCLUSIVE" if verdict == "INCONCLUSIVE" else verdict
    return {"verdict": run, "stages": [stage(verdict, **more)]}


def note(code):
    return [{"code": code}]
