"""Operands, batches and exceptions of the functions of linear algebra."""

import ctypes

import numpy

from .._c import constants, structs
from ..dtypes import LINEAR_ALGEBRA, code_of, common_dtype
from ..errors import InvalidType, InvalidValue
from ..places import host_array, is_opencl, place_of
from ..views import Batches

INDEX = numpy.dtype("int64")
TRANSPOSES = {
    0: constants.NO_TRANS,
    1: constants.TRANS,
    2: constants.CONJ_TRANS,
    "N": constants.NO_TRANS,
    "T": constants.TRANS,
    "C": constants.CONJ_TRANS,
}


class LinAlgError(InvalidValue, numpy.linalg.LinAlgError):
    """A matrix is singular, not positive definite, or without full rank."""


class System:
    """A matrix, and right-hand sides if there are any, of one type and in one place."""

    def __init__(self, a, b=None, is_square=True, check_finite=False):
        given = [a] if b is None else [a, b]
        if not any(is_opencl(array) for array in given):
            given = self.on_host(given)
        self.place = place_of(given)
        if check_finite:
            self.expect_finite(given)
        self.a, self.b = given[0], given[1] if len(given) > 1 else None
        self.dtype = self.a.dtype
        self.type = code_of(self.dtype, LINEAR_ALGEBRA)
        self.expect_matrix(is_square)
        self.m, self.n = self.a.shape[-2:]
        self.is_vector = False
        if self.b is not None:
            self.take_right_hand_sides()
        self.lead = self.a.shape[:-2] if self.b is None else self.b.shape[:-2]
        self.info = None

    @staticmethod
    def on_host(given):
        arrays = [host_array(array, name) for array, name in zip(given, "AB")]
        dtype = common_dtype(arrays)
        if dtype.kind in "iub":
            dtype = numpy.dtype("float64")
        code_of(dtype, LINEAR_ALGEBRA)
        return [array.astype(dtype, copy=False) for array in arrays]

    def expect_finite(self, arrays):
        if self.place.is_device:
            raise InvalidValue("check_finite is possible for arrays in host memory only; nothing is waited for")
        for array, name in zip(arrays, "AB"):
            if not numpy.isfinite(array).all():
                raise InvalidValue(f"{name} has NaN or infinities", operand=name)

    def expect_matrix(self, is_square):
        shape = self.a.shape
        if len(shape) < 2:
            raise InvalidValue(f"A has the shape {shape}, but it needs two axes or more", operand="A")
        if is_square and shape[-1] != shape[-2]:
            raise InvalidValue(f"A has the shape {shape}, but it must be square", operand="A")

    def take_right_hand_sides(self):
        """Makes B a matrix, and gives A and B the same leading axes."""
        if self.b.dtype != self.dtype:
            raise InvalidType(f"A has the dtype {self.dtype}, but B has {self.b.dtype}; convert one of them")
        self.is_vector = len(self.b.shape) == 1
        if self.is_vector:
            self.b = self.b.reshape(-1, 1)
        if len(self.b.shape) < 2 or self.b.shape[-2] != self.m:
            raise InvalidValue(f"A has {self.m} rows, but B has the shape {self.b.shape}", operand="B")
        lead_a, lead_b = self.a.shape[:-2], self.b.shape[:-2]
        if lead_a == lead_b:
            return
        if self.place.is_device:
            raise InvalidValue(f"the leading axes {lead_a} of A and {lead_b} of B must be equal", "invalid_batch")
        try:
            lead = numpy.broadcast_shapes(lead_a, lead_b)
        except ValueError:
            raise InvalidValue(f"the leading axes {lead_a} and {lead_b} cannot be broadcast", "invalid_batch") from None
        self.a = numpy.broadcast_to(self.a, (*lead, *self.a.shape[-2:]))
        self.b = numpy.broadcast_to(self.b, (*lead, *self.b.shape[-2:]))

    @property
    def is_empty(self):
        return self.n == 0 or 0 in self.lead or (self.b is not None and self.b.shape[-1] == 0)

    def batch(self, a, b=None, **dense):
        """Returns the batch of a problem, or None for one problem. `dense` has the strides of other operands."""
        batches = Batches(self.lead, [a] if b is None else [a, b])
        if not batches.axes:
            return None
        strides = dict(zip(("stride_a", "stride_b"), batches.strides()))
        strides |= {f"stride_{name}": stride for name, stride in dense.items()}
        return ctypes.pointer(structs.Batch(count=batches.count, **strides))

    def make_info(self):
        self.info = self.place.make((*self.lead, 1), INDEX)
        return self.info.ref

    def failures(self):
        """Returns the info of each matrix in host memory; nothing for arrays of pyopencl."""
        if self.place.is_device or self.info is None:
            return numpy.zeros(0, INDEX)
        return self.place.give(self.info).reshape(-1)

    def expect_success(self, text):
        """Raises LinAlgError if a matrix in host memory has a failure."""
        failures = self.failures()
        if failures.any():
            index = int(numpy.flatnonzero(failures)[0])
            which = f"matrix {index}" if len(self.lead) else "the matrix"
            raise LinAlgError(text.format(which=which, number=int(failures[index])), "singular", "A")

    def give_solution(self, view):
        """Returns X with the shape of B."""
        result = self.place.give(view)
        return result.reshape(result.shape[:-1]) if self.is_vector else result
