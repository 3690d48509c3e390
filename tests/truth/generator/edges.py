"""Windows, targets, lagging and the edges of the window: counting.md rules 1 to 5."""

from .lib import Case, both, invariant, note, one_stage, ramp, span, stage, steps, zero

ZERO = """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
"""

c = Case("right-edge", "a scrape exactly at the end (360) is the last one: 5, and the 4 more seen at"
         " 420 happened after it", """
invariants:
  - { id: i, count: 'jobs_total{@}', at_most: 5 }
stages:
  - { id: s, objective: 50%, good: 'jobs_total{@}', total: 'jobs_total{@}' }
""", 0, {"verdict": "PASS", "invariants": [invariant("HELD", both(5))],
         "stages": [stage("PASS", total=both(5))]})
c.target(first=-300, last=480, every=60).add("jobs_total", steps((-300, 0), (360, 5), (420, 9)))

c = Case("error-at-the-end", "an error between the last scrape inside (350) and the first after the"
         " end (365) counts for an invariant: nothing escapes; a stage ends at 350", """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
stages:
  - { id: s, objective: 99%, good: 'ok_total{@}', total: 'ok_total{@}' }
""", 4, {"verdict": "INVALID", "invariants": [invariant("VIOLATED", both(1))],
         "stages": [stage("PASS", total=both(1000))]})
t = c.target()
t.add("errors_total", steps((-310, 0), (365, 1)))
t.add("ok_total", lambda t: ramp(1000)(t) + (7 if t >= 365 else 0))

c = Case("error-after-the-end", "grew between 365 and 380 only: the window is over by then", ZERO,
         0, zero("HELD", both(0)))
c.target().add("errors_total", steps((-310, 0), (380, 1)))

c = Case("error-at-the-start", "grew between the baseline (-10) and 5: when is unknown, it counts as"
         " inside, with a note", ZERO, 4, zero("VIOLATED", both(1), notes=note("baseline-growth")))
c.target().add("errors_total", steps((-310, 4), (5, 5)))

c = Case("error-before-the-start", "grew between -25 and -10: before the baseline, so before the"
         " window", ZERO, 0, zero("HELD", both(0)))
c.target().add("errors_total", steps((-310, 4), (-10, 5)))

c = Case("job-lags", "the only target of job slow has nothing after 320 and nobody of its job has:"
         " it lags, and it could have counted", ZERO, 3, zero("UNPROVEN"))
c.target().add("errors_total", 0)
c.target("b:1", "slow", last=320).add("errors_total", 0)

c = Case("job-lags-ratio", "1,000 of 1,000 seen, but the target stopped at 320 without an end", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", 3, one_stage("INCONCLUSIVE"))
c.target(last=320).add("reqs_total", ramp(1000, until=305), code="200")

c = Case("peer-ended", "b has nothing after 185 while a of the same job goes on: b ended inside, its"
         " last seconds are unseen", ZERO, 3, zero("UNPROVEN", span(0, None)))
c.target().add("errors_total", 0)
c.target("b:1", last=185).add("errors_total", 0)

c = Case("ended-before-the-window", "b left at -85 (unseen until -70): before the window, so nobody"
         " is missing", ZERO, 0, zero("HELD", both(0)))
c.target().add("errors_total", 0)
c.target("b:1", last=-85).add("errors_total", 0)

c = Case("lagging-but-seen-after", "b's last scrape at 365 is after the end: whole, whatever came"
         " later", ZERO, 0, zero("HELD", both(0)))
c.target().add("errors_total", 0)
c.target("b:1", "slow", last=365).add("errors_total", 0)

c = Case("data-ended-long-before", "all samples are more than 5 min before the window: nothing is"
         " known about it", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
""", 3, {"verdict": "INCONCLUSIVE", "stages": [stage("INCONCLUSIVE")],
         "invariants": [invariant("UNPROVEN")]})
t = c.target(first=-2995, last=-2000)
t.add("errors_total", 0).add("reqs_total", ramp(500, -2900, -2100), code="200")

c = Case("no-up", "no up, no other proof of life: nobody knows whether it was watched", ZERO,
         3, zero("UNPROVEN"))
c.target(up=False).add("errors_total", 0)

c = Case("alive-instead-of-up", "the spec names a family that is always there where up is not", """
targets: { alive: 'target_info{@}' }
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
""", 0, zero("HELD", both(0)))
c.target(up=False).add("errors_total", 0).add("target_info", 1)

c = Case("identity-pod", "the series carry pod and no instance; identity [job, pod] joins them with"
         " up", """
targets: { identity: [job, pod] }
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
""", 0, zero("HELD", both(0)))
c.target("10.0.0.1:80", up_labels={"pod": "p1"}, labels={"job": "app", "pod": "p1"}) \
    .add("errors_total", 0)

c = Case("identity-unknown", "the series carry no instance: with the default identity they belong to"
         " no target", ZERO, 3, zero("UNPROVEN"))
c.target("10.0.0.1:80", up_labels={"pod": "p1"}, labels={"job": "app", "pod": "p1"}) \
    .add("errors_total", 0)

c = Case("gap-over-the-start", "last sample before the start is at -70, next at 35: the 10 in"
         " between may lie on either side: [890, 900]", """
invariants:
  - { id: under, count: 'jobs_total{@}', at_most: 889 }
  - { id: between, count: 'jobs_total{@}', at_most: 899 }
  - { id: over, count: 'jobs_total{@}', at_most: 900 }
""", 4, {"verdict": "INVALID", "invariants": [
    invariant("VIOLATED", span(890, 900), "under"),
    invariant("UNPROVEN", span(890, 900), "between"),
    invariant("HELD", span(890, 900), "over")]})
c.target(gone=((-60, 30),)).add("jobs_total", lambda t: 100 if t < 0 else ramp(890, 35, base=110)(t))

c = Case("gap-over-the-end", "scraped at 320, then at 380: 50 good and 5 bad may lie on either side;"
         " low = 900 / 905, high = 950 / 950", """
stages:
  - { id: wide, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
  - { id: tight, objective: 99.9%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", 3, {"verdict": "INCONCLUSIVE", "stages": [
    stage("PASS", "wide", good=span(900, 950), total=span(900, 955)),
    stage("INCONCLUSIVE", "tight")]})
t = c.target(gone=((330, 370),))
t.add("reqs_total", lambda t: 950 if t >= 380 else ramp(900, until=305)(t), code="200")
t.add("reqs_total", steps((-310, 0), (380, 5)), code="500")

GAP_AT_END = """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
"""
for name, how, hole in (("gap-hides-errors", "not scraped", {"gone": ((100, 370),)}),
                        ("down-hides-errors", "up = 0", {"down": ((100, 370),)})):
    c = Case(name, f"{how} from 95 to 380, where 1,495 errors are first seen: perhaps inside,"
             " perhaps after the end; never PASS", GAP_AT_END, [1, 3])
    t = c.target(**hole)
    t.add("reqs_total", lambda t: 8505 if t >= 380 else ramp(500, until=95)(t), code="200")
    t.add("reqs_total", steps((380, 1495)), code="500")

c = Case("gap-hides-errors-from-invariant", "the same gap, errors counted alone: seen or unknown,"
         " never HELD", ZERO, [3, 4])
c.target(down=((100, 370),)).add("errors_total", steps((-310, 0), (380, 1495)))

c = Case("warm-up-is-not-judged", "with warmup 1m the window starts at 60: the error of 35 is before"
         " it, the one of 65 inside", """
window: { before: 1m, after: 5m, warmup: 1m }
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0 }
  - { id: late, count: 'late_total{@}', at_most: 1 }
""", 0, {"verdict": "PASS", "invariants": [invariant("HELD", both(0)),
                                          invariant("HELD", both(1), "late")]})
t = c.target()
t.add("errors_total", steps((35, 1))).add("late_total", steps((-310, 0), (65, 1)))

c = Case("scraped-often", "scraped every 2 s: counts do not depend on the interval", ZERO,
         4, zero("VIOLATED", both(2)))
c.target(first=-299, every=2, last=380).add("errors_total", steps((-299, 0), (101, 1), (301, 2)))

c = Case("start-moved-backwards", "a start time that moves back is clock work, no restart", ZERO,
         0, zero("HELD", both(0)))
c.target(start=steps((-310, -86400), (95, -86430))).add("errors_total", 5)
