"""Tuning records of the device for arrays in host memory: which kernel was how fast for which problem.

`tilewright.tune` writes records, and the library chooses kernels by them. There is one file of the user's records per
device. The library also contains records of some devices. If the environment variable ``TILEWRIGHT_RECORDS`` is
``off``, the library chooses without records and `load` returns none. The other functions work on the files even then.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

from ._c import check, library, read_text
from .engines import default_engine
from .problem import path_of


def path() -> str:
    """Return the path of the file with the user's records.

    Returns
    -------
    str
        An absolute path; the file may not exist. Its directory is that of the environment variable
        ``TILEWRIGHT_DATA_DIR``, or else ``tilewright`` in ``XDG_DATA_HOME`` or in ``~/.local/share``.

    Raises
    ------
    Error
        With the code ``"invalid_records"`` if none of them names a directory that only this user can write. Also if
        there is no device.

    Examples
    --------
    >>> import os, tilewright as tw
    >>> os.path.isabs(tw.records.path())
    True
    """
    return read_text(library().records_file, default_engine().device)


def load() -> dict[str, list[Any]]:
    """Return the records by which the library chooses kernels: the user's, then those that it contains.

    Returns
    -------
    dict
        `records`: a list of dictionaries with `problem`, `variant`, `configuration`, `seconds` of a call, `source` and
        others. `problems`: a list of texts that say which records or files were skipped, and why. Both are empty if the
        environment variable ``TILEWRIGHT_RECORDS`` is ``off``.

    Raises
    ------
    Error
        There is no device. A file that cannot be read is no error: `problems` names it.

    Examples
    --------
    >>> import tilewright as tw
    >>> sorted(tw.records.load())
    ['problems', 'records']
    """
    return read_text(library().records_load, default_engine().device)


def add(file: Union[str, os.PathLike]) -> int:
    """Add the records of a file to the user's.

    They replace the user's records of the same problem, variant and configuration. Fitted constants in the file replace
    the user's if they are of the same driver and version of the library.

    Parameters
    ----------
    file : path
        A file that `export` wrote, on this machine or another one with the same device.

    Returns
    -------
    int
        The number of records that were added.

    Raises
    ------
    InvalidType, InvalidValue
        A TypeError or ValueError: `file` is no path, or is empty or has null characters.
    Error
        With the code ``"invalid_records"`` if `file` cannot be read, is no file of records or belongs to another
        device, or if the records cannot be stored. Also if there is no device.

    Examples
    --------
    >>> import tilewright as tw
    >>> try:
    ...     tw.records.add("/no/such/file")
    ... except tw.Error as problem:
    ...     print(problem.code)
    invalid_records
    """
    added = ctypes.c_uint64()
    check(library().records_import(default_engine().device, path_of(file, "file"), ctypes.byref(added)))
    return added.value


def export(file: Union[str, os.PathLike]) -> None:
    """Copy the user's records and fitted constants to a new file, which `add` reads.

    Parameters
    ----------
    file : path
        The new file, which must not exist.

    Raises
    ------
    InvalidType, InvalidValue
        A TypeError or ValueError: `file` is no path, or is empty or has null characters.
    Error
        With the code ``"invalid_records"`` if the device has neither records of the user nor constants, or if `file`
        exists or cannot be written. Also if there is no device.

    Examples
    --------
    >>> import os, tempfile, tilewright as tw
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     try:
    ...         tw.records.export(os.path.join(folder, "missing", "records.jsonl"))
    ...     except tw.Error as problem:
    ...         print(problem.code)
    invalid_records
    """
    check(library().records_export(default_engine().device, path_of(file, "file")))


def clear() -> str:
    """Rename the files of the user's records and fitted constants.

    Only the records that the library contains remain.

    Returns
    -------
    str
        The new name of the file of records; empty if there was none.

    Raises
    ------
    Error
        With the code ``"invalid_records"`` if the file holds no records or cannot be renamed, or if there is no
        directory for it. Also if there is no device.

    Examples
    --------
    >>> import tilewright as tw
    >>> backup = tw.records.clear()  # doctest: +SKIP
    """
    return read_text(library().records_clear, default_engine().device)
