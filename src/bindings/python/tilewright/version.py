"""The version of the library."""

from __future__ import annotations

from ._c import library


def version() -> str:
    """Return the version of libtilewright.so.1, such as ``"0.1.0"``."""
    return library().version().decode()
