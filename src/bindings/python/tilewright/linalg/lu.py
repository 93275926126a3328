"""LU factorisation with partial pivoting, and its uses."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy

from .._c import constants, structs
from ..annotations import Array, Operand, Result
from ..errors import InvalidType, InvalidValue
from ..places import expect_device, host_array
from ..problem import named
from ..transposes import copy_of, enqueue_copy, rows_of
from ..views import leading_dimension
from .systems import INDEX, TRANSPOSES, System

SINGULAR = "{which} is singular: element {number} of the diagonal of U, counted from 1, is 0"


def factor(system):
    """Enqueues the factorisation of A. Returns views of its factors and pivots."""
    a = copy_of(system.place, system.a, "A")
    pivots = system.place.make((*system.lead, system.n), INDEX)
    if system.is_empty:
        return a, pivots
    problem = structs.GetrfProblem(type=system.type, m=system.n, n=system.n, lda=system.n)
    problem.batch = system.batch(a, pivots=system.n, info=1)
    system.place.call("getrf", problem, structs.GetrfOperands(a=a.ref, pivots=pivots.ref, info=system.make_info()))
    return a, pivots


def lu_factor(a: Operand) -> tuple[Result, Result]:
    """Factor square matrices: ``P A = L U``, with partial pivoting.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.

    Returns
    -------
    lu : array
        L below the diagonal, without its ones, and U.
    piv : array of int64
        Row i was interchanged with row ``piv[i]``.

    Warns
    -----
    RuntimeWarning
        A matrix in host memory is singular.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``|P A - L U| <= gamma(n + 4) |L| |U|`` element by element for real matrices, with
    ``gamma(i) = i u / (1 - i u)`` and the roundoff u (Higham, "Accuracy and Stability of Numerical Algorithms", theorem
    9.3).

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> lu, piv = tw.linalg.lu_factor(np.array([[1.0, 2.0], [2.0, 2.0]]))
    >>> lu
    array([[2. , 2. ],
           [0.5, 1. ]])
    """
    system = System(a)
    with system.place as place:
        lu, pivots = factor(system)
        if system.failures().any():
            warnings.warn("a matrix is singular: its U has a zero on the diagonal", RuntimeWarning, stacklevel=2)
        return place.give(lu), place.give(pivots)


def lu_solve(lu_and_piv: tuple[Array, Array], b: Operand, trans: int | str = 0) -> Result:
    """Solve ``op(A) X = B`` with the factors of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : tuple
        The result of `lu_factor`. The pivots of arrays in host memory may be any integers, such as SciPy's.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
    trans : {0, 1, 2, "N", "T", "C"}
        op(A) is A, A^T or A^H.

    Returns
    -------
    array
        X, with the shape of `b`.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> a = np.array([[1.0, 2.0], [2.0, 2.0]])
    >>> tw.linalg.lu_solve(tw.linalg.lu_factor(a), np.array([3.0, 4.0]))
    array([1., 1.])
    """
    lu, pivots = lu_and_piv
    trans = named(TRANSPOSES, trans, "trans")
    system = System(lu, b)
    if not system.place.is_device:
        pivots = host_array(pivots, "pivots")
        if pivots.dtype.kind not in "iu":
            raise InvalidType(f"the pivots have the dtype {pivots.dtype}, but they must be integers", operand="pivots")
        try:
            pivots = numpy.broadcast_to(pivots.astype(INDEX), (*system.lead, system.n))
        except ValueError:
            raise InvalidValue(
                f"the pivots have the shape {pivots.shape}, but A has {system.n} rows", operand="pivots"
            ) from None
        if system.n and ((pivots < 0) | (pivots >= system.n)).any():
            raise InvalidValue(f"a pivot is not from 0 to {system.n - 1}", operand="pivots")
    else:
        expect_device(pivots, "pivots")
    shape = (*system.lead, system.n)
    if pivots.dtype != INDEX or pivots.shape != shape:
        raise InvalidValue(f"the pivots need the shape {shape} and the dtype int64", operand="pivots")
    with system.place as place:
        a, x = rows_of(place, system.a, "A"), copy_of(place, system.b, "B")
        rows = place.read(pivots, "pivots")
        if not system.is_empty:
            problem = structs.GetrsProblem(type=system.type, trans=trans, n=system.n, nrhs=x.shape[-1])
            problem.lda = leading_dimension(a, constants.ROW_MAJOR)
            problem.batch = system.batch(a, x, pivots=system.n)
            place.call("getrs", problem, structs.GetrsOperands(a=a.ref, pivots=rows.ref, b=x.ref))
        return system.give_solution(x)


def solve(a: Operand, b: Operand, *, lower: bool = False, assume_a: str = "gen", transposed: bool = False) -> Result:
    """Solve ``A X = B`` for square matrices A.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
    lower : bool
        With ``assume_a="pos"``: whether the lower triangle of A is read, instead of the upper one.
    assume_a : {"gen", "general", "pos", "positive definite"}
        Positive definite matrices are solved by Cholesky's factorisation.
    transposed : bool
        Solve ``A^T X = B`` instead.

    Returns
    -------
    array
        X, with the shape of `b`.

    Raises
    ------
    LinAlgError
        A matrix in host memory is singular, or not positive definite.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``|L U X - P B| <= gamma(n + 4) (4 |L| |U| |X| + P |B|)`` element by element for real matrices, in the notation of
    `lu_factor`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.linalg.solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 8.0]))
    array([1., 2.])
    """
    if assume_a in ("pos", "positive definite"):
        from .cholesky import solve_positive_definite

        return solve_positive_definite(a, b, lower, transposed)
    if assume_a not in ("gen", "general"):
        raise InvalidValue(f"assume_a is {assume_a!r}, but it must be gen, general, pos or positive definite")
    system = System(a, b)
    trans = TRANSPOSES[1 if transposed else 0]
    with system.place as place:
        if system.is_empty:
            return system.give_solution(copy_of(place, system.b, "B"))
        factors, pivots = factor(system)
        x = copy_of(place, system.b, "B")
        problem = structs.GetrsProblem(type=system.type, trans=trans, n=system.n, nrhs=x.shape[-1])
        problem.batch = system.batch(factors, x, pivots=system.n)
        place.call("getrs", problem, structs.GetrsOperands(a=factors.ref, pivots=pivots.ref, b=x.ref))
        system.expect_success(SINGULAR)
        return system.give_solution(x)


def inv(a: Operand) -> Result:
    """Compute the inverse of square matrices.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.

    Returns
    -------
    array
        The inverse, with the shape of `a`. To solve systems of equations, `solve` is faster and more accurate.

    Raises
    ------
    LinAlgError
        A matrix in host memory is singular.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``|A B - I| <= gamma(n + 4) (4 G |B| + I)`` for the inverse B, element by element and to first order in u. Here A is
    the product of the computed factors, and ``G = P^T |L| |U|`` in the notation of `lu_factor`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.linalg.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    system = System(a)
    with system.place as place:
        factors, pivots = factor(system)
        result = place.make(system.a.shape, system.dtype)
        if not system.is_empty:
            problem = structs.GetriProblem(type=system.type, n=system.n)
            problem.batch = system.batch(factors, result, pivots=system.n)
            place.call("getri", problem, structs.GetriOperands(a=factors.ref, pivots=pivots.ref, b=result.ref))
            system.expect_success(SINGULAR)
        return place.give(result)


def slogdet(a: Operand) -> tuple[Any, Any]:
    """Compute the sign and the logarithm of the determinant's magnitude, as `numpy.linalg.slogdet` does.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.

    Returns
    -------
    sign, logabsdet : array or scalar
        ``sign * exp(logabsdet)`` is the determinant. A singular matrix has the sign 0 and the logarithm -infinity. The
        logarithms of complex arrays of pyopencl are complex.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    The sign of a real determinant is exact for the computed factors. The error of the logarithm is at most
    ``2 u (n + 4) (1 + sum of |log |U[i, i]||)``.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> sign, logarithm = tw.linalg.slogdet(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
    system = System(a)
    if system.is_empty and not system.place.is_device:
        return numpy.linalg.slogdet(numpy.asarray(system.a))
    if system.is_empty:
        raise InvalidValue("A has no elements", operand="A")
    with system.place as place:
        factors, pivots = factor(system)
        determinant = place.make((*system.lead, 2), system.dtype)
        problem = structs.DetProblem(type=system.type, n=system.n)
        problem.batch = system.batch(factors, pivots=system.n, determinant=2)
        operands = structs.DetOperands(a=factors.ref, pivots=pivots.ref, determinant=determinant.ref)
        place.call("det", problem, operands)
        if place.is_device:
            # Signs and logarithms become contiguous, because pyopencl cannot read arrays with gaps.
            count = math.prod(system.lead)
            parts = place.make((2, *system.lead), system.dtype)
            enqueue_copy(place, determinant.with_axes((2, count), (1, 2)), parts.with_axes((2, count), (count, 1)))
            result = place.give(parts)
            return result[0], result[1]
        result = place.give(determinant)
        return result[..., 0][()], result[..., 1].real[()]


def det(a: Operand) -> Any:
    """Compute the determinant of square matrices.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.

    Returns
    -------
    array or scalar
        The determinant: ``sign * exp(logabsdet)`` of `slogdet`, which does not overflow.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> float(tw.linalg.det(np.array([[0.0, 1.0], [1.0, 0.0]])))
    -1.0
    """
    sign, logarithm = slogdet(a)
    if isinstance(sign, (numpy.generic, numpy.ndarray)):
        return sign * numpy.exp(logarithm)
    from pyopencl import clmath

    return sign * clmath.exp(logarithm)
