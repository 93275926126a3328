#!/usr/bin/env bash
# Runs other projects' test programs on the BLAS library, with every call on the device (`always`) and as it decides
# (`auto`). A judge whose Debian package is missing is listed as not run.
#
# Usage: judges.sh PRELOAD_LIBRARY DIRECTORY_OF_LIBBLAS [JUDGE...]
# Judges: xblat xblat64 xlintst scalapack hpl numpy numpy_wheel scipy octave r
set -euo pipefail

library="$(realpath "$1")" directory="$(realpath "$2")"
shift 2
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
judges=("$@")
((${#judges[@]} > 0)) || judges=(xblat xblat64 xlintst scalapack hpl numpy numpy_wheel scipy octave r)
libraries=/usr/lib/x86_64-linux-gnu
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT
summary=()

note() {
  summary+=("$*")
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

# used_device FILE: fails unless a report says that the device computed a call.
used_device() {
  [[ "${mode}" == auto ]] || grep -q '"side": "device"' "$1" || failed "no call was computed on the device"
}

judge_xblat() {
  needs libblas-test "${libraries}/blas/xblat3d" || return 0
  local type
  for type in s d c z; do
    "${here}/xblat.sh" "${type}" "${mode}" "${library}" "${directory}" >"${log}" 2>&1 || failed "type ${type}"
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
  local type on_host on_device
  for type in s d c z; do
    local input="${libraries}/lapack/${type}test.in" program="${libraries}/lapack/xlintst${type}"
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

# Runs a program on four MPI ranks with the library preloaded.
on_four_ranks() { on_ranks -x LD_PRELOAD="${library}" "$@"; }

# Runs a program on four MPI ranks.
on_ranks() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
    OPENBLAS_NUM_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 \
    mpirun --oversubscribe -n 4 "$@" >"${log}" 2>&1
}

judge_scalapack() {
  local tests="${libraries}/scalapack/openmpi-tests" data=/usr/share/scalapack program
  needs scalapack-mpi-test "${tests}/xdlu" || return 0
  needs openmpi-bin /usr/bin/mpirun || return 0
  cp "${data}"/*.dat "${data}"/PBLAS/*.dat .
  # Fewer block sizes and right-hand sides: on four ranks that share two cores, waiting for each other takes the time.
  sed -i -E "s/^[0-9]+(\\s+number of (problems sizes|NB's|NRHS's|NBRHS's|blocking sizes|process grids))/2\\1/" LLT.dat QR.dat
  for program in xdlu xdllt xdqr; do
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
  on_four_ranks "${tests}/PBLAS/dpb3tst" || failed "dpb3tst ended with an error"
  cat ./*.SUMM >>"${log}" 2>/dev/null || true
  ! grep -qE 'FAILED|\*\*\*' "${log}" || failed "dpb3tst: tests failed"
  note "${judge} (${mode}): PBLAS level 3: $(grep -cE 'PASSED' "${log}") lines passed"
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
  LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" "$1" -m pytest -q -x -p no:cacheprovider \
    --pyargs numpy.linalg "$2" -k 'linalg or Matmul or MatMul or Dot or dot or einsum' >"${log}" 2>&1 ||
    failed "tests failed"
  used_device "${place}/report.json"
  note "${judge} (${mode}): $(tail -n 1 "${log}")"
}

judge_numpy() {
  needs python3-numpy /usr/lib/python3/dist-packages/numpy || return 0
  needs python3-pytest /usr/lib/python3/dist-packages/pytest || return 0
  needs python3-hypothesis /usr/lib/python3/dist-packages/hypothesis || return 0
  numpy_tests /usr/bin/python3 numpy.core.tests.test_multiarray
}

judge_numpy_wheel() {
  local python="${place}/venv/bin/python"
  if [[ ! -x "${python}" ]]; then
    if ! python3 -m venv "${place}/venv" >/dev/null 2>&1 ||
      ! "${place}/venv/bin/pip" install -q numpy pytest hypothesis >"${log}" 2>&1; then
      note "${judge}: not run: NumPy's wheel could not be installed"
      return 0
    fi
  fi
  numpy_tests "${python}" numpy._core.tests.test_multiarray
}

judge_scipy() {
  needs python3-scipy /usr/lib/python3/dist-packages/scipy || return 0
  LD_PRELOAD="${library}" TILEWRIGHT_BLAS_REPORT="${place}/report.json" /usr/bin/python3 -m pytest -q \
    -p no:cacheprovider --pyargs scipy.linalg.tests.test_basic scipy.linalg.tests.test_lapack \
    scipy.linalg.tests.test_decomp_cholesky scipy.linalg.tests.test_blas >"${log}" 2>&1 || failed "tests failed"
  used_device "${place}/report.json"
  note "${judge} (${mode}): $(tail -n 1 "${log}")"
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
  for mode in always auto; do
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
