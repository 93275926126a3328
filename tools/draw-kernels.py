#!/usr/bin/env python3
"""Draws docs/ladder/NAME.svg, one picture for each gemm kernel of docs/ladder.md, from tools/kernel_pictures.py.

Usage: tools/draw-kernels.py [--check]     --check: change nothing; fail if a picture is out of date

Left: A, B and C, with what a work-item and its work-group read and compute. Right: the way of each operand, from global
memory to registers. What differs from the rung before has a thick frame or a red number. Needs only Python 3.
"""

import fractions
import sys

import generated
from kernel_pictures import PICTURES

UNIT = 12  # pixels of a unit of the matrices
WIDTH, HEIGHT = 800, 372
LEFT, TOP, GAP = 20, 66, 16  # of the matrices
SIZES = {"A": (8, 12), "B": (14, 8), "C": (14, 12)}
CELLS = (366, 518, 670)  # left edges of the three memories
CELL_WIDTH, CELL_HEIGHT = 114, 42
ROWS = {"A": 88, "B": 142, "C": 196}

INK, QUIET, LINE, CHANGED = "#1f2a3a", "#5a6879", "#44546a", "#b3261e"
FILLS = {"memory": "#f2cd88", "near": "#9fd0ac", "register": "#bba6e0", "later": "#dcefe0", "pale": "#e9e3f3",
         "group": "#dfe9f5", "part": "#a9c8ea", "item": "#2a62a8"}
CELL_KINDS = ("memory", "near", "register")


def text(x, y, words, size=13, fill=INK, anchor="start", more=""):
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{more}>{words}</text>'


def bold(words, fill=INK):
    return f'<tspan font-weight="bold" fill="{fill}">{words}</tspan>'


def box(x, y, width, height, fill, stroke=LINE, stroke_width=1.0, more=""):
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="{stroke_width:g}"{more}/>')


def arrow(first, last, y):
    return f'<path d="M{first},{y} H{last}" stroke="{LINE}" stroke-width="1.4" marker-end="url(#head)"/>'


def corner(matrix):
    """The upper left corner of a matrix."""
    x = LEFT if matrix == "A" else LEFT + SIZES["A"][0] * UNIT + GAP
    y = TOP if matrix == "B" else TOP + SIZES["B"][1] * UNIT + GAP
    return x, y


def size_of(picture, matrix):
    width, height = SIZES[matrix]
    return width * UNIT, (height if matrix == "B" else picture.rows) * UNIT


def draw_shape(shape):
    matrix, kind, x, y, width, height = shape
    left, top = corner(matrix)
    return draw_area(kind, (left + x * UNIT, top + y * UNIT, width * UNIT, height * UNIT))


def draw_area(kind, place):
    if kind == "band":
        return box(*place, "none", "#8391a3", 1, ' stroke-dasharray="4 3"')
    if kind == "used":
        return box(*place, "none", INK, 1.6)
    return box(*place, FILLS[kind], LINE if kind != "item" else FILLS["item"], 0.6)


def draw_dimension(picture, dimension):
    """A line along an edge of a matrix, from `first` to `last`, with its name."""
    matrix, side, first, last, name = dimension
    left, top = corner(matrix)
    width, height = size_of(picture, matrix)
    vertical = side in ("left", "right", "far right")
    along = top if vertical else left
    first, last = along + first * UNIT, along + last * UNIT
    middle = (first + last) / 2
    if vertical:
        x = left - 5 if side == "left" else left + width + (5 if side == "right" else 21)
        label = x - 4 if side == "left" else x + 12
        turn = f' transform="rotate(-90 {label:g} {middle:g})"'
        return [f'<path d="M{x - 2:g},{first:g} h4 m-2,0 V{last:g} m-2,0 h4" stroke="{QUIET}"/>',
                text(label, middle, name, 11, INK, "middle", turn)]
    y = top - 5 if side == "top" else top + height + 5
    label = y - 4 if side == "top" else y + 12
    return [f'<path d="M{first:g},{y - 2:g} v4 m0,-2 H{last:g} m0,-2 v4" stroke="{QUIET}"/>',
            text(middle, label, name, 11, INK, "middle")]


def draw_matrices(picture):
    lines = []
    for matrix in SIZES:
        lines.append(box(*corner(matrix), *size_of(picture, matrix), "#ffffff"))
    lines += [draw_shape(shape) for shape in picture.shapes]
    for dimension in picture.dimensions:
        lines += draw_dimension(picture, dimension)
    x, y = corner("A")
    lines.append(text(x, y - 8, f"{bold('A')} m x k"))
    x, y = corner("B")
    lines.append(text(x - 34, y + 10, f"{bold('B')} k x n", anchor="end"))
    x, y = corner("C")
    width, height = size_of(picture, "C")
    below = -8 if picture.rows == SIZES["C"][1] else 17
    return lines + [text(x + width - 6, y + height + below, f"{bold('C')} m x n", anchor="end")]


def draw_cell(column, y, words, changed):
    x = CELLS[column]
    fill = "#ffffff" if "no registers" in words else FILLS[CELL_KINDS[column]]
    lines = [box(x, y, CELL_WIDTH, CELL_HEIGHT, fill, CHANGED if changed else LINE,
                 2.6 if changed else 1, ' rx="5"')]
    first = y + CELL_HEIGHT / 2 + (4.5 if len(words) == 1 else -3)
    middle = x + CELL_WIDTH / 2
    return lines + [text(middle, first + 15 * row, line, 12, INK, "middle") for row, line in enumerate(words)]


def draw_way(name, way, before):
    """The memories of an operand and the arrows between them. C goes from right to left."""
    y = ROWS[name]
    middle = y + CELL_HEIGHT / 2
    lines = [text(CELLS[0] - 8, middle + 5, bold(name), 14, anchor="end")]
    words = (way.memory, way.near, way.registers)
    old = (before.memory, before.near, before.registers) if before else words
    used = [column for column in range(3) if words[column][0]]
    for first, second in zip(used, used[1:]):
        right, left = CELLS[first] + CELL_WIDTH + 2, CELLS[second] - 2
        lines.append(arrow(left, right, middle) if name == "C" else arrow(right, left, middle))
        number = way.to_registers if first == 1 else way.to_near
        number_before = number if not before else before.to_registers if first == 1 else before.to_near
        ink = CHANGED if number != number_before else INK
        lines.append(text((right + left) / 2, middle - 5, number, 11, ink, "middle"))
    for column in used:
        lines += draw_cell(column, y, words[column], words[column] != old[column])
    return lines


def total(numbers):
    """The sum of fractions such as 1/8; sizes of matrices count as large."""
    return float(sum(fractions.Fraction(n) for n in numbers if n and not n.split("/")[-1].isalpha()))


def draw_totals(picture):
    ways = (picture.a, picture.b, picture.c)
    direct = [way.to_near for way in ways]
    close = [way.to_registers for way in ways]
    y = 258
    sizes = f", {picture.sizes}" if picture.sizes else ""
    lines = [text(CELLS[0], y, f"{picture.unit} read per multiply-add{sizes}", 12, QUIET)]
    for column, numbers, kind in ((0, direct, "memory"), (1, close, "near")):
        value = total(numbers)
        if not any(numbers) and any(way.near[0] for way in ways):
            continue  # not known: caches decide
        width = value / 2 * CELL_WIDTH
        lines.append(box(CELLS[column], y + 8, width, 10, FILLS[kind], LINE, 0.6))
        lines.append(text(CELLS[column] + width + 6, y + 18, f"{value:.2g}", 13))
    return lines


def draw_legend(picture):
    """Names the colours that the picture uses."""
    team = {"tensor_warpgroup": "warpgroup", "tensor_core": "warp", "tensor_f64": "warp"}.get(picture.name)
    names = {"memory": "global memory", "near": picture.near[0], "later": "being copied", "register": "registers",
             "pale": "others' registers", "used": f"read by a {team or 'work-item'}", "item": "a work-item's C",
             "part": f"a {team}'s C" if team else "the rest of its C", "group": "a work-group's C",
             "band": "all steps of k"}
    kinds = {shape[1] for shape in picture.shapes}
    lines, x = [], 16
    for kind, name in names.items():
        if kind in kinds:
            lines.append(draw_area(kind, (x, 353, 11, 11)))
            lines.append(text(x + 16, 362, name, 11, QUIET))
            x += 27 + 5.9 * len(name)
    return lines


def draw(picture):
    before = next((other for other in PICTURES if other.name == picture.before), None)
    lines = [text(16, 28, f"{bold(picture.name)}: {picture.summary}", 15)]
    lines += draw_matrices(picture)
    headings = (("global memory", "of the device"), picture.near, ("registers", "of a work-item"))
    changed = before is not None and picture.near != before.near
    for column, (heading, owner) in enumerate(headings):
        x = CELLS[column] + CELL_WIDTH / 2
        lines.append(text(x, 64, heading, 13, CHANGED if changed and column == 1 else INK, "middle"))
        lines.append(text(x, 79, owner, 11, QUIET, "middle"))
    for name in SIZES:
        lines += draw_way(name, getattr(picture, name.lower()), getattr(before, name.lower()) if before else None)
    lines += draw_totals(picture)
    first = [bold(f"Compared with {before.name}:", CHANGED)] if before else []
    lines += [text(CELLS[0] - 20, 306 + 18 * row, note) for row, note in enumerate(first + picture.notes)]
    lines += draw_legend(picture)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif">',
        f"<title>{picture.name}: {picture.summary}</title>",
        '<defs><marker id="head" markerWidth="9" markerHeight="9" refX="8" refY="4.5" orient="auto">'
        f'<path d="M0,0 L9,4.5 L0,9 z" fill="{LINE}"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    return "\n".join(head + ["  " + line for line in lines] + ["</svg>"]) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    folder = generated.ROOT / "docs/ladder"
    files = {folder / f"{picture.name}.svg": draw(picture) for picture in PICTURES}
    generated.write_or_check("tools/draw-kernels.py", files, bool(sys.argv[1:]))


main()
