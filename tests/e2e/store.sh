#!/bin/bash
# What is stored is enough: reevaluate from a bundle, elsewhere, with the server stopped, gives the
# same JSON; revisions, names, notes, export, import, remove.
. "$(dirname "$0")/lib.sh"
names='zero-proven missed-by-one born-at-1 boundary-on-one-pod never-arrived sold-out-excluded
	redeploy-swap scrape-gap start-state-unmet generated/across-each-way generated/query-value
	generated/witness-zero generated/latency-bands generated/percentiles-met generated/hostile-labels
	generated/counter-nan generated/ended-pod generated/balance-moving generated/per-pod-violated'
# shellcheck disable=SC2086 # words on purpose
server $(for name in $names; do echo "$cases/$name"; done)

# judge NAME: exit code into $status, JSON into $work/NAME.json, a bundle into $work/NAME.bundle
judge() {
	timeout 60 "$LV" evaluate "$cases/$1/spec.yaml" --open $open --db "$db" --format json \
		--bundle "$work/$2.bundle" >"$work/$2.json" 2>"$work/err"
	status=$?
}

for name in $names; do
	short=$(basename "$name")
	judge "$name" "$short"
	[ -s "$work/$short.bundle" ] && pass || fail "$name: no bundle: $(tail -n 2 "$work/err")"
	echo "$status" >"$work/$short.exit"
	strip_run "$work/$short.json" >"$work/$short.first"
done
runs 19

stop "$server"
unset PROMETHEUS_URL
mkdir "$work/elsewhere"
for name in $names; do
	short=$(basename "$name")
	cp "$work/$short.bundle" "$work/elsewhere/run.bundle"
	(cd "$work/elsewhere" && lv_here=$LV && timeout 60 "$lv_here" reevaluate run.bundle \
		--db "$work/elsewhere/$short.db" --format json >"$work/out" 2>"$work/err")
	status=$?
	if [ "$status" = "$(cat "$work/$short.exit")" ]; then
		pass
	else
		fail "$name: reevaluate exits $status, evaluate exited $(cat "$work/$short.exit"): $(tail -n 2 "$work/err")"
	fi
	strip_run "$work/out" >"$work/$short.second"
	same "$work/$short.first" "$work/$short.second"
done

# reevaluate in the store: a new revision of the same run
lv 0 reevaluate 1 --db "$db" --format json
json '.run.id == 1 and .run.revision == 2'
runs 19
lv 0 report 1 --db "$db" --format json
json '.run.revision == 2'
lv 0 report 1.1 --db "$db" --format json
json '.run.revision == 1'
strip_run "$work/out" >"$work/report.json"
same "$work/zero-proven.first" "$work/report.json"
lv 0 report last --db "$db" --format json
lv 0 report last~1 --db "$db" --format json
lv 0 report last:spec=missed-by-one --db "$db" --format json
json '.run.spec == "missed-by-one"'
lv 2 report 99 --db "$db"
lv 2 report last:spec=none --db "$db"

# runs
lv 0 runs list --db "$db"
says 'missed-by-one' "$work/out"
lv 0 runs --db "$db"
says 'zero-proven' "$work/out"
lv 0 runs list --db "$db" --format json
json 'type == "object" or type == "array"'
lv 0 runs show 2 --db "$db"
says 'missed-by-one' "$work/out"
lv 0 runs note 2 --db "$db" --symptom 'one request in ten thousand' --cause 'x | y' --action 'none'
lv 0 runs show 2 --db "$db"
says 'one request in ten thousand' "$work/out"

# export, import: idempotent by uid
lv 0 runs export 2 --db "$db" -o "$work/two.bundle"
lv 0 runs import "$work/two.bundle" --db "$work/other.db"
lv 0 runs import "$work/two.bundle" --db "$work/other.db"
[ "$(sqlite3 "$work/other.db" 'SELECT count(*) FROM run')" = 1 ] && pass || fail 'imported twice'
lv 0 runs list --db "$work/other.db"
says 'missed-by-one' "$work/out"
lv 0 runs show last --db "$work/other.db"
says 'one request in ten thousand' "$work/out"
lv 1 reevaluate last --db "$work/other.db" --format json
json '.stages[0].good == {"low": 9989, "high": 9989}'
head -c 4000 "$work/two.bundle" >"$work/half.bundle"
lv 6 runs import "$work/half.bundle" --db "$work/half.db"
echo nonsense >"$work/nonsense.bundle"
lv 6 runs import "$work/nonsense.bundle" --db "$work/half.db"
lv 6 runs import "$work/absent.bundle" --db "$work/half.db"
says 'No such file' "$work/err"

# another spec over the same samples
sed 's/99\.9%/99%/' $cases/missed-by-one/spec.yaml >"$work/mild.yaml"
PROMETHEUS_URL=http://127.0.0.1:1 lv 0 reevaluate last "$work/mild.yaml" --db "$work/other.db" --format json
json '.verdict == "PASS"'

lv 0 runs remove 2 --db "$db"
runs 18
lv 2 runs show 2 --db "$db"
lv 2 runs remove 2 --db "$db"

[ "$(sqlite3 "$db" 'PRAGMA integrity_check')" = ok ] && pass || fail 'the store is not whole'
[ -z "$(sqlite3 "$db" 'PRAGMA foreign_key_check')" ] && pass || fail 'rows point nowhere'
finish
