"""Determinants, by LU factorisation."""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

import numpy

from .._c import structs
from ..annotations import Operand
from ..transposes import enqueue_copy
from .lu import factor
from .systems import System


class SlogdetResult(NamedTuple):
    """The sign and the logarithm of the magnitude of determinants, as `numpy.linalg.slogdet` returns them."""

    sign: Any
    logabsdet: Any


def of_empty(system):
    """Returns the determinants of matrices without elements, which are 1, or of no matrices."""
    ones, zeros = numpy.ones(system.lead, system.dtype), numpy.zeros(system.lead, system.dtype)
    if not system.place.is_device:
        return SlogdetResult(ones[()], zeros.real[()])
    to_device, owner = sys.modules["pyopencl.array"].to_device, system.place.owner
    return SlogdetResult(to_device(owner, ones), to_device(owner, zeros))


def slogdet(a: Operand, *, check_finite: bool = False) -> SlogdetResult:
    """Compute the sign and the logarithm of the determinant's magnitude, as `numpy.linalg.slogdet` does.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

    Returns
    -------
    sign, logabsdet : array or scalar
        A named tuple. ``sign * exp(logabsdet)`` is the determinant. A singular matrix has the sign 0 and the logarithm
        -infinity. The logarithms of complex arrays of pyopencl are complex.

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
    system = System(a, check_finite=check_finite)
    if system.is_empty:
        return of_empty(system)
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
            return SlogdetResult(result[0], result[1])
        result = place.give(determinant)
        return SlogdetResult(result[..., 0][()], result[..., 1].real[()])


def det(a: Operand, *, overwrite_a: bool = False, check_finite: bool = False) -> Any:
    """Compute the determinant of square matrices.

    Parameters
    ----------
    a : array_like or pyopencl.array.Array
        n x n in the last two axes.
    overwrite_a : bool
        SciPy's argument, which has no effect: operands are never overwritten.
    check_finite : bool
        Raise InvalidValue if an operand in host memory has NaN or infinities, as SciPy does by default. Otherwise they
        propagate.

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
    sign, logarithm = slogdet(a, check_finite=check_finite)
    if isinstance(sign, (numpy.generic, numpy.ndarray)):
        return sign * numpy.exp(logarithm)
    from pyopencl import clmath

    return sign * clmath.exp(logarithm)
