#!/usr/bin/env bash
# Measures the operations in docs/results/operations.md on this machine, and writes the rows of one device into its table.
#
# Usage: tools/measure-operations.sh DEVICE COMMAND [LIBRARIES]
#   tools/measure-operations.sh "2 cores of an AMD EPYC" build/tools/tilewright/tilewright openblas,clblast
#
# DEVICE is the device's name in the table. LIBRARIES are libraries to compare with, comma-separated; default: none.
# Set LARGE for GPUs: vectors have 100 times as many elements, matrices 64 times, and sparse matrices 40 times as many
# rows. Needs NumPy and SciPy.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: tools/measure-operations.sh DEVICE COMMAND [LIBRARIES]" >&2; exit 2; }
device=$1 command=$2
against=()
[ -z "${3:-}" ] || against=(--against "$3")
tools=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure ARGUMENTS...: runs the command's bench and adds its lines to the table.
measure() {
  "$command" bench "$@" --json | "$tools/update-results.py" --add "$device" "tilewright bench ${*//$work\//} --json"
}

vector=4000000 edge=4096 rows=100000
[ -z "${LARGE:-}" ] || vector=400000000 edge=32768 rows=4000000

measure --op vector --shape "$vector" "${against[@]}"
for trans in NN TN; do
  for type in f32 f64; do
    measure --op gemv --shape "${edge}x${edge}" --trans "$trans" --type "$type" "${against[@]}"
  done
done
for kind in uniform power_law stencil27 block dense_row; do
  "$tools/make-sparse.py" "$kind" "$work/$kind.npz" --rows "$rows" --nonzeros "$((16 * rows))"
  measure --op spmm "$work/$kind.npz" --columns 1,32
  rm "$work/$kind.npz"
done
