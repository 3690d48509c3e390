"""Ratios, histograms, denominators, too few events: counting.md rules 12 to 14, 16, 19 to 21, 23, 24."""

from .lib import Case, both, invariant, note, one_stage, ramp, span, stage, steps


def ratio(objective, more="", total='reqs_total{@}'):
    return f"""
stages:
  - {{ id: s, objective: {objective}, good: 'reqs_total{{@,code="200"}}', total: '{total}'{more} }}
"""


def histogram(objective, within, more="", selector="req_seconds{@}"):
    return f"""
stages:
  - {{ id: s, objective: {objective}, histogram: '{selector}', within: {within}{more} }}
"""


def served(case, good, bad=0):
    t = case.target().add("reqs_total", ramp(good), code="200")
    return t.add("reqs_total", ramp(bad), code="500")


# -- rule 12: no traffic

c = Case("only-excluded-traffic", "every request was taken out: nothing is left to judge",
         ratio("99%", ", exclude: 'reqs_total{@,code=\"409\"}'"), 3,
         one_stage("INCONCLUSIVE", total=both(0)))
c.target().add("reqs_total", 0, code="200").add("reqs_total", ramp(50), code="409")

c = Case("stage-without-series", "neither good nor total exist: no traffic was seen, or a typo",
         ratio("99%"), 3, one_stage("INCONCLUSIVE"))
c.target().add("other_total", ramp(50))

# -- rule 13: buckets

c = Case("le-mixed-spelling", "three pods spell the bucket 1, 1.0 and 1e+00: one bucket, 2,970 of"
         " 3,000", histogram("99%", "1s"), 0,
         one_stage("PASS", good=both(2970), total=both(3000), ratio=both(0.99)))
for instance, le in (("a:1", "1"), ("b:1", "1.0"), ("c:1", "1e+00")):
    c.target(instance).histogram("req_seconds", {"0.5": 500, le: 990}, 1000)

c = Case("bucket-nowhere", "no bucket at 1 s: between 300 (0.5 s) and 995 (2.5 s) of 1,000",
         histogram("95%", "1s"), 3,
         one_stage("INCONCLUSIVE", good=span(300, 995), total=both(1000)))
c.target().histogram("req_seconds", {"0.5": 300, "2.5": 995}, 1000)

c = Case("bucket-nowhere-but-met", "no bucket at 1 s, but 990 within 0.5 s are enough for 95 %",
         histogram("95%", "1s"), 0, one_stage("PASS", good=span(990, 995), total=both(1000)))
c.target().histogram("req_seconds", {"0.5": 990, "2.5": 995}, 1000)

c = Case("bucket-nowhere-but-missed", "no bucket at 1 s, and even 940 within 2.5 s miss 95 %",
         histogram("95%", "1s"), 1, one_stage("FAIL", good=span(900, 940), total=both(1000)))
c.target().histogram("req_seconds", {"0.5": 900, "2.5": 940}, 1000)

c = Case("within-over-the-top", "asked within 10 s, the last bucket ends at 1 s: between 990 and"
         " 1,000", histogram("99.5%", "10s"), 3,
         one_stage("INCONCLUSIVE", good=span(990, 1000), total=both(1000)))
c.target().histogram("req_seconds", {"0.5": 900, "1": 990}, 1000)

c = Case("within-under-the-lowest", "asked within 10 ms, the first bucket ends at 500 ms: between 0"
         " and 900", histogram("50%", "10ms"), 3, one_stage("INCONCLUSIVE", good=span(0, 900)))
c.target().histogram("req_seconds", {"0.5": 900, "1": 990}, 1000)

c = Case("within-milliseconds", "within 250ms is le=\"0.25\"", histogram("99%", "250ms"), 1,
         one_stage("FAIL", good=both(980), total=both(1000), within_s=0.25))
c.target().histogram("req_seconds", {"0.25": 980, "0.5": 995}, 1000)

# -- rule 14: buckets that contradict each other

c = Case("buckets-fall", "990 within 0.5 s, but 980 within 1 s: refused", histogram("90%", "1s"), 3,
         one_stage("INCONCLUSIVE", good=span(None, None), notes=note("buckets-fall")))
c.target().histogram("req_seconds", {"0.5": 990, "1": 980}, 1000)

c = Case("buckets-fall-on-one-pod", "one pod's histogram contradicts itself: the sum says nothing",
         histogram("90%", "1s"), 3, one_stage("INCONCLUSIVE"))
c.target().histogram("req_seconds", {"0.5": 900, "1": 990}, 1000)
c.target("b:1").histogram("req_seconds", {"0.5": 990, "1": 980}, 1000)

c = Case("buckets-equal", "a bucket may hold as many as the next and as _count",
         histogram("100%", "1s"), 0, one_stage("PASS", good=both(1000), total=both(1000)))
c.target().histogram("req_seconds", {"0.5": 1000, "1": 1000}, 1000)

# -- success, exclude, bands, quantiles

c = Case("histogram-success-exclude", "790 ok (780 in time), 10 failed fast, 100 sold out: 780 of"
         " 800, 100 excluded", histogram("97.5%", "1s", ", success: '{status=~\"2..\"}', exclude:"
                                         " '{status=\"409\"}'"), 0,
         one_stage("PASS", good=both(780), total=both(800), excluded=both(100), ratio=both(0.975)))
t = c.target()
for status, quick, every in (("200", 780, 790), ("409", 100, 100), ("500", 10, 10)):
    t.histogram("req_seconds", {"0.5": quick // 2, "1": quick}, every, status=status)

c = Case("fast-failures-are-bad", "within 1 s they all were, but 30 of 1,000 with an error",
         histogram("99%", "1s", ", success: '{status=~\"2..\"}'"), 1,
         one_stage("FAIL", good=both(970), total=both(1000), ratio=both(0.97)))
t = c.target()
t.histogram("req_seconds", {"1": 970}, 970, status="200")
t.histogram("req_seconds", {"1": 30}, 30, status="500")

c = Case("latency-bands", "900 within 1 s, 990 within 2.5 s, 1,000 in all: 100 over 1 s, 90 of them"
         " up to 2.5 s", histogram("90%", "1s") + """
figures:
  - { id: over, histogram: 'req_seconds{@}', over: 1s }
  - { id: band, histogram: 'req_seconds{@}', over: 1s, up_to: 2.5s }
""", 0, {"verdict": "PASS", "figures": [{"id": "over", "value": both(100)},
                                       {"id": "band", "value": both(90)}]})
c.target().histogram("req_seconds", {"1": 900, "2.5": 990}, 1000)

c = Case("quantile-bounds", "600 up to 0.1 s, 960 up to 0.5 s, 995 up to 1 s: p50, p95, p99 lie in"
         " these buckets", histogram("99%", "1s"), 0,
         one_stage("PASS", p50_s=span(0, 0.1), p95_s=span(0.1, 0.5), p99_s=span(0.5, 1)))
c.target().histogram("req_seconds", {"0.1": 600, "0.5": 960, "1": 995}, 1000)

c = Case("quantile-in-the-top-bucket", "980 of 1,000 up to 1 s: p99 is above 1 s, how far nobody"
         " knows", histogram("95%", "1s"), 0,
         one_stage("PASS", p50_s=span(0, 1), p99_s=span(1, None)))
c.target().histogram("req_seconds", {"1": 980}, 1000)

PERCENTILES = """
stages:
  - id: s
    objective: 99%
    good: 'orders_total{@,ok="true"}'
    total: 'orders_total{@}'
    histogram: 'order_seconds{@}'
    percentiles: { p95: 500ms, p99: 1s }
"""
for name, why, quick, exit_code, answer in (
        ("percentiles-met", "96 % within 500 ms and 99.2 % within 1 s: both met", 992, 0,
         one_stage("PASS", percentiles=[
             {"p": 95, "within_s": 0.5, "share": both(0.96), "verdict": "PASS"},
             {"p": 99, "within_s": 1, "share": both(0.992), "verdict": "PASS"}])),
        ("percentile-missed", "98.5 % within 1 s misses p99 and so the stage, whose own objective is"
         " met", 985, 1,
         one_stage("FAIL", good=both(995), total=both(1000), percentiles=[
             {"p": 95, "verdict": "PASS"},
             {"p": 99, "share": both(0.985), "verdict": "FAIL"}]))):
    c = Case(name, why, PERCENTILES, exit_code, answer)
    t = c.target().histogram("order_seconds", {"0.5": 960, "1": quick}, 1000)
    t.add("orders_total", ramp(995), ok="true").add("orders_total", ramp(5), ok="false")

# -- rule 19: sets

c = Case("good-over-total", "1,010 good of 1,000: they do not nest",
         ratio("99%", total="all_total{@}"), 3,
         one_stage("INCONCLUSIVE", good=span(None, None), notes=note("good-over-total")))
c.target().add("reqs_total", ramp(1010), code="200").add("all_total", ramp(1000))

c = Case("bad-and-total", "1,000 in all, 10 bad: 990 good", """
stages:
  - { id: s, objective: 99%, bad: 'reqs_total{@,code=~"5.."}', total: 'reqs_total{@}' }
""", 0, one_stage("PASS", good=both(990), total=both(1000)))
served(c, 990, 10)

c = Case("good-and-bad", "990 good and 10 bad: 1,000 in all", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', bad: 'reqs_total{@,code="500"}' }
""", 0, one_stage("PASS", good=both(990), total=both(1000)))
served(c, 990, 10)

c = Case("bad-unproven", "bad matches nothing by a typo (cod): all good is not shown", """
stages:
  - { id: s, objective: 99%, bad: 'reqs_total{@,cod=~"5.."}', total: 'reqs_total{@}' }
""", 3, one_stage("INCONCLUSIVE"))
served(c, 1000)

c = Case("bad-proven-zero", "bad matches nothing, and its family proves it: 1,000 of 1,000", """
stages:
  - { id: s, objective: 99%, bad: 'reqs_total{@,code=~"5.."}', total: 'reqs_total{@}' }
""", 0, one_stage("PASS", good=both(1000), total=both(1000)))
c.target().add("reqs_total", ramp(1000), code="200")

c = Case("exclude-out-of-good", "health checks (100, all good) leave good and total: 800 of 808",
         ratio("99%", ", exclude: 'reqs_total{@,path=\"/health\"}'"), 0,
         one_stage("PASS", good=both(800), total=both(808), excluded=both(100)))
t = c.target().add("reqs_total", ramp(800), path="/", code="200")
t.add("reqs_total", ramp(8), path="/", code="500").add("reqs_total", ramp(100), path="/health", code="200")

c = Case("exclude-does-not-hide", "without the 100 health checks it is 800 of 812: missed",
         ratio("99%", ", exclude: 'reqs_total{@,path=\"/health\"}'"), 1,
         one_stage("FAIL", good=both(800), total=both(812)))
t = c.target().add("reqs_total", ramp(800), path="/", code="200")
t.add("reqs_total", ramp(12), path="/", code="500").add("reqs_total", ramp(100), path="/health", code="200")

c = Case("difference-of-sets", "a pod found late: good [1,000, 6,000], but bad is exactly 10:"
         " 1,000 / 1,010 at worst is over 99 %", ratio("99%"), 0,
         one_stage("PASS", good=span(1000, 6000), total=span(1010, 6010)))
c.target().add("reqs_total", ramp(400), code="200").add("reqs_total", ramp(10), code="500")
c.target("b:1", first=200, start=-3600) \
    .add("reqs_total", ramp(600, 200, 350, base=5000), code="200")

c = Case("good-unknown-birth", "the pod found late brought 50 errors, old or new: [400 / 450, 1]",
         ratio("99%"), 3, one_stage("INCONCLUSIVE", good=both(400), total=span(400, 450)))
c.target().add("reqs_total", ramp(400), code="200")
c.target("b:1", first=200, start=-3600).add("reqs_total", 50, code="500")

# -- rule 20: exact comparison

c = Case("exactly-met", "9,990 of 10,000 is 99.9 %, neither more nor less", ratio("99.9%"), 0,
         one_stage("PASS", good=both(9990), total=both(10000), ratio=both(0.999),
                   confidence="met-not-demonstrated"))
served(c, 9990, 10)

c = Case("decimal-objective", "0.999 is 99.9 %: 9,989 of 10,000 misses it", ratio("0.999"), 1,
         one_stage("FAIL", ratio=both(0.9989)))
served(c, 9989, 11)

for name, bad, exit_code, verdict in (("nine-digits-met", 1, 0, "PASS"),
                                      ("nine-digits-missed", 2, 1, "FAIL")):
    c = Case(name, f"{bad} failed of 1,000,000,000 at 99.9999999 %", ratio("99.9999999%"), exit_code,
             one_stage(verdict, total=both(1000000000)))
    served(c, 1000000000 - bad, bad)

c = Case("thirds", "2 of 3 is over 66.6666666666 % and under 66.6666666667 %", """
stages:
  - { id: under, objective: 66.6666666666%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
  - { id: over, objective: 66.6666666667%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}' }
""", 1, {"verdict": "FAIL", "stages": [
    stage("PASS", "under", ratio=span(0.666666666666, 0.666666666667)), stage("FAIL", "over")]})
served(c, 2, 1)

# -- rule 21: how sure

for name, why, good, bad, exit_code, verdict, confidence in (
        ("demonstrated", "0 of 2,995 failed: 0.999^2995 < 5 %", 2995, 0, 0, "PASS", "demonstrated"),
        ("not-demonstrated", "0 of 2,994 failed: 0.999^2994 > 5 %", 2994, 0, 0, "PASS",
         "met-not-demonstrated"),
        ("missed-not-clearly", "12 of 10,000 failed where 10 may: chance gives that three times in"
         " ten", 9988, 12, 1, "FAIL", "missed-not-clearly"),
        ("clearly-missed", "30 of 10,000 failed where 10 may", 9970, 30, 1, "FAIL",
         "clearly-missed")):
    c = Case(name, why, ratio("99.9%"), exit_code, one_stage(verdict, confidence=confidence))
    served(c, good, bad)

# -- rule 23: another denominator

SENT = """
stages:
  - { id: s, objective: 99.9%, histogram: 'admission_seconds{@}', within: 1s, total: 'sent_total{@}' }
"""
c = Case("all-arrived", "1,000 sent, 1,000 arrived in time", SENT, 0,
         one_stage("PASS", good=both(1000), total=both(1000)))
c.target("q:1", "queue").add("sent_total", ramp(1000, 20, 290))
c.target("b:1", "booking").histogram("admission_seconds", {"1": 1000}, 1000, 20, 290)

c = Case("arrived-late", "1,000 sent, 1,000 arrived, 5 of them after more than 1 s", SENT, 1,
         one_stage("FAIL", good=both(995), total=both(1000), ratio=both(0.995)))
c.target("q:1", "queue").add("sent_total", ramp(1000, 20, 290))
c.target("b:1", "booking").histogram("admission_seconds", {"1": 995}, 1000, 20, 290)

c = Case("early-ones-fill-the-hole", "10 sent before the start arrive by 5; of the 1,000 sent inside"
         " 990 arrive: good [990, 1,000]", SENT, 3,
         one_stage("INCONCLUSIVE", good=span(990, 1000), total=both(1000)))
c.target("q:1", "queue").add("sent_total", lambda t: 10 + ramp(1000, 20, 320)(t) if t >= -10 else 0)
b = c.target("b:1", "booking")
for suffix, le in (("bucket", {"le": "1"}), ("bucket", {"le": "+Inf"}), ("count", {})):
    b.add(f"admission_seconds_{suffix}",
          lambda t: 10 + ramp(990, 20, 335)(t) if t >= 5 else 0, **le)

c = Case("early-ones-and-all-arrived", "10 sent before the start arrive by 5, all 1,000 sent inside"
         " arrive: no more than were sent can be good", SENT, 0,
         one_stage("PASS", good=both(1000), total=both(1000)))
c.target("q:1", "queue").add("sent_total", lambda t: 10 + ramp(1000, 20, 320)(t) if t >= -10 else 0)
b = c.target("b:1", "booking")
for suffix, le in (("bucket", {"le": "1"}), ("bucket", {"le": "+Inf"}), ("count", {})):
    b.add(f"admission_seconds_{suffix}",
          lambda t: 10 + ramp(1000, 20, 335)(t) if t >= 5 else 0, **le)

c = Case("last-ones-arrive-after-the-end", "the last 10 sent are seen to arrive between 350 and 365:"
         " good [990, 1,000]", SENT, 3,
         one_stage("INCONCLUSIVE", good=span(990, 1000), total=both(1000)))
c.target("q:1", "queue").add("sent_total", ramp(1000, 20, 350))
b = c.target("b:1", "booking")
for suffix, le in (("bucket", {"le": "1"}), ("bucket", {"le": "+Inf"}), ("count", {})):
    b.add(f"admission_seconds_{suffix}",
          lambda t: 1000 if t >= 365 else ramp(990, 20, 350)(t), **le)

# -- rule 24: too few events

for name, why, at_least, bad, exit_code, answer in (
        ("enough-events", "1,000 events, at least 1,000 wanted", 1000, 0, 0, one_stage("PASS")),
        ("too-few-events", "1,000 events, at least 1,001 wanted: the load or the window is wrong",
         1001, 0, 3, one_stage("INCONCLUSIVE", notes=note("too-few-events"))),
        ("too-few-but-failed", "too few events do not excuse a miss", 2000, 100, 1,
         one_stage("FAIL"))):
    c = Case(name, why, ratio("99%", f", at_least: {at_least}"), exit_code, answer)
    served(c, 1000 - bad, bad)

# -- steps

STEPS = """
stages:
  - id: s
    objective: 98%
    each: {}
    steps:
      - {{ id: hold, histogram: 'hold_seconds{{@}}', within: 1s }}
      - {{ id: pay, good: 'pays_total{{@,ok="true"}}', total: 'pays_total{{@}}' }}
"""
for name, why, each, pay, exit_code, verdict, pay_verdict in (
        ("each-step-met", "hold 99 %, pay 98 %: each meets 98 %", "true", 980, 0, "PASS", "PASS"),
        ("each-step-missed", "hold 99 %, pay 97 %: pay misses 98 %", "true", 970, 1, "FAIL", "FAIL"),
        ("steps-summed-met", "990 + 970 of 2,000 is 98 %", "false", 970, 0, "PASS", None),
        ("steps-summed-missed", "990 + 969 of 2,000 is under 98 %", "false", 969, 1, "FAIL", None)):
    found = [stage("PASS", "hold", good=both(990)), {"id": "pay", "good": both(pay)}]
    if pay_verdict:
        found[1]["verdict"] = pay_verdict
    if each == "false":
        found[0].pop("verdict")
    c = Case(name, why, STEPS.format(each), exit_code, one_stage(verdict, steps=found))
    t = c.target().histogram("hold_seconds", {"1": 990}, 1000)
    t.add("pays_total", ramp(pay), ok="true").add("pays_total", ramp(1000 - pay), ok="false")

c = Case("step-without-traffic", "pay was never asked: each step must be shown to meet it",
         STEPS.format("true"), 3, one_stage("INCONCLUSIVE"))
t = c.target().histogram("hold_seconds", {"1": 990}, 1000)
t.add("pays_total", 0, ok="true")

# -- verdict of the run

c = Case("violated-beats-missed", "a stage missed and an invariant violated: INVALID", ratio("99%") + """
invariants:
  - { id: i, count: 'reqs_total{@,code="500"}', at_most: 0 }
""", 4, {"verdict": "INVALID", "stages": [stage("FAIL")],
         "invariants": [invariant("VIOLATED", both(100))]})
served(c, 900, 100)

c = Case("missed-beats-unproven", "a stage missed, an invariant is not proven: FAIL", ratio("99%") + """
invariants:
  - { id: i, count: 'reqs_total{@,job="ap",code="500"}', at_most: 0 }
""", 1, {"verdict": "FAIL", "stages": [stage("FAIL")], "invariants": [invariant("UNPROVEN")]})
served(c, 900, 100)

for name, why, users, exit_code, answer in (
        ("delivered", "47,500 of 50,000 users is 95 %", 47500, 0, {"verdict": "PASS"}),
        ("delivered-short", "47,499 of 50,000 users is under 95 %: too little load voids a PASS",
         47499, 3, {"verdict": "INCONCLUSIVE", "reasons": note("delivered-short"),
                    "stages": [stage("PASS")]})):
    c = Case(name, why, "load: { unit: users, delivered: { max: 'k6_vus{@}', across: sum } }"
             + ratio("99%"), exit_code, answer, args=("--load", "50000"))
    served(c, 1000)
    c.target("k:1", "k6").add("k6_vus", steps((-310, 0), (65, users), (335, 0)))
