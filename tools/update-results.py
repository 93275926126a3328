#!/usr/bin/env python3
"""Writes the tables of measured figures in docs/ladder.md and docs/results/*.md from the CSV files that they name.

Usage: tools/update-results.py             write the tables
       tools/update-results.py --check     change nothing; fail if a table is out of date
       tilewright ladder ... --json | tools/update-results.py --add DEVICE COMMAND
       tilewright bench --op vector|gemv|spmm ... --json | tools/update-results.py --add DEVICE COMMAND
                                           add the measurements to ladder.csv or operations.csv, and write the tables.
                                           DEVICE is the device's name in the table, COMMAND what was run

A table is between `<!-- table: FILE -->` and `<!-- end of table -->`, where FILE is relative to the page. With
`FILE, DEVICE` it has the rows of one device. Every CSV file has the columns device, driver, commit and command. A plain
table shows all other columns as they are; measured_rows.py writes those of ladder.csv and operations.csv.
tools/measure-operations.sh measures all rows of operations.csv for a device. Needs only Python 3, and Git for --add.
"""

import csv
import json
import re
import subprocess
import sys

import generated
import measured_rows

RESULTS = generated.ROOT / "docs/results"
TABLE = re.compile(r"(<!-- table: ([^,\n]+?)(?:, ([^\n]+))? -->\n).*?(<!-- end of table -->\n)", re.DOTALL)
FIGURES = re.compile(r"[-+.,\d() ]*(( to| and)[-+.,\d ]+)*( (us|ms|s))?")


def read_rows(path):
    """Returns the rows of a CSV file. Each must say where its figures come from."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for line, row in enumerate(rows, 2):
        for name in measured_rows.ORIGIN:
            if not row.get(name):
                sys.exit(f"{path.relative_to(generated.ROOT)}: row {line} has no {name}")
        if None in row or None in row.values():
            sys.exit(f"{path.relative_to(generated.ROOT)}: row {line} has {len(row)} cells; expected one per column")
    return rows


def plain_table(rows):
    """All columns except those of the origin. A column of figures is aligned on the right."""
    shown = [name for name in rows[0] if name not in measured_rows.ORIGIN]
    aligned = [all(FIGURES.fullmatch(row[name]) for row in rows) for name in shown]
    lines = ["| " + " | ".join(shown) + " |", "|" + "|".join("--:" if right else "---" for right in aligned) + "|"]
    lines += ["| " + " | ".join(row[name] for name in shown) + " |" for row in rows]
    return "\n".join(lines) + "\n"


WRITERS = {"ladder.csv": measured_rows.ladder_table, "operations.csv": measured_rows.operations_table}


def write_tables(path, used):
    """Returns the page with its tables, and adds their files to `used`."""

    def table(match):
        begin, name, device, end = match.groups()
        file = (path.parent / name).resolve()
        used.add(file)
        rows = [row for row in read_rows(file) if device in (None, row["device"])]
        if not rows:
            sys.exit(f"{path.relative_to(generated.ROOT)}: {name} has no rows for this table")
        return begin + WRITERS.get(file.name, plain_table)(rows) + end

    return TABLE.sub(table, path.read_text(encoding="utf-8"))


def add(device, command, text):
    """Adds measurements, one JSON object per line. They replace the rows of the same key."""
    commit = subprocess.run(["git", "-C", generated.ROOT, "rev-parse", "--short", "HEAD"], check=True,
                            capture_output=True, text=True).stdout.strip()
    lines = [json.loads(line) for line in text.splitlines()]
    if not lines:
        sys.exit("nothing was piped in")
    kind = measured_rows.LADDER if "fastest" in lines[0] else measured_rows.OPERATIONS
    path = RESULTS / kind.file
    new = {}
    for row in kind.rows_of(lines):
        row.update(device=device, driver=measured_rows.driver_of(lines[0]), commit=commit, command=command)
        new.setdefault(tuple(row[name] for name in kind.key), []).append(row)
    rows, replaced = [], dict(new)
    for row in read_rows(path):
        key = tuple(row[name] for name in kind.key)
        rows += new.pop(key, []) if key in replaced else [row]
    rows += [row for group in new.values() for row in group]
    order = list(dict.fromkeys(row["device"] for row in rows))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, kind.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: order.index(row["device"])))


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--add"] and len(arguments) == 3:
        add(arguments[1], arguments[2], sys.stdin.read())
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    used = {RESULTS / "speed.csv"}  # of tools/draw-speed.py
    pages = [generated.ROOT / "docs/ladder.md", *sorted(RESULTS.glob("*.md"))]
    texts = {page: write_tables(page, used) for page in pages}
    for file in sorted(set(RESULTS.rglob("*.csv")) - used):
        sys.exit(f"no page has a table of {file.relative_to(generated.ROOT)}")
    generated.write_or_check("tools/update-results.py", texts, arguments == ["--check"])


main()
