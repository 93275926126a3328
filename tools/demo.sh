#!/usr/bin/env bash
# Demonstrates Tilewright on this machine. Installs missing packages, builds in build/ and lists the OpenCL devices.
# Then multiplies a real data set with every variant that runs here, and prints the ladder, which compares their speeds.
# Requires Debian 12, Ubuntu 24.04 or later, and root rights or sudo if packages are missing. The first run takes about
# 10 minutes on two cores and 1 GB of disk; later runs take a minute.
#
# Usage: tools/demo.sh [--help]

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "$*" in
  "") ;;
  --help | -h)
    print_usage tools/demo.sh
    exit 0
    ;;
  *) fail "unknown argument: $*; tools/demo.sh takes only --help" ;;
esac

say "[1/5] Checking the packages needed to build Tilewright"
packages=("${build_packages[@]}")
if ! have_opencl_driver; then
  echo "No OpenCL driver is installed; installing PoCL, which runs OpenCL on the CPU."
  packages+=(pocl-opencl-icd)
fi
install_packages "${packages[@]}"

say "[2/5] Building Tilewright (Release) in build/"
forget_stale build
new_build_options=()
[[ -e build/CMakeCache.txt ]] || new_build_options=(-DCMAKE_BUILD_TYPE=Release -DTILEWRIGHT_BUILD_TESTS=OFF -DTILEWRIGHT_PRECOMPILE_HEADERS=ON
  -DCMAKE_UNITY_BUILD=ON)
configure build "${new_build_options[@]}"
build build
provide_pocl_cache build
tilewright=build/tools/tilewright/tilewright

say "[3/5] The OpenCL devices of this machine"
if ! "${tilewright}" devices; then
  # A registered driver may have no device, for example NVIDIA's on a machine without a GPU.
  have_package pocl-opencl-icd && fail "no OpenCL device works here, not even PoCL's; the lines above say why"
  echo "The installed OpenCL drivers have no device; installing PoCL, which runs OpenCL on the CPU."
  install_packages pocl-opencl-icd
  unset OCL_ICD_VENDORS OCL_ICD_FILENAMES # they select drivers without a device
  "${tilewright}" devices
fi

say "[4/5] X X^T of 1797 handwritten digits (examples/data/digits.npy, 1797 x 64) with every variant that runs here"
# The data are small integers, so the product is exact and all variants must compute the same bytes.
"${tilewright}" explain --shape 1797x1797x64 --trans NT --json >build/explained.json ||
  fail "the variants of this device could not be listed; the line above says why"
gram=build/gram.npy
rm -f "${gram}"
variants=0
while read -r variant supported reason; do
  if [[ "${supported}" == false ]]; then
    printf '%-18s does not run on this device: %s\n' "${variant}" "${reason}"
    continue
  fi
  report="$("${tilewright}" multiply examples/data/digits.npy examples/data/digits.npy --trans-b \
    --variant "${variant}" -o "${gram}.${variant}")" ||
    fail "the product with ${variant} failed; the line above says why"
  printf '%-18s %s\n' "${variant}" "$(awk '
    $1 == "time" { sub(/^time */, ""); time = $0 }
    $1 == "error/bound" { checked = $3 }
    END { print time ", " checked }' <<<"${report}")"
  if [[ -e "${gram}" ]]; then
    cmp -s "${gram}" "${gram}.${variant}" ||
      fail "${variant} computed a different product: compare ${gram} and ${gram}.${variant}"
    rm "${gram}.${variant}"
  else
    mv "${gram}.${variant}" "${gram}"
  fi
  variants=$((variants + 1))
done < <(grep -o '{"variant":"[^"]*","supported":[^}]*}' build/explained.json |
  sed 's/.*"variant":"\([^"]*\)".*"supported":\([a-z]*\),.*"reason":"\(.*\)"}$/\1 \2 \3/')
((variants > 0)) || fail "no variant runs on this device; build/explained.json says why"
echo "${variants} variants computed the same bytes, stored in ${gram}."

say "[5/5] The ladder: every variant on one product, verified and compared with CLBlast and OpenBLAS"
"${tilewright}" ladder --size 512 --against clblast,openblas

say "Next steps"
cat <<EOF
  ${tilewright} --help                    lists the commands
  ${tilewright} bench --shape 1024x1024x1024 --against clblast,openblas
  ${tilewright} tune --budget 5m          finds and stores the fastest kernels for this device
  tools/test.sh --quick                                   tests the installation
  cmake --install build --prefix ~/.local                 installs the library, the command and the documentation
  README.md, "A first program"                            explains how to use the library
EOF
[[ -z "${POCL_CACHE_DIR:-}" ]] ||
  printf '\nPoCL cannot write below HOME. Before you run these commands: export POCL_CACHE_DIR=%s\n' "${POCL_CACHE_DIR}"
