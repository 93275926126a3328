#!/usr/bin/env bash
# Tests which programs the watchdog ends. Usage: watchdog_test.sh WATCHDOG
# shellcheck disable=SC2016 # expanded by the inner shell
set -euo pipefail
watchdog="$1"

# expect STATUS TEXT COMMAND...: checks the command's status and a part of its output.
expect() {
  local status=0 output expected="$1" text="$2"
  shift 2
  output="$("$@" 2>&1)" || status=$?
  [[ "${status}" == "${expected}" && "${output}" == *"${text}"* ]] && return
  echo "$*: status ${status}, expected ${expected}; its output should hold '${text}':" >&2
  echo "${output}" >&2
  exit 1
}

expect 0 "hello" "${watchdog}" echo hello
expect 3 "" "${watchdog}" bash -c 'exit 3'
expect 139 "" "${watchdog}" bash -c 'ulimit -c 0; kill -SEGV $$'
expect 125 "No such file" "${watchdog}" /nonexistent/program
expect 125 "usage" "${watchdog}" --idle 3

# A hanging program, waiting or spinning, is ended with all its processes.
expect 124 "no output for" "${watchdog}" --idle 2 bash -c 'setsid sleep 987654 & echo started; wait'
if grep --quiet --null-data --line-regexp 987654 /proc/[0-9]*/cmdline 2>/dev/null; then
  echo "the watchdog did not end every process" >&2
  exit 1
fi
expect 124 "CPU time" "${watchdog}" --idle 60 --busy 1 bash -c 'while :; do :; done'

# A slow program is not ended, neither with occasional output nor with silent CPU time in it or its children.
expect 0 "5" "${watchdog}" --idle 2 bash -c 'for i in 1 2 3 4 5; do sleep 0.8; echo $i; done'
expect 0 "" "${watchdog}" --idle 2 bash -c 'end=$((SECONDS + 3)); while ((SECONDS < end)); do :; done'
expect 0 "" "${watchdog}" --idle 2 bash -c 'bash -c "end=\$((SECONDS + 3)); while ((SECONDS < end)); do :; done" & wait'

# A program that has ended leaves no process to wait for.
expect 0 "done" "${watchdog}" --idle 20 bash -c 'sleep 987654 & echo done'
echo "The watchdog ends what hangs and nothing else."
