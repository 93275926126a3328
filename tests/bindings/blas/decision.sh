#!/usr/bin/env bash
# Checks `auto` with a real device: the library measures after a second of large calls, and follows stored speeds.
#
# Usage: decision.sh PROGRAM PRELOAD_LIBRARY
set -euo pipefail

program="$1" library="$2"
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
unset OPENBLAS_NUM_THREADS MKL_NUM_THREADS BLIS_NUM_THREADS OMP_NUM_THREADS TILEWRIGHT_BLAS_HOST
unset TILEWRIGHT_RECORDS
export TILEWRIGHT_DATA_DIR="${place}" TILEWRIGHT_BLAS=auto
speeds="${place}/blas.json"

wrong() {
  cat "${speeds}" "${place}/report.json" >&2 || true
  echo "error: $*" >&2
  exit 1
}

# run CASE: runs test cases with the library.
run() {
  TILEWRIGHT_BLAS_REPORT="${place}/report.json" LD_PRELOAD="${library}" \
    "${program}" --test-case="$1" >"${place}/output" ||
    wrong "the program failed: $(cat "${place}/output")"
}

run 'products from Fortran*'
[[ ! -e "${speeds}" ]] || wrong "a short process measured"

run 'large products*'
grep -q '"host_flops"' "${speeds}" || wrong "nothing was measured after a second of large calls"
tr -d ' \n' <"${speeds}" | grep -qE '"host_flops":\[0(\.0)?,' || wrong "least squares of 0 count as a speed of the host"
left="$(cd "${place}" && echo blas.json*)"
[[ "${left}" == "blas.json blas.json.lock" ]] || wrong "a temporary file is left: ${left}"


# A device that is predicted to be much faster than the host is used, whatever it is.
sed -i -E 's/"device_is_host": true/"device_is_host": false/; s/"flops": [0-9.e+]+/"flops": 1e15/
  s/"opening_seconds": [0-9.e+-]+/"opening_seconds": 1e-9/' "${speeds}"
awk '/"host_flops"/ { print "  \"host_flops\": [1e3, 1e3],"; skip = 1 } !skip { print } /\]/ { skip = 0 }' \
  "${speeds}" >"${speeds}.new"
mv "${speeds}.new" "${speeds}"
TILEWRIGHT_BLAS_MIN_FLOPS=0 run 'products from Fortran*'
grep -q '"side": "device"' "${place}/report.json" || wrong "the faster device was not used"

# Speeds of another device, which this machine or another one had before, are measured again.
sed -i -E 's/"device": "[^"]*"/"device": "another"/' "${speeds}"
run 'large products*'
grep -q '"device": "another"' "${speeds}" && wrong "the speeds of another device were used"
grep -q '"host_flops"' "${speeds}" || wrong "the device was not measured again"

# A damaged file is ignored.
echo '{' >"${speeds}"
run 'products from Fortran*'
grep -q 'the speeds are not known yet\|the call is small' "${place}/report.json" || wrong "a damaged file was used"
