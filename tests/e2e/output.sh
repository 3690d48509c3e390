#!/bin/bash
# What people and scripts read: formats, languages, stdout and stderr, explain, plan, secrets.
. "$(dirname "$0")/lib.sh"
server $cases/zero-proven $cases/missed-by-one $cases/generated/hostile-labels \
	$cases/generated/hostile-labels-shown \
	$cases/ambiguous-series $cases/label-typo
spec=$cases/missed-by-one/spec.yaml
korean() { grep -qP '\p{Hangul}' "$1"; }

lv 0 --version
says '^loadverdict [0-9]+\.[0-9]+' "$work/out"
lv 0 --help
says 'evaluate' "$work/out"
lv 0 evaluate --help
says '[-]-open' "$work/out"
lv 2
says 'usage|Usage'

# one format: to stdout; everything else to stderr
lv 1 evaluate $spec --open $open --db "$db" --format line
[ "$(wc -l <"$work/out")" = 1 ] && pass || fail "line is $(wc -l <"$work/out") lines"
says 'FAIL' "$work/out"
lv 1 evaluate $spec --open $open --db "$db" --format json
json '.format == "loadverdict.run/1" and .verdict == "FAIL"'
lv 1 evaluate $spec --open $open --db "$db" -q
[ -s "$work/err" ] && fail "-q still says: $(head -n 1 "$work/err")" || pass
lv 1 evaluate $spec --open $open --db "$db" --format json -o "$work/one.json"
[ ! -s "$work/out" ] && pass || fail 'stdout is not empty with -o'
jq -e '.verdict == "FAIL"' "$work/one.json" >/dev/null && pass || fail 'no JSON in -o FILE'
silent_about $'\x1b' "$work/out"
lv 1 evaluate $spec --open $open --db "$db" --color always
says $'\x1b\\[' "$work/out"
NO_COLOR=1 lv 1 evaluate $spec --open $open --db "$db"
silent_about $'\x1b' "$work/out"

# several formats: a folder
lv 1 evaluate $spec --open $open --db "$db" --format markdown --format json -o "$work/reports"
[ -s "$work/reports/report.md" ] && pass || fail 'no report.md'
jq -e . "$work/reports/report.json" >/dev/null && pass || fail 'no report.json'
head -n 1 "$work/reports/report.md" >"$work/marker"
says '^<!--.*-->$' "$work/marker"
says '99\.89' "$work/reports/report.md"
cmark-gfm -e table "$work/reports/report.md" >"$work/reports/report.html" && pass || fail 'cmark-gfm'
says '<table>' "$work/reports/report.html"

# hostile label values
lv 3 evaluate $cases/generated/hostile-labels-shown/spec.yaml --open $open --db "$db" --format markdown
silent_about '</script>|<b>\$' "$work/out"
says 'script' "$work/out"
cmark-gfm -e table --unsafe "$work/out" >"$work/hostile.html"
silent_about '</script>|<b>\$' "$work/hostile.html"
lv 3 evaluate $cases/generated/hostile-labels-shown/spec.yaml --open $open --db "$db"
silent_about $'\x1b' "$work/out"
lv 4 evaluate $cases/generated/hostile-labels/spec.yaml --open $open --db "$db" --format json
json .

# Korean
lv 1 evaluate $spec --open $open --db "$db" --lang ko
says '실패\(FAIL\)' "$work/out"
silent_about '회차' "$work/out"
lv 1 evaluate $spec --open $open --db "$db" --lang ko --format markdown
says '목표' "$work/out"
lv 1 evaluate $spec --open $open --db "$db" --lang ko --format json
korean "$work/out" && fail 'JSON texts are not English' || pass
lv 3 evaluate $cases/label-typo/spec.yaml --open $open --db "$db" --lang ko
says '판정 불가\(INCONCLUSIVE\)' "$work/out"
lv 0 explain label-unknown --lang ko
korean "$work/out" && pass || fail 'explain --lang ko is not Korean'
silent_about '[{][a-z_]+[}]' "$work/out"

# explain every code that can turn up
lv 0 explain objective-missed
says 'objective' "$work/out"
for code in $(grep -oE '^	X\([A-Z_0-9]+, "[a-z-]+"' src/judge/reason.h | grep -oE '[a-z-]+"$' | tr -d '"'); do
	for lang in en ko; do
		"$LV" explain "$code" --lang $lang >"$work/out" 2>"$work/err" && [ -s "$work/out" ] && continue
		fail "explain $code --lang $lang: $(head -n 1 "$work/err")"
	done
done
pass

# plan
before=$(sqlite3 "$db" 'SELECT count(*) FROM revision')
lv 0 plan $spec --open $open
says 'reqs_total\{' "$work/out"
says 'up' "$work/out"
silent_about 'rate\(|increase\(|query_range' "$work/out"
[ "$(sqlite3 "$db" 'SELECT count(*) FROM revision')" = "$before" ] && pass || fail 'plan stored something'

# no secret in any output, store or bundle
cat >"$work/secret.yaml" <<'END'
loadverdict: 1
name: secret
source:
  url: '${PROMETHEUS_URL}'
  auth: { bearer: { env: LV_TOKEN } }
  headers: { X-Key: { env: LV_KEY } }
invariants:
  - { id: i, count: 'reqs_total{case="zero-proven",code=~"5.."}', at_most: 0 }
END
sed -e 's/PROMETHEUS_URL/SECRET_URL/; /auth:/d' "$work/secret.yaml" >"$work/userinfo.yaml"
export LV_TOKEN=tok-geheim-1 LV_KEY=key-geheim-2 SECRET_URL="http://user:pw-geheim-3@${url#http://}"
for which in secret userinfo; do
	lv 0 evaluate "$work/$which.yaml" --open $open --db "$work/s.db" --bundle "$work/s.bundle" -v --format json
	lv 0 evaluate "$work/$which.yaml" --open $open --db "$work/s.db" -v --format markdown --lang ko
	lv 0 plan "$work/$which.yaml" --open $open
	lv 0 runs show last --db "$work/s.db"
done
SECRET_URL=http://user:pw-geheim-3@127.0.0.1:1 lv 5 evaluate "$work/userinfo.yaml" --open $open --db "$work/s.db" -v
start proxy python3 tests/support/proxy.py 401 "$PROMETHEUS_URL"
lv 5 evaluate "$work/secret.yaml" --open $open --db "$work/s.db" -v --url "$url"
for file in "$work/everything" "$work/s.db" "$work/s.bundle"; do
	silent_about 'geheim' "$file"
done
sqlite3 "$work/s.db" .dump >"$work/s.dump"
silent_about 'geheim' "$work/s.dump"
finish
