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

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "this needs root rights; run it as root or install sudo: $*"
  fi
}

have_package() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
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

  # An optional package that the distribution does not have is known to be unavailable without asking the network,
  # as long as the package lists are there.
  if ((${#required[@]} > 0)) || ! package_lists_present; then
    say "Fetching the package lists"
    as_root apt-get update -q || fail "apt-get update did not succeed; is the network there?"
  fi
  for package in "${wanted[@]}"; do
    if [[ -n "$(apt-cache madison "${package}" 2>/dev/null)" ]]; then
      required+=("${package}")
    else
      echo "This distribution has no package ${package}; going on without it."
    fi
  done
  ((${#required[@]} == 0)) && return
  say "Installing ${required[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${required[@]}" </dev/null ||
    fail "apt-get could not install: ${required[*]}"
}

package_lists_present() {
  apt-cache show cmake >/dev/null 2>&1
}

# Whether any OpenCL driver is registered with the ICD loader.
have_opencl_driver() {
  [[ -n "${OCL_ICD_VENDORS:-}${OCL_ICD_FILENAMES:-}" ]] || compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null
}

# What the library, the command and its references are built with.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(g++ cmake ninja-build ocl-icd-opencl-dev opencl-c-headers opencl-clhpp-headers libmd-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev libclblast-dev libopenblas-dev)

# configure DIR [CMake options]: configures a build directory, with Ninja where it is new; says something only if it fails.
configure() {
  local directory="$1" generator=()
  shift
  [[ -e "${directory}/CMakeCache.txt" ]] || generator=(-G Ninja)
  mkdir -p "${directory}"
  cmake -S . -B "${directory}" "${generator[@]}" "$@" >"${directory}/configure.log" 2>&1 || {
    cat "${directory}/configure.log" >&2
    fail "CMake could not configure ${directory}; the lines above say why"
  }
}

build() {
  cmake --build "$1" --parallel "$(nproc)" || fail "${1} did not build; the lines above say why"
}
