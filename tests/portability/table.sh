#!/usr/bin/env bash
# Writes the table of docs/portability.md from the result files of run_device.sh.
#
# Usage: table.sh [--check] [DIR]
#   DIR      the folder with result files; default: tests/portability/results, the recorded ones
#   --check  changes nothing; fails if the document's table differs from the result files
#
# To record a new measurement, copy its ID.txt into tests/portability/results and run this script.

set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
document="${here}/../../docs/portability.md"
check=no
if [[ "${1:-}" == --check ]]; then
  check=yes
  shift
fi
results="${1:-${here}/results}"

compgen -G "${results}/*.txt" >/dev/null || {
  echo "error: no result files in ${results}" >&2
  exit 1
}

table() {
  echo "| runtime | device and driver | date | level | kernels run | cases | outcome | skipped, and why |"
  echo "|---|---|---|---|---:|---:|---|---|"
  local file
  for file in "${results}"/*.txt; do
    awk '
      { key = $1; value = $0; sub(/^[^:]*: */, "", value); gsub(/\|/, "\\|", value) }
      # Items that were skipped for one reason share one entry.
      key == "skipped:" {
        reason = value
        sub(/^[^:]*: */, "", reason)
        if (!(reason in count)) reasons[++distinct] = reason
        ++count[reason]
        first[reason] = value
        next
      }
      { field[key] = value }
      END {
        for (i = 1; i <= distinct; ++i) {
          reason = reasons[i]
          skipped = skipped (skipped == "" ? "" : "; ") (count[reason] == 1 ? first[reason] : count[reason] " times: " reason)
        }
        printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", field["title:"], field["device:"], field["date:"],
               field["level:"], field["kernels:"], field["cases:"], field["outcome:"], skipped == "" ? "nothing" : skipped
      }' "${file}"
  done
}

# Replaces the text between the two marks.
updated="$(mktemp)"
trap 'rm -f "${updated}"' EXIT
{
  sed '/<!-- table:begin/q' "${document}"
  table
  sed -n '/<!-- table:end/,$p' "${document}"
} >"${updated}"

if [[ "${check}" == yes ]]; then
  diff -u "${document}" "${updated}" || {
    echo "error: docs/portability.md is not what tests/portability/table.sh writes; run it" >&2
    exit 1
  }
else
  cat "${updated}" >"${document}"
  echo "Wrote the table of docs/portability.md from $(find "${results}" -name '*.txt' | wc -l) result files."
fi
