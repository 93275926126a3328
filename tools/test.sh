#!/usr/bin/env bash
# Tests Tilewright on this machine: installs missing packages, builds with warnings as errors, runs the tests and checks
# the formatting. Requires Debian 12, Ubuntu 24.04 or later, and root rights or sudo if packages are missing.
# Takes about 19 minutes on two cores (--quick: about 3) and 2 GB of disk.
#
# Usage: tools/test.sh [--quick | --all | --only STEP...] [--help]
#   --quick      test the installation: unit tests, the command, and some kernels on the device
#   --all        run every step, including slow ones
#   --only STEP  run only this step; may be repeated. Default: the steps format and tests
#
# Steps:
#   format       clang-format, shellcheck, English, generated files, and paths in the documentation
#   tests        all tests except those of the steps below, on this machine's OpenCL runtimes. Installs modules of Python
#                from PyPI into build-test/venv, or says that tests of the Python package do not run. Sweeps over sizes, types
#                and configurations run at the level TILEWRIGHT_TEST_LEVEL (default: quick)
#   release      a build as users make it: optimized, by the default compiler, with warnings as errors. Other projects
#                install and embed it
#   sweep        the device tests of that build and the benchmarks of LAPACK's functions, at the normal level, and the
#                device tests with PoCL's second work-group method
#   oclgrind     the kernels on Oclgrind, which finds races between work-items and uninitialised reads
#   sanitizers   unit and device tests with AddressSanitizer and UndefinedBehaviorSanitizer, built with Clang
#   fuzz         libFuzzer on every reader of files or text, for 10 seconds each (TILEWRIGHT_FUZZ_SECONDS) or a number
#                of inputs (TILEWRIGHT_FUZZ_RUNS), with a new random seed in each run unless TILEWRIGHT_FUZZ_SEED sets it
#   lint         clang-tidy on all files, or on those changed in the TILEWRIGHT_LINT_DAYS days before the last commit, if
#                the clone has an older commit
#   tsan         multi-threaded tests with ThreadSanitizer
#   blas         test programs of other projects on the BLAS library: reference BLAS and LAPACK, ScaLAPACK, HPL, NumPy,
#                SciPy, Octave and R (tests/bindings/blas/judges.sh); installs their packages
#   portability  builds and tests in a Debian 13 root (tests/portability/debian13.sh; needs root rights)
#
# Tests have no time limit, but a watchdog ends a test that hangs: no output and no CPU time for 10 minutes, or an hour
# of CPU time without output. Build directories: build-{test,release,clang,clang-tsan,lint,quick}.

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Each step is a function step_NAME below, with a line in the help above.
default_steps=(format tests)
all_steps=("${default_steps[@]}" release sweep oclgrind sanitizers fuzz lint tsan blas portability)

usage() {
  print_usage tools/test.sh >&2
  exit 2
}

steps=()
while (($# > 0)); do
  case "$1" in
    --quick) steps+=(quick) ;;
    --all) steps+=("${all_steps[@]}") ;;
    --only)
      [[ " ${all_steps[*]} " == *" ${2:-none} "* ]] || usage
      steps+=("$2")
      shift
      ;;
    --help | -h)
      print_usage tools/test.sh
      exit 0
      ;;
    *) usage ;;
  esac
  shift
done
((${#steps[@]} > 0)) || steps=("${default_steps[@]}")

started="${SECONDS}"
summary=()
number=0
day=$(($(date +%s) / 86400)) # selects the samples of the quick level

# part TEXT: announces a part of the current step.
part() { say "[${number}/${#steps[@]}] $*"; }

# Sets `cpu` to the CPU seconds used by this script and its children. Writes to a file, because `times` in a subshell
# would report the subshell's time.
look_at_cpu() {
  local file
  file="$(mktemp)"
  times >"${file}"
  cpu="$(awk '{ for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } } END { printf "%d", sum }' "${file}")"
  rm -f "${file}"
}

# done_with TEXT: sets the current step's line of the summary.
done_with() { outcome="$*"; }

# show_progress LOG: writes ctest's output to LOG. Prints ctest's own lines, and every 20 seconds the running test case.
show_progress() {
  local log="$1" line said="${SECONDS}" names=()
  : >"${log}"
  while IFS= read -r line; do
    printf '%s\n' "${line}" >>"${log}"
    if [[ "${line}" =~ ^\ *Start\ +([0-9]+):\ (.*) ]]; then
      names["${BASH_REMATCH[1]}"]="${BASH_REMATCH[2]}"
      printf '%s\n' "${line}"
    elif [[ "${line}" =~ ^([0-9]+):\ ((test\ case|conformance\ of).*) ]]; then
      if ((SECONDS - said >= 20)); then
        said="${SECONDS}"
        printf '            running: %s, %s\n' "${names["${BASH_REMATCH[1]}"]:-}" "${BASH_REMATCH[2]:0:100}"
      fi
    elif [[ "${line}" =~ ^\ *[0-9]+/[0-9]+\ Test || "${line}" =~ ^(The\ following\ tests|[0-9]+%|Total\ Test|.*\(Failed\)|.*\(Not\ Run\)|No\ tests) ]]; then
      printf '%s\n' "${line}"
    fi
  done
}

# run_ctest DIRECTORY [ctest options]: runs ctest and sets `kernels` and `cases` to the totals that the test programs
# report. Fails if either is 0. At the quick level PoCL does not optimize kernels, which saves three quarters of their
# compilation; tests/device_tests.cmake keeps the optimizer on in the tests that run each kernel. PoCL links kernels by
# the program `ld` in COMPILER_PATH; gold takes a quarter less time than GNU's usual linker.
run_ctest() {
  local directory="$1" log="$1/ctest.log" status=0 number name settings
  local -x POCL_EXTRA_BUILD_FLAGS="${POCL_EXTRA_BUILD_FLAGS:-}"
  if [[ "${TILEWRIGHT_TEST_LEVEL:-}" == quick ]]; then
    POCL_EXTRA_BUILD_FLAGS+="${POCL_EXTRA_BUILD_FLAGS:+ }-cl-opt-disable"
    if [[ -z "${COMPILER_PATH:-}" ]] && command -v ld.gold >/dev/null; then
      local -x COMPILER_PATH="${PWD}/${directory}/gold"
      mkdir -p "${COMPILER_PATH}"
      ln -sf "$(command -v ld.gold)" "${COMPILER_PATH}/ld"
    fi
  fi
  settings="$(env | sed -n -E "s/^(TILEWRIGHT_TEST_[A-Z]+|POCL_EXTRA_BUILD_FLAGS|[A-Z]+SAN_OPTIONS)=(.*)/\\1='\\2'/p" | paste -sd ' ')"
  shift
  # One test more than there are cores, because some tests wait.
  ctest --test-dir "${directory}" --verbose --parallel "$(($(nproc) + 1))" --timeout 86400 "$@" 2>&1 |
    show_progress "${log}" || status=$?
  if ((status != 0)); then
    while read -r number _ name _; do
      printf '\nErrors in the output of test %s, then its end:\n' "${name}"
      sed -n "s/^${number}: //p" "${log}" >"${log}.one"
      grep -E --before-context=2 --after-context=6 'ERROR: |FAILED|Assertion|runtime error: ' "${log}.one" | head -n 80 || true
      printf '%s\n' '...'
      tail -n 40 "${log}.one"
      printf 'To repeat it: %s ctest --test-dir %s --verbose -R '"'^%s\$'\n" "${settings}" "${directory}" "${name}"
    done < <(sed -n '/^The following tests FAILED:/,$p' "${log}" | grep -E '^[[:space:]]*[0-9]+ - .* \(.*\)$')
    fail "tests failed in ${directory}; the end of their output is above, all of it in ${log}"
  fi
  read -r kernels cases < <(awk '
    /^[0-9]+: kernels executed: [0-9]+, cases: [0-9]+/ { kernels += $4; cases += $6 }
    END { print kernels + 0, cases + 0 }' "${log}")
  ((kernels > 0 && cases > 0)) || fail "the tests in ${directory} executed no kernel, so they prove nothing"
}

# configure_tests DIRECTORY [CMake options]: configures with warnings as errors and precompiled headers.
configure_tests() { configure "$@" -DTILEWRIGHT_WARNINGS_AS_ERRORS=ON -DTILEWRIGHT_PRECOMPILE_HEADERS=ON; }

# configure_united DIRECTORY [CMake options]: also compiles the sources of a folder together, in half of the time.
configure_united() { configure_tests "$@" -DCMAKE_UNITY_BUILD=ON; }

# look_for_clang: sets `clang` to CMake's options for Clang. LLVM's linker, if it is installed, links a program in a fifth
# of the time of GNU's.
look_for_clang() {
  clang=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
  ! command -v ld.lld >/dev/null || clang+=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
}

# configure_fast DIRECTORY [CMake options]: without optimization, by Clang if it is installed, which takes a third of the
# time of GCC.
configure_fast() {
  local clang=()
  ! command -v clang++ >/dev/null || look_for_clang
  configure_united "$@" "${clang[@]}" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
}

step_quick() {
  part "Building the command and the unit tests in build-quick/, without optimization"
  configure_fast build-quick
  build build-quick tilewright_tool tilewright_watchdog tilewright_driver_without_devices tilewright_unit_tests
  provide_pocl_cache build-quick
  local tilewright=build-quick/tools/tilewright/tilewright
  part "The unit tests"
  TILEWRIGHT_TEST_LEVEL="${TILEWRIGHT_TEST_LEVEL:-quick}" \
    ctest --test-dir build-quick --tests-regex '^(unit\.[a-z_0-9]*|no_platform|no_device)$' --parallel "$(nproc)" \
    --output-on-failure --timeout 86400 || fail "unit tests failed; their output is above"
  part "The command and the device"
  "${tilewright}" devices
  "${tilewright}" ladder --size 256
  "${tilewright}" check --variant naive --quick || fail "products are wrong on this device; see above"
  "${tilewright}" check --op trsv --quick || fail "triangular systems are wrong on this device; see above"
  done_with "passed; tools/test.sh runs every test"
}

build_tests() {
  configure_fast build-test
  part "Building with warnings as errors in build-test/"
  build build-test "$@"
  provide_pocl_cache build-test
}

step_tests() {
  # The installation waits for the network and uses one core, so the build runs at the same time.
  part "Providing the modules of Python that the tests need in build-test/venv/, during the build"
  mkdir -p build-test
  provide_python build-test >build-test/venv.log 2>&1 &
  local installation=$! python_note=""
  build_tests
  wait "${installation}"
  cat build-test/venv.log
  if [[ -e build-test/venv/installed ]]; then
    configure build-test "-DPython3_EXECUTABLE=${PWD}/build-test/venv/bin/python"
  else
    python_note="; NOT RUN: most tests of the Python package, because PyPI was not reached"
  fi
  part "Running every test"
  # The sweep covers the remaining types: bf16 is stored like f16, u8 like i8, and c128 is c64 in double precision.
  TILEWRIGHT_TEST_LEVEL="${TILEWRIGHT_TEST_LEVEL:-quick}" TILEWRIGHT_TEST_TYPES="${TILEWRIGHT_TEST_TYPES:-f32,f64,f16,i8,c64}" \
    TILEWRIGHT_TEST_SEED="${TILEWRIGHT_TEST_SEED:-${day}}" \
    run_ctest build-test --label-exclude oclgrind --exclude-regex '\.loops$'
  done_with "passed, ${kernels} kernels executed, ${cases} cases${python_note}"
}

step_release() {
  configure_united build-release -DCMAKE_BUILD_TYPE=Release
  part "Building with warnings as errors in build-release/"
  build build-release "$@"
  provide_pocl_cache build-release
  (($# == 0)) || return 0
  part "Building and running programs of other projects, which install or embed the library"
  TILEWRIGHT_TEST_LEVEL=normal ctest --test-dir build-release --tests-regex '^consumer\.' --parallel "$(nproc)" \
    --output-on-failure --timeout 86400 || fail "programs of other projects failed; their output is above"
  done_with "built, and used by other projects"
}

step_sweep() {
  step_release tilewright_device_tests tilewright_differential tilewright_fault_tests tilewright_tool_device_tests \
    tilewright_watchdog
  part "Running the device tests at the normal level"
  TILEWRIGHT_TEST_LEVEL=normal run_ctest build-release --tests-regex '^((device|conformance|faults)\.|differential|tool\.lapack_bench$)'
  done_with "passed, ${kernels} kernels executed, ${cases} cases"
}

step_oclgrind() {
  if ! have_package oclgrind; then
    done_with "not run: oclgrind is not installed"
    return
  fi
  build_tests tilewright_device_tests tilewright_watchdog
  part "Running every kernel on Oclgrind"
  run_ctest build-test --label-regex oclgrind
  done_with "clean, ${kernels} kernels executed, ${cases} cases"
}

# Configures one build for sanitizers and fuzzers. The library is compiled with -O1, which halves the time of the tests.
# The test programs are compiled with -O0 (tests/CMakeLists.txt).
configure_clang() {
  local clang
  look_for_clang
  configure_united build-clang "${clang[@]}" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O1 -gline-tables-only" -DTILEWRIGHT_SANITIZE=fuzzer-no-link,address,undefined
}

step_sanitizers() {
  part "Building with AddressSanitizer and UndefinedBehaviorSanitizer in build-clang/"
  configure_clang
  build build-clang
  provide_pocl_cache build-clang
  # Compiling kernels takes most of the time, so reuse the kernels that the tests in build-test compiled.
  [[ -e build-clang/tests/pocl-cache-loopvec || ! -d build-test/tests/pocl-cache-loopvec ]] ||
    ln -s ../../build-test/tests/pocl-cache-loopvec build-clang/tests/pocl-cache-loopvec
  part "Running the unit and device tests with sanitizers, at the quick level"
  # Excludes PoCL's second work-group method (loops): the host code is the same for both.
  # Clang 14 guesses where a driver's thread-local block begins, and its leak search crashes after a wrong guess.
  # The samples are those of build-test, whose kernels are compiled.
  TILEWRIGHT_TEST_LEVEL=quick TILEWRIGHT_TEST_TYPES=f32 TILEWRIGHT_TEST_SEED="${TILEWRIGHT_TEST_SEED:-${day}}" \
    ASAN_OPTIONS=intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS="suppressions=${PWD}/tests/lsan_suppressions.txt:print_suppressions=0" \
    run_ctest build-clang --label-exclude oclgrind --exclude-regex '\.loops$'
  done_with "clean, ${kernels} kernels executed, ${cases} cases"
}

step_format() {
  part "Checking the formatting, the scripts and the generated files"
  find include src cl tools tests examples \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.cl' \) -print0 |
    xargs -0 clang-format --dry-run -Werror ||
    fail "the files above are not formatted; run clang-format -i on them"
  find tools tests .ci -type f \( -name '*.sh' -o -path .ci/run \) -print0 | xargs -0 shellcheck --external-sources ||
    fail "shellcheck found problems; they are above"
  tests/portability/table.sh --check
  tests/documentation/check_paths.sh || fail "the documentation names files or headings that do not exist; see above"
  if command -v python3 >/dev/null; then
    for script in update-results draw-speed draw-ladder draw-kernels write-c-api write-wave-constants; do
      "tools/${script}.py" --check || fail "run tools/${script}.py; the line above says why"
    done
    tools/check-prose.py || fail "rewrite the English above; each line has the replacement"
  else
    echo "Python 3 is not installed, so the tables and pictures of docs/ were not compared with their sources."
  fi
  done_with "clean"
}

# sources_to_lint: prints the source files of src/ and tools/, each with a 0 after it. For a changed header, this is the
# source of its name.
sources_to_lint() {
  local days="${TILEWRIGHT_LINT_DAYS:-}" base="" file
  if [[ -n "${days}" ]]; then
    base="$(git rev-list -1 --before="$(($(git log -1 --format=%ct) - days * 86400))" HEAD)"
  fi
  if [[ -z "${base}" ]]; then
    find src tools -name '*.cpp' -print0
  else
    git diff -z --name-only "${base}" HEAD -- 'src/*.[ch]pp' 'tools/*.[ch]pp' | while IFS= read -r -d '' file; do
      file="${file%.?pp}.cpp"
      [[ ! -e "${file}" ]] || printf '%s\0' "${file}"
    done | sort --zero-terminated --unique
  fi
}

step_lint() {
  part "Checking src/ and tools/ with clang-tidy"
  local clang
  look_for_clang
  # Without precompiled headers and unity files it finds missing includes.
  configure build-lint "${clang[@]}" -DCMAKE_BUILD_TYPE=Debug
  sources_to_lint | xargs -0 --no-run-if-empty -n 1 -P "$(nproc)" clang-tidy -p build-lint --quiet 2>&1 |
    { grep -vE '^[0-9]+ warnings?.* generated\.$' || true; } || fail "clang-tidy found problems; they are above"
  done_with "clean"
}

step_fuzz() {
  part "Building the fuzzers in build-clang/"
  configure_clang
  build build-clang tilewright_fuzzers
  local fuzzer name seconds="${TILEWRIGHT_FUZZ_SECONDS:-10}" count=0
  for fuzzer in build-clang/tests/fuzz/tilewright_*_fuzz; do
    name="${fuzzer##*/tilewright_}"
    name="${name%_fuzz}"
    part "Fuzzing ${name} for ${seconds} s"
    mkdir -p "build-clang/corpus/${name}" # grows from run to run; the committed corpus does not change
    TILEWRIGHT_RECORDS=off ASAN_OPTIONS=detect_leaks=0 "${fuzzer}" -max_total_time="${seconds}" -seed="${TILEWRIGHT_FUZZ_SEED:-0}" -runs="${TILEWRIGHT_FUZZ_RUNS:--1}" -timeout=20 -verbosity=0 \
      -artifact_prefix="build-clang/${name}-" "build-clang/corpus/${name}" "tests/fuzz/corpus/${name}" ||
      fail "the fuzzer ${name} found a fault; repeat it with ${fuzzer} FILE, with the file named above"
    count=$((count + 1))
  done
  done_with "${count} fuzzers found nothing in ${seconds} s each"
}

step_tsan() {
  part "Building the multi-threaded tests with ThreadSanitizer in build-clang-tsan/"
  local clang
  look_for_clang
  configure_tests build-clang-tsan "${clang[@]}" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O0 -gline-tables-only" -DTILEWRIGHT_SANITIZE=thread
  build build-clang-tsan tilewright_watchdog tilewright_device_tests tilewright_stress
  provide_pocl_cache build-clang-tsan
  export TILEWRIGHT_CACHE=off TILEWRIGHT_RECORDS=off
  # Drivers are built without ThreadSanitizer, so it cannot see their locks or judge their threads.
  export TSAN_OPTIONS="suppressions=${PWD}/tests/tsan_suppressions.txt ignore_noninstrumented_modules=1 history_size=4"
  part "Running multi-threaded tests of plans, engines and the cache"
  build-clang-tsan/tests/tilewright_watchdog build-clang-tsan/tests/tilewright_device_tests \
    --test-suite='plan?threads,engine,plan?events,binary?cache' || fail "race or failure found; it is above"
  part "Running random threads for 30 s"
  build-clang-tsan/tests/tilewright_watchdog build-clang-tsan/tests/stress/tilewright_stress --seconds 30 ||
    fail "race or failure found; it is above"
  done_with "no race"
}

step_blas() {
  build_tests tilewright_blas tilewright_libblas tilewright_liblapack
  part "Running other projects' tests on the BLAS library"
  TILEWRIGHT_RECORDS=off tests/bindings/blas/judges.sh build-test/src/bindings/blas/libtilewright-blas.so \
    build-test/src/bindings/blas/tilewright || fail "a judge of the BLAS library found a fault; it is above"
  done_with "passed"
}

step_portability() {
  part "Building and testing in a Debian 13 root"
  tests/portability/debian13.sh build-test/portability
  done_with "passed in the Debian 13 root"
}

say "Checking the packages that the tests need"
packages=("${build_packages[@]}" doctest-dev)
have_opencl_driver || packages+=(pocl-opencl-icd)
if [[ "${steps[*]}" != quick ]]; then
  # Clang's package only recommends libclang-rt-dev, which contains its sanitizers and fuzzer.
  packages+=(pocl-opencl-icd libbenchmark-dev clang libclang-rt-dev clang-format clang-tidy shellcheck man-db
    libopenmpi-dev openmpi-bin python3-venv --optional lld oclgrind doxygen abigail-tools libblas-test liblapack-test
    scalapack-mpi-test python3-numpy python3-pytest python3-hypothesis)
fi
if [[ " ${steps[*]} " == *" blas "* ]]; then
  [[ " ${packages[*]} " == *" --optional "* ]] || packages+=(--optional)
  packages+=(libblas-test libblas64-test liblapack-test scalapack-mpi-test openmpi-bin hpcc python3-venv python3-numpy python3-pytest
    python3-hypothesis python3-scipy octave r-base-core)
fi
install_packages "${packages[@]}"

for step_name in "${steps[@]}"; do
  number=$((number + 1))
  before="${SECONDS}"
  look_at_cpu
  cpu_before="${cpu}"
  outcome="passed"
  "step_${step_name}"
  look_at_cpu
  summary+=("$(printf '%-12s %s (%d s, %d s of CPU time)' "${step_name}:" "${outcome}" $((SECONDS - before)) $((cpu - cpu_before)))")
done

say "Summary"
printf '%s\n' "${summary[@]}"
echo "All requested steps passed in $((SECONDS - started)) s."
