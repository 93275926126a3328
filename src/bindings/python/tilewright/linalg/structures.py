"""SciPy's words for the structure of a matrix."""

import numpy

from ..errors import InvalidType, InvalidValue
from ..places import host_array, is_opencl

STRUCTURES = {
    None: "gen",
    "gen": "gen",
    "general": "gen",
    "pos": "pos",
    "positive definite": "pos",
    "sym": "sym",
    "symmetric": "sym",
    "her": "her",
    "hermitian": "her",
    "upper triangular": "upper",
    "lower triangular": "lower",
}


def completed(a, kind, lower):
    """Returns the whole of a matrix in host memory, of which one triangle is read."""
    if is_opencl(a):
        raise InvalidType(
            f"with assume_a={kind!r} the matrix must be in host memory; on a device pass the whole matrix, and leave "
            "out assume_a",
            operand="A",
        )
    a = host_array(a, "A")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise InvalidValue(f"A has the shape {a.shape}, but it must be square", operand="A")
    if kind in ("upper", "lower"):
        return numpy.triu(a) if kind == "upper" else numpy.tril(a)
    half = numpy.tril(a, -1) if lower else numpy.triu(a, 1)
    diagonal = numpy.eye(a.shape[-1], dtype=bool)
    middle = numpy.where(diagonal, a if kind == "sym" else a.real, numpy.zeros((), a.dtype))
    return half + middle + (half if kind == "sym" else half.conj()).swapaxes(-1, -2)
