"""The problem of a matrix product, from the shapes and strides of its operands."""

import ctypes
import math
import operator
import os

import numpy

from ._c import constants, structs
from .dtypes import PRODUCTS, code_of
from .errors import InvalidType, InvalidValue
from .views import Batches, layout_of, stored_as

TooHardError = getattr(numpy, "exceptions", numpy).TooHardError  # in numpy itself before NumPy 1.25

ACCURACIES = {
    "full": constants.ACCURACY_FULL,
    "fp32_split": constants.ACCURACY_FP32_SPLIT,
    "tf32": constants.ACCURACY_TF32,
}
TRANSPOSES = {
    False: constants.NO_TRANS,
    True: constants.TRANS,
    "N": constants.NO_TRANS,
    "T": constants.TRANS,
    "C": constants.CONJ_TRANS,
}


def named(table, value, argument):
    """Returns the constant of a word. Raises InvalidValue for another word."""
    try:
        return table[value]
    except (KeyError, TypeError):
        words = ", ".join(repr(word) for word in table)
        raise InvalidValue(f"{argument} is {value!r}, but it must be one of {words}") from None


def whole_number(value, name, least=0, most=2**64 - 1):
    """Returns a whole number. Raises InvalidType for other objects, and InvalidValue outside of the limits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidType(f"{name} is {value!r}, but it must be a whole number", "invalid_argument") from None
    if not least <= number <= most:
        raise InvalidValue(f"{name} is {number}, but it must be from {least} to {most}")
    return number


def encoded(text, name):
    """Returns a text as bytes for the C interface. Raises InvalidValue if C would read another text."""
    try:
        found = text.encode()
    except UnicodeEncodeError:
        raise InvalidValue(f"{name} is {text!r}, which has surrogates and cannot be encoded as UTF-8") from None
    if b"\0" in found:
        raise InvalidValue(f"{name} is {text!r}, but it must not have null characters")
    return found


def path_of(value, name):
    """Returns a path as bytes for the C interface. Raises InvalidType or InvalidValue for an object that is no path."""
    try:
        found = os.fsencode(value)
    except TypeError:
        raise InvalidType(f"{name} is {value!r}, but it must be a path", "invalid_argument") from None
    if not found or b"\0" in found:
        raise InvalidValue(f"{name} is {value!r}, but it must have characters, none of which is null")
    return found


def shape_of(value, name):
    """Returns a tuple of sizes."""
    try:
        sizes = tuple(value)
    except TypeError:
        raise InvalidType(f"{name} is {value!r}, but it must be a tuple of whole numbers", "invalid_argument") from None
    return tuple(whole_number(size, f"a size of {name}", most=2**63 - 1) for size in sizes)


def parts(value, dtype, name):
    """Returns the real and the imaginary part of a scalar. Raises InvalidValue if the type has no such numbers."""
    try:
        if isinstance(value, str):  # complex() would read it
            raise TypeError
        value = complex(value)
    except TypeError:
        raise InvalidType(f"{name} is a {type(value).__name__}, but it must be a number", "invalid_scalar") from None
    except (ValueError, OverflowError) as problem:
        raise InvalidValue(f"{name} is no number of double precision: {problem}", "invalid_scalar") from None
    if value.imag != 0 and dtype.kind != "c":
        raise InvalidValue(f"{name} is {value}, but a product of {dtype} needs a real number", "invalid_scalar")
    return value.real, value.imag


def is_zero(value, name):
    """Returns whether a scalar is 0. Raises InvalidType or InvalidValue if it is no number."""
    return not any(parts(value, numpy.dtype("complex128"), name))


def real_number(value, name):
    """Returns a number that is not negative. Raises InvalidType or InvalidValue for others."""
    number, imaginary = parts(value, numpy.dtype("complex128"), name)
    if imaginary != 0 or not 0 <= number < math.inf:
        raise InvalidValue(f"{name} is {value!r}, but it must be a finite number that is not negative")
    return number


def scalar(value, dtype, name):
    """Returns a scalar for the C interface."""
    return (ctypes.c_double * 2)(*parts(value, dtype, name))


class Sizes:
    """The sizes of a product and the shape of its result."""

    def __init__(self, shape_a, shape_b, trans_a, trans_b):
        if len(shape_a) < 2 or len(shape_b) < 2:
            raise InvalidValue(f"A and B need two axes or more, but their shapes are {shape_a} and {shape_b}")
        self.m, k = shape_a[-2:] if trans_a == constants.NO_TRANS else reversed(shape_a[-2:])
        self.k, self.n = shape_b[-2:] if trans_b == constants.NO_TRANS else reversed(shape_b[-2:])
        if k != self.k:
            raise InvalidValue(f"op(A) has {k} columns, but op(B) has {self.k} rows; they must be equal")
        try:
            self.lead = numpy.broadcast_shapes(shape_a[:-2], shape_b[:-2])
        except ValueError:
            raise InvalidValue(
                f"the leading axes {tuple(shape_a[:-2])} and {tuple(shape_b[:-2])} cannot be broadcast", "invalid_batch"
            ) from None
        self.result = (*self.lead, self.m, self.n)


def gemm_problem(shape, views, trans_a, trans_b, accuracy, epilogue=None):
    """Returns the problem of a product and the offsets of A, B and C, which are None if strides suffice."""
    a, b, c = views
    layout, ldc = layout_of(c, "C")
    trans_a, lda = stored_as(a, trans_a, layout, "A")
    trans_b, ldb = stored_as(b, trans_b, layout, "B")
    batches = Batches(shape.lead, views)
    problem = structs.GemmProblem(
        type=code_of(a.dtype, PRODUCTS, "A"),
        type_c=code_of(c.dtype, name="C"),
        accuracy=named(ACCURACIES, accuracy, "accuracy"),
        layout=layout,
        trans_a=trans_a,
        trans_b=trans_b,
        m=shape.m,
        n=shape.n,
        k=shape.k,
        lda=lda,
        ldb=ldb,
        ldc=ldc,
    )
    if epilogue is not None:
        problem.epilogue = ctypes.pointer(epilogue)
    if len(batches.axes) > 1:
        problem.batch = ctypes.pointer(structs.Batch(by_offsets=1, count=batches.count))
        return problem, [batches.offsets(operand) for operand in range(3)]
    if batches.axes:
        stride_a, stride_b, stride_c = batches.strides()
        problem.batch = ctypes.pointer(
            structs.Batch(count=batches.count, stride_a=stride_a, stride_b=stride_b, stride_c=stride_c)
        )
    return problem, None


def expect_result(out, shape, dtype):
    """Raises if `out` cannot hold the result."""
    if tuple(out.shape) != tuple(shape):
        raise InvalidValue(f"out has the shape {tuple(out.shape)}, but the result has {tuple(shape)}", operand="C")
    if out.dtype != dtype:
        raise InvalidType(
            f"out has the dtype {out.dtype}, but the result has {dtype}; pass dtype= for another one",
            "unsupported_type",
            "C",
        )


def expect_apart(out, inputs, argument="out"):
    """Raises if an array in host memory that is written shares elements with one that is read."""
    if not isinstance(out, numpy.ndarray):
        raise InvalidType(
            f"{argument} is a {type(out).__name__}, but it must be a numpy.ndarray, because the operands are in host "
            "memory",
            "unsupported_type",
            "C",
        )
    if not out.flags.writeable:
        raise InvalidValue(f"{argument} is read-only", "invalid_argument", "C")
    for name, array in inputs.items():
        if not numpy.may_share_memory(out, array):
            continue
        try:
            overlaps = numpy.shares_memory(out, array, max_work=100_000)
        except TooHardError:
            overlaps = True
        if overlaps:
            raise InvalidValue(
                f"{argument} shares elements with {name}; pass another array", "overlapping_operands", "C"
            )
