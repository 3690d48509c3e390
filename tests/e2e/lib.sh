# Sourced by the end-to-end scripts: counting, running the program, servers that are always stopped.
# shellcheck shell=bash disable=SC2034 # url and friends are used by the scripts
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
root=$PWD
exec </dev/null
LV=${LOADVERDICT:-$root/build/src/cli/loadverdict}
case $LV in /*) ;; *) LV=$root/$LV ;; esac
unset LOADVERDICT_DB PROMETHEUS_URL NO_COLOR XDG_DATA_HOME CI
export LC_ALL=C.UTF-8 TZ=UTC

work=$(mktemp -d "${TMPDIR:-/tmp}/loadverdict-e2e.XXXXXX") || exit 1
export HOME=$work/home
mkdir "$HOME"
db=$work/runs.db
passed=0 failed=0
children=()

cleanup() {
	trap - EXIT INT TERM HUP
	local pid
	for pid in "${children[@]}"; do
		kill -CONT "$pid" 2>/dev/null # a stopped process takes no TERM
		kill -TERM "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

pass() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	echo "FAILED $(basename "$0"): $*"
}

# The last line of every script.
finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}

# lv EXIT ARGS...: runs the program; stdout in $work/out, stderr in $work/err
lv() {
	local want=$1 status
	shift
	timeout 150 "$LV" "$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/out" "$work/err" >>"$work/everything"
	if [ "$status" = "$want" ]; then
		pass
		return 0
	fi
	fail "exit $status, not $want: loadverdict $*"
	tail -n 5 "$work/err" | sed 's/^/    /'
	return 1
}

# says PATTERN [FILE]: an extended regular expression that must be there (default: stderr)
says() {
	if grep -Eq -- "$1" "${2:-$work/err}"; then
		pass
	else
		fail "'$1' is not in $(basename "${2:-err}"):"
		head -n 8 "${2:-$work/err}" | sed 's/^/    /'
	fi
}

silent_about() {
	if grep -aEq -- "$1" "${2:-$work/err}"; then
		fail "'$1' is in $(basename "${2:-err}")"
	else
		pass
	fi
}

# json FILTER: a jq filter that must hold for stdout
json() {
	if jq -e "$1" "$work/out" >/dev/null 2>&1; then
		pass
	else
		fail "not true: $1; stdout begins: $(head -c 300 "$work/out")"
	fi
}

# runs N: so many runs are stored in $db
runs() {
	local n=0
	[ ! -s "$db" ] || n=$(sqlite3 "$db" 'SELECT count(*) FROM run' 2>/dev/null || echo 0)
	if [ "$n" = "$1" ]; then pass; else fail "$n runs are stored, not $1"; fi
}

same() {
	if cmp -s "$1" "$2"; then
		pass
	else
		fail "$(basename "$1") and $(basename "$2") differ:"
		diff "$1" "$2" | head -n 8 | sed 's/^/    /'
	fi
}

# start NAME COMMAND...: a process that prints its address; sets $url and $child
start() {
	local name=$1
	shift
	: >"$work/$name.url"
	"$@" >"$work/$name.url" 2>"$work/$name.log" &
	child=$!
	children+=("$child")
	for _ in $(seq 300); do
		url=$(head -n 1 "$work/$name.url")
		[ -z "$url" ] || return 0
		kill -0 "$child" 2>/dev/null || break
		sleep 0.1
	done
	echo "$name did not start:" "$(tail -n 3 "$work/$name.log")"
	fail "$name did not start"
	finish
}

# stop PID
stop() {
	kill -TERM "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# What may differ between two judgements of the same samples: who and when, not what.
strip_run() {
	jq -S 'del(.run.id, .run.revision, .run.uid, .run.name, .run.registered_before_open, .run.judged_at)' "$1"
}

# server CASE...: a Prometheus with these truth cases
server() {
	start prometheus python3 tests/truth/run.py --serve prometheus "$@"
	export PROMETHEUS_URL=$url
	server=$child
}

cases=tests/truth
open=1780000060
