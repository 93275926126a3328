"""Tuning records of the device for arrays in host memory: which kernel was how fast for which problem.

The functions raise Error with the code ``"invalid_records"`` if a file cannot be read or written, or belongs to another
device.
"""

from __future__ import annotations

import ctypes
import os
from typing import Union

from ._c import check, library, read_text
from .engines import default_engine


def path() -> str:
    """Return the path of the file with the user's records, which may not exist."""
    return read_text(library().records_file, default_engine().device)


def load() -> dict:
    """Return the records by which kernels are chosen.

    Returns
    -------
    dict
        `records`, a list with `problem`, `variant`, `configuration`, `seconds`, `source` and others; and `problems`, a
        list of texts that say which records or files were skipped, and why.
    """
    return read_text(library().records_load, default_engine().device)


def add(file: Union[str, os.PathLike]) -> int:
    """Add the records of a file to those of the user. Returns their number."""
    added = ctypes.c_uint64()
    check(library().records_import(default_engine().device, os.fsencode(file), ctypes.byref(added)))
    return added.value


def export(file: Union[str, os.PathLike]) -> None:
    """Copy the user's records to a new file, which `add` reads."""
    check(library().records_export(default_engine().device, os.fsencode(file)))


def clear() -> str:
    """Rename the file of the user's records. Returns its new name; empty if there was none."""
    return read_text(library().records_clear, default_engine().device)
