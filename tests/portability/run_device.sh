#!/usr/bin/env bash
# Runs the device tests on the OpenCL runtime that the environment selects, and writes a result file.
#
# Usage: run_device.sh [--build DIR] [--results DIR] [--filter OPTION REASON | --jobs N] ID TITLE
#   ID       the result file's name, for example pocl-6.0-cbs; table.sh sorts by it
#   TITLE    the runtime's name in the table, for example "PoCL 6.0, cbs"
#   --build    a build directory with the tests in it; default: build-test
#   --results  the folder for ID.txt; default: DIR/portability
#   --filter   an option of the test program that excludes tests, and the reason for the result file
#   --jobs     runs ctest's tests of the label `device`, N at once, instead of one process with all tests
#
# Needs only the test program and, for ending hanging tests, tests/tilewright_watchdog of the same build. The
# environment chooses the runtime: OCL_ICD_VENDORS, POCL_WORK_GROUP_METHOD, RUSTICL_ENABLE, TILEWRIGHT_DEVICE,
# TILEWRIGHT_TEST_LEVEL, ...
# Example: TILEWRIGHT_DEVICE=NVIDIA tests/portability/run_device.sh --build build nvidia "NVIDIA OpenCL, H200"

set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

usage() {
  sed -n '2,/^$/{s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

build="${here}/../../build-test"
results=""
filter=()
jobs=""
while [[ "${1:-}" == --* ]]; do
  (($# >= 2)) || usage
  case "$1" in
    --build) build="$2" ;;
    --results) results="$2" ;;
    --filter)
      (($# >= 3)) || usage
      filter=("$2" "$3")
      shift
      ;;
    --jobs) jobs="$2" ;;
    *) usage ;;
  esac
  shift 2
done
(($# == 2)) || usage
id="$1"
title="$2"
results="${results:-${build}/portability}"

program="${build}/tests/tilewright_device_tests"
[[ -x "${program}" ]] || {
  echo "error: no test program at ${program}; build the tests first" >&2
  exit 1
}

watchdog=()
[[ ! -x "${build}/tests/tilewright_watchdog" ]] || watchdog=("${build}/tests/tilewright_watchdog")

mkdir -p "${results}"
log="${results}/${id}.log"
echo "Running the device tests on ${title}; the output goes to ${log}"
status=0
seconds=${SECONDS}
if [[ -n "${jobs}" ]]; then
  # ctest begins each line of a test with the test's number.
  ctest --test-dir "${build}" --verbose --parallel "${jobs}" --timeout 86400 --label-regex '^device$' \
    --label-exclude oclgrind --exclude-regex '\.loops$' 2>&1 | sed 's/^[0-9]*: //' >"${log}" || status=$?
else
  TILEWRIGHT_CACHE=off TILEWRIGHT_RECORDS=off \
    "${watchdog[@]}" "${program}" ${filter:+"${filter[0]}"} >"${log}" 2>&1 || status=$?
fi
seconds=$((SECONDS - seconds))
((status == 0)) || grep -v '^\[SubCFG\]' "${log}" | tail -n 100 || true # PoCL's cbs prints this for every kernel

# The result file has one "key: value" pair per line.
{
  echo "title: ${title}"
  sed -n 's/^device: /device: /p' "${log}" | head -n 1
  echo "date: $(date -u +%F)"
  echo "level: ${TILEWRIGHT_TEST_LEVEL:-normal}"
  awk '/^kernels executed: [0-9]+, cases: [0-9]+/ { kernels += $3; cases += $5 }
    END { if (cases > 0) printf "kernels: %d\ncases: %d\n", kernels, cases }' "${log}"
  grep '^skipped: ' "${log}" || true
  ((${#filter[@]} == 0)) || echo "skipped: ${filter[1]}"
  if ((status == 0)); then echo "outcome: passed"; else echo "outcome: FAILED with exit status ${status}"; fi
} >"${results}/${id}.txt"

ran() { sed -n "s/^$1: //p" "${results}/${id}.txt"; }
echo "${title}: $(ran kernels) kernels, $(ran cases) cases, $(ran outcome), ${seconds} s"
[[ "$(ran kernels)" =~ ^[1-9] ]] || {
  echo "error: no kernel ran on ${title}" >&2
  exit 1
}
exit "${status}"
