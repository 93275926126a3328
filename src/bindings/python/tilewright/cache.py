"""The cache of compiled programs that outlives the process."""

from __future__ import annotations

import ctypes
import os
from typing import Optional, Union

from . import engines
from ._c import check, constants, library, read_text, structs
from .problem import named, whole_number

MODES = {
    "automatic": constants.CACHE_AUTOMATIC,
    "off": constants.CACHE_OFF,
    "read_only": constants.CACHE_READ_ONLY,
    "read_write": constants.CACHE_READ_WRITE,
    "refresh": constants.CACHE_REFRESH,
}


def location() -> dict:
    """Return the directory of the cache: its `directory`, and the `reason` for it, as a dictionary."""
    return read_text(library().cache_location)


def entries(directory: Optional[Union[str, os.PathLike]] = None) -> list[dict]:
    """Return the files of a cache directory as a list of dictionaries, the most recently used first.

    Parameters
    ----------
    directory : path, optional
        That of `location` by default.
    """
    return read_text(library().cache_list, os.fsencode(directory or location()["directory"]))


def clear(directory: Optional[Union[str, os.PathLike]] = None) -> int:
    """Remove the library's files from a cache directory, by default that of `location`. Returns their number."""
    removed = ctypes.c_uint64()
    check(library().cache_clear(os.fsencode(directory or location()["directory"]), ctypes.byref(removed)))
    return removed.value


def configure(mode: str = "automatic", directory: Optional[Union[str, os.PathLike]] = None, max_bytes: int = 0) -> None:
    """Set where all engines of this process keep compiled programs, for programs that are needed from now on.

    Parameters
    ----------
    mode : {"automatic", "off", "read_only", "read_write", "refresh"}
        How programs of earlier processes are used.
    directory : path, optional
        By default that of `location`.
    max_bytes : int
        The directory's limit, beyond which the least recently used programs are removed; 0: 256 MiB.
    """
    options = structs.CacheOptions(mode=named(MODES, mode, "mode"), max_bytes=whole_number(max_bytes, "max_bytes"))
    if directory is not None:
        options.directory = os.fsencode(directory)
    engines.set_cache(options)


def statistics() -> dict:
    """Return how many programs the engine for arrays in host memory compiled, loaded and saved, as a dictionary."""
    found = structs.ProgramStatistics()
    check(library().engine_program_statistics(engines.default_engine().handle, ctypes.byref(found)))
    return {name: getattr(found, name) for name, _ in found._fields_ if name not in ("struct_size", "reserved1")}


def save() -> None:
    """Save the programs of the engine for arrays in host memory now. PoCL needs this call, or the end of the engine."""
    check(library().engine_save_programs(engines.default_engine().handle))
