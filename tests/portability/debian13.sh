#!/usr/bin/env bash
# Builds this checkout in a Debian 13 root and runs the device tests on the OpenCL runtimes there: PoCL 6.0 with both
# of its work-group methods, and rusticl on llvmpipe, which has images but no FP64.
#
# Usage: debian13.sh [RESULTS]   RESULTS: the folder for result files; default: build-test/portability
#
# The root is bootstrapped once and kept: TILEWRIGHT_DEBIAN13_ROOT, default ~/.cache/tilewright/debian13 (XDG_CACHE_HOME
# is respected). The first run needs the network; TILEWRIGHT_DEBIAN_MIRROR names a Debian mirror, default: apt's
# configured mirror, otherwise debootstrap's own. Needs root rights. Exit status 77: the root cannot be set up here.

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
results="$(realpath -m "${1:-${here}/../../build-test/portability}")"
# shellcheck source-path=SCRIPTDIR
source "${here}/../../tools/common.sh"

root="${TILEWRIGHT_DEBIAN13_ROOT:-${XDG_CACHE_HOME:-${HOME}/.cache}/tilewright/debian13}"
checkout="${PWD}"

cannot() {
  trap - ERR
  printf '\nThe Debian 13 root cannot be set up here: %s\n' "$*" >&2
  exit 77
}

# Prints this machine's Debian mirror from apt's configuration; nothing on Ubuntu.
apt_mirror() {
  # shellcheck disable=SC2016 # apt-get expands these itself
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" && $2 == "Debian" && $3 !~ /-/ { print $4; exit }'
}

# Runs a command in the root. The mounts are in a private namespace and disappear when the command ends. The checkout is
# at /checkout, read-only.
in_root() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  as_root env http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" unshare --mount --propagation private bash -euc '
    root="$1"; checkout="$2"; shift 2
    mkdir -p "${root}/checkout"
    mount -t proc proc "${root}/proc"
    mount --rbind /sys "${root}/sys"
    mount --rbind /dev "${root}/dev"
    mount --bind "${checkout}" "${root}/checkout"
    mount -o remount,bind,ro "${root}/checkout"
    exec chroot "${root}" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy}" https_proxy="${https_proxy}" "$@"
  ' debian13 "${root}" "${checkout}" "$@"
}

if [[ ! -e "${root}/etc/debian_version" ]]; then
  say "Bootstrapping Debian 13 into ${root}"
  install_packages debootstrap --optional debian-archive-keyring
  as_root unshare --mount true 2>/dev/null || cannot "this machine does not allow mounts"
  mkdir -p "$(dirname "${root}")"
  as_root rm -rf --one-file-system "${root}.partial"
  # The root gets its final name only when it is complete, so an incomplete one is never used.
  mirror="${TILEWRIGHT_DEBIAN_MIRROR:-$(apt_mirror)}"
  as_root debootstrap --variant=minbase --include=ca-certificates trixie "${root}.partial" ${mirror:+"${mirror}"} \
    >"${root}.log" 2>&1 ||
    { tail -n 5 "${root}.log" >&2; cannot "debootstrap did not succeed; is the network there?"; }
  as_root mv "${root}.partial" "${root}"
fi
as_root unshare --mount true 2>/dev/null || cannot "this machine does not allow mounts"

packages=("${build_packages[@]}" doctest-dev libbenchmark-dev pocl-opencl-icd mesa-opencl-icd)
if [[ "$(cat "${root}/var/lib/tilewright-packages" 2>/dev/null)" != "${packages[*]}" ]]; then
  say "Installing the compiler and the OpenCL runtimes in the Debian 13 root"
  as_root cp /etc/resolv.conf "${root}/etc/resolv.conf"
  in_root sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends "$@" && apt-get clean' \
    install "${packages[@]}" </dev/null >"${root}.log" 2>&1 ||
    { tail -n 5 "${root}.log" >&2; cannot "its packages could not be installed; is the network there?"; }
  echo "${packages[*]}" | as_root tee "${root}/var/lib/tilewright-packages" >/dev/null
fi

say "Building in the Debian 13 root"
# shellcheck disable=SC2016 # expanded by the inner shell
in_root sh -euc '
  cmake -S /checkout -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DTILEWRIGHT_WARNINGS_AS_ERRORS=ON \
    -DTILEWRIGHT_PRECOMPILE_HEADERS=ON
  cmake --build /build --parallel "$(nproc)" --target tilewright_device_tests tilewright_tool tilewright_watchdog'

mkdir -p "${results}"
# run_there ID TITLE VARIABLE=VALUE... [-- OPTION...]: tests one runtime, with options of run_device.sh. Copies its
# result file out even if a test fails.
failed=()
run_there() {
  local id="$1" title="$2" variables=()
  shift 2
  while (($# > 0)) && [[ "$1" != -- ]]; do
    variables+=("$1")
    shift
  done
  say "Device tests on ${title}"
  in_root env "${variables[@]}" TILEWRIGHT_TEST_LEVEL="${TILEWRIGHT_TEST_LEVEL:-normal}" \
    /checkout/tests/portability/run_device.sh --build /build --results /results "${@:2}" "${id}" "${title}" || failed+=("${title}")
  cp "${root}/results/${id}".{txt,log} "${results}/"
}

pocl_icd=/etc/OpenCL/vendors/pocl.icd
run_there pocl-6.0-loopvec "PoCL 6.0, loopvec" OCL_ICD_VENDORS="${pocl_icd}" POCL_WORK_GROUP_METHOD=loopvec
run_there pocl-6.0-cbs "PoCL 6.0, cbs" OCL_ICD_VENDORS="${pocl_icd}" POCL_WORK_GROUP_METHOD=cbs \
  -- --filter "--test-suite-exclude=second?opinion" "second opinion: CLBlast 1.6.3 ends with a segmentation fault under this method"
run_there rusticl-llvmpipe "rusticl on llvmpipe" OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd RUSTICL_ENABLE=llvmpipe

((${#failed[@]} == 0)) || fail "the device tests failed on: ${failed[*]}"
