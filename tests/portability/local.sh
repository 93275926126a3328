#!/usr/bin/env bash
# Runs the device tests on every OpenCL runtime for CPUs that is installed here: PoCL with two of its work-group
# methods, and Oclgrind. Build the tests first; tools/test.sh does.
#
# Usage: local.sh [--build DIR] [--results DIR], as for run_device.sh

set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

package_version() { # prints a package's upstream version, without Debian's revision; nothing if it is not installed
  dpkg-query --show --showformat='${source:Upstream-Version}' "$1" 2>/dev/null || true
}

failed=0
pocl="$(package_version pocl-opencl-icd)"
if [[ -n "${pocl}" ]]; then
  # PoCL before 4 lacks the method cbs: it prints a warning and uses another one.
  methods=(loopvec cbs)
  ((${pocl%%.*} >= 4)) || methods=(loopvec loops)
  for method in "${methods[@]}"; do
    OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd POCL_WORK_GROUP_METHOD="${method}" \
      "${here}/run_device.sh" "$@" "pocl-${pocl}-${method}" "PoCL ${pocl}, ${method}" || failed=1
  done
fi

oclgrind="$(package_version oclgrind)"
if [[ -n "${oclgrind}" ]]; then
  OCL_ICD_VENDORS="$(dpkg-query --listfiles oclgrind | grep 'rt-icd\.so$')" TILEWRIGHT_TEST_LEVEL=quick \
    "${here}/run_device.sh" "$@" \
    --filter "--test-suite=conformance,special?cases,wide?indices,transpose?conformance" \
    "the other suites: Oclgrind is not thread-safe, and the tests keep every buffer, as it mixes up released ones" \
    "oclgrind-${oclgrind}" "Oclgrind ${oclgrind}" || failed=1
fi
exit "${failed}"
