#!/usr/bin/env python3
"""Writes fitted constants of gemm's model of time to src/gemm/wave_constants.hpp.

  tilewright fit-times docs/results/times/h100.jsonl --only tensor.copying --json | tools/write-wave-constants.py

Only the names that are passed to --only change, in the groups warps, warpgroups, tensor and reduction.
"""
import json
import pathlib
import re
import sys

HEADER = pathlib.Path(__file__).resolve().parent.parent / "src/gemm/wave_constants.hpp"
STRUCTS = {"warps": "Warps", "warpgroups": "Warpgroups", "tensor": "TensorTiles", "reduction": "Reduction"}
NUMBER = r"[0-9][0-9.e+-]*"


def rounded(value: float) -> str:
    return f"{float(f'{value:.3g}'):.10g}"


def main() -> int:
    constants = json.load(sys.stdin)["constants"]
    text = HEADER.read_text()
    for group, struct in STRUCTS.items():
        begin = text.index(f"struct {struct} {{")
        end = text.index(f"}} {group}{{}};", begin)
        block = text[begin:end]
        for name, value in constants.items():
            field = name.removeprefix(group + ".")
            default = re.search(rf"\b{field} = ({NUMBER})", block)
            if field == name or default is None or rounded(float(default[1])) == rounded(value):
                continue
            block = block[: default.start(1)] + rounded(value) + block[default.end(1) :]
        text = text[:begin] + block + text[end:]
    HEADER.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
