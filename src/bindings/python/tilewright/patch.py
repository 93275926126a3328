"""The operator @ of pyopencl's arrays, which is only changed on request."""

from __future__ import annotations

from .gemm import matmul


def install_matmul() -> None:
    """Make ``A @ B`` multiply arrays of pyopencl by `matmul`, in the whole process.

    pyopencl's arrays have no operator ``@`` of their own. `uninstall_matmul` takes it away again.

    Raises
    ------
    ImportError
        pyopencl is not installed.
    """
    from pyopencl import array

    def multiply(a, b):
        return matmul(a, b) if isinstance(b, array.Array) else NotImplemented

    multiply.of_tilewright = True
    array.Array.__matmul__ = multiply


def uninstall_matmul() -> None:
    """Take away what `install_matmul` installed."""
    from pyopencl import array

    if hasattr(getattr(array.Array, "__matmul__", None), "of_tilewright"):
        del array.Array.__matmul__
