#!/usr/bin/env python3
"""Writes the table of speeds of docs/results/operations.md from docs/results/operations.csv.

Usage: tools/update-operations.py             write the table
       tools/update-operations.py --check     change nothing; fail if the table is out of date
       tilewright bench --op vector|gemv|spmm ... --json | tools/update-operations.py --add "DEVICE"
                                              add the measurements to both; DEVICE is the device's name in the table

tools/measure-operations.sh measures all rows of a device. Needs only Python 3.
"""

import csv
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = ROOT / "docs/results/operations.csv"
PAGE = ROOT / "docs/results/operations.md"
BEGIN = "<!-- operations: written by tools/update-operations.py -->\n"
END = "<!-- end of operations -->\n"

KEY = ["device", "call", "type", "size"]
OTHERS = ["openblas", "clblast", "openmp"]
TITLES = {"openblas": "OpenBLAS", "clblast": "CLBlast", "openmp": "OpenMP"}
FIELDS = KEY + ["seconds", "gigabytes_per_second", "of_copy"] + OTHERS


def three(value):
    """Formats a number with three significant digits, without an exponent."""
    text = f"{value:.3g}"
    return text if "e" not in text else f"{float(text):.0f}" if value >= 1 else f"{float(text):.8f}".rstrip("0")


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(rows):
    with open(ROWS, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def name_of(line):
    """Returns the name of the measured call and its size."""
    operation = line["operation"]
    if operation == "vector":
        return line["name"], str(line["n"])
    if operation == "gemv":
        return "gemv " + line["trans"], f"{line['m']} x {line['n']}"
    if operation == "spmm":
        kind = pathlib.Path(line["file"]).stem
        return "spmm " + kind, f"{line['m']} x {line['k']}, {line['nonzeros']} entries, n {line['n']}"
    sys.exit(f"the operation is '{operation}'; expected vector, gemv or spmm")


def row_of(device, line):
    if not line["verified"]:
        sys.exit(f"the result is not verified; only verified results are added: {json.dumps(line)}")
    call, size = name_of(line)
    row = dict.fromkeys(FIELDS, "")
    row.update(device=device, call=call, type=line["type"], size=size, seconds=f"{line['seconds']:.4g}")
    row["gigabytes_per_second"] = three(line["gigabytes_per_second"])
    if "of_copy_speed" in line:
        row["of_copy"] = f"{line['of_copy_speed']:.2f}"
    for name, other in line.get("against", {}).items():
        row[name] = f"{other['ratio']:.2f}"
    if line.get("openmp_seconds"):
        row["openmp"] = f"{line['openmp_seconds'] / line['seconds']:.2f}"
    return row


def add(device, text):
    rows = {tuple(row[name] for name in KEY): row for row in read_rows()}
    for line in text.splitlines():
        row = row_of(device, json.loads(line))
        rows[tuple(row[name] for name in KEY)] = row
    order = list(dict.fromkeys(row["device"] for row in rows.values()))
    write_rows(sorted(rows.values(), key=lambda row: order.index(row["device"])))


def time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            break
    return f"{three(seconds / size)} {unit}"


def table(rows):
    if not rows:
        return "No measurements yet.\n"
    lines = []
    for device in dict.fromkeys(row["device"] for row in rows):
        mine = [row for row in rows if row["device"] == device]
        others = [name for name in OTHERS if any(row[name] for row in mine)]
        titles = ["call", "type", "size", "time", "GB/s", "of copy"] + ["x " + TITLES[name] for name in others]
        lines += [f"On {device}:", "", "| " + " | ".join(titles) + " |", "|---|---|---|" + "--:|" * (len(titles) - 3)]
        for row in mine:
            cells = [f"`{row['call']}`", row["type"], row["size"], time(float(row["seconds"])),
                     row["gigabytes_per_second"], row["of_copy"]] + [row[name] for name in others]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--add"] and len(arguments) == 2:
        add(arguments[1], sys.stdin.read())
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    wanted = before + BEGIN + table(read_rows()) + END + after
    if page == wanted:
        return
    if arguments == ["--check"]:
        sys.exit("docs/results/operations.md is out of date; run tools/update-operations.py")
    PAGE.write_text(wanted, encoding="utf-8")


main()
