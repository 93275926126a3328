"""Linear algebra with the names and conventions of scipy.linalg.

Functions take arrays of float32, float64, complex64 or complex128 in the last two axes; leading axes are batches.
Integers in host memory are converted to float64. Arrays of pyopencl give arrays of pyopencl, which are not waited for:
there a singular matrix gives infinities or NaN instead of an exception.

NaN in an operand gives NaN, where SciPy raises an exception; pass ``check_finite=True`` for an exception. Cholesky's
factorisation of a matrix with NaN in host memory raises LinAlgError, because it is not positive definite. SciPy's
arguments `overwrite_a` and `overwrite_b` are accepted and have no effect.
"""

from .cholesky import cho_factor, cho_solve, cholesky
from .determinants import det, slogdet
from .least_squares import lstsq
from .lu import inv, lu_factor, lu_solve, solve
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
