#!/bin/bash
# Wrong usage, wrong spec, windows that cannot be judged, stores that cannot be written: the exit
# code, a message that says what to do, and nothing stored.
. "$(dirname "$0")/lib.sh"
server $cases/zero-proven $cases/missed-by-one $cases/born-at-1 $cases/label-typo
spec=$cases/zero-proven/spec.yaml

# the verdicts
lv 0 evaluate $spec --open $open --db "$db"
says 'PASS' "$work/out"
lv 1 evaluate $cases/missed-by-one/spec.yaml --open $open --db "$db"
says 'FAIL' "$work/out"
says '99\.89' "$work/out"
lv 4 evaluate $cases/born-at-1/spec.yaml --open $open --db "$db"
says 'INVALID' "$work/out"
lv 3 evaluate $cases/label-typo/spec.yaml --open $open --db "$db"
says 'INCONCLUSIVE' "$work/out"
runs 4
rm -f "$db"*

# usage
lv 2 evaluate
lv 2 evaluate $spec
lv 2 no-such-command
lv 2 evaluate $spec --open $open --no-such-option
lv 2 evaluate $spec --open yesterday --db "$db"
says 'yesterday'
lv 2 evaluate $spec --open '2026-05-28 20:26' --db "$db"
says 'zone|--tz'
lv 2 evaluate $spec --open $open --tz Mars/Olympus --db "$db"
says 'Mars/Olympus'
lv 2 evaluate $spec --open "@$work/missing" --db "$db"
lv 2 evaluate $spec --start $open --db "$db"
lv 2 evaluate $spec --start $open --end $((open - 60)) --db "$db"
lv 2 evaluate $spec --open $open --format docx --db "$db"
lv 2 evaluate $spec --open $open --format json --format markdown --db "$db"
says '-o'
lv 2 evaluate $spec --open $open --name 123 --db "$db"
lv 2 evaluate $spec --open $open --name last-one --db "$db"
lv 2 report no-such-run --db "$db"
lv 2 evaluate $spec --open $open --strict --db "$db"
lv 2 explain no-such-code
lv 2 evaluate "$work/missing.yaml" --open $open --db "$db"
says 'missing\.yaml'
runs 0

# times in their other spellings
echo 2026-05-28T20:27:40Z >"$work/opening"
for when in 2026-05-28T20:27:40Z 2026-05-29T05:27:40+09:00 "@$work/opening" 1780000060.0; do
	lv 0 evaluate $spec --open "$when" --db "$work/t.db" --format json
	json '.run.open == "2026-05-28T20:27:40Z"'
done
lv 0 evaluate $spec --open '2026-05-29 05:27:40' --tz Asia/Seoul --db "$work/t.db" --format json
json '.run.open | startswith("2026-05-2")'

# a window that is not over
future=$(($(date +%s) + 3600))
lv 2 evaluate $spec --open $future --db "$db" --format json
json '.verdict == null and .not_judged.exit == 2 and .not_judged.code == "window-not-over"'
says '--wait'
lv 2 evaluate $spec --open now --db "$db"
runs 0

# a wrong spec: all problems at once, each with its place
cat >"$work/wrong.yaml" <<'END'
loadverdict: 1
name: wrong
source: { url: '${PROMETHEUS_URL}' }
stagess: []
stages:
  - { id: a, objective: 99.9, good: 'x_total', total: 'x_total' }
  - { id: b, objective: 99%, goood: 'x_total', total: 'x_total' }
invariants:
  - { id: i, count: 'x_total{code=~"[5"}', at_most: 0 }
END
lv 2 validate "$work/wrong.yaml"
says 'wrong\.yaml:4:1: '
says 'wrong\.yaml:6:[0-9]+: '
says 'wrong\.yaml:7:[0-9]+: '
says 'wrong\.yaml:9:[0-9]+: '
says 'stages'
lv 2 evaluate "$work/wrong.yaml" --open $open --db "$db" --format json
json '.verdict == null and .not_judged.exit == 2'
lv 2 evaluate "$work/wrong.yaml" --open $open --db "$db" --format markdown -o "$work/comment.md"
says 'NOT JUDGED' "$work/comment.md"
runs 0
lv 0 validate $spec
printf 'loadverdict: 1\nname: v\nsource: { url: "${NO_SUCH_VARIABLE}" }\ninvariants: [ { id: i, count: x_total, at_most: 0 } ]\n' >"$work/undefined.yaml"
lv 2 validate "$work/undefined.yaml"
says 'NO_SUCH_VARIABLE'

# unreachable
lv 5 evaluate $spec --open $open --db "$db" --url http://127.0.0.1:1 --format json
json '.verdict == null and .not_judged.exit == 5 and .not_judged.code == "unreachable"'
says '127\.0\.0\.1:1'
lv 5 evaluate $spec --open $open --db "$db" --url http://no-such-host.invalid
lv 2 evaluate $spec --open $open --db "$db" --url ftp://127.0.0.1/
runs 0

# older than anything that is kept
lv 3 evaluate $spec --open 1500000060 --db "$work/old.db" --format json
json '.verdict == "INCONCLUSIVE"'

# stores
lv 0 evaluate $spec --open $open --db "$db" --name kept
runs 1
lv 2 evaluate $cases/missed-by-one/spec.yaml --open $open --db "$db" --name kept
says 'kept'
mkfifo "$work/hold"
sqlite3 "$db" <"$work/hold" >/dev/null 2>&1 &
holder=$!
children+=("$holder")
exec 9>"$work/hold"
echo 'BEGIN EXCLUSIVE;' >&9
sleep 0.5
lv 6 evaluate $cases/missed-by-one/spec.yaml --open $open --db "$db" --format json
json '.verdict == null and .not_judged.exit == 6'
says 'holds|lock|busy'
echo 'ROLLBACK;' >&9
exec 9>&-
wait "$holder" 2>/dev/null
runs 1
lv 6 evaluate $spec --open $open --db "$work/opening/folder/runs.db"
says 'opening/folder'
echo 'this is not a database, not at all, not even a little bit of one' >"$work/text.db"
lv 6 evaluate $spec --open $open --db "$work/text.db"
lv 6 evaluate $spec --open $open --db "$work/x.db" --format markdown -o "$work/no/such/report.md"
says 'no/such'
[ ! -e "$HOME/.local" ] && pass || fail 'a store was made in the home folder without being asked'

# the default store
lv 0 evaluate $spec --open $open
[ -s "$HOME/.local/share/loadverdict/runs.db" ] && pass || fail 'no store at ~/.local/share/loadverdict/runs.db'
LOADVERDICT_DB=$work/env.db lv 0 evaluate $spec --open $open
[ -s "$work/env.db" ] && pass || fail 'LOADVERDICT_DB was not used'
# a wrong option leaves no older PASS in the report
echo PASS >"$work/older.md"
lv 2 evaluate $spec --open $open --db "$db" --format markdown -o "$work/older.md" --opne
says 'NOT JUDGED' "$work/older.md"
silent_about 'PASS' "$work/older.md"
lv 0 evaluate --help
says 'Judge a load run' "$work/out"
finish
