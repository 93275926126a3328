#!/usr/bin/env bash
# The toy operation, which one changed line adds to the command, is checked, tuned, recorded and selected like the
# others. Usage: toy_test.sh COMMAND
set -euo pipefail
toy="$1"
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
export TILEWRIGHT_DATA_DIR="${place}/data"
unset TILEWRIGHT_RECORDS

fail() {
  echo "error: $*" >&2
  exit 1
}

# expect PATTERN ARGUMENTS...: runs the command, which must succeed and print a line that matches.
expect() {
  local pattern="$1" output
  shift
  output="$("${toy}" "$@" 2>&1)" || fail "$* failed: ${output}"
  grep --extended-regexp --quiet "${pattern}" <<<"${output}" ||
    fail "$* prints no line with ${pattern}: ${output}"
}

expect '"variant":"in_pieces".*"verified":true' check --op toy --json
expect 'one case .* ok$' check --op toy --case 'variant=in_pieces config=pieces=16 bytes=33'
expect '"variant":"in_pieces".*"verified":true' bench --op toy --shape 4096 --json
expect '"variant":"whole".*"verified":true' ladder --op toy --size 4096 --json
expect '"operation":"toy"' tune --op toy --shape 1000,4096 --budget full --json
expect '"operation":"toy".*"bytes":4096' records list --json
expect '^right: 4096 bytes (whole|in_pieces)' tune --op toy --verify-only
# Another number of bytes gets a choice by these records.
echo 3000 >"${place}/sizes"
expect '"bytes":3000,.*"configuration":"pieces=[0-9]+","reason":"predicted' \
  regret --op toy --shapes "${place}/sizes" --tries 3 --json
# The other operations read the same file of records, and know that the toy's lines are not theirs.
output="$("${toy}" explain --shape 32x32x32 2>&1)" || fail "explain failed: ${output}"
[[ "${output}" != *skipped* ]] || fail "explain skips the toy's records: ${output}"
status=0
"${toy}" tune --op toy --shape 0 --budget 2 >/dev/null 2>&1 || status=$?
((status == 2)) || fail "the status of tuning a toy of no bytes is ${status}"
