"""Proving a zero: counting.md rules 11 and 25 (witness)."""

from .lib import Case, both, note, ramp, span, steps, zero


def count(selector, more=""):
    return f"""
invariants:
  - {{ id: i, count: '{selector}', at_most: 0{more} }}
"""


def requests(case, job="app", **labels):
    """A target whose requests are all fine."""
    return case.target(job=job).add("reqs_total", ramp(100), **labels)


# -- the dropped matcher must be on an outcome label

c = Case("job-typo", "no target of job ap exists: nobody was watched",
         count('reqs_total{@,job="ap",code=~"5.."}'), 3, zero("UNPROVEN"))
requests(c, code="200")

c = Case("uri-typo", "siblings differ in uri, which says what was asked, not how it ended",
         count('reqs_total{@,uri="/oder",code=~"5.."}'), 3, zero("UNPROVEN"))
requests(c, uri="/order", code="200")

c = Case("uri-right", "the same question without the typo: /order was asked, never with 5xx",
         count('reqs_total{@,uri="/order",code=~"5.."}'), 0, zero("HELD", both(0)))
requests(c, uri="/order", code="200")

c = Case("job-right", "the job's other outcomes prove that it was watched",
         count('reqs_total{@,job="app",code=~"5.."}'), 0, zero("HELD", both(0)))
requests(c, code="200")

c = Case("metric-typo", "no series of this name anywhere",
         count('request_total{@,code=~"5.."}'), 3, zero("UNPROVEN", notes=note("metric-unknown")))
requests(c, code="200")

c = Case("two-typos", "one dropped matcher does not lead to any sibling",
         count('reqs_total{@,uri="/oder",code="503"}', ", absent: true"), 3, zero("UNPROVEN"))
requests(c, uri="/order", code="200")

c = Case("label-on-target", "env is a label of the target too: dropping it proves nothing",
         count('reqs_total{@,env="prod"}'), 3, zero("UNPROVEN"))
c.target(up_labels={"env": "stg"}, labels={"job": "app", "instance": "a:1", "env": "stg"}) \
    .add("reqs_total", ramp(100))

for word, value in (("status", "500"), ("outcome", "SERVER_ERROR"), ("result", "failed"),
                    ("error", "timeout"), ("exception", "IOException"), ("reason", "full")):
    c = Case(f"outcome-{word}", f"{word} says how a request ended; a matcher by pattern needs no more"
             " than a sibling", count(f'reqs_total{{@,{word}=~"{value}|x"}}'), 0,
             zero("HELD", both(0)))
    requests(c, **{word: "200" if word == "status" else "other"})

c = Case("outcome-unknown-label", "kind is no label that is known to say how it ended",
         count('errors_total{@,kind=~"fatal|crash"}'), 3, zero("UNPROVEN"))
c.target().add("errors_total", 4, kind="minor")

c = Case("outcome-named", "the spec says that kind is the outcome",
         count('errors_total{@,kind=~"fatal|crash"}', ", outcome: kind"), 0, zero("HELD", both(0)))
c.target().add("errors_total", 4, kind="minor")

# -- values never seen

c = Case("value-never-seen", "503 was never seen: perhaps it is never written that way",
         count('reqs_total{@,code="503"}'), 3, zero("UNPROVEN", notes=note("value-unknown")))
requests(c, code="200")

c = Case("value-absent", "the spec vouches for the value 503",
         count('reqs_total{@,code="503"}', ", absent: true"), 0, zero("HELD", both(0)))
requests(c, code="200")

c = Case("value-seen-elsewhere", "503 was seen on another path, so it is written that way",
         count('reqs_total{@,path="/a",code="503"}'), 0, zero("HELD", both(0)))
t = requests(c, path="/a", code="200")
t.add("reqs_total", 5, path="/b", code="503")

c = Case("class-as-value", "the codes have three digits; 5XX can match none of them",
         count('reqs_total{@,code="5XX"}', ", absent: true"), 3, zero("UNPROVEN"))
requests(c, code="200")

c = Case("class-as-pattern", "as a pattern 5XX matches no number either",
         count('reqs_total{@,code=~"5XX"}'), 3, zero("UNPROVEN"))
requests(c, code="200")

c = Case("class-as-used", "this exporter writes classes: 5xx next to 2xx; not three digits, so only"
         " the spec can vouch", count('reqs_total{@,code="5xx"}', ", absent: true"), 0,
         zero("HELD", both(0)))
requests(c, code="2xx")

# -- metrics without siblings

c = Case("family-missing", "the metric has no series and nothing stands for it",
         count('dead_letters_total{@}'), 3, zero("UNPROVEN"))
c.target().add("messages_total", ramp(100))

c = Case("family-named", "the exporter's other counter was there all the time",
         count('dead_letters_total{@}', ", family: 'messages_total{@}'"), 0, zero("HELD", both(0)))
c.target().add("messages_total", ramp(100))

c = Case("family-typo", "the family matches nothing either",
         count('dead_letters_total{@}', ", family: 'mesages_total{@}'"), 3, zero("UNPROVEN"))
c.target().add("messages_total", ramp(100))

c = Case("optional-absent", "may be absent, and the report says so",
         count('dead_letters_total{@}', ", optional: true"), 0,
         zero("HELD", notes=note("optional-absent")))
c.target().add("messages_total", ramp(100))

c = Case("optional-present", "optional does not excuse what was seen",
         count('dead_letters_total{@}', ", optional: true"), 4, zero("VIOLATED", both(2)))
c.target().add("dead_letters_total", steps((200, 2)))

# -- everyone who could have counted was watched

c = Case("target-down", "a second target of the job was down all the time",
         count('errors_total{@}'), 3, zero("UNPROVEN"))
c.target().add("errors_total", 0)
c.target("b:1", down=((-400, 400),))

c = Case("other-job-down", "a target of another job was down; the selector is about job app",
         count('errors_total{@,job="app"}'), 0, zero("HELD", both(0)))
c.target().add("errors_total", 0)
c.target("w:1", "web", down=((-400, 400),))

c = Case("never-came-back", "up, then down from 200 to the end of what is known",
         count('errors_total{@}'), 3, zero("UNPROVEN"))
c.target(down=((190, 400),)).add("errors_total", 0)

c = Case("exporter-down", "the exporter answered, but its redis did not: redis_up was 0 from 110 on",
         count('redis_rejected_connections_total{@}'), 3, zero("UNPROVEN"))
c.target().add("redis_rejected_connections_total", 0) \
    .add("redis_up", steps((-310, 1), (110, 0), (155, 1)))

c = Case("exporter-up", "redis_up was 1 all the time",
         count('redis_rejected_connections_total{@}'), 0, zero("HELD", both(0)))
c.target().add("redis_rejected_connections_total", 0).add("redis_up", 1)

# -- sums and odd names

c = Case("list-is-summed", "2 of one and 3 of another: 5", """
invariants:
  - { id: i, count: ['errors_total{@}', 'panics_total{@}'], at_most: 4 }
""", 4, zero("VIOLATED", both(5)))
c.target().add("errors_total", steps((-310, 0), (95, 2))).add("panics_total", steps((200, 3)))

c = Case("list-half-unknown", "the first is a proven zero, the second nobody knows: not proven", """
invariants:
  - { id: i, count: ['errors_total{@}', 'panics_total{@}'], at_most: 0 }
""", 3, zero("UNPROVEN"))
c.target().add("errors_total", 0)

HOSTILE = '/a"b\\c\nd|e`</script><b>${x}{{y}}'
c = Case("hostile-labels-shown", "such a label value in the report: the pod was found late, its errors"
         " are [0, 2]", count('errors_total{@}'), 3, zero("UNPROVEN", span(0, 2)))
c.target().add("errors_total", 0, path="/")
c.target("b:1", first=200, start=-3600).add("errors_total", 2, path=HOSTILE)

c = Case("hostile-labels", "label values may hold quotes, backslashes, newlines, pipes, markup",
         count('errors_total{@}'), 4, zero("VIOLATED", both(2)))
c.target().add("errors_total", steps((-310, 0), (95, 2)), path=HOSTILE,
               code="500")

# -- witness

WITNESS = """
invariants:
  - id: i
    count: 'rejected_total{@,reason="late"}'
    at_most: 0
    witness: 'answers_total{@,code="403"}'
"""
for name, why, gateway, seen, exit_code, answer in (
        ("witness-zero", "a booking pod left, but the gateway, which stayed, answered no 403", {}, 0,
         0, zero("HELD", notes=note("witnessed"))),
        ("witness-counted", "the gateway answered 403 twice: nothing is proven", {}, 2, 3,
         zero("UNPROVEN")),
        ("witness-left-too", "the gateway left as well", {"last": 200}, 0, 3, zero("UNPROVEN"))):
    c = Case(name, why, WITNESS, exit_code, answer)
    for pod in (c.target("a:1", "booking"), c.target("b:1", "booking", last=185)):
        pod.add("rejected_total", 0, reason="late").add("rejected_total", 5, reason="sold-out")
    for instance, options in (("g:1", gateway), ("g:2", {})):
        c.target(instance, "gateway", **options) \
            .add("answers_total", steps((-310, 0), (95, seen)), code="403") \
            .add("answers_total", ramp(100), code="200")

c = Case("witness-does-not-excuse", "a rejection was seen: the witness does not matter", WITNESS, 4,
         zero("VIOLATED", {"low": 1}))
c.target("a:1", "booking").add("rejected_total", steps((-310, 0), (95, 1)), reason="late")
c.target("g:1", "gateway").add("answers_total", 0, code="403")
