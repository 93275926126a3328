"""NumPy's element types and the library's."""

import numpy

from ._c import constants
from .errors import InvalidType

CODES = {
    "float32": constants.F32,
    "float64": constants.F64,
    "float16": constants.F16,
    "bfloat16": constants.BF16,  # of the package ml_dtypes
    "int8": constants.I8,
    "uint8": constants.U8,
    "int32": constants.I32,
    "complex64": constants.C64,
    "complex128": constants.C128,
}
PRODUCTS = set(CODES) - {"int32"}  # which only holds results
EXACT = {"int8", "uint8"}
LINEAR_ALGEBRA = {"float32", "float64", "complex64", "complex128"}


def code_of(dtype, allowed=None, name=""):
    """Returns the library's number of the dtype of an operand. Raises InvalidType if it has none or is not allowed."""
    code = CODES.get(dtype.name)
    if code is None or not dtype.isnative or (allowed is not None and dtype.name not in allowed):
        names = ", ".join(sorted(allowed if allowed is not None else CODES))
        order = "" if dtype.isnative else " in the other byte order"
        raise InvalidType(
            f"the dtype{' of ' * bool(name)}{name} is {dtype.name}{order}, but it must be one of {names}; convert with "
            "astype()",
            "unsupported_type",
            name,
        )
    return code


def common_dtype(arrays):
    """Returns the dtype to which NumPy converts arrays or dtypes. Raises InvalidType if there is none."""
    try:
        return numpy.result_type(*arrays)
    except TypeError:  # NumPy's exception for such dtypes
        names = " and ".join(str(getattr(array, "dtype", array)) for array in arrays)
        raise InvalidType(
            f"the dtypes {names} have no common dtype; convert with astype()", "unsupported_type"
        ) from None


def product_type(dtype):
    """Returns the default dtype of a product: int32 for int8 and uint8, otherwise the same."""
    return numpy.dtype("int32") if dtype.name in EXACT else dtype


def accumulator(dtype):
    """Returns the dtype of scale and bias."""
    if dtype.name in EXACT or dtype.name in ("float16", "bfloat16"):
        return numpy.dtype("float32")
    return dtype
