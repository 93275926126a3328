#!/usr/bin/env bash
# Shows Tilewright at work on this machine: installs the packages that are missing, builds, lists the OpenCL devices,
# multiplies a real data set with every variant and prints the ladder. Debian 12, Ubuntu 24.04 or later; root or sudo.

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

(($# == 0)) || fail "usage: tools/demo.sh (it takes no arguments)"

say "Looking for the packages that Tilewright is built with"
packages=("${build_packages[@]}")
if ! have_opencl_driver; then
  echo "No OpenCL driver is installed; PoCL will make this machine's CPU a device."
  packages+=(pocl-opencl-icd)
fi
install_packages "${packages[@]}"

say "Building Tilewright (Release) in build/"
new_build_options=()
[[ -e build/CMakeCache.txt ]] || new_build_options=(-DCMAKE_BUILD_TYPE=Release -DTILEWRIGHT_BUILD_TESTS=OFF)
configure build "${new_build_options[@]}"
build build
tilewright=build/tools/tilewright/tilewright

say "The OpenCL devices of this machine"
if ! "${tilewright}" devices; then
  # A driver is registered, but it has no device: NVIDIA's without a card, say.
  have_package pocl-opencl-icd && fail "no OpenCL device works here, not even PoCL's; the lines above say why"
  echo "The installed OpenCL drivers have no device; PoCL will make this machine's CPU one."
  install_packages pocl-opencl-icd
  "${tilewright}" devices
fi

say "X X^T of 1797 handwritten digits (examples/data/digits.npy, 1797 x 64) with every variant"
# The data are small integers, so the product is exact and every variant must give the same bytes.
gram=build/gram.npy
rm -f "${gram}"
variants=0
while read -r variant supported reason; do
  if [[ "${supported}" == no ]]; then
    printf '%-18s does not run on this device: %s\n' "${variant}" "${reason}"
    continue
  fi
  report="$("${tilewright}" multiply examples/data/digits.npy examples/data/digits.npy --trans-b \
    --variant "${variant}" -o "${gram}.${variant}")" || fail "${variant} did not multiply; the line above says why"
  printf '%-18s %s\n' "${variant}" "$(awk '
    $1 == "time" { sub(/^time */, ""); time = $0 }
    $1 == "error/bound" { checked = $3 }
    END { print time ", " checked }' <<<"${report}")"
  if [[ -e "${gram}" ]]; then
    cmp -s "${gram}" "${gram}.${variant}" || fail "${variant} gives another product: compare ${gram} and ${gram}.${variant}"
    rm "${gram}.${variant}"
  else
    mv "${gram}.${variant}" "${gram}"
  fi
  variants=$((variants + 1))
done < <("${tilewright}" explain --shape 1797x1797x64 --trans NT |
  awk '/^variant +runs here/ { rows = 1; next } rows && NF { print }')
((variants > 0)) || fail "no variant ran"
echo "${variants} variants, and every one gave the same bytes; they are in ${gram}."

say "The ladder: every variant on one product, verified, beside CLBlast and OpenBLAS"
"${tilewright}" ladder --size 512 --against clblast,openblas
