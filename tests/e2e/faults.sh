#!/bin/bash
# A proxy between loadverdict and a real Prometheus breaks the answers: exit 5, a clear message, and
# no stored run; an answer that is merely empty is evidence of nothing: exit 3, stored.
. "$(dirname "$0")/lib.sh"
server $cases/zero-proven
real=$url
spec=$work/spec.yaml
sed 's/^source:.*/source: { url: "${PROMETHEUS_URL}", timeout: 3s, auth: { bearer: { env: LV_TOKEN } } }/' \
	$cases/zero-proven/spec.yaml >"$spec"
export LV_TOKEN=tok-4711-geheim

lv 0 evaluate "$spec" --open $open --db "$work/good.db" --format json
strip_run "$work/out" >"$work/good.json"

fault() { # MODE CODE
	start "proxy-$1" python3 tests/support/proxy.py "$1" "$real"
	if lv 5 evaluate "$spec" --open $open --db "$db" --url "$url" --format json; then
		json ".verdict == null and .not_judged.exit == 5 and (.not_judged.text | length > 20)"
		json ".not_judged.code == \"$2\""
		lv 5 evaluate "$spec" --open $open --db "$db" --url "$url" --format markdown
		says 'NOT JUDGED' "$work/out"
		says '.{20}'
	fi
	runs 0
	stop "$child"
}

fault 400 refused
fault 401 unauthorized
fault 403 unauthorized
fault 404 refused
fault 422 refused
fault 500 server-failed
fault 503 server-failed
fault 504 server-failed
fault redirect redirected
fault truncated incomplete-answer
fault cut incomplete-answer
fault garbage not-prometheus
fault html not-prometheus
fault warnings incomplete-answer
fault partial incomplete-answer
fault liar not-prometheus
fault error refused
fault hang timed-out

start once python3 tests/support/proxy.py once-503 "$real"
PROMETHEUS_URL=$url lv 0 evaluate "$spec" --open $open --db "$work/once.db" --format json
strip_run "$work/out" | sed "s#$url#$real#" >"$work/once.json"
same "$work/good.json" "$work/once.json"

start empty python3 tests/support/proxy.py empty "$real"
lv 3 evaluate "$spec" --open $open --db "$db" --url "$url" --format json
json '.verdict == "INCONCLUSIVE" and .invariants[0].verdict == "UNPROVEN"'
runs 1

unset LV_TOKEN
lv 2 evaluate "$spec" --open $open --db "$work/none.db" --format json
json '.not_judged.code == "secret-missing"'
says 'LV_TOKEN'

silent_about 'geheim' "$work/everything"
finish
