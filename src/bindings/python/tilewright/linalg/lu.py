"""LU factorisation with partial pivoting, and its uses."""

from __future__ import annotations

import warnings
from typing import Optional, Union

import numpy

from .._c import constants, structs
from ..annotations import Array, Operand, Result, like_operand
from ..copies import enqueue_strided_copy
from ..errors import InvalidType, InvalidValue
from ..places import expect_device, host_array
from ..problem import named
from ..transposes import copy_of, rows_of
from ..views import dense_strides, leading_dimension
from .cholesky import solve_positive_definite
from .structures import STRUCTURES, completed
from .systems import INDEX, TRANSPOSES, System
from .triangular import solve_triangular

SINGULAR = "{which} is singular: element {number} of the diagonal of U, counted from 1, is 0"


def factor(system):
    """Enqueues the factorisation of A. Returns views of its factors and pivots."""
    a, count = copy_of(system.place, system.a, "A"), min(system.m, system.n)
    pivots = system.place.make((*system.lead, count), INDEX)
    if system.is_empty or not count:
        return a, pivots
    problem = structs.GetrfProblem(type=system.type, m=system.m, n=system.n, lda=system.n)
    problem.batch = system.batch(a, pivots=count, info=1)
    system.place.call("getrf", problem, structs.GetrfOperands(a=a.ref, pivots=pivots.ref, info=system.make_info()))
    return a, pivots


def without_gaps(place, view):
    """Returns a view, or one of a copy on the device if its elements do not follow each other in C order."""
    steps = zip(view.shape, view.strides, dense_strides(view.shape))
    if all(size <= 1 or step == wanted for size, step, wanted in steps):
        return view
    copy = place.make(view.shape, view.dtype)
    enqueue_strided_copy(place, view, copy)
    return copy


def lu_factor(a: Operand, *, overwrite_a: bool = False, check_finite: bool = False) -> tuple[Result, Result]:
    """Factor matrices of any shape: ``P A = L U``, with partial pivoting.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        m x n in the last two axes.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    lu : array
        m x n: L below the diagonal, without its ones, and U.
    piv : array of int64
        min(m, n) elements: row i was interchanged with row ``piv[i]``.

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
    system = System(a, is_square=False, check_finite=check_finite)
    with system.place as place:
        lu, pivots = factor(system)
        if system.failures().any():
            warnings.warn("a matrix is singular: its U has a zero on the diagonal", RuntimeWarning, stacklevel=2)
        return place.give(lu), place.give(pivots)


def lu_solve(
    lu_and_piv: tuple[Array, Array],
    b: Operand,
    trans: Union[int, str] = 0,
    *,
    overwrite_b: bool = False,
    check_finite: bool = False,
) -> Result:
    """Solve ``op(A) X = B`` with the factors of `lu_factor`.

    Parameters
    ----------
    lu_and_piv : tuple
        The result of `lu_factor`. The pivots of arrays in host memory may be any integers, such as SciPy's.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
    trans : {0, 1, 2, "N", "T", "C"}
        op(A) is A, A^T or A^H.
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
    system = System(lu, b, check_finite=check_finite)
    if not system.place.is_device:
        pivots = host_array(pivots, "pivots")
        if pivots.dtype.kind not in "iu":
            raise InvalidType(f"the pivots have the dtype {pivots.dtype}, but they must be integers", operand="pivots")
        try:
            pivots = numpy.ascontiguousarray(numpy.broadcast_to(pivots.astype(INDEX), (*system.lead, system.n)))
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
        rows = without_gaps(place, place.read(pivots, "pivots"))
        if not system.is_empty:
            problem = structs.GetrsProblem(type=system.type, trans=trans, n=system.n, nrhs=x.shape[-1])
            problem.lda = leading_dimension(a, constants.ROW_MAJOR)
            problem.batch = system.batch(a, x, pivots=system.n)
            place.call("getrs", problem, structs.GetrsOperands(a=a.ref, pivots=rows.ref, b=x.ref))
        return system.give_solution(x)


@like_operand
def solve(
    a: Operand,
    b: Operand,
    *,
    lower: bool = False,
    assume_a: Optional[str] = None,
    transposed: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
) -> Result:
    """Solve ``A X = B`` for square matrices A.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
    lower : bool
        For positive definite, symmetric and Hermitian matrices: the lower triangle of A is read, instead of the upper
        one.
    assume_a : str, optional
        What A is. "gen" or "general", the default: anything. "pos" or "positive definite": solved by Cholesky's
        factorisation. "upper triangular" and "lower triangular": solved by substitution. "sym", "symmetric", "her" and
        "hermitian", for arrays in host memory: only one triangle is read, and the whole matrix is factored.
    transposed : bool
        Solve ``A^T X = B`` instead.
    overwrite_a, overwrite_b : bool
        SciPy's arguments, which have no effect: operands are never overwritten.
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
    kind = named(STRUCTURES, assume_a, "assume_a")
    if kind == "pos":
        return solve_positive_definite(a, b, lower, transposed, check_finite)
    if kind in ("upper", "lower"):
        return solve_triangular(a, b, int(transposed), kind == "lower", check_finite=check_finite)
    if kind in ("sym", "her"):
        a = completed(a, kind, lower)
    system = System(a, b, check_finite=check_finite)
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


@like_operand
def inv(
    a: Operand,
    *,
    assume_a: Optional[str] = None,
    lower: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = False,
) -> Result:
    """Compute the inverse of square matrices.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.
    assume_a : str, optional
        What A is, by the words of `solve`. Words other than "gen" and "general" need an array in host memory, of which
        only one triangle is then read.
    lower : bool
        That triangle is the lower one, instead of the upper one.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

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
    kind = named(STRUCTURES, assume_a, "assume_a")
    if kind != "gen":
        a = completed(a, kind, lower)
    system = System(a, check_finite=check_finite)
    with system.place as place:
        factors, pivots = factor(system)
        result = place.make(system.a.shape, system.dtype)
        if not system.is_empty:
            problem = structs.GetriProblem(type=system.type, n=system.n)
            problem.batch = system.batch(factors, result, pivots=system.n)
            place.call("getri", problem, structs.GetriOperands(a=factors.ref, pivots=pivots.ref, b=result.ref))
            system.expect_success(SINGULAR)
        return place.give(result)
