"""Least-squares solutions by QR factorisation."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Optional

import numpy

from .._c import constants, structs
from ..annotations import Operand
from ..problem import real_number
from ..transposes import copy_of, enqueue_copy
from ..vector import magnitude
from .qr import rows_from
from .systems import LinAlgError, System


def right_hand_sides(system, height):
    """Returns a copy of B as the first rows of a matrix of `height` rows."""
    if height == system.m:
        return copy_of(system.place, system.b, "B")
    x = system.place.make((*system.lead, height, system.b.shape[-1]), system.dtype)
    if system.b.size:
        b = system.place.read(numpy.asarray(system.b, order="C") if not system.place.is_device else system.b, "B")
        enqueue_copy(system.place, b, rows_from(x, 0, system.m))
    return x


def squares_of_residuals(system, x):
    """Returns the squares of the norms of the columns of X's last rows, which gels() leaves there."""
    place, kind = system.place, magnitude(system.dtype)
    nrhs, length = x.shape[-1], system.m - system.n
    norms = place.make((*system.lead, nrhs), kind)
    if math.prod(norms.shape):
        columns = place.make((*system.lead, nrhs, length), system.dtype)
        tail = rows_from(x, system.n, length)
        turned = columns.with_axes(tail.shape, (*columns.strides[:-2], 1, length))
        enqueue_copy(place, tail, turned)
        problem = structs.VectorProblem(type=system.type, n=length, incx=1)
        count = math.prod(norms.shape)
        problem.batch = ctypes.pointer(structs.Batch(count=count, stride_x=length, stride_result=1))
        operands = structs.VectorOperands(x=columns.ref, result=norms.ref)
        place.call("vector", problem, operands, function=constants.NRM2)
    result = place.give(norms)
    result = result * result
    return result.reshape(result.shape[:-1]) if system.is_vector else result


def solve(system, a, trans, x):
    """Enqueues the solution with a matrix that is overwritten."""
    m, n = a.shape[-2:]
    problem = structs.GelsProblem(type=system.type, trans=trans, m=m, n=n, nrhs=x.shape[-1])
    problem.batch = system.batch(a, x, info=1)
    operands = structs.GelsOperands(a=a.ref, b=x.ref, info=system.make_info())
    system.place.call("gels", problem, operands)


def expect_full_rank(system, factors, cond):
    """Raises LinAlgError if a diagonal element of R, in host memory, is negligible."""
    count = min(system.m, system.n)
    source = factors.with_axes((*system.lead, count, 1), (*factors.strides[:-2], factors.shape[-1] + 1, 1))
    target = system.place.make(source.shape, system.dtype)
    enqueue_copy(system.place, source, target)
    diagonals = abs(system.place.give(target)).reshape(-1, count)
    if cond is None:
        cond = max(system.m, system.n) * numpy.finfo(system.dtype).eps
    negligible = diagonals <= cond * diagonals.max(axis=1, keepdims=True)
    negligible[system.failures() != 0] = True  # of these, gels() knows that an element is 0
    bad = negligible.any(axis=1)
    if bad.any():
        index = int(numpy.flatnonzero(bad)[0])
        which = f"matrix {index}" if len(system.lead) else "the matrix"
        raise LinAlgError(
            f"{which} does not have full rank: the diagonal of R has an element of magnitude "
            f"{diagonals[index].min():.3g}, but its largest is {diagonals[index].max():.3g}; use numpy.linalg.lstsq(), "
            "or pass a smaller cond",
            "singular",
            "A",
        )


def lstsq(
    a: Operand,
    b: Operand,
    cond: Optional[float] = None,
    *,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
) -> tuple[Any, Any, Optional[int], None]:
    """Minimise ``|B - A X|`` for matrices of full rank and any shape.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        m x n in the last two axes.
    b : array
        A vector of m elements, or m x nrhs in the last two axes.
    cond : float, optional
        For arrays in host memory: an element on the diagonal of R counts as 0 if its magnitude is at most `cond` times
        the largest one. The default is max(m, n) times the machine epsilon. The condition number of a matrix that is
        refused is at least ``1 / cond``. Some matrices with larger condition numbers are not refused.
    overwrite_a, overwrite_b : bool
        SciPy's arguments, which have no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    x : array
        n elements, or n x nrhs in the last two axes. If m < n, the solution of smallest 2-norm.
    residues : array
        The square of the 2-norm of each column of ``B - A X`` if m > n; otherwise an array of shape (0,).
    rank : int or None
        min(m, n). None for arrays of pyopencl, whose rank is not known before they are complete.
    s : None
        The place of SciPy's singular values, which a QR factorisation does not give.

    Raises
    ------
    LinAlgError
        A matrix in host memory does not have full rank. An array of pyopencl then gives an undefined X.
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    X solves a problem with A + E exactly. To first order in the roundoff u, each column has ``|E[:, j]| <= c max(m, n)
    min(m, n) u |A[:, j]|`` in 2-norms, with a small constant c; if m < n, each row (Higham, "Accuracy and Stability of
    Numerical Algorithms", theorems 20.3 and 21.4). NaN in A propagates.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> a = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> x, residues, rank, _ = tw.linalg.lstsq(a, np.array([1.0, 3.0, 5.0]))
    >>> np.round(x, 6), rank
    (array([1., 2.]), 2)
    """
    if cond is not None:
        cond = real_number(cond, "cond")
    system = System(a, b, is_square=False, check_finite=check_finite)
    m, n, is_host = system.m, system.n, not system.place.is_device
    with system.place as place:
        trans = constants.NO_TRANS
        if is_host and m < n:  # gels() then overwrites the transpose with its factors
            system.a, trans = system.a.conj().swapaxes(-1, -2), constants.CONJ_TRANS
        matrix = copy_of(place, system.a, "A")
        solution = right_hand_sides(system, max(m, n))
        nrhs = solution.shape[-1]
        if n and nrhs and 0 not in system.lead:
            solve(system, matrix, trans, solution)
            if is_host and m:
                expect_full_rank(system, matrix, cond)
        if m > n:
            residues = squares_of_residuals(system, solution)
            x = place.make((*system.lead, n, nrhs), system.dtype)
            if math.prod(x.shape):
                enqueue_copy(place, rows_from(solution, 0, n), x)
        else:
            residues, x = place.give(place.make((0,), magnitude(system.dtype))), solution
        return system.give_solution(x), residues, min(m, n) if is_host else None, None
