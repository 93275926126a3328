"""Linear algebra with the names and conventions of scipy.linalg.

Functions take arrays of float32, float64, complex64 or complex128 in the last two axes; leading axes are batches.
Integers in host memory are converted to float64. Arrays of pyopencl give arrays of pyopencl, which are not waited for:
there a singular matrix gives infinities or NaN instead of an exception.
"""

from .cholesky import cho_factor, cho_solve, cholesky
from .least_squares import lstsq
from .lu import det, inv, lu_factor, lu_solve, slogdet, solve
from .qr import qr
from .systems import LinAlgError
from .triangular import solve_triangular

__all__ = [
    "LinAlgError",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "inv",
    "lstsq",
    "lu_factor",
    "lu_solve",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
]
