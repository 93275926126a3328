"""The vectors of one call: their types, sizes and batches, and the call itself."""

import ctypes
import math

import numpy

from ._c import constants, structs
from .dtypes import code_of
from .errors import InvalidType, InvalidValue
from .places import expect_array, host_array, is_opencl, native, place_of
from .problem import named, scalar
from .views import Batches

SUMMATIONS = {"plain": constants.SUMMATION_PLAIN, "compensated": constants.SUMMATION_COMPENSATED}


def increment(view, name):
    """Returns the increment of a vector and where it starts, which for BLAS is the end of a reversed vector."""
    size, step = view.shape[-1], view.strides[-1]
    if size <= 1:
        return 1, view.ref
    if step == 0:
        raise InvalidValue(f"all elements of {name} are the same one; copy it", "invalid_increment", name)
    reference = view.ref
    if step < 0:
        reference.offset = view.offset + (size - 1) * step
    return step, reference


class Call:
    """The vectors of one call, which are named x, y and z."""

    def __init__(self, vectors, written=(), unread=(), queue=None, wait_for=None):
        if not any(is_opencl(vector) for vector in vectors.values()):
            vectors = {name: self.on_host(vector, name, name in written) for name, vector in vectors.items()}
        self.place = place_of(list(vectors.values()), queue, wait_for)
        self.vectors, self.written, self.unread = vectors, written, unread
        self.dtype = vectors["x"].dtype
        for name, vector in vectors.items():
            if vector.dtype != self.dtype:
                raise InvalidType(f"x has the dtype {self.dtype}, but {name} has {vector.dtype}; convert one of them")
            if not len(vector.shape):
                raise InvalidValue(f"{name} is a scalar, not a vector", operand=name)
        self.type = code_of(self.dtype)
        sizes = {vector.shape[-1] for vector in vectors.values()}
        if len(sizes) > 1:
            raise InvalidValue(f"the vectors have different numbers of elements: {sorted(sizes)}")
        self.size = sizes.pop()
        try:
            self.lead = numpy.broadcast_shapes(*(vector.shape[:-1] for vector in vectors.values()))
        except ValueError:
            raise InvalidValue("the leading axes of the vectors cannot be broadcast", "invalid_batch") from None
        for name in written:
            if vectors[name].shape[:-1] != self.lead:
                raise InvalidValue(f"{name} is written, so it must have the leading axes {self.lead}", operand=name)

    @staticmethod
    def on_host(vector, name, is_written):
        if not is_written:
            return native(host_array(vector, name))
        expect_array(vector, name, name)
        if not vector.flags.writeable:
            raise InvalidValue(f"{name} is read-only", operand=name)
        return vector

    def view(self, name):
        vector = self.vectors[name]
        if name in self.written:
            return self.place.output(vector, name not in self.unread, name)
        if self.place.is_device:
            return self.place.read(vector, name)
        if vector.shape[:-1] != self.lead and math.prod(vector.shape[:-1]) != 1:  # there may be no single stride
            vector = numpy.broadcast_to(vector, (*self.lead, self.size))
        return self.place.read(numpy.asarray(vector, order="C"), name)

    def run(self, function, alpha=1, beta=0, result=None, summation="plain"):
        """Computes the function. Returns the vectors that it writes, or its results."""
        with self.place as place:
            views = {name: self.view(name) for name in self.vectors}
            problem = structs.VectorProblem(type=self.type, n=self.size)
            problem.summation = named(SUMMATIONS, summation, "summation")
            operands = structs.VectorOperands(
                alpha=scalar(alpha, self.dtype, "alpha"), beta=scalar(beta, self.dtype, "beta")
            )
            for name, view in views.items():
                step, reference = increment(view, name)
                setattr(problem, f"inc{name}", step)
                setattr(operands, name, reference)
            results = None
            if result is not None:
                results = place.make(self.lead, result)
                operands.result = results.ref
            if 0 not in self.lead and (self.size or results is not None):
                self.set_batch(problem, views, results)
                place.call("vector", problem, operands, function=function)
            if results is not None:
                found = place.give(results)
                return found if place.is_device else found[()]
            return [place.give(views[name], self.vectors[name]) for name in self.written]

    def set_batch(self, problem, views, results):
        """Sets the strides of the leading axes."""
        matrices = [
            view.with_axes((*view.shape[:-1], 1, self.size), (*view.strides[:-1], 0, 1)) for view in views.values()
        ]
        batches = Batches(self.lead, matrices)
        if not batches.axes:
            return
        strides = dict(zip((f"stride_{name}" for name in views), batches.strides()))
        if results is not None:
            strides["stride_result"] = 1
        problem.batch = ctypes.pointer(structs.Batch(count=batches.count, **strides))
