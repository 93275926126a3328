#!/usr/bin/env bash
# Runs some cases of the test program of BLAS calls on a CPU in the disguise of a GPU that shares the host's memory.
# Where the driver uses that memory itself, nothing may be copied. Where it copies, results must be right all the same.
#
# Usage: shared_memory.sh PROGRAM PRELOAD_LIBRARY FAILING_OPENCL_LIBRARY DEVICE_INDEX_PROGRAM
# Exit status: 0 passed, 1 failed, 77 not run because the device under test is no CPU.
set -euo pipefail

program="$1" library="$2" opencl="$3"
read -r TILEWRIGHT_DEVICE type < <("$4")
export TILEWRIGHT_DEVICE
if [[ "${type}" != cpu ]]; then
  echo "not run: the device under test is no CPU"
  exit 77
fi
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
unset TILEWRIGHT_RECORDS
export TILEWRIGHT_DATA_DIR="${place}" TILEWRIGHT_BLAS=always TILEWRIGHT_OPENCL_LIBRARY="${opencl}"

# wrong TEXT: ends the test.
wrong() {
  cat "${place}/output" "${place}/report.json" >&2 || true
  echo "error: $*" >&2
  exit 1
}

cases='products from Fortran*,row-major products from CBLAS*,operands may interleave*,a symmetric update*'

# run DEVICE VARIABLE...: runs the cases on a device, with these variables.
run() {
  local device="$1"
  shift
  env "$@" FAILING_DEVICE="${device}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" LD_PRELOAD="${library}" \
    "${program}" --test-case="${cases}" >"${place}/output" 2>&1 || wrong "${device} $*: the program failed"
}

has_failures() { grep -qE '"the device (failed|has too little memory)' "${place}/report.json"; }

# used_device TEXT: fails unless the device computed calls, and none failed.
used_device() {
  grep -q '"side": "device"' "${place}/report.json" || wrong "$1: no call was computed on the device"
  ! has_failures || wrong "$1: the device failed"
}

# A device to which matrices are copied fails at the first copy.
for device in integrated copying_unaligned; do
  run "${device}" FAILING_CALL=clEnqueueWriteBufferRect FAILING_EVERY=1
  used_device "${device}, uploads"
done
run integrated FAILING_CALL=clEnqueueReadBufferRect FAILING_EVERY=1
used_device "integrated, downloads"
# Not products, whose tiles would need the speeds of the simulated GPU.
export TILEWRIGHT_BLAS_ROUTINES=syrk
cases='a symmetric update*'
run copying FAILING_CALL=clEnqueueWriteBufferRect FAILING_EVERY=1
has_failures || wrong "a driver that copies was not noticed"
run copying
used_device copying
unset TILEWRIGHT_BLAS_ROUTINES

# Small steps, each of which may fail.
cases='complex products of several steps*'
run integrated TILEWRIGHT_BLAS_MEMORY=1M FAILING_CALL=clEnqueueMapBuffer FAILING_EVERY=5
grep -q '"the device failed half-way"' "${place}/report.json" || wrong "no call was finished by the host"
