#!/usr/bin/env bash
# Runs the test program of BLAS calls with Tilewright's library preloaded, and checks its report.
#
# Usage: calls.sh MODE(always|auto|never) PROGRAM PRELOAD_LIBRARY
set -euo pipefail

mode="$1" program="$2" library="$3"
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
export TILEWRIGHT_BLAS="${mode}"

# wrong TEXT: ends the test.
wrong() {
  cat "${place}/report.json" >&2 || true
  echo "error: $*" >&2
  exit 1
}

TILEWRIGHT_BLAS_REPORT="${place}/report.json" LD_PRELOAD="${library}" "${program}"
case "${mode}" in
  always)
    grep -q '"side": "device"' "${place}/report.json" || wrong "no call was computed on the device"
    grep -q '"operands share elements": 1,\?$' "${place}/report.json" ||
      wrong "one call shares elements; interleaved operands do not"
    ! grep -q 'the device failed' "${place}/report.json" || wrong "the device failed"
    ;;
  auto | never)
    # The host of this test lacks dgemmt_64_ and dgels_64_: the device computes them.
    ! grep -B 1 '"side": "device"' "${place}/report.json" | grep '"shape"' | grep -qv 'dgemmt\|dgels' ||
      wrong "small calls belong to the host"
    ;;
esac

# Without a report nothing is printed. A program that calls no BLAS opens no OpenCL and makes no file.
output="$(LD_PRELOAD="${library}" /bin/true 2>&1)"
[[ -z "${output}" ]] || wrong "the library printed: ${output}"
TILEWRIGHT_BLAS_REPORT="${place}/empty.json" LD_PRELOAD="${library}" /bin/true
loaded="$(LD_PRELOAD="${library}" LD_DEBUG=files /bin/true 2>&1)"
[[ "${loaded}" != *libOpenCL* && "${loaded}" != *libpocl* ]] || wrong "the library loads OpenCL before the first call"
[[ ! -e "${place}/empty.json" ]] || wrong "a program without BLAS calls made a report"

# A report as text goes to standard error.
TILEWRIGHT_BLAS_REPORT=1 LD_PRELOAD="${library}" "${program}" --test-case='products from Fortran*' \
  >"${place}/output" 2>"${place}/errors"
grep -q 'dgemm' "${place}/errors" || wrong "the text report lacks dgemm"
! grep -q 'GFLOP' "${place}/output" || wrong "the report was written to standard output"
