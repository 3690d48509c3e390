#!/bin/bash
# Late data from a real target: it is paused over the window's end, so the scrape that closes the
# window is answered seconds later and only then holds the error. Without waiting nothing is
# decided; with waiting the error is counted. Takes half a minute.
. "$(dirname "$0")/lib.sh"
start exporter python3 tests/support/exporter.py
exporter=$child
target=${url#http://}
start prometheus python3 tests/support/scrape.py 5s "app=$target"
export PROMETHEUS_URL=$url

cat >"$work/spec.yaml" <<'END'
loadverdict: 1
name: late
source: { url: '${PROMETHEUS_URL}' }
invariants:
  - { id: i, count: 'errors_total{job="app"}', at_most: 0 }
END

now() { date +%s.%N; }
# sum EXPRESSION
sum() { awk "BEGIN { printf \"%.3f\", $1 }"; }
sleep_until() { sleep "$(awk -v t="$1" -v n="$(now)" 'BEGIN { d = t - n; print (d > 0 ? d : 0) }')"; }
# up: number of scrapes, time of the last
up() {
	curl -fsS "$PROMETHEUS_URL/api/v1/query" --data-urlencode 'query=up{job="app"}[2m]' |
		jq -r '.data.result[0].values // [] | "\(length) \(last | if . then .[0] else 0 end)"'
}

for _ in $(seq 60); do
	read -r scrapes last < <(up)
	[ "${scrapes:-0}" -lt 3 ] || break
	sleep 0.5
done
[ "${scrapes:-0}" -ge 3 ] && pass || fail 'the exporter is not scraped'

# The scrape at `closing` is the first after the window's end; it is 5 to 10 s ahead.
closing=$(sum "$last + 5")
while [ "$(awk -v c="$closing" -v n="$(now)" 'BEGIN { print (c - n < 4) }')" = 1 ]; do
	closing=$(sum "$closing + 5")
done
end=$(sum "$closing - 1")
begin=$(sum "$closing - 13")
sleep_until "$(sum "$closing - 2")"
curl -fsS -o /dev/null "http://$target/fail" # inside the window, after its last scrape inside
kill -STOP "$exporter"
(
	sleep_until "$(sum "$closing + 4")"
	kill -CONT "$exporter"
) &
children+=("$!")
sleep_until "$(sum "$closing + 0.2")"

lv 3 evaluate "$work/spec.yaml" --start "$begin" --end "$end" --settle 0 --db "$work/a.db" --format json
json '.invariants[0].verdict == "UNPROVEN"'
json '[.reasons[].code, .invariants[0].notes[].code] | index("target-lagging") != null'
kill -0 "$exporter" && pass || fail 'the exporter is gone'

lv 4 evaluate "$work/spec.yaml" --start "$begin" --end "$end" --settle 30s --db "$db" --format json
json '.invariants[0] | .verdict == "VIOLATED" and .observed == {"low": 1, "high": 1}'
says 'late|wait'
runs 1
finish
