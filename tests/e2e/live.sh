#!/bin/bash
# A server that scrapes now: --open auto, @FILE, now-D, --wait, validate --live.
. "$(dirname "$0")/lib.sh"
start exporter python3 tests/support/exporter.py
target=${url#http://}
start prometheus python3 tests/support/scrape.py 1s "app=$target"
export PROMETHEUS_URL=$url

cat >"$work/spec.yaml" <<'END'
loadverdict: 1
name: live
source: { url: '${PROMETHEUS_URL}' }
window: { before: 2s, after: 3s }
open: { when: 'errors_total{job="app"}', becomes: 1 }
invariants:
  - { id: errors, count: 'errors_total{job="app"}', at_most: 1 }
END
sed 's/errors_total{job="app"}/errors_total{job="ap"}/' "$work/spec.yaml" >"$work/typo.yaml"

for _ in $(seq 60); do
	n=$(curl -fsS "$PROMETHEUS_URL/api/v1/query" --data-urlencode 'query=count_over_time(up{job="app"}[1m])' |
		jq -r '.data.result[0].value[1] // 0')
	[ "${n:-0}" -lt 4 ] || break
	sleep 0.5
done

lv 0 validate "$work/spec.yaml" --live
lv 3 validate "$work/typo.yaml" --live
cat "$work/out" "$work/err" >"$work/both"
says 'ap' "$work/both"

# a zero that other values of its label may prove is no problem; a literal that was never seen is one
sed 's/count: .errors_total{job="app"}./count: '"'"'answers_total{job="app",code=~"5.."}'"'"'/' "$work/spec.yaml" >"$work/zero.yaml"
lv 0 validate "$work/zero.yaml" --live
says '1 series with other values of code may prove a zero' "$work/out"
sed 's/=~"5.."/="500"/' "$work/zero.yaml" >"$work/literal.yaml"
lv 3 validate "$work/literal.yaml" --live
says '1 of 1 would not be provable now' "$work/out"

# nothing became 1 yet
lv 3 evaluate "$work/spec.yaml" --open auto --db "$db" --format json
json '.verdict == null and .not_judged.exit == 3 and .not_judged.code == "open-not-found"'
runs 0

curl -fsS -o /dev/null "http://$target/fail"
sleep 2.5
lv 2 evaluate "$work/spec.yaml" --open now --db "$db"
lv 0 evaluate "$work/spec.yaml" --open auto --wait --db "$db" --format json
json '.run.open != null and .invariants[0].observed == {"low": 1, "high": 1}'
date -u +%FT%TZ >"$work/opening"
lv 0 evaluate "$work/spec.yaml" --open "@$work/opening" --wait --db "$db" --format json
json '.invariants[0].observed == {"low": 0, "high": 0}'
runs 2
says '[0-9]'
lv 0 evaluate "$work/spec.yaml" --open now-6s --db "$db"
# older than what the server keeps (15 days unless told otherwise): judged, stored, and said
before=$(sqlite3 "$db" 'SELECT count(*) FROM run')
lv 3 evaluate "$work/spec.yaml" --open now-30d --db "$db" --format json
json '.verdict == "INCONCLUSIVE" and any(.reasons[]; .code == "older-than-retention")'
runs $((before + 1))
# within the retention, but nothing was scraped yet: no zero is proven by silence
lv 3 evaluate "$work/spec.yaml" --open now-2h --db "$db" --format json
json '.verdict == "INCONCLUSIVE" and any(.reasons[]; .code == "no-data")'
finish
