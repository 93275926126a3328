# Shared by the scripts of this project. Source it; it changes to the checkout's root.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step="starting"

# Announces what comes next; fail() and the ERR trap name it.
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
trap 'fail "this step did not succeed: ${step}. The lines above say why."' ERR

# print_usage SCRIPT: the comment at the head of a script, which is its help.
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
    fail "this needs root rights; run it as root or install sudo: $*"
  fi
}

have_package() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# Whether the package lists on this machine know a package.
is_available() {
  [[ -n "$(apt-cache madison "$1" 2>/dev/null)" ]]
}

# Installs those of the named distribution packages that are missing; does not touch the network if none is.
# Packages after "--optional" are left out, with a line, where the distribution does not have them.
install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this script installs Debian and Ubuntu packages; on another system install the list in README.md by hand, then build with CMake"
  local package optional=no required=() wanted=()
  for package in "$@"; do
    if [[ "${package}" == --optional ]]; then
      optional=yes
    elif ! have_package "${package}"; then
      if [[ "${optional}" == yes ]]; then wanted+=("${package}"); else required+=("${package}"); fi
    fi
  done
  if ((${#required[@]} + ${#wanted[@]} == 0)); then
    echo "All packages are there."
    return
  fi
  if ! can_become_root || ! as_root true; then # sudo may refuse
    local optional_ones=()
    for package in "${wanted[@]}"; do
      if is_available "${package}"; then optional_ones+=("${package}"); fi
    done
    wanted=("${optional_ones[@]}")
    if ((${#required[@]} > 0)); then
      fail "packages are missing, and installing them needs root rights. Ask an administrator to run

    apt-get update && apt-get install --no-install-recommends ${required[*]} ${wanted[*]}

and start this script again.${wanted[*]:+ It can do without ${wanted[*]}.}"
    fi
    ((${#wanted[@]} == 0)) || echo "Going on without ${wanted[*]}, which nobody but root can install."
    return
  fi

  # An optional package that the distribution does not have is known to be unavailable without asking the network,
  # as long as the package lists are there.
  if ((${#required[@]} > 0)) || ! is_available cmake; then
    say "Fetching the package lists"
    # Without --error-on=any a machine without a network would seem to have new lists.
    as_root apt-get update -q --error-on=any ||
      fail "the package lists could not be fetched; is the network there? These packages are missing: ${required[*]} ${wanted[*]}"
  fi
  for package in "${wanted[@]}"; do
    if is_available "${package}"; then
      required+=("${package}")
    else
      echo "This distribution has no package ${package}; going on without it."
    fi
  done
  ((${#required[@]} > 0)) || return 0
  say "Installing ${required[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${required[@]}" </dev/null ||
    fail "apt-get could not install: ${required[*]}"
}

# Whether any OpenCL driver is registered with the ICD loader.
have_opencl_driver() {
  [[ -n "${OCL_ICD_VENDORS:-}${OCL_ICD_FILENAMES:-}" ]] || compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null
}

# What the library, the command and its references are built with.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(g++ cmake ninja-build pkgconf ocl-icd-opencl-dev opencl-c-headers opencl-clhpp-headers
  libcli11-dev nlohmann-json3-dev libfmt-dev libzip-dev zlib1g-dev libclblast-dev libopenblas-dev)

# Whether a directory, or the first one above it that is there, can be written.
can_write() {
  local place="$1"
  while [[ ! -e "${place}" && "${place}" == */?* ]]; do place="$(dirname "${place}")"; done
  [[ -d "${place}" && -w "${place}" ]]
}

# provide_pocl_cache DIRECTORY: PoCL compiles into a directory below HOME and does not work where it cannot make it.
# There it gets one in a build directory.
provide_pocl_cache() {
  local place="${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/pocl}"
  if can_write "${place}"; then return; fi
  export POCL_CACHE_DIR="${PWD}/$1/pocl-cache"
  mkdir -p "${POCL_CACHE_DIR}"
  echo "${place} cannot be written, so PoCL keeps its compiled kernels in ${POCL_CACHE_DIR} (POCL_CACHE_DIR)."
}

# cached DIRECTORY NAME: the value of a variable in a build directory's CMakeCache.txt.
cached() {
  sed -n "s|^$2:[A-Z]*=||p" "$1/CMakeCache.txt"
}

# Why a build directory that was configured before cannot be used; nothing where it can.
why_stale() {
  local directory="$1" home compiler program
  home="$(cached "${directory}" CMAKE_HOME_DIRECTORY)"
  compiler="$(cached "${directory}" CMAKE_CXX_COMPILER)"
  program="$(cached "${directory}" CMAKE_MAKE_PROGRAM)"
  if [[ ! "${home}" -ef "${PWD}" || ! "$(cached "${directory}" CMAKE_CACHEFILE_DIR)" -ef "${directory}" ]]; then
    echo "it was configured in ${home}"
  elif ! command -v "${compiler}" >/dev/null; then # a name without a path, where CMake was told so
    echo "its compiler, ${compiler}, is gone"
  elif [[ ! -x "${program}" ]]; then
    echo "its build program, ${program}, is gone"
  fi
}

# forget_stale DIR: makes a build directory that cannot be used any more, such as one of a checkout that was moved, new.
forget_stale() {
  local directory="$1" reason
  [[ -e "${directory}/CMakeCache.txt" ]] || return 0
  reason="$(why_stale "${directory}")"
  [[ -n "${reason}" ]] || return 0
  echo "${directory}/ is configured anew: ${reason}."
  rm -rf "${directory}/CMakeCache.txt" "${directory}/CMakeFiles"
}

# configure DIR [CMake options]: configures a build directory, with Ninja where it is new; says something only if it
# fails.
configure() {
  local directory="$1" generator=()
  shift
  forget_stale "${directory}"
  [[ -e "${directory}/CMakeCache.txt" ]] || generator=(-G Ninja)
  mkdir -p "${directory}" 2>/dev/null || fail "${PWD}/${directory} cannot be made; is this checkout read-only?"
  cmake -S . -B "${directory}" "${generator[@]}" "$@" >"${directory}/configure.log" 2>&1 || {
    cat "${directory}/configure.log" >&2
    fail "CMake could not configure ${directory}; the lines above say why"
  }
}

# build DIR [TARGET]...
build() {
  local directory="$1"
  shift
  cmake --build "${directory}" --parallel "$(nproc)" ${1:+--target} "$@" ||
    fail "${directory} did not build; the lines above say why"
}
