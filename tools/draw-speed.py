#!/usr/bin/env python3
"""Draws docs/results/speed.svg and writes README.md's table of speeds, both from docs/results/speed.csv.

Usage: tools/draw-speed.py [--check]     --check: change nothing; fail if either file is out of date

Needs only Python 3.
"""

import csv
import sys

import generated

TABLE_BEGIN = "<!-- speed: written by tools/draw-speed.py -->\n"
TABLE_END = "<!-- end of speed -->\n"

PANEL_WIDTH, PANEL_GAP, MARGIN = 380, 40, 24
BAR, GROUP_GAP, TOP = 15, 14, 64
LABEL_WIDTH, VALUE_WIDTH = 48, 40
COLOURS = ["first", "second", "third"]


def read_speeds():
    """Returns a dictionary: device -> (unit, libraries in order, n -> library -> speed)."""
    devices = {}
    with open(generated.ROOT / "docs/results/speed.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            unit, libraries, speeds = devices.setdefault(row["device"], (row["unit"], [], {}))
            if row["library"] not in libraries:
                libraries.append(row["library"])
            speeds.setdefault(int(row["n"]), {})[row["library"]] = float(row["speed"])
    return devices


def number(value):
    return f"{value:g}"


def draw_panel(x, device, unit, libraries, speeds):
    """Returns the SVG lines of one device's bars, and the panel's height."""
    lines = [f'<text class="title" x="{x}" y="24">{device}</text>']
    at = x
    for library, colour in zip(libraries, COLOURS):
        lines.append(f'<rect class="{colour}" x="{at}" y="36" width="11" height="11"/>')
        lines.append(f'<text class="quiet" x="{at + 16}" y="46">{library}</text>')
        at += 32 + 8 * len(library)
    lines.append(f'<text class="quiet" x="{x + PANEL_WIDTH}" y="46" text-anchor="end">{unit}</text>')
    scale = (PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH) / max(max(row.values()) for row in speeds.values())
    left = x + LABEL_WIDTH
    y = TOP
    for n, row in sorted(speeds.items()):
        present = [library for library in libraries if library in row]
        middle = y + BAR * len(present) / 2
        lines.append(f'<text class="quiet" x="{left - 8}" y="{middle + 4.5:g}" text-anchor="end">{n}</text>')
        for library in present:
            width = row[library] * scale
            colour = COLOURS[libraries.index(library)]
            lines.append(f'<rect class="{colour}" x="{left}" y="{y}" width="{width:.1f}" height="{BAR - 3}"/>')
            lines.append(f'<text x="{left + width + 5:.1f}" y="{y + BAR - 4}">{number(row[library])}</text>')
            y += BAR
        y += GROUP_GAP
    lines.append(f'<line class="axis" x1="{left}" y1="{TOP - 6}" x2="{left}" y2="{y - GROUP_GAP + 3}"/>')
    return lines, y


def draw(devices):
    lines, height, x = [], 0, MARGIN
    for device, (unit, libraries, speeds) in devices.items():
        panel, panel_height = draw_panel(x, device, unit, libraries, speeds)
        lines += panel
        height = max(height, panel_height)
        x += PANEL_WIDTH + PANEL_GAP
    width = x - PANEL_GAP + MARGIN
    return generated.plot(width, height, "Speed of products of square matrices in FP32, by their size n", lines)


def write_table(devices):
    others = ["OpenBLAS", "cuBLAS", "CLBlast"]
    lines = ["| FP32, n x n x n | n | Tilewright | " + " | ".join(others) + " |", "|---|--:|--:|--:|--:|--:|"]
    for device, (unit, _, speeds) in devices.items():
        for n, row in sorted(speeds.items()):
            cells = [number(row[library]) if library in row else "" for library in ["Tilewright"] + others]
            lines.append(f"| {device}, {unit} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    devices = read_speeds()
    readme = generated.ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(TABLE_BEGIN)
    _, after = rest.split(TABLE_END)
    files = {
        generated.ROOT / "docs/results/speed.svg": draw(devices),
        readme: before + TABLE_BEGIN + write_table(devices) + TABLE_END + after,
    }
    generated.write_or_check("tools/draw-speed.py", files, bool(sys.argv[1:]))


main()
