"""Names of types in the signatures of public functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence, Tuple, Union

import numpy
from numpy.typing import ArrayLike, DTypeLike

if TYPE_CHECKING:
    import pyopencl
    import pyopencl.array

Array = Union[numpy.ndarray, "pyopencl.array.Array"]
Result = Any  # an array of the operands' kind; with a union, type checkers would refuse most uses of a result
Operand = Union[ArrayLike, "pyopencl.array.Array"]
Scalar = Union[complex, numpy.number]
Queue = Union["pyopencl.CommandQueue", None]
Events = Union[Sequence["pyopencl.Event"], None]
Configuration = Union[str, dict, None]
Transpose = Union[bool, str]
Progress = Union[Callable[[float], Any], bool, None]
TuneProgress = Union[Callable[[dict], Any], bool, None]
Shape = Tuple[int, ...]

__all__ = [
    "Array",
    "ArrayLike",
    "Configuration",
    "DTypeLike",
    "Events",
    "Operand",
    "Progress",
    "Queue",
    "Result",
    "Scalar",
    "Shape",
    "Transpose",
    "TuneProgress",
]
