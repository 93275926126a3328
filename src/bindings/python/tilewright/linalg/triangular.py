"""Triangular systems of equations."""

from __future__ import annotations

from typing import Union

import numpy

from .._c import constants, structs
from ..annotations import Array, Operand, Result, like_operand
from ..problem import named
from ..transposes import copy_of, rows_of
from ..views import leading_dimension
from .systems import TRANSPOSES, LinAlgError, System


@like_operand
def solve_triangular(
    a: Operand,
    b: Operand,
    trans: Union[int, str] = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    *,
    overwrite_b: bool = False,
    check_finite: bool = False,
) -> Result:
    """Solve ``op(A) X = B`` for triangular matrices A.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes. Only one triangle is read.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
    trans : {0, 1, 2, "N", "T", "C"}
        op(A) is A, A^T or A^H.
    lower : bool
        A is lower triangular, instead of upper triangular.
    unit_diagonal : bool
        The diagonal counts as ones and is not read.
    overwrite_b : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    array
        X, with the shape of `b`.

    Raises
    ------
    LinAlgError
        A matrix in host memory has a zero on its diagonal.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``|op(A) X - B| <= gamma(n + 4) (|op(A)| |X| + |B|)`` element by element for real matrices, with
    ``gamma(i) = i u / (1 - i u)`` and the roundoff u (Higham, "Accuracy and Stability of Numerical Algorithms", theorem
    8.5).

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.linalg.solve_triangular(np.array([[2.0, 1.0], [0.0, 4.0]]), np.array([3.0, 4.0]))
    array([1., 1.])
    """
    trans = named(TRANSPOSES, trans, "trans")
    system = System(a, b, check_finite=check_finite)
    if not system.place.is_device and not unit_diagonal:
        zeros = numpy.diagonal(system.a, axis1=-2, axis2=-1) == 0
        if zeros.any():
            row = int(numpy.argwhere(zeros)[0][-1])
            raise LinAlgError(f"the matrix is singular: element {row} of its diagonal is 0", "singular", "A")
    with system.place as place:
        matrix, x = rows_of(place, system.a, "A"), copy_of(place, system.b, "B")
        if not system.is_empty:
            problem = structs.TrsmProblem(
                type=system.type,
                uplo=constants.LOWER if lower else constants.UPPER,
                trans=trans,
                diag=constants.UNIT if unit_diagonal else constants.NON_UNIT,
                m=system.n,
                n=x.shape[-1],
                lda=leading_dimension(matrix, constants.ROW_MAJOR),
                ldb=x.shape[-1],
            )
            problem.batch = system.batch(matrix, x)
            place.call("trsm", problem, structs.TrsmOperands(a=matrix.ref, b=x.ref))
        return system.give_solution(x)
