"""Determinants, by LU factorisation."""

from __future__ import annotations

import math
from typing import Any

import numpy

from .._c import structs
from ..annotations import Operand
from ..errors import InvalidValue
from ..transposes import enqueue_copy
from .lu import factor
from .systems import System


def slogdet(a: Operand, *, check_finite: bool = False) -> tuple[Any, Any]:
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
    system = System(a, check_finite=check_finite)
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
