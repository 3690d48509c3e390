"""Ways to a wrong PASS: what a hostile tester tried, counting.md rules 5 to 25."""

from .lib import Case, invariant, one_stage, ramp, span, steps, zero

ZERO5 = """
invariants:
  - { id: i, count: 'reqs_total{@,code=~"5.."}', at_most: 0 }
"""

c = Case("exclude-wider-than-total", "900 of 950 valid; exclude also matches another job's 409s, which"
         " are no part of the total", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,job="app",code="200"}', total: 'reqs_total{@,job="app"}', exclude: 'reqs_total{@,code="409"}' }
""", [1, 3])
c.target().add("reqs_total", ramp(900), code="200").add("reqs_total", ramp(50), code="409") \
    .add("reqs_total", ramp(50), code="500")
c.target("w:1", "web").add("reqs_total", ramp(50), code="409")

c = Case("exclude-counted-elsewhere", "990 good of 1,000; 10 taken out may have been good ones:"
         " 980 / 990 at worst", """
stages:
  - { id: s, objective: 99.5%, good: 'reqs_total{@,code="200"}', total: 'reqs_total{@}', exclude: 'soldout_total{@}' }
""", 3, one_stage("INCONCLUSIVE"))
c.target().add("reqs_total", ramp(990), code="200").add("reqs_total", ramp(10), code="500") \
    .add("soldout_total", ramp(10))

c = Case("exclude-elsewhere-good-and-bad", "990 good, 10 bad; 10 taken out may have been good ones:"
         " 980 / 990 at worst", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,code="200"}', bad: 'reqs_total{@,code="500"}', exclude: 'soldout_total{@}' }
""", 3, one_stage("INCONCLUSIVE"))
c.target().add("reqs_total", ramp(990), code="200").add("reqs_total", ramp(10), code="500") \
    .add("soldout_total", ramp(10))

c = Case("arrivals-excluded", "1,000 sent, 100 of them of a kind that is excluded; 950 arrived: the 50"
         " lost may all be valid", """
stages:
  - { id: s, objective: 99%, histogram: 'arrive_seconds{@}', within: 1s, total: 'sent_total{@}', exclude: 'sent_total{@,kind="test"}' }
""", 3, one_stage("INCONCLUSIVE"))
c.target("a:1", "send").add("sent_total", ramp(900), kind="real").add("sent_total", ramp(100), kind="test")
c.target("b:1", "recv").histogram("arrive_seconds", {"1": 950}, 950)

c = Case("histogram-copies", "the good pod is kept by two replicas, the bad pod by one: 900 of 1,000"
         " would look like 1,400 of 1,500", """
stages:
  - { id: s, objective: 92%, histogram: 'req_seconds{@}', within: 1s }
""", 3, one_stage("INCONCLUSIVE"))
t = c.target()
t.histogram("req_seconds", {"1": 500}, 500, replica="a")
t.histogram("req_seconds", {"1": 500}, 500, replica="b")
c.target("b:1").histogram("req_seconds", {"1": 400}, 500, replica="a")

c = Case("band-without-target", "a latency band as an invariant, and nobody knows whether the process"
         " was watched", """
invariants:
  - { id: i, histogram: 'req_seconds{@}', over: 1s, at_most: 0 }
""", 3, zero("UNPROVEN"))
c.target(up=False).histogram("req_seconds", {"1": 500}, 500)

c = Case("percentile-without-target", "the stage's own counts are watched, the percentile's histogram"
         " is not", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@}', total: 'reqs_total{@}', histogram: 'req_seconds{@}', percentiles: { p95: 1s } }
""", 3, one_stage("INCONCLUSIVE"))
c.target().add("reqs_total", ramp(1000))
c.target("w:1", "web", up=False).histogram("req_seconds", {"1": 500}, 500)

c = Case("witness-of-another-doubt", "the count is unproven because a first value of 5 may have been"
         " counted inside; a witness only excuses the one who left", """
invariants:
  - { id: i, count: 'errors_total{@}', at_most: 0, witness: 'gw_errors_total{@}' }
""", 3, zero("UNPROVEN"))
c.target("a:1").add("errors_total", 0)
c.target("c:1", last=185).add("errors_total", 0)
c.target("b:1", first=95).add("errors_total", 5)
c.target("g:1", "gw").add("gw_errors_total", 0)

c = Case("family-in-another-job", "job app has old 5xx series, job web only 2xx so far: web counts"
         " 5xx too, and it restarted", ZERO5, 3, zero("UNPROVEN", span(0, None)))
c.target().add("reqs_total", 3, code="500").add("reqs_total", ramp(1000), code="200")
c.target("w:1", "web", start=steps((-310, -86400), (200, 195))) \
    .add("reqs_total", ramp(1000), code="200")

c = Case("named-job-is-down", "the selector names jobs app and web; web was down all the time", """
invariants:
  - { id: i, count: 'errors_total{@,job=~"app|web"}', at_most: 0 }
""", 3, zero("UNPROVEN", span(0, None)))
c.target().add("errors_total", 0)
c.target("w:1", "web", down=((-310, 400),))

c = Case("named-job-is-down-ratio", "the selector names jobs app and web; web was down all the time", """
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@,job=~"app|web",code="200"}', total: 'reqs_total{@,job=~"app|web"}' }
""", 3, one_stage("INCONCLUSIVE"))
c.target().add("reqs_total", ramp(1000), code="200")
c.target("w:1", "web", down=((-310, 400),))

c = Case("max-over-gone-pod", "a gauge's pod left at 35", """
invariants:
  - { id: i, max: 'depth{@,job=~"app|web"}', across: max, at_most: 10 }
""", 3, zero("UNPROVEN"))
c.target("a:1").add("depth", 1)
c.target("b:1", "web", down=((-310, 400),))

c = Case("optional-but-restarted", "optional excuses an absent family; this one is there, and its"
         " process restarted", """
invariants:
  - { id: i, count: 'reqs_total{@,code=~"5.."}', at_most: 0, optional: true }
""", 3, zero("UNPROVEN"))
c.target(start=steps((-310, -86400), (200, 195))).add("reqs_total", ramp(1000), code="200")

c = Case("optional-but-down", "optional excuses an absent family; this exporter was down all the time",
         """
invariants:
  - { id: i, count: 'errors_total{@,job="app"}', at_most: 0, optional: true }
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@}', total: 'reqs_total{@}' }
""", 3, {"invariants": [invariant("UNPROVEN")]})
c.target(down=((-310, 400),))
c.target("w:1", "web").add("reqs_total", ramp(1000))

c = Case("gauge-optional-but-down", "optional excuses an absent family; this exporter was down all the time",
         """
invariants:
  - { id: i, max: 'depth{@,job="app"}', at_most: 0, optional: true }
stages:
  - { id: s, objective: 99%, good: 'reqs_total{@}', total: 'reqs_total{@}' }
""", 3, {"invariants": [invariant("UNPROVEN")]})
c.target(down=((-310, 400),))
c.target("w:1", "web").add("reqs_total", ramp(1000))

c = Case("optional-typo", "the family is there, the value of code is a typo",
         """
invariants:
  - { id: i, count: 'reqs_total{@,code="5XX"}', at_most: 0, optional: true }
""", 3, zero("UNPROVEN"))
c.target().add("reqs_total", ramp(1000), code="200")
