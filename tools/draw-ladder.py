#!/usr/bin/env python3
"""Draws docs/results/ladder.svg, the speeds of all gemm variants, from docs/results/ladder.csv.

Usage: tools/draw-ladder.py [--check]     --check: change nothing; fail if the plot is out of date

Speeds differ by a factor of a thousand, so they are points on a logarithmic axis. Needs only Python 3.
"""

import csv
import math
import sys

import generated

FILE = generated.ROOT / "docs/results/ladder.csv"
# Device, size n of the products, title.
PANELS = [("2 cores of an AMD EPYC with AVX-512", "512", "2 CPU cores with PoCL, n = 512"),
          ("NVIDIA H200", "2048", "NVIDIA H200, n = 2048")]
TYPES = {"f32": "first", "f64": "second"}
LABELS, PANEL, GAP, MARGIN = 130, 280, 48, 24
ROW, TOP = 21, 74


def read_speeds():
    """Returns (device, size) -> variant -> type -> GFLOP/s of the fastest strategy, and all variants in order."""
    speeds, variants = {}, {}
    with open(FILE, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            variants.setdefault(row["variant"])
            if row["gflops"]:
                of_type = speeds.setdefault((row["device"], row["size"]), {}).setdefault(row["variant"], {})
                of_type[row["type"]] = max(float(row["gflops"]), of_type.get(row["type"], 0))
    return speeds, variants


def draw_panel(x, title, speeds, rows):
    """The points of one device on an axis of whole powers of ten."""
    values = [value for of_type in speeds.values() for value in of_type.values()]
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    bottom = TOP + ROW * len(rows)

    def place(value):
        return x + (math.log10(value) - first) / (last - first) * PANEL

    lines = [f'<text class="title" x="{x}" y="24">{title}</text>']
    for power in range(first, last + 1):
        at = place(10**power)
        lines.append(f'<line class="axis" x1="{at:.1f}" y1="{TOP - 8}" x2="{at:.1f}" y2="{bottom - 4}"/>')
        lines.append(f'<text class="quiet" x="{at:.1f}" y="{TOP - 14}" text-anchor="middle">{10**power:,}</text>')
    for row, variant in enumerate(rows):
        y = TOP + ROW * row + ROW / 2 - 2
        for name, value in speeds.get(variant, {}).items():
            lines.append(f'<circle class="{TYPES[name]}" cx="{place(value):.1f}" cy="{y:g}" r="5"/>')
    return lines


def draw():
    speeds, variants = read_speeds()
    rows = list(variants)
    lines = []
    for row, variant in enumerate(rows):
        y = TOP + ROW * row + ROW / 2 + 2.5
        lines.append(f'<text x="{MARGIN + LABELS - 12}" y="{y:g}" text-anchor="end">{variant}</text>')
    x = MARGIN + LABELS
    for device, size, title in PANELS:
        lines += draw_panel(x, title, speeds[device, size], rows)
        x += PANEL + GAP
    at = MARGIN
    for name, colour in TYPES.items():
        lines.append(f'<circle class="{colour}" cx="{at + 5}" cy="41" r="5"/>')
        lines.append(f'<text class="quiet" x="{at + 15}" y="46">{name}</text>')
        at += 56
    lines.append(f'<text class="quiet" x="{MARGIN}" y="24">GFLOP/s</text>')
    height = TOP + ROW * len(rows) + 12
    return generated.plot(x - GAP + 2 * MARGIN, height, "Speed of square products by all gemm variants", lines)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    files = {generated.ROOT / "docs/results/ladder.svg": draw()}
    generated.write_or_check("tools/draw-ladder.py", files, bool(sys.argv[1:]))


main()
