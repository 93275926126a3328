"""Products of arrays of pyopencl that are prepared once: structs are filled, and nothing is allocated in a call."""

import ctypes
import sys
import weakref
from ctypes import c_void_p as pointer

import numpy

from ._c import check, library, structs
from .dtypes import product_type
from .engines import engine_of_queue, expect_own_process, state
from .errors import InvalidType
from .places import is_opencl
from .problem import TRANSPOSES, Sizes, expect_result, gemm_problem, named, parts
from .views import as_view

MOST_WAITS = 16
PLAIN = {int, float}
POINTER_SIZE = ctypes.sizeof(ctypes.c_uint64)
A, B, C = (getattr(structs.GemmOperands, name).offset // POINTER_SIZE for name in "abc")


class Slot:
    """The operands of one running call. Words 0 and 1 of each matrix are its buffer and its offset."""

    def __init__(self, prepared):
        self.alpha, self.beta = (ctypes.c_double * 2)(1), (ctypes.c_double * 2)(0)
        self.operands = structs.GemmOperands(alpha=self.alpha, beta=self.beta)
        if prepared.offsets is not None:
            self.operands.offsets_a, self.operands.offsets_b, self.operands.offsets_c = prepared.offsets
        for name, view in prepared.more.items():
            setattr(self.operands, name, view.ref)
        self.words = (ctypes.c_uint64 * (ctypes.sizeof(self.operands) // POINTER_SIZE)).from_buffer(self.operands)
        self.reference = ctypes.byref(self.operands)
        self.waits = (ctypes.c_void_p * MOST_WAITS)()
        self.event = ctypes.c_void_p()
        self.event_reference = ctypes.byref(self.event)

    def set_scalars(self, alpha, beta, dtype):
        is_simple = type(alpha) in PLAIN and type(beta) in PLAIN
        try:
            self.alpha[:] = (alpha, 0) if is_simple else parts(alpha, dtype, "alpha")
            self.beta[:] = (beta, 0) if is_simple else parts(beta, dtype, "beta")
        except OverflowError:  # of a large int, for which this raises InvalidValue
            self.alpha[:], self.beta[:] = parts(alpha, dtype, "alpha"), parts(beta, dtype, "beta")


class Prepared:
    """A plan of the C interface for operands of fixed shapes and strides. May be used by many threads."""

    def __init__(self, engine, problem, offsets, dtype, choice=None, more=None):
        functions = library()
        handle = ctypes.c_void_p()
        check(functions.gemm_plan_create(engine.handle, ctypes.byref(problem), choice, ctypes.byref(handle)))
        self.engine, self.handle = engine, handle.value
        release = weakref.finalize(self, functions.plan_release, handle)
        release.atexit = False  # drivers may be gone by then
        # Without types of arguments a call is 0.8 us shorter. All pointers must be objects of ctypes then.
        self.enqueue = functions.handle["tilewright_gemm_enqueue"]
        self.argument = handle
        self.dtype, self.offsets, self.more = dtype, offsets, more or {}
        self.kept = [view.owner for view in self.more.values() if is_opencl(view.owner)]
        self.slots = []

    def run(self, queue, a, b, c, alpha, beta):
        """Enqueues the product of arrays of pyopencl, after their events. The result's event replaces its others."""
        if state.is_orphan:
            expect_own_process()
        try:
            slot = self.slots.pop()
        except IndexError:
            slot = Slot(self)
        words, waits, count = slot.words, slot.waits, 0
        slot.set_scalars(alpha, beta, self.dtype)
        try:
            for word, array in ((A, a), (B, b), (C, c)):
                data = array.base_data
                words[word] = data.int_ptr if data is not None else 0
                words[word + 1] = array.offset // array.dtype.itemsize if array.offset else 0
                for event in array.events:
                    if count == MOST_WAITS:
                        sys.modules["pyopencl"].wait_for_events(array.events)
                        break
                    waits[count] = event.int_ptr
                    count += 1
            for event in self.kept and [event for array in self.kept for event in array.events]:
                if count == MOST_WAITS:
                    sys.modules["pyopencl"].wait_for_events([event])
                    continue
                waits[count] = event.int_ptr
                count += 1
        except AttributeError:
            for name, array in zip("ABC", (a, b, c)):
                if not is_opencl(array):
                    raise InvalidType(f"{name} must be an array of pyopencl", "unsupported_type", name) from None
                as_view(array, name)  # says which one is no buffer
            raise
        status = self.enqueue(self.argument, pointer(queue), slot.reference, count, waits, slot.event_reference)
        if status:
            check(status)
        event = make_event(slot.event.value, False)
        self.slots.append(slot)
        c.events[:] = (event,)
        return c


def make_event(handle, retain):
    """Returns pyopencl's event for a handle. The first call replaces this function by pyopencl's own."""
    global make_event
    make_event = sys.modules["pyopencl"].Event.from_int_ptr
    return make_event(handle, retain)


MOST_PREPARED = 64
products: dict = {}


def prepared_product(a, b, out, trans_a, trans_b, accuracy, dtype, queue):
    """Returns the prepared product for a call like an earlier one, or a new one; None if it needs other checks."""
    try:
        queue = out.queue if queue is None else queue
        is_aligned = a.offset == 0 and b.offset == 0 and out.offset == 0
        key = (
            (a.shape, a.strides, a.dtype),
            (b.shape, b.strides, b.dtype),
            (out.shape, out.strides, out.dtype),
            (trans_a, trans_b, accuracy, dtype, is_aligned),
            (queue.context.int_ptr, queue.device.int_ptr),
        )
        found = products.get(key)
    except (AttributeError, TypeError):
        return None
    if found is not None:
        return found
    trans_a, trans_b = named(TRANSPOSES, trans_a, "trans_a"), named(TRANSPOSES, trans_b, "trans_b")
    if not (is_opencl(a) and is_opencl(b)) or a.dtype != b.dtype or not (a.size and b.size and out.size):
        return None
    shape = Sizes(a.shape, b.shape, trans_a, trans_b)
    expect_result(out, shape.result, numpy.dtype(dtype) if dtype is not None else product_type(a.dtype))
    views = as_view(a, "A"), as_view(b, "B"), as_view(out, "C")
    problem, offsets = gemm_problem(shape, views, trans_a, trans_b, accuracy)
    problem.offset_alignment = 0 if is_aligned else 1
    if len(products) >= MOST_PREPARED:
        products.clear()
    products[key] = found = Prepared(engine_of_queue(queue), problem, offsets, a.dtype)
    return found
