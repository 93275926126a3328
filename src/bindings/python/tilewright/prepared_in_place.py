"""Products of contiguous NumPy matrices in place that are prepared once: later calls like them check only addresses."""

import ctypes
from ctypes import c_void_p as pointer

import numpy

from ._c import check, constants
from ._c.opencl import expect, opencl
from .dtypes import PRODUCTS, product_type
from .engines import default_engine
from .host_places import MAP_READ, READ_ONLY, READ_WRITE, USE_HOST_PTR, element_strides
from .out_of_core import goes_by_tiles
from .prepared import MOST_PREPARED, A, B, C, Prepared, Slot
from .problem import TRANSPOSES, Sizes, gemm_problem, is_zero, named
from .views import View, result_layout


class PreparedInPlace(Prepared):
    """A plan for matrices in host memory of fixed shapes and strides."""

    def __init__(self, engine, problem, operands, result):
        super().__init__(engine, problem, None, operands[0].dtype)
        self.sizes = [array.nbytes for array in operands]
        self.result = result
        self.size_of_result = int(numpy.prod(result[0], dtype=object)) * result[1].itemsize

    def run(self, a, b, out, alpha, beta):
        """Returns the product, or None if the operands need general rules."""
        if out is None and not is_zero(beta, "beta"):
            return None
        c = out if out is not None else numpy.empty(*self.result)
        places = [array.__array_interface__["data"][0] for array in (a, b, c)]
        (size_a, size_b), size_c = self.sizes, self.size_of_result
        is_same = places[0] == places[1] and size_a == size_b
        if overlap(places[2], size_c, places[0], size_a) or overlap(places[2], size_c, places[1], size_b):
            return None
        if not is_same and overlap(places[0], size_a, places[1], size_b):
            return None
        functions, queue, buffers = opencl(), self.engine.queue(), []
        try:
            slot = self.slots.pop()
        except IndexError:  # none is left by other threads
            slot = Slot(self)
        slot.set_scalars(alpha, beta, self.dtype)
        is_busy = False
        try:
            for word, size, flags in ((A, size_a, READ_ONLY), (B, size_b, READ_ONLY), (C, size_c, READ_WRITE)):
                if word == B and is_same:
                    slot.words[word] = slot.words[A]
                    continue
                status = ctypes.c_int32()
                place = places[(A, B, C).index(word)]
                buffer = functions.clCreateBuffer(
                    self.engine.context, flags | USE_HOST_PTR, size, place, ctypes.byref(status)
                )
                expect(status.value, f"clCreateBuffer() of {size} bytes")
                buffers.append(buffer)
                slot.words[word] = buffer
            is_busy = True
            failure = self.enqueue(self.argument, pointer(queue), slot.reference, 0, None, None)
            if failure:
                check(failure)
            # The host sees the results of kernels only in mapped memory.
            status = ctypes.c_int32()
            mapped = functions.clEnqueueMapBuffer(
                queue, buffers[-1], 1, MAP_READ, 0, size_c, 0, None, None, ctypes.byref(status)
            )
            expect(status.value, "clEnqueueMapBuffer()")
            unmapped = functions.clEnqueueUnmapMemObject(queue, buffers[-1], mapped, 0, None, None)
            expect(unmapped, "clEnqueueUnmapMemObject()")
        finally:
            if is_busy:
                functions.clFinish(queue)
            for buffer in buffers:
                functions.clReleaseMemObject(buffer)
            self.slots.append(slot)
        return c


def overlap(first, size, other, other_size):
    """Returns whether two ranges of addresses overlap."""
    return first < other + other_size and other < first + size


def is_plain(array):
    """Returns whether an operand is an aligned matrix without gaps, in rows or columns."""
    flags = array.flags
    return flags.aligned and (flags.c_contiguous or flags.f_contiguous)


products: dict = {}


def prepared_in_place(a, b, out, trans_a, trans_b, accuracy, dtype):
    """Returns the prepared product for a call like an earlier one, or a new one; None if it needs general rules."""
    if not (type(a) is type(b) is numpy.ndarray and (out is None or type(out) is numpy.ndarray)):
        return None
    if a.ndim != 2 or b.ndim != 2 or not (is_plain(a) and is_plain(b)):
        return None
    if out is not None and not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
        return None
    engine = default_engine()
    if not engine.shares_memory():
        return None
    key = (
        (a.shape, a.strides, a.dtype),
        (b.shape, b.strides, b.dtype),
        out if out is None else (out.shape, out.dtype),
        (trans_a, trans_b, accuracy, dtype),
    )
    try:
        found = products.get(key)
    except TypeError:
        return None
    if found is not None and found.engine is engine:
        return found
    found = prepare(engine, a, b, out, trans_a, trans_b, accuracy, dtype)
    if found is not None:
        if len(products) >= MOST_PREPARED:
            products.clear()
        products[key] = found
    return found


def prepare(engine, a, b, out, trans_a, trans_b, accuracy, dtype):
    if a.dtype != b.dtype or a.dtype.name not in PRODUCTS or not a.dtype.isnative:
        return None
    trans_a, trans_b = named(TRANSPOSES, trans_a, "trans_a"), named(TRANSPOSES, trans_b, "trans_b")
    if constants.CONJ_TRANS in (trans_a, trans_b):
        return None
    shape = Sizes(a.shape, b.shape, trans_a, trans_b)
    dtype = numpy.dtype(dtype) if dtype is not None else product_type(a.dtype)
    if not (a.size and b.size) or (out is not None and (out.shape != shape.result or out.dtype != dtype)):
        return None
    if goes_by_tiles(engine, a, b, shape, dtype, None, accuracy, None, None):
        return None
    views = [View(None, 0, array.shape, element_strides(array), array.dtype) for array in (a, b)]
    if out is None and result_layout(views, (trans_a, trans_b)) != constants.ROW_MAJOR:
        return None
    result = View(None, 0, shape.result, (shape.n, 1), dtype)
    problem, _ = gemm_problem(shape, (*views, result), trans_a, trans_b, accuracy)
    return PreparedInPlace(engine, problem, (a, b), (shape.result, dtype))
