"""The C interface of libtilewright.so.1 and the functions of OpenCL that the package needs."""

from . import constants, structs
from .library import check, library, read_text

__all__ = ["check", "constants", "library", "read_text", "structs"]
