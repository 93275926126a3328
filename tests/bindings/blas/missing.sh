#!/usr/bin/env bash
# Runs calls without an OpenCL library, without a device, and without a BLAS of the host.
#
# Usage: missing.sh PROGRAM PRELOAD_LIBRARY
set -euo pipefail

program="$1" library="$2"
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
export TILEWRIGHT_BLAS=always TILEWRIGHT_BLAS_REPORT="${place}/report.json"
mkdir "${place}/vendors"

# wrong TEXT: ends the test.
wrong() {
  cat "${place}/output" "${place}/report.json" >&2 || true
  echo "error: $*" >&2
  exit 1
}

# run CASE VARIABLE...: runs a test case, with these variables.
run() {
  local case="$1"
  shift
  rm -f "${place}/report.json"
  env "$@" LD_PRELOAD="${library}" "${program}" --test-case="${case}" >"${place}/output" 2>&1
}

for missing in library drivers device; do
  case "${missing}" in
    library) variables=("TILEWRIGHT_OPENCL_LIBRARY=${place}/libOpenCL.so.1") ;;
    drivers) variables=("OCL_ICD_VENDORS=${place}/vendors" OCL_ICD_FILENAMES=) ;; # Khronos' loader reads both
    device) variables=(TILEWRIGHT_DEVICE=nosuchdevice) ;;
  esac
  run 'products from Fortran*,*from CBLAS*,complex*,Cholesky*,least squares have*' "${variables[@]}" ||
    wrong "the host did not compute the calls with ${variables[*]}"
  grep -q '"there is no usable device"' "${place}/report.json" || wrong "the report does not say that with ${variables[*]}"
  ! grep -q '"side": "device"' "${place}/report.json" || wrong "a device was found with ${variables[*]}"
  # Nobody can compute a function that the host lacks, and the program learns why. The test program does not try with
  # another OpenCL library.
  [[ "${missing}" != library ]] || continue
  ! run 'names with 64-bit integers are right' "${variables[@]}" || wrong "dgemm_64_ was computed with ${variables[*]}"
  grep -q 'libtilewright-blas: dgemm_64_: no BLAS of the host defines this function, and there is no usable device' \
    "${place}/output" || wrong "the message is another"
done
