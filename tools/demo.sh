#!/usr/bin/env bash
# Shows Tilewright at work on this machine: installs the packages that are missing, builds in build/, lists the OpenCL
# devices, multiplies a real data set with every variant that runs here and prints the ladder, which compares their
# speed. Debian 12, Ubuntu 24.04 or later; as root or with sudo if packages are missing. Takes some 10 minutes on two
# cores and 1 GB of disk the first time, a minute after that.
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
  *) fail "tools/demo.sh takes no argument but --help" ;;
esac

say "[1/5] Looking for the packages that Tilewright is built with"
packages=("${build_packages[@]}")
if ! have_opencl_driver; then
  echo "No OpenCL driver is installed; PoCL will make this machine's CPU a device."
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
  # A driver is registered, but it has no device: NVIDIA's without a card, say.
  have_package pocl-opencl-icd && fail "no OpenCL device works here, not even PoCL's; the lines above say why"
  echo "The installed OpenCL drivers have no device; PoCL will make this machine's CPU one."
  install_packages pocl-opencl-icd
  unset OCL_ICD_VENDORS OCL_ICD_FILENAMES # they named the drivers without a device
  "${tilewright}" devices
fi

say "[4/5] X X^T of 1797 handwritten digits (examples/data/digits.npy, 1797 x 64) with every variant that runs here"
# The data are small integers, so the product is exact and every variant must give the same bytes.
"${tilewright}" explain --shape 1797x1797x64 --trans NT --json >build/explained.json ||
  fail "the library could not say which variants run here; the line above says why"
gram=build/gram.npy
rm -f "${gram}"
variants=0
while read -r variant supported reason; do
  if [[ "${supported}" == false ]]; then
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
done < <(grep -o '{"variant":"[^"]*","supported":[^}]*}' build/explained.json |
  sed 's/.*"variant":"\([^"]*\)".*"supported":\([a-z]*\),.*"reason":"\(.*\)"}$/\1 \2 \3/')
((variants > 0)) || fail "no variant ran, though a device is there; build/explained.json says why"
echo "${variants} variants, and every one gave the same bytes; they are in ${gram}."

say "[5/5] The ladder: every variant on one product, verified, beside CLBlast and OpenBLAS"
"${tilewright}" ladder --size 512 --against clblast,openblas

say "What next"
cat <<EOF
  ${tilewright} --help                    what the command can do
  ${tilewright} bench --shape 1024x1024x1024 --against clblast,openblas
  ${tilewright} tune --budget 5m          finds what is fastest on this device, and remembers it
  tools/test.sh --quick                                   proves the installation
  cmake --install build --prefix ~/.local                 installs the library, the command and the documentation
  README.md, "A first program"                            how a program uses the library
EOF
[[ -z "${POCL_CACHE_DIR:-}" ]] || printf '\nThe commands need this here, as PoCL cannot write below HOME: export POCL_CACHE_DIR=%s\n' "${POCL_CACHE_DIR}"
