"""The operator @ of pyopencl's arrays, which is only changed on request."""

from __future__ import annotations

import numpy

from .errors import InvalidType
from .gemm import matmul


def refuse():
    """Raises InvalidType. NumPy would make an array of objects."""
    raise InvalidType(
        "one operand of @ is on a device and the other in host memory; move them to one place with "
        "pyopencl.array.to_device() or get()",
        "unsupported_type",
    )


def install_matmul() -> None:
    """Make ``A @ B`` multiply arrays of pyopencl by `matmul`, in the whole process.

    pyopencl's arrays have no operator ``@`` of their own. `uninstall_matmul` takes it away again. An array of NumPy on
    one side is a TypeError.

    Raises
    ------
    ImportError
        pyopencl is not installed.
    """
    from pyopencl import array

    def multiply(a, b):
        if isinstance(b, array.Array):
            return matmul(a, b)
        if isinstance(b, (numpy.ndarray, numpy.generic)):
            refuse()
        return NotImplemented

    def multiply_from_right(b, a):
        if isinstance(a, (numpy.ndarray, numpy.generic)):
            refuse()
        return NotImplemented

    for name, function in (("__matmul__", multiply), ("__rmatmul__", multiply_from_right)):
        setattr(function, "of_tilewright", True)  # noqa: B010, which type checkers take
        setattr(array.Array, name, function)


def uninstall_matmul() -> None:
    """Take away what `install_matmul` installed."""
    from pyopencl import array

    for name in ("__matmul__", "__rmatmul__"):
        if hasattr(getattr(array.Array, name, None), "of_tilewright"):
            delattr(array.Array, name)
