"""Cholesky's factorisation of symmetric or Hermitian positive definite matrices, and its uses."""

from __future__ import annotations

from .._c import constants, structs
from ..annotations import Array, Operand, Result, like_operand
from ..errors import InvalidValue
from ..transposes import copy_of, rows_of
from ..views import leading_dimension
from .qr import clear_triangle
from .systems import System

NOT_DEFINITE = "{which} is not positive definite: its leading minor of order {number} is not"


def triangle(lower):
    return constants.LOWER if lower else constants.UPPER


def factor(system, lower):
    """Enqueues the factorisation of A. Returns a view of its factor."""
    a = copy_of(system.place, system.a, "A")
    if not system.is_empty:
        problem = structs.PotrfProblem(type=system.type, uplo=triangle(lower), n=system.n)
        problem.batch = system.batch(a, info=1)
        system.place.call("potrf", problem, structs.PotrfOperands(a=a.ref, info=system.make_info()))
    return a


def substitute(system, factors, x, lower):
    """Enqueues the solution of systems with a factor; `x` holds the right-hand sides."""
    if system.is_empty:
        return
    problem = structs.PotrsProblem(type=system.type, uplo=triangle(lower), n=system.n, nrhs=x.shape[-1])
    problem.lda = leading_dimension(factors, constants.ROW_MAJOR)
    problem.batch = system.batch(factors, x)
    system.place.call("potrs", problem, structs.PotrsOperands(a=factors.ref, b=x.ref))


def cho_factor(
    a: Operand, lower: bool = False, *, overwrite_a: bool = False, check_finite: bool = False
) -> tuple[Result, bool]:
    """Factor positive definite matrices: ``A = L L^H`` or ``A = U^H U``.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes, symmetric or Hermitian. Only one triangle is read.
    lower : bool
        Read the lower triangle and compute L, instead of the upper triangle and U.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    c : array
        The factor in its triangle. The other triangle has the elements of `a`.
    lower : bool
        The argument.

    Raises
    ------
    LinAlgError
        A matrix in host memory is not positive definite.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``|A - L L^H| <= gamma(n + 3) |L| |L^H|`` element by element for real matrices, with
    ``gamma(i) = i u / (1 - i u)`` and the roundoff u (Higham, "Accuracy and Stability of Numerical Algorithms", theorem
    10.3).

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> c, lower = tw.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 5.0]]), lower=True)
    >>> np.tril(c)
    array([[2., 0.],
           [1., 2.]])
    """
    system = System(a, check_finite=check_finite)
    with system.place as place:
        factors = factor(system, lower)
        system.expect_success(NOT_DEFINITE)
        return place.give(factors), lower


@like_operand
def cholesky(a: Operand, lower: bool = False, *, overwrite_a: bool = False, check_finite: bool = False) -> Result:
    """Compute Cholesky's factor of positive definite matrices, with zeros in the other triangle.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes, symmetric or Hermitian. Only one triangle is read.
    lower : bool
        Return L, instead of U.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    array
        The factor.

    Raises
    ------
    LinAlgError
        A matrix in host memory is not positive definite.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    The bound is that of `cho_factor`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.linalg.cholesky(np.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 1.],
           [0., 2.]])
    """
    system = System(a, check_finite=check_finite)
    with system.place as place:
        factors = factor(system, lower)
        clear_triangle(system, factors, triangle(not lower), system.n - 1)
        system.expect_success(NOT_DEFINITE)
        return place.give(factors)


def cho_solve(
    c_and_lower: tuple[Array, bool], b: Operand, *, overwrite_b: bool = False, check_finite: bool = False
) -> Result:
    """Solve ``A X = B`` with the factor of `cho_factor`.

    Parameters
    ----------
    c_and_lower : tuple
        The result of `cho_factor`.
    b : array
        A vector of n elements, or n x nrhs in the last two axes.
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
    >>> factor = tw.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> tw.linalg.cho_solve(factor, np.array([6.0, 7.0]))
    array([1., 1.])
    """
    factors, lower = c_and_lower
    system = System(factors, b, check_finite=check_finite)
    with system.place as place:
        x = copy_of(place, system.b, "B")
        substitute(system, rows_of(place, system.a, "A"), x, lower)
        return system.give_solution(x)


def solve_positive_definite(a, b, lower, transposed, check_finite):
    """Solves A X = B, or A^T X = B for real matrices, which is the same."""
    system = System(a, b, check_finite=check_finite)
    if transposed and system.dtype.kind == "c":
        raise InvalidValue("transposed is not possible for complex positive definite matrices; conjugate A")
    with system.place as place:
        factors = factor(system, lower)
        x = copy_of(place, system.b, "B")
        substitute(system, factors, x, lower)
        system.expect_success(NOT_DEFINITE)
        return system.give_solution(x)
