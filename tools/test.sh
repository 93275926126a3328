#!/usr/bin/env bash
# Tests Tilewright on this machine: installs the packages that are missing, builds with warnings as errors and runs
# every test, builds again with sanitizers, and checks formatting and style. Debian 12, Ubuntu 24.04 or later.
#
# Usage: tools/test.sh [--all] [--only STEP]...
#   --all        also build and test in a Debian 13 root (tests/portability/debian13.sh; needs root rights)
#   --only STEP  just this step; may be repeated: tests, sanitizers, format, lint, portability
#
# Build directories: build-test, build-asan.

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  sed -n '5,7s/^# \{0,1\}//p' tools/test.sh >&2
  exit 2
}

steps=()
all=no
while (($# > 0)); do
  case "$1" in
    --all) all=yes ;;
    --only)
      case "${2:-}" in
        tests | sanitizers | format | lint | portability) steps+=("$2") ;;
        *) usage ;;
      esac
      shift
      ;;
    *) usage ;;
  esac
  shift
done
if ((${#steps[@]} == 0)); then
  steps=(tests sanitizers format lint)
  [[ "${all}" == no ]] || steps+=(portability)
fi
wants() { [[ " ${steps[*]} " == *" $1 "* ]]; }

started="${SECONDS}"
summary=()
# done_with TEXT: a line of the summary, with the time since the last one.
last="${SECONDS}"
done_with() {
  summary+=("$(printf '%-12s %s (%d s)' "${1}:" "${2}" $((SECONDS - last)))")
  last="${SECONDS}"
}

# run_ctest DIR [ctest options]: runs ctest, adds up what the test programs say they ran, and fails if that is nothing.
# Leaves the sums in `kernels` and `cases`.
run_ctest() {
  local directory="$1"
  shift
  ctest --test-dir "${directory}" --output-on-failure --parallel "$(nproc)" --timeout 900 "$@" ||
    fail "tests failed in ${directory}; the lines above hold their output"
  read -r kernels cases < <(awk '
    /^kernels executed: [0-9]+, cases: [0-9]+/ { kernels += $3; cases += $5 }
    END { print kernels + 0, cases + 0 }' "${directory}/Testing/Temporary/LastTest.log")
  ((kernels > 0 && cases > 0)) || fail "no kernel was executed by the tests in ${directory}: a run like that proves nothing"
}

say "Looking for the packages that the tests need"
install_packages "${build_packages[@]}" pocl-opencl-icd doctest-dev libbenchmark-dev clang-format clang-tidy \
  --optional oclgrind

if wants tests || wants lint; then
  configure build-test -DCMAKE_BUILD_TYPE=Release -DTILEWRIGHT_WARNINGS_AS_ERRORS=ON # clang-tidy needs to know its commands
fi

if wants tests; then
  say "Building with warnings as errors in build-test/"
  build build-test
  say "Running every test"
  run_ctest build-test
  done_with tests "passed, ${kernels} kernels executed, ${cases} cases"
  have_package oclgrind || summary+=("oclgrind:    not in this distribution, so its checks did not run")
fi

if wants sanitizers; then
  say "Building with AddressSanitizer and UndefinedBehaviorSanitizer in build-asan/"
  configure build-asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" -DTILEWRIGHT_WARNINGS_AS_ERRORS=ON \
    -DTILEWRIGHT_SANITIZE=address,undefined
  build build-asan
  # Compiling kernels is most of the time, and slow under the sanitizers: use what the first build's tests compiled.
  [[ -e build-asan/tests/pocl-cache-loopvec || ! -d build-test/tests/pocl-cache-loopvec ]] ||
    ln -s ../../build-test/tests/pocl-cache-loopvec build-asan/tests/pocl-cache-loopvec
  say "Running the unit and device tests with sanitizers, at the quick level"
  TILEWRIGHT_TEST_LEVEL=quick UBSAN_OPTIONS=print_stacktrace=1 \
    LSAN_OPTIONS="suppressions=${PWD}/tests/lsan_suppressions.txt:print_suppressions=0" \
    run_ctest build-asan --label-exclude oclgrind --exclude-regex '\.loops$' # the host side is the same for both methods
  done_with sanitizers "clean, ${kernels} kernels executed, ${cases} cases"
fi

if wants format; then
  say "Checking the formatting with clang-format"
  find include src tools tests examples -name '*.[ch]pp' -print0 | xargs -0 clang-format --dry-run -Werror ||
    fail "the files above are not formatted; run clang-format -i on them"
  tests/portability/table.sh --check
  done_with format "clean"
fi

if wants lint; then
  say "Checking src/ and tools/ with clang-tidy"
  find src tools -name '*.cpp' -print0 | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build-test --quiet 2>&1 |
    { grep -vE '^[0-9]+ warnings?.* generated\.$' || true; } || fail "clang-tidy has complaints; the lines above hold them"
  done_with lint "clean"
fi

if wants portability; then
  tests/portability/debian13.sh build-test/portability
  done_with portability "passed in the Debian 13 root"
fi

say "Summary"
printf '%s\n' "${summary[@]}"
echo "Everything asked for passed in $((SECONDS - started)) s."
