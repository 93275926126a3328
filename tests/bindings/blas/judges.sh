#!/usr/bin/env bash
# Runs other projects' test programs on the BLAS library, with every call on the device (`always`) and as it decides
# (`auto`). A judge whose Debian package is missing is listed as not run.
#
# Usage: judges.sh [--short] PRELOAD_LIBRARY DIRECTORY_OF_LIBBLAS [JUDGE...]
#   --short  fewer types and programs, for CI; with TILEWRIGHT_TEST_LEVEL=quick also fewer sizes, and only `always`
# Judges: xblat xblat64 xblat_scipy xlintst scalapack hpl numpy numpy_wheel scipy scipy_wheel octave r
# Exit status: 0 passed, 1 failed, 77 if no judge could run.
set -euo pipefail

is_short=false is_quick=false modes=(always auto)
if [[ "$1" == --short ]]; then
  is_short=true
  shift
  if [[ "${TILEWRIGHT_TEST_LEVEL:-}" == quick ]]; then
    is_quick=true modes=(always)
  fi
fi
library="$(realpath "$1")" directory="$(realpath "$2")"
shift 2
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
judges=("$@")
((${#judges[@]} > 0)) ||
  judges=(xblat xblat64 xblat_scipy xlintst scalapack hpl numpy numpy_wheel scipy scipy_wheel octave r)
libraries=/usr/lib/x86_64-linux-gnu
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
summary=()

has_run=false

note() {
  summary+=("$*")
  [[ "$*" == *"not run"* ]] || has_run=true
  echo "$*"
}

# needs PACKAGE FILE: true if the file exists; otherwise notes the package.
needs() {
  [[ -e "$2" ]] || {
    note "${judge}: not run: install the package $1"
    return 1
  }
}

failed() {
  tail -n 40 "${log}"
  echo "error: ${judge} (${mode}): $*; the output is above" >&2
  exit 1
}

# used_device FILE...: fails unless a report says that the device computed a call, and none that it failed.
used_device() {
  [[ "${mode}" == auto ]] || grep -qh '"side": "device"' "$@" || failed "no call was computed on the device"
  ! grep -E '"(the device (failed|was lost)|there is no usable device)' "$@" || failed "the device failed"
}

# refused_nothing FILE...: fails if a report says that operands were refused because they share elements.
refused_nothing() {
  ! grep 'operands share elements' "$@" || failed "legal operands were refused"
}

judge_xblat() {
  needs libblas-test "${libraries}/blas/xblat3d" || return 0
  local type
  for type in s d c z; do
    TILEWRIGHT_TEST_LEVEL=full "${here}/xblat.sh" "${type}" "${mode}" "${library}" "${directory}" >"${log}" 2>&1 ||
      failed "type ${type}"
  done
  note "${judge} (${mode}): passed for s d c z"
}

# Makes a library whose functions, such as dgemm_, jump to those of the BLAS library whose names begin with scipy_.
make_scipy_names() {
  {
    printf '%s\n' '.section .note.GNU-stack,"",@progbits' .text '.globl tilewright_blas_library' \
      'tilewright_blas_library: ret'
    nm --dynamic --defined-only "${library}" | sed -n 's/.* T scipy_//p' | while read -r name; do
      printf '%s\n' ".globl ${name}" ".type ${name},@function" "${name}: jmp *scipy_${name}@GOTPCREL(%rip)"
    done
  } >names.s
  cc -shared -o libscipy-names.so names.s -Wl,--no-as-needed "${library}" -Wl,-rpath,"$(dirname "${library}")"
}

# The names that SciPy's and NumPy's wheels use.
judge_xblat_scipy() {
  local programs="${libraries}/blas" type
  needs libblas-test "${programs}/xblat3d" || return 0
  [[ "$(uname -m)" == x86_64 ]] || {
    note "${judge}: not run: the names are made for x86-64 processors"
    return 0
  }
  make_scipy_names
  local -x LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${PWD}/libscipy-names.so"
  local -x TILEWRIGHT_BLAS_REPORT="${place}/report.json"
  for type in s d c z; do
    "${programs}/xblat3${type}" <"${programs}/${type}blat3.in" >"${log}" 2>&1 ||
      failed "xblat3${type} ended with an error"
    ! grep -E 'FAIL|FATAL|SUSPECT' "${type}blat3.out" || failed "xblat3${type}"
    (($(grep -c PASSED "${type}blat3.out") >= 12)) || failed "xblat3${type}: tests are missing"
    used_device "${place}/report.json"
    "${programs}/x${type}cblat3" <"${programs}/${type}in3" >"${log}" 2>&1 || failed "x${type}cblat3 ended with an error"
    ! grep -E 'FAIL|FATAL|SUSPECT' "${log}" || failed "x${type}cblat3"
    (($(grep -c PASSED "${log}") >= 18)) || failed "x${type}cblat3: tests are missing"
    used_device "${place}/report.json"
  done
  note "${judge} (${mode}): passed for s d c z"
}

# Functions with plain names and 64-bit integers.
judge_xblat64() {
  local programs="${libraries}/blas64"
  needs libblas64-test "${programs}/xblat3d" || return 0
  LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" \
    "${programs}/xblat3d" <"${programs}/dblat3.in" >"${log}" 2>&1 || failed "xblat3d ended with an error"
  (($(grep -c PASSED dblat3.out) == 12)) || failed "xblat3d: $(cat dblat3.out)"
  used_device "${place}/report.json"
  LD_LIBRARY_PATH="${programs}" LD_PRELOAD="${library}" "${programs}/xdcblat3" <"${programs}/din3" >"${log}" 2>&1 ||
    failed "xdcblat3 ended with an error"
  (($(grep -c PASSED "${log}") == 18)) || failed "xdcblat3"
  note "${judge} (${mode}): passed for d"
}

# The number of tests of xlintst that failed to pass the threshold, and of its messages about errors.
failures_of() {
  awk '/out of .* failed to pass/ { for (i = 2; i <= NF; ++i) if ($i == "out") sum += $(i - 1) }
    /\*\*\*/ { ++sum } END { print sum + 0 }' "$1"
}

judge_xlintst() {
  needs liblapack-test "${libraries}/lapack/xlintstd" || return 0
  local type types=(s d c z) on_host on_device
  ! "${is_short}" || types=(d)
  for type in "${types[@]}"; do
    local input="${libraries}/lapack/${type}test.in" program="${libraries}/lapack/xlintst${type}"
    if "${is_short}"; then # the routines that the library takes
      sed -E '/^[SDCZ][A-Z][A-Z0-9]/ { /^.(GE|PO|TR|QR|LS)/!d }' "${input}" >short.in
      ! "${is_quick}" ||
        sed -i -E 's/^7( +Number of values of [MN])/4\1/; s/^0 1 2 3 5 10 50/0 1 5 50/
          s/^5( +Number of values of NB)/2\1/; s/^3( +Number of values of NRHS)/2\1/' short.in
      input="${PWD}/short.in"
    fi
    TILEWRIGHT_BLAS=never "${program}" <"${input}" >"${log}" 2>&1 || failed "the host alone ended with an error"
    on_host="$(failures_of "${log}")"
    # The program's matrices have at most 50 rows: smaller calls stay on the host to save time.
    TILEWRIGHT_BLAS_MIN_FLOPS="${TILEWRIGHT_BLAS_MIN_FLOPS:-2e4}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" \
      LD_LIBRARY_PATH="${directory}" "${program}" <"${input}" >"${log}" 2>&1 ||
      failed "type ${type} ended with an error"
    on_device="$(failures_of "${log}")"
    used_device "${place}/report.json"
    ((on_device <= on_host)) || failed "type ${type}: ${on_device} failures, but ${on_host} on the host alone"
    note "${judge} (${mode}): ${type}: ${on_device} failures, ${on_host} on the host alone"
  done
}

# Runs a program on four MPI ranks with the library preloaded. Fails if its calls were refused, or did not reach the
# device.
on_four_ranks() {
  rm -f "${place}"/rank-*.json
  on_ranks -x LD_PRELOAD="${library}" -x TILEWRIGHT_BLAS_REPORT="${place}/rank-%p.json" "$@" || return 1
  compgen -G "${place}/rank-*.json" >/dev/null || failed "no rank counted a call"
  used_device "${place}"/rank-*.json
  refused_nothing "${place}"/rank-*.json
}

# Runs a program on four MPI ranks. mpirun must not open OpenCL itself: some ICD loaders then cut OCL_ICD_FILENAMES, and
# the ranks find only the first driver.
on_ranks() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
    OPENBLAS_NUM_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 HWLOC_COMPONENTS=-opencl \
    mpirun --oversubscribe -n 4 "$@" >"${log}" 2>&1
}

judge_scalapack() {
  local tests="${libraries}/scalapack/openmpi-tests" data=/usr/share/scalapack program programs=(xdlu xdllt xdqr)
  ! "${is_short}" || programs=(xdlu)
  needs scalapack-mpi-test "${tests}/xdlu" || return 0
  needs openmpi-bin /usr/bin/mpirun || return 0
  cp "${data}"/*.dat "${data}"/PBLAS/*.dat .
  # Fewer block sizes and right-hand sides: on four ranks that share two cores, waiting for each other takes the time.
  ! "${is_short}" ||
    sed -i -E "s/^[0-9]+(\\s+number of (problems sizes|NB's|NRHS's|NBRHS's))/2\\1/" LU.dat
  sed -i -E "s/^[0-9]+(\\s+number of (problems sizes|NB's|NRHS's|NBRHS's|blocking sizes|process grids))/2\\1/" LLT.dat QR.dat
  for program in "${programs[@]}"; do
    # xdllt sometimes waits for ever on the host alone, when ranks decide differently about convergence.
    if ! on_ranks timeout 120 "${tests}/${program}"; then
      note "${judge} (${mode}): ${program}: not run: it does not end on the host alone"
      continue
    fi
    on_four_ranks "${tests}/${program}" || failed "${program} ended with an error"
    grep -qE '(^| )0 tests completed and failed' "${log}" || failed "${program}: tests failed"
    grep -qE '[1-9][0-9]* tests completed and passed|[1-9][0-9]* tests completed without checking' "${log}" ||
      failed "${program} ran no test"
    note "${judge} (${mode}): ${program}: $(grep -oE '[0-9]+ tests completed and passed' "${log}" | head -n 1)"
  done
  ! "${is_short}" || return 0
  on_four_ranks "${tests}/PBLAS/dpb3tst" || failed "dpb3tst ended with an error"
  cat ./*.SUMM >>"${log}" 2>/dev/null || true
  ! grep -qE 'check: .*FAILED' "${log}" || failed "dpb3tst: tests failed"
  grep -qE 'check: .*PASSED' "${log}" || failed "dpb3tst ran no test"
  note "${judge} (${mode}): PBLAS level 3: $(grep -cE 'check: .*PASSED' "${log}") checks passed"
}

judge_hpl() {
  needs hpcc /usr/bin/hpcc || return 0
  needs openmpi-bin /usr/bin/mpirun || return 0
  sed -E 's/^[0-9]+( +Ns)/480\1/; s/^[0-9]+( +NBs)/64\1/' /usr/share/doc/hpcc/examples/_hpccinf.txt >hpccinf.txt
  rm -f hpccoutf.txt
  on_four_ranks hpcc || failed "hpcc ended with an error"
  grep -qE 'Ax-b.*PASSED' hpccoutf.txt || failed "HPL's residual is too large"
  ! grep -E 'Ax-b.*FAILED' hpccoutf.txt || failed "HPL's residual is too large"
  note "${judge} (${mode}): HPL: $(grep -cE 'Ax-b.*PASSED' hpccoutf.txt) systems passed"
}

# numpy_tests PYTHON: NumPy's own tests of linear algebra.
numpy_tests() {
  local wanted='linalg or Matmul or MatMul or Dot or dot or einsum'
  ! "${is_short}" || wanted='TestSolve or TestCholesky or TestQR'
  LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" "$1" -m pytest -q -x -p no:cacheprovider \
    --pyargs numpy.linalg "$2" -k "${wanted}" >"${log}" 2>&1 || failed "tests failed"
  used_device "${place}/report.json"
  note "${judge} (${mode}): $(tail -n 1 "${log}")"
}

judge_numpy() {
  needs python3-numpy /usr/lib/python3/dist-packages/numpy || return 0
  needs python3-pytest /usr/lib/python3/dist-packages/pytest || return 0
  needs python3-hypothesis /usr/lib/python3/dist-packages/hypothesis || return 0
  numpy_tests /usr/bin/python3 numpy.core.tests.test_multiarray
}

# has_wheels PACKAGE...: installs wheels in an environment of its own; false if they cannot be had.
has_wheels() {
  if [[ ! -x "${place}/venv/bin/python" ]] && ! python3 -m venv "${place}/venv" >"${log}" 2>&1 ||
    ! "${place}/venv/bin/pip" install -q "$@" pytest hypothesis >"${log}" 2>&1; then
    note "${judge}: not run: the wheels of $* could not be installed"
    return 1
  fi
}

judge_numpy_wheel() {
  has_wheels numpy || return 0
  numpy_tests "${place}/venv/bin/python" numpy._core.tests.test_multiarray
}

# scipy_tests PYTHON: SciPy's own tests of linear algebra.
scipy_tests() {
  LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" "$1" -m pytest -q \
    -p no:cacheprovider --pyargs scipy.linalg.tests.test_basic scipy.linalg.tests.test_lapack \
    scipy.linalg.tests.test_decomp_cholesky scipy.linalg.tests.test_decomp scipy.linalg.tests.test_blas \
    >"${log}" 2>&1 || failed "tests failed"
  used_device "${place}/report.json"
  note "${judge} (${mode}): $(tail -n 1 "${log}")"
}

judge_scipy() {
  needs python3-scipy /usr/lib/python3/dist-packages/scipy || return 0
  scipy_tests /usr/bin/python3
}

judge_scipy_wheel() {
  has_wheels scipy || return 0
  scipy_tests "${place}/venv/bin/python"
}

# script COMMAND...: runs a script that prints "residual NUMBER" lines, and checks the numbers.
residuals() {
  LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" "$@" >"${log}" 2>&1 ||
    failed "the script ended with an error"
  awk '/^residual/ { ++n; if (!($2 < 1e-10)) bad = 1 } END { exit !(n >= 4 && !bad) }' "${log}" ||
    failed "a residual is too large"
  used_device "${place}/report.json"
  note "${judge} (${mode}): $(grep -c '^residual' "${log}") residuals are small"
}

judge_octave() {
  needs octave /usr/bin/octave-cli || return 0
  residuals octave-cli --no-init-file --quiet "${here}/residuals.m"
}

judge_r() {
  needs r-base-core /usr/bin/Rscript || return 0
  residuals Rscript "${here}/residuals.R"
}

for judge in "${judges[@]}"; do
  for mode in "${modes[@]}"; do
    mkdir -p "${place}/${judge}-${mode}"
    cd "${place}/${judge}-${mode}"
    log="${place}/${judge}-${mode}/output"
    export TILEWRIGHT_BLAS="${mode}"
    rm -f "${place}/report.json"
    "judge_${judge}"
  done
done
printf '\nJudges of the BLAS library:\n'
printf '%s\n' "${summary[@]}"
"${has_run}" || exit 77
