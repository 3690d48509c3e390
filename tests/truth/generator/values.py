"""Gauges, preconditions, members, queries, balances: counting.md rules 22 and 25."""

from .lib import Case, both, invariant, note, ramp, span, stage, steps, zero

BASE = """
stages:
  - { id: base, objective: 99%, good: 'ok_total{@}', total: 'ok_total{@}' }
"""


def base(case):
    """A stage that passes, for cases about figures and preconditions."""
    return case.target("z:1", "base").add("ok_total", ramp(1000))


def figures(**values):
    return [{"id": name.replace("_", "-"), "value": value} for name, value in values.items()]


# -- first and last

c = Case("first-is-carried", "4,000 at -10 is the value at the start, though 5 already says 3,990",
         BASE + """
preconditions:
  - { id: p, first: 'seats{@}', equals: 4000 }
""", 0, {"verdict": "PASS", "preconditions": [invariant("MET", both(4000), "p")]})
base(c).add("seats", steps((-310, 4000), (5, 3990)))

c = Case("first-inside", "the last value before the start is 70 s old (more than two intervals): the"
         " first inside counts, with a note", BASE + """
preconditions:
  - { id: p, first: 'seats{@}', equals: 4000 }
""", 3, {"verdict": "INCONCLUSIVE", "preconditions": [
    invariant("UNMET", both(3999), "p", notes=note("first-inside"))]})
base(c)
c.target(gone=((-65, 30),)).add("seats", steps((-310, 4000), (35, 3999)))

c = Case("first-too-old", "the gauge vanished 100 s before the start and never came back", BASE + """
preconditions:
  - { id: p, first: 'seats{@}', equals: 4000 }
""", 3, {"verdict": "INCONCLUSIVE", "preconditions": [invariant("UNPROVEN", name="p")]})
base(c).add("seats", steps((-310, 4000), (-100, None)))

c = Case("last-at-the-end", "7 at 350 is the value at the end; 9 at 365 came later", BASE + """
figures:
  - { id: last, last: 'backlog{@}' }
""", 0, {"verdict": "PASS", "figures": figures(last=both(7))})
base(c).add("backlog", steps((-310, 1), (350, 7), (365, 9)))

# -- max, min, avg, across

ACROSS = "".join(f"  - {{ id: {kind}-{how}, {kind}: 'depth{{@}}', across: {how} }}\n"
                 for kind in ("max", "first", "last", "min", "avg")
                 for how in ("sum", "max", "min", "avg"))
c = Case("across-each-way", "pods hold 10, 20 and 60 all the time: sum 90, max 60, min 10, avg 30",
         BASE + "figures:\n" + ACROSS, 0, {"verdict": "PASS", "figures": [
             {"id": f"{kind}-{how}", "value": both(n)}
             for kind in ("max", "first", "last", "min", "avg")
             for how, n in (("sum", 90), ("max", 60), ("min", 10), ("avg", 30))]})
base(c)
for n, depth in enumerate((10, 20, 60)):
    c.target(f"q{n}:1", "queue").add("depth", depth)

c = Case("max-carried", "50 at -10 still holds at the start: the maximum is 50, though all samples"
         " inside say 10", """
invariants:
  - { id: i, max: 'depth{@}', at_most: 40 }
""", 4, zero("VIOLATED", both(50)))
c.target().add("depth", steps((-310, 50), (5, 10)))

c = Case("max-after-the-end", "50 first seen at 365 is not inside", """
invariants:
  - { id: i, max: 'depth{@}', at_most: 40 }
""", 0, zero("HELD", both(10)))
c.target().add("depth", steps((-310, 10), (365, 50)))

c = Case("peak-that-never-was", "100 wait at a until 95, at b from 117 on; scraped 7 s apart: never"
         " more than 100 at once", """
invariants:
  - { id: i, max: 'depth{@}', across: sum, at_most: 100 }
""", 0, zero("HELD", both(100)))
c.target("a:1").add("depth", steps((-310, 100), (110, 0)))
c.target("b:1", first=-303).add("depth", steps((-303, 0), (117, 100)))

c = Case("peak-that-was", "both hold 100 from 117 to 200: 200 at once", """
invariants:
  - { id: i, max: 'depth{@}', across: sum, at_most: 150 }
""", 4, zero("VIOLATED", both(200)))
c.target("a:1").add("depth", steps((-310, 100), (200, 0)))
c.target("b:1", first=-303).add("depth", steps((-303, 0), (117, 100)))

c = Case("ended-is-not-carried", "queue x was deleted at 95, queue y holds 100 from 125 on: never"
         " 200", BASE + """
figures:
  - { id: depth, max: 'depth{@}', across: sum }
""", 0, {"verdict": "PASS", "figures": figures(depth={"low": 100})})
base(c).add("depth", steps((-310, 100), (95, None)), queue="x") \
    .add("depth", steps((125, 100)), queue="y")

c = Case("several-figures", "two series and no across: the figure is not known", BASE + """
figures:
  - { id: depth, last: 'depth{@}' }
""", 0, {"verdict": "PASS", "figures": [
    {"id": "depth", "value": span(None, None), "notes": note("several-series")}]})
base(c).add("depth", 1, queue="x").add("depth", 1, queue="y")

c = Case("gauge-unknown", "no series of this gauge: never above 40 is not proven", """
invariants:
  - { id: i, max: 'dept{@}', at_most: 40 }
""", 3, zero("UNPROVEN"))
c.target().add("depth", 10)

c = Case("gauge-at-least", "the pool never held fewer than 5", """
invariants:
  - { id: i, min: 'pool_free{@}', at_least: 5 }
  - { id: k, min: 'pool_free{@}', at_least: 6 }
""", 4, {"invariants": [invariant("HELD", both(5)), invariant("VIOLATED", both(5), "k")]})
c.target().add("pool_free", steps((-310, 9), (200, 5), (215, 9)))

# -- preconditions

c = Case("preconditions-met", "each kind of limit, met: 4,000 = 4,000, 7 <= 7, 7 >= 7, 10.4 within"
         " 0.5 of 10", BASE + """
preconditions:
  - { id: equals, first: 'seats{@}', equals: 4000 }
  - { id: most, first: 'waiting{@}', at_most: 7 }
  - { id: least, first: 'waiting{@}', at_least: 7 }
  - { id: near, first: 'size{@}', equals: 10, within: 0.5 }
""", 0, {"verdict": "PASS", "preconditions": [
    invariant("MET", name=n) for n in ("equals", "most", "least", "near")]})
base(c).add("seats", 4000).add("waiting", 7).add("size", 10.4)

c = Case("preconditions-unmet", "each kind of limit, missed by a little; the stage is shown all the"
         " same", BASE + """
preconditions:
  - { id: most, first: 'waiting{@}', at_most: 6 }
  - { id: least, first: 'waiting{@}', at_least: 8 }
  - { id: near, first: 'size{@}', equals: 10, within: 0.5 }
""", 3, {"verdict": "INCONCLUSIVE", "stages": [stage("PASS", "base")], "preconditions": [
    invariant("UNMET", name=n) for n in ("most", "least", "near")]})
base(c).add("waiting", 7).add("size", 10.6)

# -- per

PER = """
invariants:
  - { id: i, max: 'depth{@}', per: [pod], at_most: 100 }
  - { id: n, count: 'errors_total{@}', per: [pod], at_most: 3 }
"""
for name, why, depth, errors, exit_code, verdicts in (
        ("per-pod-held", "50 and 100, 1 and 3 errors: each pod keeps the limits", 100, 3, 0,
         ("HELD", "HELD")),
        ("per-pod-violated", "pod p1 reached 101 and counted 4: one is enough", 101, 4, 4,
         ("VIOLATED", "VIOLATED"))):
    c = Case(name, why, PER, exit_code, {"invariants": [
        invariant(verdicts[0], both(depth), members=[
            {"labels": {"pod": "p0"}, "observed": both(50), "verdict": "HELD"},
            {"labels": {"pod": "p1"}, "observed": both(depth), "verdict": verdicts[0]}]),
        invariant(verdicts[1], both(errors), "n", members=[
            {"labels": {"pod": "p0"}, "observed": both(1), "verdict": "HELD"},
            {"labels": {"pod": "p1"}, "observed": both(errors), "verdict": verdicts[1]}])]})
    for pod, d, e in (("p0", 50, 1), ("p1", depth, errors)):
        c.target(f"{pod}:1").add("depth", d, pod=pod) \
            .add("errors_total", steps((-310, 0), (200, e)), pod=pod)

# -- query

c = Case("query-value", "asked once at the end, over the window; said: computed by the server", """
invariants:
  - { id: i, query: 'sum(max_over_time(depth{@}[${window}]))', at_most: 30 }
figures:
  - { id: f, query: 'sum(depth{@}) * 2' }
""", 0, {"verdict": "PASS", "invariants": [invariant("HELD", both(30),
                                                    notes=note("computed-by-server"))],
         "figures": figures(f=both(20))})
c.target("a:1").add("depth", steps((-310, 10), (95, 20), (200, 5)))
c.target("b:1").add("depth", steps((-310, 5), (95, 10), (200, 5)))

c = Case("query-empty", "the server answers with nothing: that is no zero", """
invariants:
  - { id: i, query: 'sum(dept{@})', at_most: 30 }
""", 3, zero("UNPROVEN", notes=note("query-empty")))
c.target("a:1").add("depth", 10)

c = Case("query-nan", "0 / 0 is no number, so no proof", """
invariants:
  - { id: i, query: 'sum(depth{@}) / sum(depth{@})', at_most: 30 }
""", 3, zero("UNPROVEN", notes=note("query-empty")))
c.target("a:1").add("depth", 0)

# -- balance

BALANCE = """
invariants:
  - { id: i, balance: { left: ['sold_total{@}'], right: ['paid_total{@}'] }, at_most: 0, integrity: true }
"""
for name, why, paid, exit_code, answer in (
        ("balance-even", "1,000 sold, 1,000 paid, all quiet at both edges", 1000, 0,
         zero("HELD", both(0), integrity=True)),
        ("balance-off-by-one", "1,000 sold, 999 paid", 999, 4, zero("VIOLATED", both(1)))):
    c = Case(name, why, BALANCE, exit_code, answer)
    c.target("s:1", "seats").add("sold_total", ramp(1000, 20, 320))
    c.target("p:1", "pay", first=-303).add("paid_total", ramp(paid, 20, 320))

c = Case("balance-moving", "both grow by 10 a scrape, 230 inside and 250 outside the edges: the"
         " difference is [0, 20]", """
invariants:
  - { id: none, balance: { left: ['sold_total{@}'], right: ['paid_total{@}'] }, at_most: 0 }
  - { id: some, balance: { left: ['sold_total{@}'], right: ['paid_total{@}'] }, at_most: 20 }
""", 3, {"verdict": "INCONCLUSIVE", "invariants": [
    invariant("UNPROVEN", span(0, 20), "none"), invariant("HELD", span(0, 20), "some")]})
c.target("s:1", "seats").add("sold_total", lambda t: (t + 310) // 15 * 10)
c.target("p:1", "pay", first=-303).add("paid_total", lambda t: (t + 303) // 15 * 10)

c = Case("balance-of-lists", "two ways of selling against two ways of paying: 600 + 400 = 700 + 300",
         """
invariants:
  - id: i
    balance: { left: ['web_total{@}', 'app_total{@}'], right: ['card_total{@}', 'cash_total{@}'] }
    at_most: 0
""", 0, zero("HELD", both(0)))
t = c.target()
for name, n in (("web", 600), ("app", 400), ("card", 700), ("cash", 300)):
    t.add(f"{name}_total", ramp(n, 20, 320))

c = Case("balance-side-unknown", "nobody knows what was paid: a typo is no balance", """
invariants:
  - { id: i, balance: { left: ['sold_total{@}'], right: ['payd_total{@}'] }, at_most: 0 }
""", 3, zero("UNPROVEN"))
c.target().add("sold_total", 0).add("paid_total", 0)
