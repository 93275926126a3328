"""Plans: products that are prepared once and computed often."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

import ctypes
import html
import math
import sys
import threading
import weakref
from typing import Optional

import numpy

from ._c import check, library, read_text
from .annotations import Array, Configuration, DTypeLike, Operand, Queue, Result, Scalar, Shape, Transpose
from .dtypes import PRODUCTS, code_of, product_type
from .engines import default_engine, engine_of_queue, expect_own_process
from .epilogue import EPILOGUE_ARRAYS, expect_epilogue, read_epilogue
from .errors import InvalidType, InvalidValue
from .explanation import Explanation
from .host_places import HostPlace, SharedPlace, host_place
from .places import ArrayPlace, choice_of, expect_array, host_array, is_opencl, native
from .prepared import Prepared, Slot
from .problem import TRANSPOSES, Sizes, expect_apart, expect_result, gemm_problem, named, parts, shape_of, whole_number
from .views import View, dense_strides


def strides_of(strides, shape, dtype, name):
    """Returns strides in bytes. Raises InvalidValue if they do not fit the shape and the dtype."""
    if not numpy.iterable(strides):
        raise InvalidType(f"{name} is {strides!r}, but it must be a tuple of whole numbers", "invalid_argument")
    strides = tuple(whole_number(step, f"an element of {name}", -(2**63), 2**63 - 1) for step in strides)
    if len(strides) != len(shape) or any(step % dtype.itemsize for step in strides):
        raise InvalidValue(
            f"{name} is {strides}, but the shape {shape} needs {len(shape)} multiples of the {dtype.itemsize} bytes of "
            f"{dtype}"
        )
    return strides


class Plan:
    """A product of matrices of fixed shapes, prepared once and computed often.

    Parameters
    ----------
    shape_a, shape_b : tuple of int
        The shapes of A and B. Leading axes are batches.
    dtype : dtype
        The element type of A and B.
    queue : pyopencl.CommandQueue, optional
        The queue on whose device arrays of pyopencl are multiplied. Without it the plan takes arrays in host memory,
        and keeps device memory for them.
    alpha, beta, trans_a, trans_b, accuracy, variant, configuration
        As for `gemm`.
    epilogue : dict, optional
        As for `gemm`. Its arrays in host memory are copied now; its arrays of pyopencl are read by each call.
    out_dtype : dtype, optional
        The element type of the result, as `dtype` of `gemm`.
    strides_a, strides_b, strides_out : tuple of int, optional
        The strides in bytes of the arrays of pyopencl; C-contiguous by default.
    offset_alignment : int
        A power of two by which the offsets of all arrays, in elements, are divisible. Wide loads need 4 to 16.

    Raises
    ------
    Error
        As for `gemm`. All checks of shapes, and the compilation, happen here.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> plan = tw.Plan((2, 3), (3, 2), np.float32)
    >>> plan(np.ones((2, 3), np.float32), np.ones((3, 2), np.float32))
    array([[3., 3.],
           [3., 3.]], dtype=float32)
    """

    def __init__(
        self,
        shape_a: Shape,
        shape_b: Shape,
        dtype: DTypeLike,
        *,
        queue: Queue = None,
        alpha: Scalar = 1,
        beta: Scalar = 0,
        trans_a: Transpose = False,
        trans_b: Transpose = False,
        accuracy: str = "full",
        out_dtype: Optional[DTypeLike] = None,
        strides_a: Optional[Shape] = None,
        strides_b: Optional[Shape] = None,
        strides_out: Optional[Shape] = None,
        offset_alignment: int = 16,
        epilogue: Optional[dict] = None,
        variant: Optional[str] = None,
        configuration: Configuration = None,
    ) -> None:
        self.dtype = numpy.dtype(dtype)
        self.out_dtype = product_type(self.dtype) if out_dtype is None else numpy.dtype(out_dtype)
        code_of(self.dtype, PRODUCTS, "A")
        code_of(self.out_dtype, name="C")
        trans_a, trans_b = named(TRANSPOSES, trans_a, "trans_a"), named(TRANSPOSES, trans_b, "trans_b")
        shape_a, shape_b = shape_of(shape_a, "shape_a"), shape_of(shape_b, "shape_b")
        shape = Sizes(shape_a, shape_b, trans_a, trans_b)
        parts(alpha, self.dtype, "alpha"), parts(beta, self.dtype, "beta")  # both are numbers
        self.alpha, self.beta = alpha, beta
        self.queue = queue
        self.lock = threading.Lock()
        self.memory = None
        if queue is None and not (strides_a is strides_b is strides_out is None):
            raise InvalidValue("strides belong to a plan with a queue; arrays in host memory may have any strides")
        engine = default_engine() if queue is None else engine_of_queue(queue)
        self.forms = [
            (form, self.steps(form, kind) if strides is None else strides_of(strides, form, kind, name), kind)
            for form, strides, kind, name in (
                (shape_a, strides_a, self.dtype, "strides_a"),
                (shape_b, strides_b, self.dtype, "strides_b"),
                (shape.result, strides_out, self.out_dtype, "strides_out"),
            )
        ]
        self.is_empty = not math.prod(shape.result)
        self.prepared = None
        if self.is_empty:
            return
        views = [
            View(None, 0, form, tuple(step // kind.itemsize for step in strides), kind)
            for form, strides, kind in self.forms
        ]
        if epilogue is not None:
            expect_epilogue(epilogue)
        options, more = self.read_epilogue(epilogue, shape, views[2]) if epilogue else (None, {})
        problem, offsets = gemm_problem(shape, views, trans_a, trans_b, accuracy, options)
        problem.offset_alignment = whole_number(offset_alignment, "offset_alignment", 1, 2**32)
        choice = choice_of(variant, configuration)
        self.prepared = Prepared(engine, problem, offsets, self.dtype, choice, more)
        self.queue_handle = queue.int_ptr if queue is not None else None

    def read_epilogue(self, epilogue, shape, c):
        """Returns the struct of the epilogue and the views of its operands, which live as long as the plan."""
        if self.queue is not None:
            given = [value for value in dict(epilogue).values() if is_opencl(value)]
            return read_epilogue(ArrayPlace(given, self.queue), epilogue, shape, c, self.dtype)
        arrays = {
            name: numpy.array(host_array(value, name), order="C")
            for name, value in dict(epilogue).items()
            if name in EPILOGUE_ARRAYS and value is not None
        }
        place = host_place()
        weakref.finalize(self, place.__exit__, None, None, None).atexit = False
        found = read_epilogue(place, {**epilogue, **arrays}, shape, c, self.dtype)
        place.finish()
        return found

    @staticmethod
    def steps(shape, dtype):
        return tuple(step * dtype.itemsize for step in dense_strides(shape))

    def __call__(self, a: Operand, b: Operand, out: Optional[Array] = None) -> Result:
        """Compute the product.

        Parameters
        ----------
        a, b, out : array
            Arrays of pyopencl if the plan has a queue, otherwise arrays in host memory, with the plan's shapes and
            dtypes. Arrays of pyopencl have the plan's strides. `out` may be left out unless beta is other than 0.
            If the call fails or is interrupted after its arguments were checked, some elements of `out` may already
            have new values.

        Returns
        -------
        array
            `out`, or a new array. An array of pyopencl is not waited for.
        """
        if self.queue is None:
            return self.on_host(a, b, out)
        if out is None:
            self.expect_no_beta()
            if not is_opencl(a):
                self.complain(a, b, a)
            shape, strides, dtype = self.forms[2]
            if strides != self.steps(shape, dtype):
                raise InvalidValue("a plan with strides_out needs out", operand="C")
            out = sys.modules["pyopencl.array"].empty(self.queue, shape, dtype, allocator=a.allocator)
        form_a, form_b, form_c = self.forms
        try:
            fits = (
                (a.shape, a.strides, a.dtype) == form_a
                and (b.shape, b.strides, b.dtype) == form_b
                and (out.shape, out.strides, out.dtype) == form_c
            )
        except AttributeError:
            fits = False
        if not fits:
            self.complain(a, b, out)
        return out if self.is_empty else self.prepared.run(self.queue_handle, a, b, out, self.alpha, self.beta)

    def expect_no_beta(self):
        if self.beta != 0:
            raise InvalidValue("beta is not 0, but there is no out that it scales", "invalid_argument", "C")

    def complain(self, a, b, out):
        for name, array, form in zip("ABC", (a, b, out), self.forms):
            if not is_opencl(array):
                raise InvalidType(f"{name} must be an array of pyopencl, because the plan has a queue", operand=name)
            found = (array.shape, array.strides, array.dtype)
            if found != form and array.size:
                raise InvalidValue(
                    f"{name} has shape, strides and dtype {found}, but the plan was made for {form}", operand=name
                )

    def on_host(self, a, b, out):
        """Multiplies arrays in host memory by buffers that the plan keeps. Threads take turns."""
        if any(is_opencl(array) for array in (a, b, out)):
            raise InvalidType("the plan has no queue, so its arrays must be in host memory")
        arrays = {name: native(host_array(array, name)) for name, array in (("A", a), ("B", b))}
        for (name, array), (shape, _, dtype) in zip(arrays.items(), self.forms):
            if array.shape != shape or array.dtype != dtype:
                raise InvalidValue(
                    f"{name} has the shape {array.shape} and the dtype {array.dtype}, but the plan was made for "
                    f"{shape} and {dtype}",
                    operand=name,
                )
        shape, _, dtype = self.forms[2]
        if out is None:
            self.expect_no_beta()
            out = numpy.empty(shape, dtype)
        expect_array(out)
        expect_result(out, shape, dtype)
        expect_apart(out, arrays)
        if self.is_empty:
            return out
        expect_own_process()
        given = self.prepared, arrays["A"], arrays["B"], out, self.alpha, self.beta
        if self.prepared.engine.shares_memory():
            return run_in_place(*given)
        with self.lock:
            if self.memory is None:
                self.memory = HostMemory(self.forms, self.prepared.engine)
            return self.memory.run(*given)

    @property
    def workspace_bytes(self) -> int:
        """Device memory in bytes that a call needs besides its operands."""
        if self.prepared is None:
            return 0
        size = ctypes.c_uint64()
        check(library().plan_workspace_bytes(self.prepared.handle, ctypes.byref(size)))
        return size.value

    def explain(self) -> Explanation:
        """Return which kernels the plan runs, and why, as a dictionary, which is empty if the result has no elements.

        Returns
        -------
        Explanation
            As from `tilewright.explain`, without candidates.
        """
        return Explanation({} if self.prepared is None else read_text(library().plan_explain, self.prepared.handle))

    def __repr__(self) -> str:
        (a, _, _), (b, _, _), (c, _, out_dtype) = self.forms
        return f"<tilewright.Plan {a} x {b} -> {c}, {self.dtype} -> {out_dtype}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.explain()._repr_html_()}"


class HostMemory:
    """Device buffers that a plan keeps for arrays in host memory."""

    def __init__(self, forms, engine):
        self.place = HostPlace(engine)
        self.views = [self.place.make(shape, dtype) for shape, _, dtype in forms]
        weakref.finalize(self, self.place.__exit__, None, None, None).atexit = False

    def run(self, prepared, a, b, out, alpha, beta):
        try:
            return self.enqueue(prepared, a, b, out, alpha, beta)
        except BaseException:
            self.place.finish()
            raise

    def enqueue(self, prepared, a, b, out, alpha, beta):
        place = self.place
        for view, array in zip(self.views, (a, b, out) if beta != 0 else (a, b)):
            place.write(view, array)
        return enqueue_prepared(prepared, place, self.views, alpha, beta, out)


def enqueue_prepared(prepared, place, views, alpha, beta, out):
    """Runs a prepared product of C-contiguous views, and returns `out`."""
    slot = Slot(prepared)
    slot.set_scalars(alpha, beta, prepared.dtype)
    operands = slot.operands
    operands.a, operands.b, operands.c = (view.ref for view in views)
    place.enqueue(library().gemm_enqueue, [prepared.handle, place.queue, ctypes.byref(operands)])
    return place.give(views[2], out)


def run_in_place(prepared, a, b, out, alpha, beta):
    """Multiplies arrays in host memory by kernels that use them in place."""
    with SharedPlace(prepared.engine) as place:
        views = []
        for name, array in (("A", a), ("B", b)):
            view = place.read(numpy.asarray(array, order="C"), name)
            views.append(place.copy(array, name) if view.offset else view)  # plans promise the alignment of offsets
        views.append(place.output(out, beta != 0))
        return enqueue_prepared(prepared, place, views, alpha, beta, out)
