#!/usr/bin/env python3
"""Writes fitted constants of gemm's model of time to src/gemm/wave_constants.hpp.

Usage: tilewright fit-times docs/results/times/h100.jsonl --only tensor.copying --json | tools/write-wave-constants.py
       tools/write-wave-constants.py --check    change nothing; fail if a constant of the header cannot be written

Constants that differ from the header by less than 0.05 % stay as they are, so only the names passed to --only change.
Others are written with three significant digits. Constants that share a default, such as the launches of tensor and
reduction, must agree; nothing is written otherwise.
"""

import json
import math
import re
import sys

import generated

NAME = "src/gemm/wave_constants.hpp"
HEADER = generated.ROOT / NAME
# Where the defaults of each group begin and end.
GROUPS = {
    "warps": ("struct Warps {", "} warps{};"),
    "warpgroups": ("struct Warpgroups {", "} warpgroups{};"),
    "tensor": ("struct TensorTiles {", "} tensor{};"),
    "tensor_f64": ("Table tensor_f64{", "}};"),
    "async_tile": ("Table async_tile{", "}};"),
    "reduction": ("struct Reduction {", "} reduction{};"),
    "teams": ("struct Teams {", "} teams{};"),
}
SHARED = (("struct LaunchTime {", "};"), ("struct TableFactors {", "};"))
NUMBER = r"[0-9][0-9.e+-]*"


def rounded(value: float) -> str:
    return f"{float(f'{value:.3g}'):.10g}"


def names_in(text: str) -> list[str]:
    """Returns the names that for_each_constant() passes on."""
    body = text[text.index("void for_each_constant(") :]
    body = body[: body.index("\n}\n")]
    launches, table = (
        re.findall(r'use\(of \+ "(\.\w+)"', body[body.index(f"const auto {name} =") :].split("};")[0])
        for name in ("launches", "table")
    )
    names = re.findall(r'use\("([\w.]+)"', body)
    for group in re.findall(r'launches\("(\w+)"', body):
        names += [group + field for field in launches]
    for group in re.findall(r'table\("(\w+)"', body):
        names += [group + field for field in table + launches]
    return names


def place_of(text: str, name: str) -> tuple[int, int]:
    """Returns where the default of a constant is: in its group, or else in a struct that groups share."""
    group, _, field = name.rpartition(".")
    for opening, closing in ((GROUPS[group], *SHARED) if group else (("struct WaveConstants {", "struct"),)):
        begin = text.index(opening) + len(opening)
        found = re.compile(rf"\b{field} = ({NUMBER})").search(text, begin, text.index(closing, begin))
        if found:
            return found.span(1)
    raise KeyError(name)


def places_of_all(text: str) -> dict[str, tuple[int, int]]:
    try:
        return {name: place_of(text, name) for name in names_in(text)}
    except (KeyError, ValueError) as problem:
        sys.exit(f"{NAME} has no default where this script looks for it: {problem}")


def read_constants(text: str) -> dict[str, float]:
    """Returns the constants in the output of fit-times --json."""
    try:
        constants = json.loads(text)["constants"]
        return {name: float(value) for name, value in constants.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        sys.exit(f"the input is not what `tilewright fit-times --json` prints: {problem!r}")


def with_constants(text: str, constants: dict[str, float]) -> str:
    """Returns the header with these constants."""
    places = places_of_all(text)
    wanted: dict[tuple[int, int], dict[str, str]] = {}
    for name, value in constants.items():
        if name not in places:
            sys.exit(f"the header has no constant {name}; is the input of another version?")
        if not (math.isfinite(value) and value > 0):
            sys.exit(f"{name} is {value}; expected a positive number")
        begin, end = places[name]
        is_same = math.isclose(value, float(text[begin:end]), rel_tol=5e-4)
        wanted.setdefault(places[name], {})[name] = text[begin:end] if is_same else rounded(value)
    for (begin, end), values in sorted(wanted.items(), reverse=True):
        if len(set(values.values())) > 1:
            listed = ", ".join(f"{name} = {value}" for name, value in values.items())
            sys.exit(f"{listed} share one default; give each its own in {NAME} first")
        text = text[:begin] + next(iter(values.values())) + text[end:]
    return text


def main() -> None:
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    text = HEADER.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--check"]:
        places_of_all(text)
        return
    changed = with_constants(text, read_constants(sys.stdin.read()))
    generated.write_or_check("tools/write-wave-constants.py", {HEADER: changed}, False)


if __name__ == "__main__":
    main()
