"""QR factorisation."""

from __future__ import annotations

import ctypes
from typing import Any

from .._c import constants, structs
from ..annotations import Operand
from ..errors import InvalidValue
from ..problem import scalar
from ..transposes import copy_of, enqueue_copy
from ..views import Batches
from .systems import System

MODES = ("full", "r", "economic", "raw")


def first_columns(view, count):
    return view.with_axes((*view.shape[:-1], count), view.strides)


def rows_from(view, first, count):
    part = view.with_axes((*view.shape[:-2], count, view.shape[-1]), view.strides)
    part.offset += first * view.strides[-2]
    return part


def batch_of_c(system, view):
    """Returns the batch of a matrix that is written alone, or None."""
    batches = Batches(system.lead, [view])
    if not batches.axes:
        return None
    return ctypes.pointer(structs.Batch(count=batches.count, stride_c=batches.strides()[0]))


def clear_triangle(system, view, uplo, count):
    """Enqueues zeros in the triangle next to the diagonal of a matrix, which has `count` columns, by a product without
    terms."""
    if count < 1 or 0 in system.lead:
        return
    zero, ld = scalar(0, view.dtype, "beta"), view.strides[-2]
    problem = structs.GemmtProblem(type=system.type, uplo=uplo, n=count, ldc=ld, batch=batch_of_c(system, view))
    first = ld if uplo == constants.LOWER else 1
    c = structs.Matrix(buffer=view.buffer, offset=view.offset + first)
    system.place.call("gemmt", problem, structs.GemmtOperands(alpha=zero, beta=zero, c=c))


def clear_below_diagonal(system, r):
    """Enqueues zeros below the diagonal of R."""
    height, width = r.shape[-2:]
    count = min(height - 1, width)
    if count < 1 or 0 in system.lead:
        return
    clear_triangle(system, r, constants.LOWER, count)
    zero, batch = scalar(0, r.dtype, "beta"), batch_of_c(system, r)
    rest = height - 1 - count
    if rest:
        problem = structs.GemmProblem(type=system.type, type_c=system.type, m=rest, n=width, ldc=width, batch=batch)
        operands = structs.GemmOperands(alpha=zero, beta=zero, c=rows_from(r, 1 + count, rest).ref)
        system.place.call("gemm", problem, operands)


def factor(system):
    """Enqueues the factorisation of A. Returns views of its factors and of tau."""
    a, count = copy_of(system.place, system.a, "A"), min(system.m, system.n)
    tau = system.place.make((*system.lead, count), system.dtype)
    if not system.is_empty:
        problem = structs.GeqrfProblem(type=system.type, m=system.m, n=system.n)
        problem.batch = system.batch(a, tau=count)
        system.place.call("geqrf", problem, structs.GeqrfOperands(a=a.ref, tau=tau.ref))
    return a, tau


def form_q(system, factors, tau, width):
    """Enqueues the first `width` columns of Q. Returns their view."""
    place, count = system.place, min(system.m, system.n)
    q = place.make((*system.lead, system.m, width), system.dtype)
    if 0 in q.shape:
        return q
    if count:
        enqueue_copy(place, first_columns(factors, count), first_columns(q, count))
    else:
        tau = place.make((*system.lead, 1), system.dtype)  # not read
    problem = structs.OrgqrProblem(type=system.type, m=system.m, n=width, k=count)
    problem.batch = system.batch(q, tau=tau.shape[-1])
    place.call("orgqr", problem, structs.OrgqrOperands(a=q.ref, tau=tau.ref))
    return q


def form_r(system, factors, height):
    """Enqueues the first rows of R. Returns their view."""
    r = system.place.make((*system.lead, height, system.n), system.dtype)
    if 0 not in r.shape:
        enqueue_copy(system.place, rows_from(factors, 0, height), r)
        clear_below_diagonal(system, r)
    return r


def qr(
    a: Operand,
    mode: str = "full",
    *,
    pivoting: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = False,
) -> Any:
    """Factor matrices of any shape: ``A = Q R``, without pivoting.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        m x n in the last two axes.
    mode : {"full", "r", "economic", "raw"}
        What is returned. Below, k is min(m, n).
    pivoting : bool
        Must be False: there is no pivoting.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    q, r : arrays
        With "full": Q, m x m, whose columns are orthonormal, and R, m x n, which is upper trapezoidal with a real
        diagonal of either sign. With "economic": the first k columns of Q and the first k rows of R.
    (r,) : tuple
        With "r": R, m x n.
    (qr, tau), r : tuple
        With "raw": the m x n factors and the k scalars of LAPACK's geqrf, and the first k rows of R.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `tilewright.gemm`.

    Notes
    -----
    ``A + E = Q R`` for a unitary matrix Q, with ``|E[:, j]| <= c m k u |A[:, j]|`` in 2-norms, a small constant c and
    the roundoff u. Each column of the computed Q is within ``c m k u`` of that of a matrix with orthonormal columns
    (Higham, "Accuracy and Stability of Numerical Algorithms", theorem 19.4 and lemma 19.3). NaN in A propagates.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> a = np.array([[3.0, 1.0], [4.0, 2.0]])
    >>> q, r = tw.linalg.qr(a)
    >>> bool(np.allclose(q @ r, a)), float(abs(r[0, 0])), float(r[1, 0])
    (True, 5.0, 0.0)
    """
    if mode not in MODES:
        raise InvalidValue(f"mode is {mode!r}, but it must be one of {', '.join(map(repr, MODES))}")
    if pivoting:
        raise InvalidValue("there is no QR factorisation with pivoting; use scipy.linalg.qr()")
    system = System(a, is_square=False, check_finite=check_finite)
    count = min(system.m, system.n)
    with system.place as place:
        factors, tau = factor(system)
        if mode == "r":
            return (place.give(form_r(system, factors, system.m)),)
        if mode == "raw":
            r = form_r(system, factors, count)
            return (place.give(factors), place.give(tau)), place.give(r)
        q = form_q(system, factors, tau, system.m if mode == "full" else count)
        r = form_r(system, factors, system.m if mode == "full" else count)
        return place.give(q), place.give(r)
