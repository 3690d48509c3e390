"""Births, resets, restarts, ends, gaps and odd values: counting.md rules 6 to 10 and 18."""

from .lib import Case, at, both, invariant, note, one_stage, per_scrape, ramp, span, stage, steps, zero

ZERO = """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
"""

# -- rule 6: births

c = Case("one-sample", "a single sample, 3 at 350, absent at the good scrapes around it: 3", ZERO,
         4, zero("VIOLATED", {"low": 3}))
c.target().add("errors_total", steps((350, 3), (365, None)))

c = Case("born-without-start-time", "absent at the good scrape before: counts from 0 also where no"
         " start time is exposed", ZERO, 4, zero("VIOLATED", both(1)))
c.target(start=None).add("errors_total", steps((185, 1)))

c = Case("born-after-gap", "absent at the last good scrape (95), first seen with 7 after the outage:"
         " all 7 are new", ZERO, 4, zero("VIOLATED", both(7)))
c.target(down=((100, 190),)).add("errors_total", steps((200, 7)))

SCALE = """
invariants:
  - { id: all, count: 'jobs_total{@}', at_most: 1240 }
  - { id: less, count: 'jobs_total{@}', at_most: 1239 }
"""
for name, why, start, exit_code, observed, less in (
        ("scale-up", "pod b started at 190, inside: its first value 40 counts in full: 600 + 640",
         190, 4, both(1240), "VIOLATED"),
        ("found-late", "pod b ran before the window and was first scraped at 200: its first value 40"
         " is [0, 40]", -3600, 3, span(1200, 1240), "UNPROVEN"),
        ("found-late-and-young", "pod b started 10 s before the window: some of its first 40 may be from"
         " before", -10, 3, span(1200, 1240), "UNPROVEN"),
        ("found-late-without-start-time", "nothing says when pod b started: its first value 40 is"
         " [0, 40]", None, 3, span(1200, 1240), "UNPROVEN")):
    c = Case(name, why, SCALE, exit_code, {"invariants": [
        invariant("HELD", observed, "all"), invariant(less, observed, "less")]})
    c.target().add("jobs_total", ramp(600))
    c.target("b:1", first=200, start=start).add("jobs_total", ramp(600, 200, 350, base=40))

for name, why, created, exit_code, answer in (
        ("created-inside", "the series' own _created (190) is inside: 3 counts in full", 190, 4,
         zero("VIOLATED", both(3))),
        ("created-just-before", "_created lies 10 s before the window: the first value 3 is [0, 3]", -10,
         3, zero("UNPROVEN", span(0, 3))),
        ("created-before", "_created lies before the window: the first value 3 is [0, 3]", -3600, 3,
         zero("UNPROVEN", span(0, 3)))):
    c = Case(name, why, ZERO, exit_code, answer)
    c.target().add("errors_total", 0)
    c.target("b:1", first=200, start=None).add("errors_total", 3).add("errors_created", at(created))

c = Case("series-reborn", "5 until 80, absent at good scrapes, 2 from 185 on: a birth, 2 are new", """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 1 }
""", 4, zero("VIOLATED", {"low": 2}))
c.target().add("errors_total", steps((-310, 5), (95, None), (185, 2)))

c = Case("series-reborn-higher", "5 until 80, absent at good scrapes, 7 from 185 on: all 7 are new, not"
         " 2", """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 6 }
""", 4, zero("VIOLATED", {"low": 7}))
c.target().add("errors_total", steps((-310, 5), (95, None), (185, 7)))

c = Case("old-series-at-the-start", "there with 7 before the window and never moved: not a birth",
         ZERO, 0, zero("HELD", both(0)))
c.target().add("errors_total", 7)

# -- rules 7 and 8: restarts and ends

c = Case("hidden-restart", "restarted at 90 and counted up to 2 again by 95: the value did not fall,"
         " the start time tells; [0, 2], as a counter may outlive its process, and (80, 90] is unseen",
         ZERO, 3, zero("UNPROVEN", {"low": 0}))
c.target(start=steps((-310, -86400), (95, 90))).add("errors_total", 2)

c = Case("restart-before-the-window", "restarted at -105; (-115, -105] is unseen and outside", ZERO,
         0, zero("HELD", both(0)))
c.target(start=steps((-310, -86400), (-100, -105))) \
    .add("errors_total", steps((-310, 2), (-100, 0)))

c = Case("restart-after-the-window", "restarted at 372; the scrape at 365 had closed the window",
         ZERO, 0, zero("HELD", both(0)))
c.target(start=steps((-310, -86400), (380, 372))).add("errors_total", steps((-310, 2), (380, 0)))

c = Case("restart-at-the-end", "restarted at 358: (350, 358] is inside and unseen", ZERO,
         3, zero("UNPROVEN", span(0, None)))
c.target(start=steps((-310, -86400), (365, 358))).add("errors_total", steps((-310, 2), (365, 0)))

c = Case("fall-without-start-time", "10 falls to 3: a reset, at least 3, and what was lost before it"
         " is unknown", """
invariants:
  - { id: two, count: 'errors_total{@}', at_most: 2 }
  - { id: three, count: 'errors_total{@}', at_most: 3 }
""", 4, {"verdict": "INVALID", "invariants": [
    invariant("VIOLATED", span(3, None), "two"), invariant("UNPROVEN", span(3, None), "three")]})
c.target(start=None).add("errors_total", steps((-310, 10), (200, 3)))

c = Case("restart-in-gap", "the process restarted while it was not scraped: what it counted after 95"
         " is gone", ZERO, 3, zero("UNPROVEN", span(0, None)))
c.target(down=((100, 190),), start=steps((-310, -86400), (200, 150))).add("errors_total", 0)

c = Case("ended-but-violated", "pod b left, so zero could not be proven, but an error was seen: that"
         " is enough", ZERO, 4, zero("VIOLATED", {"low": 1}))
c.target().add("errors_total", steps((-310, 0), (200, 1)))
c.target("b:1", last=185).add("errors_total", 0)

TWO_STAGES = """
stages:
  - { id: wide, objective: 95%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
  - { id: tight, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
"""
c = Case("ended-pod", "240 + 130 good seen; b's last interval holds at most 10, all bad: 370 / 380 ="
         " 97.4 %", TWO_STAGES, 3, {"verdict": "INCONCLUSIVE", "stages": [
             stage("PASS", "wide", good={"low": 370}, total={"low": 370}),
             stage("INCONCLUSIVE", "tight")]})
c.target().add("reqs_total", per_scrape(10), code="200")
c.target("b:1", last=185).add("reqs_total", per_scrape(10), code="200")

c = Case("ended-pod-proportional", "the same, but the spec takes the unseen to be like the seen,"
         " which was all good", "targets: { unseen: proportional }" + TWO_STAGES, 0,
         {"verdict": "PASS", "stages": [
             stage("PASS", "wide"), stage("PASS", "tight", notes=note("unseen-proportional"))]})
c.target().add("reqs_total", per_scrape(10), code="200")
c.target("b:1", last=185).add("reqs_total", per_scrape(10), code="200")

c = Case("ended-with-up-zero", "b was seen down at 200 and 215: unseen from 185 to 230, 3 intervals"
         " of 10: 370 / 400 = 92.5 %", """
stages:
  - { id: wide, objective: 90%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
  - { id: tight, objective: 95%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
invariants:
  - { id: i, count: 'reqs_total{@,code=~"5.."}', at_most: 0 }
""", 3, {"verdict": "INCONCLUSIVE", "stages": [stage("PASS", "wide"),
                                              stage("INCONCLUSIVE", "tight")],
         "invariants": [invariant("UNPROVEN", span(0, None))]})
c.target().add("reqs_total", per_scrape(10), code="200")
c.target("b:1", last=215, down=((190, 230),)).add("reqs_total", per_scrape(10), code="200")

c = Case("ended-pod-missed-anyway", "every tenth of the seen failed; the unseen cannot mend that:"
         " (333 + 10) / (370 + 10) at best", TWO_STAGES, 1,
         {"verdict": "FAIL", "stages": [stage("FAIL", "wide"), stage("FAIL", "tight")]})
for t in (c.target(), c.target("b:1", last=185)):
    t.add("reqs_total", per_scrape(9), code="200").add("reqs_total", per_scrape(1), code="500")

c = Case("restart-in-ratio", "60 until 80, restarted at 90, 5 at 95, +10 a scrape until 350: 235"
         " seen, at most 10 unseen: 235 / 245 = 95.9 %", TWO_STAGES, 3,
         {"verdict": "INCONCLUSIVE", "stages": [
             stage("PASS", "wide", total={"low": 235}), stage("INCONCLUSIVE", "tight")]})
c.target(start=steps((-310, -86400), (95, 90))).add(
    "reqs_total", lambda t: per_scrape(10)(t) if t < 95 else 5 + (t - 95) // 15 * 10, code="200")

# -- rule 9: gaps

c = Case("missing-scrapes", "not scraped between 95 and 200, same process: the counter lost nothing,"
         " the gauge was not seen", """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
  - { id: g, max: 'lag{@}', at_most: 100 }
""", 3, {"verdict": "INCONCLUSIVE", "invariants": [invariant("HELD", both(0)),
                                                  invariant("UNPROVEN", name="g")]})
c.target(gone=((100, 190),)).add("errors_total", 0).add("lag", 10)

c = Case("gauge-violated-beside-gap", "the gauge was over its limit where it was seen: the gap does"
         " not matter", """
invariants:
  - { id: i, max: 'lag{@}', at_most: 100 }
""", 4, zero("VIOLATED", {"low": 101}))
c.target(down=((100, 190),)).add("lag", steps((-310, 10), (245, 101), (260, 10)))

c = Case("gauge-held", "never over 100 at any scrape; said: sampled every 15 s", """
invariants:
  - { id: i, max: 'lag{@}', at_most: 100 }
""", 0, zero("HELD", both(100), notes=note("sampled-every")))
c.target().add("lag", steps((-310, 10), (245, 100), (260, 10)))

c = Case("gap-counts-through", "grew by 40 across an outage of the same process: counted", """
stages:
  - { id: s, objective: 90%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", 0, one_stage("PASS", good=both(1000), total=both(1000)))
c.target(down=((100, 190),)).add("reqs_total", ramp(1000), code="200")

# -- rule 10: values that no counter has

for name, why, value, only in (
        ("counter-negative", "a counter is never negative: refused", -5, None),
        ("counter-infinite", "a counter is never infinite: refused", "+Inf", None),
        ("counter-nan", "not a number and no staleness marker: refused", "NaN", "prometheus")):
    c = Case(name, why, ZERO, 3, zero("UNPROVEN", span(None, None), notes=note("bad-value")),
             only=only, only_why="VictoriaMetrics drops NaN on import" if only else "")
    c.target().add("errors_total", steps((-310, 0), (200, value), (215, 0)))

HUGE = {"only": "prometheus", "only_why": "VictoriaMetrics keeps one decimal exponent per block"}
c = Case("counter-huge", "1e308 is a number: far over the limit", ZERO, 4, zero("VIOLATED"), **HUGE)
c.target().add("errors_total", steps((-310, 0), (200, "1e308")))

c = Case("counter-huge-ratio", "good 1e308, bad 1e308: the sum is over what a double holds; never"
         " PASS", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", [1, 3], **HUGE)
t = c.target()
for code in ("200", "500"):
    t.add("reqs_total", steps((-310, 0), (200, "1e308")), code=code)

c = Case("replica-dip", "a sample 3 s after another, lower by 5 of 10,000: the other replica's, no"
         " reset of 10,000; until it is handled it is refused", """
invariants:
  - { id: i, count: 'jobs_total{@}', at_most: 1000 }
""", [0, 3])
c.target(extra=(203,)).add("jobs_total", lambda t: per_scrape(10, base=10000)(t)
                           if t != 203 else per_scrape(10, base=10000)(200) - 5)

# -- rule 18: copies

c = Case("copies-refused", "two replicas scrape one process: 1,000 requests, not 2,000; refused, as"
         " the spec does not say which to keep", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", 3, one_stage("INCONCLUSIVE"))
for replica in ("r0", "r1"):
    copy = {"job": "app", "instance": "a:1", "prometheus_replica": replica}
    c.target(up_labels={"prometheus_replica": replica}, labels=copy) \
        .add("reqs_total", ramp(1000), code="200")

for name, more, exit_code, answer in (
        ("recorded-refused", "", [2, 3], {}),
        ("recorded-allowed", ", recorded: true", 0, zero("HELD", both(0)))):
    c = Case(name, "a recording rule's samples are not what the process exposed: only if the spec"
             " says so", f"""
invariants:
  - {{ id: i, count: 'app:errors:total{{@}}', at_most: 0{more} }}
""", exit_code, answer)
    c.target().add("app:errors:total", 0)
