"""Names of types in the signatures of public functions, which can be evaluated where pyopencl is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence, Tuple, Union

import numpy
from numpy.typing import ArrayLike, DTypeLike

if TYPE_CHECKING:
    from typing import Protocol, overload

    from pyopencl import CommandQueue, Event
    from pyopencl.array import Array as DeviceArray
    from typing_extensions import Concatenate, ParamSpec

    Rest = ParamSpec("Rest")

    class LikeOperand(Protocol[Rest]):
        """A function whose result is an array of the same kind as its first operand."""

        @overload
        def __call__(self, a: DeviceArray, /, *args: Rest.args, **options: Rest.kwargs) -> DeviceArray: ...
        @overload
        def __call__(self, a: ArrayLike, /, *args: Rest.args, **options: Rest.kwargs) -> numpy.ndarray: ...

    def like_operand(function: Callable[Concatenate[Any, Rest], Any]) -> LikeOperand[Rest]: ...

else:
    CommandQueue = Event = DeviceArray = Any

    def like_operand(function):
        """Returns the function. For type checkers, its result is an array of the same kind as its first operand."""
        return function


Array = Union[numpy.ndarray, DeviceArray]
Result = Any  # an array of the operands' kind, which like_operand() makes precise
Operand = Union[ArrayLike, DeviceArray]
Scalar = Union[complex, numpy.number]
Queue = Union[CommandQueue, None]
Events = Union[Sequence[Event], None]
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
    "like_operand",
]
