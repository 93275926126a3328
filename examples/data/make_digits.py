#!/usr/bin/env python3
"""Writes digits.npy from the UCI file optdigits.tes: 64 pixels and a label a line, separated by commas.

Usage: make_digits.py optdigits.tes digits.npy
A .gz file is read as well. Needs nothing but Python.
"""
import array
import gzip
import sys

PIXELS = 64


def main(source: str, destination: str) -> None:
    opener = gzip.open if source.endswith(".gz") else open
    values = array.array("f")
    with opener(source, "rt", encoding="ascii") as lines:
        for line in lines:
            fields = line.strip().split(",")
            if len(fields) != PIXELS + 1:
                raise SystemExit(f"{source}: expected {PIXELS + 1} fields, found {len(fields)}: {line.strip()}")
            values.extend(float(field) for field in fields[:PIXELS])  # the label is left out
    if sys.byteorder == "big":
        values.byteswap()

    rows = len(values) // PIXELS
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {PIXELS}), }}"
    # Format 1.0: magic, version, header length; the data begins at a multiple of 64 bytes.
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(destination, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode("ascii"))
        out.write(values.tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
