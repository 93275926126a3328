"""Products of contiguous NumPy matrices in place that are prepared once: later calls like them check only addresses."""

from ctypes import c_void_p as pointer

import numpy

from ._c import check, constants
from .dtypes import PRODUCTS, product_type
from .engines import default_engine
from .host_places import SharedPlace, element_strides
from .out_of_core import goes_by_tiles
from .prepared import MOST_PREPARED, A, B, C, Prepared, Slot
from .problem import TRANSPOSES, Sizes, gemm_problem, is_zero, named
from .views import View, result_layout


class PreparedInPlace(Prepared):
    """A plan for matrices in host memory of fixed shapes and strides."""

    def __init__(self, engine, problem, views):
        super().__init__(engine, problem, None, views[0].dtype)
        self.strides = [view.strides for view in views]
        self.result = views[2].shape, views[2].dtype

    def run(self, a, b, out, alpha, beta):
        """Returns the product, or None if the operands need general rules."""
        if out is None and not is_zero(beta, "beta"):
            return None
        c = out if out is not None else numpy.empty(*self.result)
        with SharedPlace(self.engine) as place:
            views = [place.share(array, strides, array is c) for array, strides in zip((a, b, c), self.strides)]
            if any(view is None or view.offset != 0 for view in views):
                return None
            try:
                slot = self.slots.pop()
            except IndexError:  # none is left by other threads
                slot = Slot(self)
            slot.set_scalars(alpha, beta, self.dtype)
            for word, view in zip((A, B, C), views):
                slot.words[word] = view.buffer
            place.is_busy = True
            status = self.enqueue(self.argument, pointer(place.queue), slot.reference, 0, None, None)
            self.slots.append(slot)
            if status:
                check(status)
            place.wait_for(views[2].buffer)
        return c


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
    """Returns a new prepared product, or None if it needs general rules."""
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
    return PreparedInPlace(engine, problem, (*views, result))
