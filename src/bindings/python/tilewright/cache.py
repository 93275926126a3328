"""The cache of compiled programs that outlives the process.

Programs are compiled for one device and driver when they are first needed. Later processes load them from files.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Optional, Union

from . import engines
from ._c import check, constants, library, read_text, structs
from .problem import named, path_of, whole_number

MODES = {
    "automatic": constants.CACHE_AUTOMATIC,
    "off": constants.CACHE_OFF,
    "read_only": constants.CACHE_READ_ONLY,
    "read_write": constants.CACHE_READ_WRITE,
    "refresh": constants.CACHE_REFRESH,
}


def path_or_default(directory):
    """Returns a directory as bytes, by default that of `location`. Raises InvalidValue if there is none."""
    return path_of(location()["directory"] if directory is None else directory, "directory")


def location() -> dict[str, str]:
    """Return the directory of the cache, and why it is this one.

    This is the directory of engines for which `configure` named no other. It may not exist yet.

    Returns
    -------
    dict
        `directory`: an absolute path. It comes from the environment variable ``TILEWRIGHT_CACHE_DIR``, or else it is
        ``tilewright`` in ``XDG_CACHE_HOME`` or in ``~/.cache``. It is empty if none of them names a directory that only
        this user can write.
        `reason`: the source of the directory, or why there is none.

    Raises
    ------
    ImportError
        The C library cannot be opened. No device is needed.

    Examples
    --------
    >>> import tilewright as tw
    >>> sorted(tw.cache.location())
    ['directory', 'reason']
    """
    return read_text(library().cache_location)


def entries(directory: Optional[Union[str, os.PathLike]] = None) -> list[dict[str, Any]]:
    """Return the files of a cache directory.

    Every file is read and checked, which takes time in proportion to their size.

    Parameters
    ----------
    directory : path, optional
        By default the directory of `location`.

    Returns
    -------
    list of dict
        One dictionary per file, the most recently used first; none if the directory is missing. Each has `path`;
        `bytes`, the size; `last_use`, in seconds since 1970, to the day; `problem`, the reason why the file cannot be
        used, or an empty text; `program`, `options`, `device`, `platform` and `driver`, for which the program was
        compiled; and `library`, the version of Tilewright that wrote it.

    Raises
    ------
    InvalidType
        A TypeError: `directory` is no path.
    InvalidValue
        A ValueError: `directory` is empty or has null characters, or there is no default directory.

    Examples
    --------
    >>> import tempfile, tilewright as tw
    >>> with tempfile.TemporaryDirectory() as empty:
    ...     tw.cache.entries(empty)
    []
    """
    return read_text(library().cache_list, path_or_default(directory))


def clear(directory: Optional[Union[str, os.PathLike]] = None) -> int:
    """Remove the library's files from a cache directory. Other files stay.

    Programs that processes have loaded stay usable.

    Parameters
    ----------
    directory : path, optional
        By default the directory of `location`.

    Returns
    -------
    int
        The number of programs that were removed; 0 if the directory is missing.

    Raises
    ------
    InvalidType
        A TypeError: `directory` is no path.
    InvalidValue
        A ValueError: `directory` is empty or has null characters, or there is no default directory.

    Examples
    --------
    >>> import tempfile, tilewright as tw
    >>> with tempfile.TemporaryDirectory() as empty:
    ...     tw.cache.clear(empty)
    0
    """
    removed = ctypes.c_uint64()
    check(library().cache_clear(path_or_default(directory), ctypes.byref(removed)))
    return removed.value


def configure(mode: str = "automatic", directory: Optional[Union[str, os.PathLike]] = None, max_bytes: int = 0) -> None:
    """Set where this process keeps compiled programs.

    The setting holds for the engines of all devices, those that exist and later ones, and for programs that are needed
    from now on. Each call replaces all settings of the previous one. A failure in the cache is never an error of a
    product: the program is compiled instead.

    Parameters
    ----------
    mode : {"automatic", "off", "read_only", "read_write", "refresh"}
        How programs of earlier processes are used. ``"automatic"``: as the environment variable ``TILEWRIGHT_CACHE``
        says (off, ro, rw or refresh); without it they are read and written, except with PoCL, which has a cache of its
        own. ``"off"``: neither read nor written. ``"read_only"``: read. ``"read_write"``: read, and written if missing.
        ``"refresh"``: compiled again and replaced.
    directory : path, optional
        The directory, which is created if it is missing. Its owner is not checked. By default that of `location`.
    max_bytes : int
        The limit of the directory's size in bytes, beyond which the least recently used programs are removed. 0 means
        256 MiB, and ``2**64 - 1`` no limit.

    Raises
    ------
    InvalidType
        A TypeError: `directory` is no path, or `max_bytes` no whole number.
    InvalidValue
        A ValueError: `mode` is no such word, `directory` is empty or has null characters, or `max_bytes` is negative.

    Examples
    --------
    >>> import tilewright as tw
    >>> tw.cache.configure("read_only")
    >>> tw.cache.configure()
    """
    options = structs.CacheOptions(mode=named(MODES, mode, "mode"), max_bytes=whole_number(max_bytes, "max_bytes"))
    if directory is not None:
        options.directory = path_of(directory, "directory")
    engines.set_cache(options)


def statistics() -> dict[str, Union[int, float]]:
    """Return what the engine for arrays in host memory did with programs so far.

    Returns
    -------
    dict
        Numbers of programs: `compiled` from source, `reused` from memory, `loaded` from the cache, `missed` in the
        cache, `refused` because a file was damaged or the driver rejected it, and `saved`. Times in seconds:
        `compile_seconds` in the driver's compiler, and `load_seconds` in the cache.

    Raises
    ------
    Error
        There is no device, or this process was forked from one that had used OpenCL.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> c = tw.matmul(np.eye(2), np.eye(2))
    >>> found = tw.cache.statistics()
    >>> found["compiled"] + found["loaded"] > 0
    True
    """
    found = structs.ProgramStatistics()
    check(library().engine_program_statistics(engines.default_engine().handle, ctypes.byref(found)))
    return {name: getattr(found, name) for name, _ in found._fields_ if name not in ("struct_size", "reserved1")}


def save() -> None:
    """Save the programs of the engine for arrays in host memory now.

    Most drivers' programs are saved when they are compiled. PoCL finishes programs when they first run, so they are
    saved by this call. A second call saves nothing again.

    Raises
    ------
    Error
        There is no device, or this process was forked from one that had used OpenCL. A cache that cannot be written is
        no error.

    Examples
    --------
    >>> import tilewright as tw
    >>> tw.cache.save()
    """
    check(library().engine_save_programs(engines.default_engine().handle))
