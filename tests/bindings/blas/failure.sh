#!/usr/bin/env bash
# Runs the test program of BLAS calls on a device that fails at different times. The host must finish every call, with
# the right results.
#
# Usage: failure.sh PLACEMENT(in_place|copied) PROGRAM PRELOAD_LIBRARY FAILING_OPENCL_LIBRARY DEVICE_INDEX_PROGRAM
# With `copied`, a CPU says that it is Oclgrind: operands are copied, and products are computed tile by tile. Other
# devices need no disguise.
# With TILEWRIGHT_TEST_LEVEL=quick, each function fails at one of two rates, which changes with TILEWRIGHT_TEST_SEED.
# Exit status: 0 passed, 1 failed, 77 not run because operands are never in place on the device under test.
set -euo pipefail

placement="$1" program="$2" library="$3" opencl="$4"
read -r TILEWRIGHT_DEVICE type < <("$5")
export TILEWRIGHT_DEVICE
if [[ "${placement}" == in_place && "${type}" != cpu ]]; then
  echo "not run: the device under test has memory of its own"
  exit 77
fi
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
unset TILEWRIGHT_RECORDS
export TILEWRIGHT_DATA_DIR="${place}" TILEWRIGHT_BLAS=always TILEWRIGHT_BLAS_MEMORY=1M
export TILEWRIGHT_OPENCL_LIBRARY="${opencl}"
functions=(clEnqueueNDRangeKernel clEnqueueMapBuffer clCreateBuffer clEnqueueReadBuffer clEnqueueWriteBuffer)
if [[ "${placement}" == copied ]]; then
  [[ "${type}" != cpu ]] || export FAILING_DEVICE=own_memory
  functions=(clEnqueueNDRangeKernel clEnqueueReadBufferRect clEnqueueWriteBufferRect clCreateBuffer clEnqueueReadBuffer
    clEnqueueWriteBuffer)
fi

# rates FEW MANY: sets `rates` to both, or to one of them at the quick level.
turn="${TILEWRIGHT_TEST_SEED:-1}"
rates() {
  rates=("$@")
  [[ "${TILEWRIGHT_TEST_LEVEL:-}" != quick ]] || rates=("${rates[turn % 2]}")
  turn=$((turn + 1))
}

# wrong TEXT: ends the test.
wrong() {
  cat "${place}/output" "${place}/report.json" >&2 || true
  echo "error: $*" >&2
  exit 1
}

# run OPTION...: runs the program.
run() {
  TILEWRIGHT_BLAS_REPORT="${place}/report.json" LD_PRELOAD="${library}" "${program}" "$@" >"${place}/output" 2>&1
}

# The first run has no failures, and stores the speeds of the device.
run || wrong "the program failed without failures of the device"
! grep -q 'the device failed' "${place}/report.json" || wrong "the device failed without being asked to"
grep -q '"side": "device"' "${place}/report.json" || wrong "no call was computed on the device"
half_way=0
for function in "${functions[@]}"; do
  failures=0
  rates 3 20
  for every in "${rates[@]}"; do
    FAILING_CALL="${function}" FAILING_EVERY="${every}" run || wrong "${function} fails every ${every} calls"
    ! grep -qE '"the device (failed|has too little memory)' "${place}/report.json" || failures=$((failures + 1))
    ! grep -q '"the device failed half-way"' "${place}/report.json" || half_way=$((half_way + 1))
  done
  echo "${function}: right results in ${#rates[@]} runs, ${failures} of which had failures"
  ((failures > 0)) || wrong "no failure of ${function} was noticed"
done
[[ "${placement}" == copied ]] || exit 0
((half_way > 0)) || wrong "no product was finished by the host"

# The host's memory is short while a failure is handled.
half_way=0
rates 2 5
for every in "${rates[@]}"; do
  for allocations in 1 2 3; do
    FAILING_CALL=clEnqueueReadBuffer FAILING_EVERY="${every}" FAILING_ALLOCATIONS="${allocations}" \
      run --test-case='*device fails half-way' || wrong "${allocations} allocations fail after a failure"
    ! grep -q '"the device failed half-way"' "${place}/report.json" || half_way=$((half_way + 1))
  done
done
((half_way > 0)) || wrong "no product was finished by the host while its memory was short"
