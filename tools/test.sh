#!/usr/bin/env bash
# Tests Tilewright on this machine: installs the packages that are missing, builds with warnings as errors, runs every
# test and checks the formatting. Debian 12, Ubuntu 24.04 or later; as root or with sudo if packages are missing.
# Takes some 20 minutes on two cores and 2 GB of disk.
#
# Usage: tools/test.sh [--quick | --all | --only STEP...] [--help]
#   --quick      prove the installation: the unit tests, some products on the device, the command
#   --all        every step, the slow ones included
#   --only STEP  just this step; may be repeated
#
# Steps:
#   format       clang-format, shellcheck, files that scripts make, English, and paths in the documentation
#   tests        every test but those of the steps below, on this machine's OpenCL runtimes. Those that sweep over sizes,
#                types and configurations do so at the quick level, unless TILEWRIGHT_TEST_LEVEL asks for another
#   sweep        the tests on the device again, at the normal level, and with PoCL's second work-group method
#   oclgrind     the kernels on Oclgrind, which finds races between work-items and reads of what was never written
#   sanitizers   unit and device tests with AddressSanitizer and UndefinedBehaviorSanitizer, built with Clang
#   fuzz         libFuzzer on everything that reads files or text, ten seconds each
#   lint         clang-tidy
#   tsan         tests with many threads, with ThreadSanitizer
#   portability  builds and tests in a Debian 13 root (tests/portability/debian13.sh; needs root rights)
#
# A test may take as long as it needs; what hangs is ended: no output and no CPU time used for 10 minutes, or an hour of
# CPU time used without output. Build directories: build-test, build-clang, build-clang-tsan, build-quick.

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Each step is a function step_NAME below, and has its line in the help above.
default_steps=(format tests)
all_steps=("${default_steps[@]}" sweep oclgrind sanitizers fuzz lint tsan portability)

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

# Announces a part of the current step.
part() { say "[${number}/${#steps[@]}] $*"; }

# Sets `cpu` to the CPU seconds that this script and what it started have used. `times` in a subshell would tell that
# subshell's.
look_at_cpu() {
  local file
  file="$(mktemp)"
  times >"${file}"
  cpu="$(awk '{ for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } } END { printf "%d", sum }' "${file}")"
  rm -f "${file}"
}

# done_with TEXT: the current step's line of the summary.
done_with() { outcome="$*"; }

# Shows ctest's own lines, and of what the tests print a line now and then: what runs now. Everything goes to a file.
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

# run_ctest DIR [ctest options]: runs ctest, adds up what the test programs say they ran, and fails if that is nothing.
# Leaves the sums in `kernels` and `cases`.
run_ctest() {
  local directory="$1" log="$1/ctest.log" status=0 failed
  shift
  ctest --test-dir "${directory}" --verbose --parallel "$(nproc)" --timeout 86400 "$@" 2>&1 |
    show_progress "${log}" || status=$?
  if ((status != 0)); then
    while read -r failed; do
      printf '\nThe output of test %s ends:\n' "${failed}"
      sed -n "s/^${failed}: //p" "${log}" | tail -n 100
    done < <(sed -n 's/^[[:space:]]*\([0-9]*\) - .* (.*)$/\1/p' "${log}")
    fail "tests failed in ${directory}; the lines above hold their output, ${log} all of it"
  fi
  read -r kernels cases < <(awk '
    /^[0-9]+: kernels executed: [0-9]+, cases: [0-9]+/ { kernels += $4; cases += $6 }
    END { print kernels + 0, cases + 0 }' "${log}")
  ((kernels > 0 && cases > 0)) || fail "no kernel was executed by the tests in ${directory}: a run like that proves nothing"
}

# configure_tests DIR [CMake options]
configure_tests() { configure "$@" -DTILEWRIGHT_WARNINGS_AS_ERRORS=ON -DTILEWRIGHT_PRECOMPILE_HEADERS=ON; }

# As configure_tests, with the sources of a folder compiled together, which takes half of the time. The builds with
# Clang compile each by itself, and see what it forgot to include.
configure_united() { configure_tests "$@" -DCMAKE_UNITY_BUILD=ON; }

step_quick() {
  part "Building the command and a part of the tests in build-quick/, with little optimization"
  configure_united build-quick -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1
  build build-quick tilewright_tool tilewright_watchdog tilewright_driver_without_devices tilewright_unit_tests \
    tilewright_device_tests
  provide_pocl_cache build-quick
  local tilewright=build-quick/tools/tilewright/tilewright
  part "The unit tests"
  ctest --test-dir build-quick --tests-regex '^(unit|no_platform|no_device)$' --output-on-failure --timeout 86400 ||
    fail "unit tests failed; the lines above hold their output"
  part "Some tests on the device"
  TILEWRIGHT_TEST_LEVEL=quick TILEWRIGHT_CACHE=off TILEWRIGHT_RECORDS=off build-quick/tests/tilewright_watchdog \
    build-quick/tests/tilewright_device_tests --test-suite='engine,plan,plan?events' ||
    fail "tests on the device failed; the lines above hold their output"
  part "The command"
  "${tilewright}" devices
  "${tilewright}" ladder --size 256
  done_with "passed; tools/test.sh runs every test"
}

build_tests() {
  configure_united build-test -DCMAKE_BUILD_TYPE=Release
  part "Building with warnings as errors in build-test/"
  build build-test "$@"
  provide_pocl_cache build-test
}

step_tests() {
  build_tests
  part "Running every test"
  # The sweep has the other types, too: bf16 is stored as f16 is, u8 as i8, and c128 is c64 in double precision.
  TILEWRIGHT_TEST_LEVEL="${TILEWRIGHT_TEST_LEVEL:-quick}" TILEWRIGHT_TEST_TYPES="${TILEWRIGHT_TEST_TYPES:-f32,f64,f16,i8,c64}" \
    run_ctest build-test --label-exclude oclgrind --exclude-regex '\.loops$'
  done_with "passed, ${kernels} kernels executed, ${cases} cases"
}

step_sweep() {
  build_tests tilewright_device_tests tilewright_watchdog
  part "Running the tests on the device at the normal level"
  TILEWRIGHT_TEST_LEVEL=normal run_ctest build-test --tests-regex '^(device|conformance)\.'
  done_with "passed, ${kernels} kernels executed, ${cases} cases"
}

step_oclgrind() {
  if ! have_package oclgrind; then
    done_with "not run: oclgrind is not in this distribution"
    return
  fi
  build_tests tilewright_device_tests tilewright_watchdog
  part "Running every kernel on Oclgrind"
  run_ctest build-test --label-regex oclgrind
  done_with "clean, ${kernels} kernels executed, ${cases} cases"
}

# One build for sanitizers, fuzzers and clang-tidy: Clang takes a third of GCC's time for it, and is a second compiler
# that must accept all of the code.
configure_clang() {
  configure_tests build-clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O0 -gline-tables-only" -DTILEWRIGHT_SANITIZE=fuzzer-no-link,address,undefined
}

step_sanitizers() {
  part "Building with AddressSanitizer and UndefinedBehaviorSanitizer in build-clang/"
  configure_clang
  build build-clang
  provide_pocl_cache build-clang
  # Compiling kernels is most of the time, and slow under the sanitizers: use what the first build's tests compiled.
  [[ -e build-clang/tests/pocl-cache-loopvec || ! -d build-test/tests/pocl-cache-loopvec ]] ||
    ln -s ../../build-test/tests/pocl-cache-loopvec build-clang/tests/pocl-cache-loopvec
  part "Running the unit and device tests with sanitizers, at the quick level"
  # Clang 14 guesses from what lies before a driver's thread-local block where that begins, and its search for leaks
  # crashes on a wrong guess.
  TILEWRIGHT_TEST_LEVEL=quick TILEWRIGHT_TEST_TYPES=f32 \
    ASAN_OPTIONS=intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS="suppressions=${PWD}/tests/lsan_suppressions.txt:print_suppressions=0" \
    run_ctest build-clang --label-exclude oclgrind --exclude-regex '\.loops$' # the host side is the same for both methods
  done_with "clean, ${kernels} kernels executed, ${cases} cases"
}

step_format() {
  part "Checking the formatting, the scripts and the files that scripts make"
  find include src tools tests examples -name '*.[ch]pp' -print0 | xargs -0 clang-format --dry-run -Werror ||
    fail "the files above are not formatted; run clang-format -i on them"
  find tools tests .ci -type f \( -name '*.sh' -o -path .ci/run \) -print0 | xargs -0 shellcheck --external-sources ||
    fail "shellcheck has complaints; the lines above hold them"
  tests/portability/table.sh --check
  tests/documentation/check_paths.sh || fail "the documentation names files that are not there; the lines above say which"
  if command -v python3 >/dev/null; then
    tools/draw-speed.py --check || fail "run tools/draw-speed.py; the line above says why"
    tools/update-operations.py --check || fail "run tools/update-operations.py; the line above says why"
    tools/check-prose.py cl cmake examples src/gemm || fail "rewrite the English above; each line has the replacement"
  else
    echo "Python 3 is not installed, so docs/speed.svg, docs/operations.md and the English were not checked."
  fi
  done_with "clean"
}

step_lint() {
  part "Checking src/ and tools/ with clang-tidy"
  configure_clang
  # clang-tidy reads the precompiled headers of these, which must be there.
  build build-clang tilewright_command tilewright_tuning tilewright_verification
  find src tools -name '*.cpp' -print0 | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build-clang --quiet 2>&1 |
    { grep -vE '^[0-9]+ warnings?.* generated\.$' || true; } || fail "clang-tidy has complaints; the lines above hold them"
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
    mkdir -p "build-clang/corpus/${name}" # grows from run to run; the committed one stays as it is
    TILEWRIGHT_RECORDS=off ASAN_OPTIONS=detect_leaks=0 "${fuzzer}" -max_total_time="${seconds}" -timeout=20 -verbosity=0 \
      -artifact_prefix="build-clang/${name}-" "build-clang/corpus/${name}" "tests/fuzz/corpus/${name}" ||
      fail "the fuzzer of ${name} found a fault; the lines above tell the file that shows it: ${fuzzer} FILE"
    count=$((count + 1))
  done
  done_with "nothing found by ${count} fuzzers in ${seconds} s each"
}

step_tsan() {
  part "Building the tests of threads with ThreadSanitizer in build-clang-tsan/"
  configure_tests build-clang-tsan -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O0 -gline-tables-only" -DTILEWRIGHT_SANITIZE=thread
  build build-clang-tsan tilewright_watchdog tilewright_device_tests tilewright_stress
  provide_pocl_cache build-clang-tsan
  export TILEWRIGHT_CACHE=off TILEWRIGHT_RECORDS=off
  # Drivers are not built with it, so that neither their locks nor what they do in their threads can be judged.
  export TSAN_OPTIONS="suppressions=${PWD}/tests/tsan_suppressions.txt ignore_noninstrumented_modules=1 history_size=4"
  part "Threads on plans, engines and the cache"
  build-clang-tsan/tests/tilewright_watchdog build-clang-tsan/tests/tilewright_device_tests \
    --test-suite='plan?threads,engine,plan?events,binary?cache' || fail "the lines above tell of a race or a failure"
  part "Threads at random for 30 s"
  build-clang-tsan/tests/tilewright_watchdog build-clang-tsan/tests/stress/tilewright_stress --seconds 30 ||
    fail "the lines above tell of a race or a failure"
  done_with "no race"
}

step_portability() {
  part "Building and testing in a Debian 13 root"
  tests/portability/debian13.sh build-test/portability
  done_with "passed in the Debian 13 root"
}

say "Looking for the packages that the tests need"
packages=("${build_packages[@]}" doctest-dev)
have_opencl_driver || packages+=(pocl-opencl-icd)
if [[ "${steps[*]}" != quick ]]; then
  # Clang's sanitizers and fuzzer are in a package that it only recommends.
  packages+=(pocl-opencl-icd libbenchmark-dev clang libclang-rt-dev clang-format clang-tidy shellcheck man-db
    --optional oclgrind doxygen)
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
echo "Everything asked for passed in $((SECONDS - started)) s."
