#!/usr/bin/env bash
# Tests the wheel in build-wheel/dist in every Python from 3.9 on that this machine has, also those of pyenv: each gets
# a virtual environment with the wheel and NumPy, in which it multiplies, factors and solves. With --intel, one of them
# also gets Intel's OpenCL driver (230 MB) and computes on it, without another driver and, as root, without the
# machine's OpenCL loader. Requires PyPI, and an OpenCL driver unless --intel is given.
#
# Usage: tools/packaging/test-wheel.sh [--intel] [--help]

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

case "${1:-}" in
  "" | --intel) ;;
  --help | -h)
    print_usage tools/packaging/test-wheel.sh
    exit 0
    ;;
  *) fail "unknown argument: $1; try --help" ;;
esac
wheels=("${PWD}"/build-wheel/dist/tilewright-*.whl)
[[ -e "${wheels[0]}" ]] || fail "build-wheel/dist has no wheel; run tools/packaging/build-wheel.sh"
wheel="${wheels[0]}"

program='
import sys, numpy as np, tilewright as tw
a = np.arange(12.0).reshape(3, 4)
assert (tw.matmul(a, a.T) == a @ a.T).all()
x = tw.linalg.solve(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([6.0, 7.0]))
assert abs(x - [1, 2]).max() < 1e-12
print("Python", sys.version.split()[0], "NumPy", np.__version__, "on", tw.devices()[0]["name"])
'

# try PYTHON COMMAND...: runs the program in a Python, through a command.
try() { (cd / && env -u TILEWRIGHT_LIBRARY -u PYTHONPATH "${@:2}" "$1" -I -c "${program}"); }

# environment PYTHON DIRECTORY REQUIREMENT: makes a virtual environment with the wheel.
environment() {
  rm -rf "$2"
  "$1" -m venv "$2"
  "$2/bin/pip" install --quiet --disable-pip-version-check "$3"
}

pyenv="${PYENV_ROOT:-${HOME}/.pyenv}"
count=0
newest=""
for minor in {9..29}; do
  for place in $(type -ap "python3.${minor}" || true) "${pyenv}/versions/3.${minor}."*/bin/python3; do
    "${place}" -c 'import ensurepip' 2>/dev/null || continue
    say "Python 3.${minor}: ${place}"
    environment "${place}" "build-wheel/python3.${minor}" "${wheel}"
    try "${PWD}/build-wheel/python3.${minor}/bin/python" || fail "the wheel does not work in ${place}; see above"
    newest="${place}"
    count=$((count + 1))
    break
  done
done
((count > 0)) || fail "no Python from 3.9 on with the module venv was found"

if [[ "${1:-}" == --intel ]]; then
  say "Intel's driver in ${newest}"
  environment "${newest}" build-wheel/intel "tilewright[intel] @ file://${wheel}"
  python="${PWD}/build-wheel/intel/bin/python"
  try "${python}" env OCL_ICD_VENDORS=/nonexistent || fail "Intel's driver was not found; see above"
  if is_root; then
    say "The same without the machine's OpenCL loader"
    # In a mount namespace of its own, /dev/null is the loader.
    loader="$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)"
    # shellcheck disable=SC2016 # expanded by the inner shell
    try "${python}" unshare --mount bash -c '[[ -z "$0" ]] || mount --bind /dev/null "$(realpath "$0")"; exec "$@"' \
      "${loader}" env OCL_ICD_VENDORS=/nonexistent || fail "the wheel's loader was not used; see above"
  fi
fi
say "The wheel works in ${count} versions of Python"
