#!/usr/bin/env bash
# Compares the time of BLAS and LAPACK calls of random, log-uniform sizes: by the host alone, with the library preloaded
# and `never`, and with `auto`. Prints the geometric means of the ratios to the host alone, and the calls that lost
# most.
# Needs a machine that does nothing else.
#
# Usage: random_shapes.sh PROGRAM PRELOAD_LIBRARY [SHAPES [LEAST_SIZE [LARGEST_SIZE [ROUNDS [SEED]]]]]
#   PROGRAM  tilewright_blas_shapes of the build directory
#   Defaults: 40 shapes of 16 to 2048, 3 rounds, seed 1. Each call counts with its shortest time in all rounds.
# With LARGEST_RATIO, such as 1.05, fails if the geometric mean of `auto` is larger.
set -euo pipefail

program="$1" library="$2"
shapes="${3:-40}" least="${4:-16}" most="${5:-2048}" rounds="${6:-3}" seed="${7:-1}"
place="$(mktemp -d)"
trap 'rm -rf "${place}"' EXIT

# measure SIDE: appends "SIDE ROUTINE M N K SECONDS" for each call.
measure() {
  local side="$1" preload=""
  [[ "${side}" == host ]] || preload="${library}"
  LD_PRELOAD="${preload}" TILEWRIGHT_BLAS="${side/host/never}" "${program}" "${shapes}" "${least}" "${most}" "${seed}" |
    sed "s/^/${side} /" >>"${place}/times"
}

# The first run of `auto` measures the device's speeds, and compiles kernels.
measure auto
rm "${place}/times"
for ((round = 0; round < rounds; ++round)); do
  for side in host never auto; do measure "${side}"; done
done

awk -v limit="${LARGEST_RATIO:-0}" '
  {
    key = $2 " " $3 " x " $4 " x " $5
    keys[key]
    if (!((key, $1) in least) || $6 < least[key, $1]) least[key, $1] = $6
  }
  END {
    for (key in keys) {
      ++count
      split(key, words, " ")
      routines[words[1]]
      for (i = 1; i <= 2; ++i) {
        side = i == 1 ? "never" : "auto"
        ratio = least[key, side] / least[key, "host"]
        sum[side] += log(ratio)
        of_routine[words[1], side] += log(ratio)
        if (side == "auto") { ++calls[words[1]]; printf "%.3f %s\n", ratio, key | "sort -rn | head -n 5 >&2" }
      }
    }
    close("sort -rn | head -n 5 >&2")
    for (routine in routines)
      printf "%-7s %4d calls: never %.3f, auto %.3f times the time of the host alone\n", routine, calls[routine],
        exp(of_routine[routine, "never"] / calls[routine]), exp(of_routine[routine, "auto"] / calls[routine])
    mean = exp(sum["auto"] / count)
    printf "all     %4d calls: never %.3f, auto %.3f times the time of the host alone\n", count,
      exp(sum["never"] / count), mean
    exit limit > 0 && mean > limit
  }' "${place}/times"
