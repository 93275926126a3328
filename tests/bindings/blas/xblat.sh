#!/usr/bin/env bash
# Runs the test programs of the reference BLAS for one type, with every call on the device or as TILEWRIGHT_BLAS
# decides. Each line of their output must say that the tests passed.
#
# Usage: xblat.sh TYPE(s|d|c|z) MODE(always|auto) PRELOAD_LIBRARY DIRECTORY_OF_LIBBLAS
# With TILEWRIGHT_TEST_LEVEL=quick, matrices of level 3 have fewer sizes, because most of the time goes into compiling
# kernels.
# Exit status: 0 passed, 1 failed, 77 not run because Debian's package libblas-test is missing.
set -euo pipefail

type="$1" mode="$2" library="$3" directory="$4"
programs=/usr/lib/x86_64-linux-gnu/blas
if [[ ! -x "${programs}/xblat3${type}" ]]; then
  echo "not run: ${programs}/xblat3${type} does not exist; install the package libblas-test"
  exit 77
fi
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
cd "${place}"
export TILEWRIGHT_BLAS="${mode}"

# judge NAME COUNT FILE: fails unless FILE has COUNT lines that say "PASSED" and none that says otherwise.
judge() {
  local passed
  passed="$(grep -c PASSED "$3" || true)"
  if ((passed != $2)) || grep -E 'FAIL|FATAL|\*{3}|SUSPECT|LESS THAN HALF' "$3"; then
    cat "$3"
    echo "$1: ${passed} lines passed, but $2 should"
    exit 1
  fi
  echo "$1: ${passed} lines passed"
}

# input FILE: prints an input of level 3.
input() {
  if [[ "${TILEWRIGHT_TEST_LEVEL:-}" == quick ]]; then
    sed -E 's/^6( +NUMBER OF VALUES OF N)/3\1/; s/^[0-9 ]+VALUES OF N/1 3 9  VALUES OF N/' "$1"
  else
    cat "$1"
  fi
}

# Routines with complex elements also have Hermitian forms.
complex=0
[[ "${type}" == [sd] ]] || complex=1

# The level 3 routines through libblas.so.3, which takes all others from the host.
export TILEWRIGHT_BLAS_REPORT="${place}/report.json"
input "${programs}/${type}blat3.in" >blat3.in
LD_LIBRARY_PATH="${directory}" "${programs}/xblat3${type}" <blat3.in
judge "xblat3${type}" $((complex ? 18 : 12)) "${type}blat3.out"
if [[ "${mode}" == always ]]; then
  grep -q '"side": "device"' report.json || {
    echo "no call was computed on the device"
    exit 1
  }
fi
unset TILEWRIGHT_BLAS_REPORT

# The CBLAS names of these routines. The programs need the reference BLAS, so the library is preloaded.
input "${programs}/${type}in3" >cblat3.in
LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${library}" "${programs}/x${type}cblat3" <cblat3.in >cblat3.out 2>&1
judge "x${type}cblat3" $((complex ? 27 : 18)) cblat3.out
LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${library}" "${programs}/x${type}cblat1" >cblat1.out
LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${library}" "${programs}/x${type}cblat2" <"${programs}/${type}in2" >cblat2.out 2>&1
for level in 1 2; do
  ! grep -E 'FAIL|FATAL|SUSPECT' "cblat${level}.out" || exit 1
  passed="$(grep -c PASS "cblat${level}.out" || true)"
  ((passed >= 6)) || {
    echo "x${type}cblat${level}: only ${passed} lines passed"
    exit 1
  }
  echo "x${type}cblat${level}: ${passed} lines passed"
done

# Levels 1 and 2 are the host's.
for level in 1 2; do
  if ((level == 1)); then
    LD_LIBRARY_PATH="${directory}" "${programs}/xblat1${type}" >xblat1.out
    passed="$(grep -c PASS xblat1.out)"
    ! grep FAIL xblat1.out || exit 1
    echo "xblat1${type}: ${passed} lines passed"
  else
    LD_LIBRARY_PATH="${directory}" "${programs}/xblat2${type}" <"${programs}/${type}blat2.in"
    ! grep -E 'FAIL|SUSPECT' "${type}blat2.out" || exit 1
    echo "xblat2${type}: $(grep -c PASSED "${type}blat2.out") lines passed"
  fi
done
