# Functions shared by this project's scripts. Sourcing this file changes to the root of the checkout.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step="starting"

# say TEXT: announces the next step. fail() and the ERR trap name it.
say() {
  step="$*"
  printf '\n==> %s\n' "$*"
}

fail() {
  trap - ERR
  printf '\nerror: %s\n' "$*" >&2
  exit 1
}

set -o errtrace
trap 'fail "this step failed: ${step}. The lines above say why."' ERR

# print_usage SCRIPT: prints the comment at the head of a script, which is its help.
print_usage() {
  sed -n '2,/^$/{s/^# \{0,1\}//;/^shellcheck/d;p}' "$1"
}

is_root() { ((EUID == 0)); }
can_become_root() { is_root || command -v sudo >/dev/null; }

as_root() {
  if is_root; then
    "$@"
  elif can_become_root; then
    sudo "$@"
  else
    fail "this command needs root rights: $*; run the script as root, or install sudo"
  fi
}

have_package() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# is_available PACKAGE: true if this machine's package lists contain the package.
is_available() {
  [[ -n "$(apt-cache madison "$1" 2>/dev/null)" ]]
}

# install_packages PACKAGE... [--optional PACKAGE...]: installs missing packages. Uses no network if none is.
# Skips optional packages that the distribution lacks, with a note.
install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "dpkg-query not found: this script supports Debian and Ubuntu;" \
      "elsewhere install the packages listed in README.md, then build with CMake"
  local package optional=no required=() wanted=()
  for package in "$@"; do
    if [[ "${package}" == --optional ]]; then
      optional=yes
    elif ! have_package "${package}"; then
      if [[ "${optional}" == yes ]]; then wanted+=("${package}"); else required+=("${package}"); fi
    fi
  done
  if ((${#required[@]} + ${#wanted[@]} == 0)); then
    echo "All packages are installed."
    return
  fi
  if ! can_become_root || ! as_root true; then # sudo may refuse
    local optional_ones=()
    for package in "${wanted[@]}"; do
      if is_available "${package}"; then optional_ones+=("${package}"); fi
    done
    wanted=("${optional_ones[@]}")
    if ((${#required[@]} > 0)); then
      fail "packages are missing, and installing them requires root rights. Ask an administrator to run

    apt-get update && apt-get install --no-install-recommends ${required[*]} ${wanted[*]}

then run this script again.${wanted[*]:+ ${wanted[*]}: optional.}"
    fi
    ((${#wanted[@]} == 0)) || echo "Continuing without ${wanted[*]}: installing requires root rights."
    return
  fi

  # The local package lists, if present, already show which optional packages the distribution lacks.
  if ((${#required[@]} > 0)) || ! is_available cmake; then
    say "Fetching the package lists"
    # Without --error-on=any, apt-get succeeds even if there is no network.
    as_root apt-get update -q --error-on=any ||
      fail "the package lists could not be fetched; check the network. Missing packages: ${required[*]} ${wanted[*]}"
  fi
  for package in "${wanted[@]}"; do
    if is_available "${package}"; then
      required+=("${package}")
    else
      echo "This distribution has no package ${package}; continuing without it."
    fi
  done
  ((${#required[@]} > 0)) || return 0
  say "Installing ${required[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${required[@]}" </dev/null ||
    fail "apt-get could not install ${required[*]}; the lines above say why"
}

# True if any OpenCL driver is registered with the ICD loader.
have_opencl_driver() {
  [[ -n "${OCL_ICD_VENDORS:-}${OCL_ICD_FILENAMES:-}" ]] || compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null
}

# Packages to build the library, the command, and the comparisons with other libraries.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(g++ cmake ninja-build pkgconf ocl-icd-opencl-dev opencl-c-headers opencl-clhpp-headers
  libcli11-dev nlohmann-json3-dev libfmt-dev libzip-dev zlib1g-dev libclblast-dev libopenblas-dev)

# can_write DIRECTORY: true if the directory, or its closest existing parent, is writable.
can_write() {
  local place="$1"
  while [[ ! -e "${place}" && "${place}" == */?* ]]; do place="$(dirname "${place}")"; done
  [[ -d "${place}" && -w "${place}" ]]
}

# provide_pocl_cache DIRECTORY: sets POCL_CACHE_DIR to a folder of a build directory if PoCL's default cache below HOME
# cannot be written, because PoCL fails without a cache.
provide_pocl_cache() {
  local place="${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/pocl}"
  if can_write "${place}"; then return; fi
  export POCL_CACHE_DIR="${PWD}/$1/pocl-cache"
  mkdir -p "${POCL_CACHE_DIR}"
  echo "${place} cannot be written; PoCL stores its compiled kernels in ${POCL_CACHE_DIR} instead (POCL_CACHE_DIR)."
}

# provide_python DIRECTORY: provides a virtual environment in DIRECTORY/venv with the modules of pyproject.toml's extra
# `test`. Installs them from PyPI once. DIRECTORY/venv/installed then lists them; without PyPI, says so and writes no
# list.
provide_python() {
  local venv="${PWD}/$1/venv" wanted
  wanted="$(sed -n '/^test = \[/,/^\]/s/^ *"\(.*\)",\{0,1\}$/\1/p' pyproject.toml)"
  if [[ "$(cat "${venv}/installed" 2>/dev/null)" != "${wanted}" ]] || ! "${venv}/bin/python" -c 'import numpy' 2>/dev/null; then
    rm -rf "${venv}"
    mkdir -p "$1"
    if ! python3 -m venv "${venv}" ||
      ! xargs timeout 300 "${venv}/bin/pip" install --quiet --disable-pip-version-check --retries 1 <<<"${wanted}"; then
      echo "NOTE: ${wanted//$'\n'/, } could not be installed from PyPI; the lines above say why." \
        "Tests of the Python package that need them do not run."
      return 0
    fi
    printf '%s\n' "${wanted}" >"${venv}/installed"
  fi
}

# cached DIRECTORY NAME: prints the value of a variable in a build directory's CMakeCache.txt.
cached() {
  sed -n "s|^$2:[A-Z]*=||p" "$1/CMakeCache.txt"
}

# why_stale DIRECTORY: prints why a configured build directory is unusable; prints nothing if it is usable.
why_stale() {
  local directory="$1" home compiler program
  home="$(cached "${directory}" CMAKE_HOME_DIRECTORY)"
  compiler="$(cached "${directory}" CMAKE_CXX_COMPILER)"
  program="$(cached "${directory}" CMAKE_MAKE_PROGRAM)"
  if [[ ! "${home}" -ef "${PWD}" || ! "$(cached "${directory}" CMAKE_CACHEFILE_DIR)" -ef "${directory}" ]]; then
    echo "it was configured in ${home}"
  elif ! command -v "${compiler}" >/dev/null; then # may be a name without a path
    echo "its compiler, ${compiler}, is gone"
  elif [[ ! -x "${program}" ]]; then
    echo "its build program, ${program}, is gone"
  fi
}

# forget_stale DIRECTORY: removes CMake's state from an unusable build directory, for example after a move.
forget_stale() {
  local directory="$1" reason
  [[ -e "${directory}/CMakeCache.txt" ]] || return 0
  reason="$(why_stale "${directory}")"
  [[ -n "${reason}" ]] || return 0
  echo "${directory}/ is configured again: ${reason}."
  rm -rf "${directory}/CMakeCache.txt" "${directory}/CMakeFiles"
}

# configure DIRECTORY [CMake options]: configures a build directory, with Ninja if it is new. Prints only on failure.
configure() {
  local directory="$1" generator=()
  shift
  forget_stale "${directory}"
  [[ -e "${directory}/CMakeCache.txt" ]] || generator=(-G Ninja)
  mkdir -p "${directory}" 2>/dev/null ||
    fail "${PWD}/${directory} cannot be created; check that this checkout is writable"
  cmake -S . -B "${directory}" "${generator[@]}" "$@" >"${directory}/configure.log" 2>&1 || {
    cat "${directory}/configure.log" >&2
    fail "CMake could not configure ${directory}; the lines above say why"
  }
}

# build DIRECTORY [TARGET...]: builds the targets, or all, on all cores.
build() {
  local directory="$1"
  shift
  cmake --build "${directory}" --parallel "$(nproc)" ${1:+--target} "$@" ||
    fail "${directory} did not build; the lines above say why"
}
