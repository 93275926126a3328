#!/usr/bin/env bash
# Runs the device tests on Intel's OpenCL runtime for CPUs, which it installs from PyPI into a cache folder (0.8 GB).
# The runtime works on AMD's processors, too. Optional: nothing else needs it. Build the tests first; tools/test.sh
# does.
#
# Usage: intel.sh [--build DIR] [--results DIR], as for run_device.sh
# TILEWRIGHT_INTEL_ROOT: the runtime's folder, default ~/.cache/tilewright/intel-opencl. Needs python3-venv.
# The runtime has Intel's own licence: share/doc/opencl/licensing/EULA.txt in that folder.

set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="${TILEWRIGHT_INTEL_ROOT:-${XDG_CACHE_HOME:-${HOME}/.cache}/tilewright/intel-opencl}"

if [[ ! -e "${root}/complete" ]]; then
  echo "Installing Intel's OpenCL runtime into ${root}"
  rm -rf "${root}"
  mkdir -p "${root}"
  if ! python3 -m venv "${root}" || ! "${root}/bin/pip" install -q intel-opencl-rt intel-cmplr-lib-rt; then
    echo "Intel's runtime cannot be installed here; are python3-venv and the network there?" >&2
    exit 77
  fi
  # The packages contain an ICD loader, which must not replace the system's.
  rm -f "${root}"/lib/libOpenCL.so*
  touch "${root}/complete"
fi

version="$("${root}/bin/pip" show intel-opencl-rt | sed -n 's/^Version: //p')"
LD_LIBRARY_PATH="${root}/lib" OCL_ICD_VENDORS="${root}/lib/libintelocl.so" \
  "${here}/run_device.sh" "$@" \
  --filter "--test-case-exclude=*waits for a failed event fails*,*after its packing failed*,*a wait that fails later*" \
  "calls after a failed event: the runtime runs commands that wait for it, which OpenCL forbids" \
  "intel-${version}" "Intel CPU runtime ${version}"
