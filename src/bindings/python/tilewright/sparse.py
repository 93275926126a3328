"""Products of SciPy's sparse matrices with dense ones."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

import ctypes
import math
import sys
import weakref
from copy import copy
from typing import Any, Optional

import numpy

from ._c import check, constants, library, read_text, structs
from .annotations import Array, Events, Operand, Queue, Result, Scalar
from .dtypes import code_of
from .engines import engine_of_queue
from .errors import InvalidType, InvalidValue
from .explanation import Explanation
from .host_places import host_place
from .places import ArrayPlace, expect_array, host_array, is_opencl
from .problem import expect_apart, expect_result, is_zero, named, scalar, whole_number
from .transposes import transpose
from .views import Batches, View, layout_of

FORMATS = {"csr": constants.CSR, "csc": constants.CSC, "coo": constants.COO}
CHECKS = {"none": constants.CHECK_NONE, "valid": constants.CHECK_VALID, "canonical": constants.CHECK_CANONICAL}
INDICES = {"int32": constants.INDEX_I32, "int64": constants.INDEX_I64}
TYPES = {"float32", "float64"}
MOST_PLANS = 16


class SparsePlan:
    """A plan of the C interface for one number of columns and one layout of B and C."""

    def __init__(self, engine, problem, structure):
        functions = library()
        handle = ctypes.c_void_p()
        arguments = (ctypes.byref(problem), ctypes.byref(structure), None, 0, None)
        check(functions.spmm_plan_create(engine.handle, *arguments, ctypes.byref(handle)))
        self.handle = handle.value
        weakref.finalize(self, functions.plan_release, handle).atexit = False


def parts_of(a):
    """Returns the index arrays of a sparse matrix by the names of the C interface."""
    if a.format == "coo":
        return {"rows": a.row, "columns": a.col}
    return {"offsets": a.indptr, "columns" if a.format == "csr" else "rows": a.indices}


def expect_sparse(a):
    """Raises InvalidType if an object is no sparse matrix of SciPy in a format of this module."""
    if isinstance(a, Matrix):
        raise InvalidType("A is a Matrix of this package already; multiply it with @ or matmul()", operand="A")
    if getattr(a, "format", None) not in FORMATS:
        found = getattr(a, "format", type(a).__name__)
        raise InvalidType(f"A is {found}, but it must be csr, csc or coo; convert it with tocsr()", operand="A")
    if len(a.shape) != 2:
        raise InvalidType(f"A has the shape {a.shape}, but it needs two axes; use reshape()", operand="A")


def index_type(indices):
    """Returns the dtype to which all indices are converted."""
    for array in indices:
        if array.dtype.kind not in "iu":
            raise InvalidType(f"the indices of A have the dtype {array.dtype}, but they must be integers", operand="A")
    is_small = all(numpy.can_cast(array.dtype, numpy.int32) for array in indices)
    return numpy.dtype("int32" if is_small else "int64")


class Buffers(dict):
    """The buffers of a matrix, which its transpose shares. They are released with this object."""


class Matrix:
    """A sparse matrix of real numbers in device memory, for products with many dense matrices.

    ``matrix @ dense`` and ``dense @ matrix`` multiply, and ``matrix.T`` is the transpose, which shares the memory.

    Parameters
    ----------
    a : sparse matrix or array of SciPy
        In the format csr, csc or coo, with real elements: float32, float64, or integers, which become float64. Its
        arrays are copied to the device once; later changes of `a` have no effect.
    queue : pyopencl.CommandQueue, optional
        The queue on whose device arrays of pyopencl are multiplied. Without it the dense matrices are in host memory.
    check : {"valid", "canonical", "none"}
        How the structure is checked. ``"canonical"`` also refuses duplicates. ``"none"`` skips the check; an invalid
        structure then causes accesses outside of arrays.

    Raises
    ------
    InvalidType
        `a` has another format, or a type such as complex64, which has no sparse products.
    InvalidValue
        `check` is no such word. The structure itself is checked when the matrix is multiplied.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, tilewright as tw
    >>> a = tw.sparse.Matrix(scipy.sparse.csr_matrix(np.array([[0.0, 2.0], [3.0, 0.0]])))
    >>> a @ np.array([1.0, 10.0])
    array([20.,  3.])
    """

    __array_ufunc__ = None  # leaves the operators of NumPy's arrays to this class

    def __init__(self, a: Any, *, queue: Queue = None, check: str = "valid") -> None:
        expect_sparse(a)
        dtype = numpy.dtype("float64") if a.dtype.kind in "iub" else a.dtype.newbyteorder("=")
        code_of(dtype, TYPES, "A")
        parts = parts_of(a)
        index = index_type(parts.values())
        self.shape, self.dtype, self.format, self.index = tuple(a.shape), dtype, a.format, index
        self.check = named(CHECKS, check, "check")
        values = numpy.asarray(a.data, dtype)
        if a.format != "coo" and len(a.indptr) == 1 + self.shape[a.format == "csc"]:
            # SciPy ignores elements after the last row or column.
            used = max(0, int(a.indptr[-1]))
            values = values[:used]
            parts = {name: part if name == "offsets" else part[:used] for name, part in parts.items()}
        self.nonzeros = len(values)
        self.queue = queue
        self.plans: dict = {}
        arrays = {"values": values}
        arrays |= {name: numpy.ascontiguousarray(part, index) for name, part in parts.items()}
        self.is_transposed = False
        self.keep(arrays)

    def keep(self, arrays):
        """Copies the arrays to the device, where they stay."""
        if self.queue is not None:
            self.engine = engine_of_queue(self.queue)
            to_device = sys.modules["pyopencl.array"].to_device
            self.arrays = {name: to_device(self.queue, array) for name, array in arrays.items() if array.size}
            buffers = {name: array.base_data.int_ptr for name, array in self.arrays.items()}
        else:
            memory = host_place()
            self.engine = memory.engine
            buffers = Buffers({name: memory.copy(array, name).buffer for name, array in arrays.items()})
            weakref.finalize(buffers, memory.__exit__, None, None, None).atexit = False
            memory.finish()
        self.buffers = buffers

    def plan(self, views, transposed):
        """Returns the plan for views of B and C."""
        b, c = views
        (layout_b, ldb), (layout_c, ldc) = layout_of(b, "B"), layout_of(c, "C")
        batches = Batches(c.shape[:-2], [b, c])
        key = (c.shape[-1], transposed, layout_b, ldb, layout_c, ldc, tuple(batches.axes))
        found = self.plans.get(key)
        if found is not None:
            return found
        problem = structs.SpmmProblem(
            type=code_of(self.dtype),
            format=FORMATS[self.format],
            index_type=INDICES[self.index.name],
            trans_a=constants.TRANS if transposed else constants.NO_TRANS,
            layout_b=layout_b,
            layout_c=layout_c,
            m=self.stored_shape[0],
            n=c.shape[-1],
            k=self.stored_shape[1],
            nonzeros=self.nonzeros,
            ldb=ldb,
            ldc=ldc,
        )
        if batches.axes:
            stride_b, stride_c = batches.strides()
            problem.batch = ctypes.pointer(structs.Batch(count=batches.count, stride_b=stride_b, stride_c=stride_c))
        structure = structs.SparseStructure(check=self.check)
        for name in ("offsets", "rows", "columns"):
            setattr(structure, name, structs.Matrix(buffer=self.buffers.get(name)))
        if len(self.plans) >= MOST_PLANS:
            self.plans.clear()
        found = self.plans[key] = SparsePlan(self.engine, problem, structure)
        return found

    def matmul(
        self,
        b: Operand,
        out: Optional[Array] = None,
        *,
        alpha: Scalar = 1,
        beta: Scalar = 0,
        transposed: bool = False,
        wait_for: Events = None,
    ) -> Result:
        """Compute ``alpha op(A) B + beta C``.

        Parameters
        ----------
        b : array_like or pyopencl.array.Array
            A vector, or matrices in the last two axes; leading axes are batches. Its dtype is that of A.
        out : array, optional
            The array for the result, C, which shares no elements with `b`. If the call fails or is interrupted after
            its arguments were checked, some elements may already have new values.
        alpha, beta : float
            `beta` other than 0 reads `out`.
        transposed : bool
            op(A) is A^T.
        wait_for : list of pyopencl.Event, optional
            Events that the product waits for, besides those of its arrays.

        Returns
        -------
        numpy.ndarray or pyopencl.array.Array
            C. An array of pyopencl is not waited for.

        Raises
        ------
        InvalidValue, InvalidType, OutOfMemory, Error
            As for `tilewright.gemm`; also InvalidValue if the structure of A is invalid.

        Notes
        -----
        ``|C' - C| <= gamma(r + 2) |alpha| |A| |B| + gamma(2) |beta| |C|`` element by element, where r is the number of
        stored elements in the row of op(A), ``gamma(i) = i u / (1 - i u)``, and u is the roundoff.
        """
        if is_opencl(b) != (self.queue is not None):
            raise InvalidType("arrays of pyopencl need a Matrix with a queue, and others one without", operand="B")
        b = b if is_opencl(b) else host_array(b, "B")
        if b.dtype != self.dtype and not is_opencl(b) and numpy.can_cast(b.dtype, self.dtype):
            b = b.astype(self.dtype)
        if b.dtype != self.dtype:
            raise InvalidType(f"A has the dtype {self.dtype}, but B has {b.dtype}; convert one of them", operand="B")
        rows, columns = reversed(self.shape) if transposed else self.shape
        transposed = bool(transposed) != self.is_transposed  # of the stored matrix
        is_vector = len(b.shape) == 1
        if not len(b.shape) or b.shape[-1 if is_vector else -2] != columns:
            raise InvalidValue(f"op(A) has {columns} columns, but B has the shape {b.shape}", operand="B")
        if self.queue is None and wait_for is not None:
            raise InvalidType("wait_for belongs to arrays of pyopencl, but the arrays are in host memory")
        has_beta = not is_zero(beta, "beta")
        if has_beta and out is None:
            raise InvalidValue("beta is not 0, but there is no out that it scales", operand="C")
        shape = (rows,) if is_vector else (*b.shape[:-2], rows, b.shape[-1])
        if out is not None:
            expect_array(out)
            expect_result(out, shape, self.dtype)
            if not is_opencl(b):
                expect_apart(out, {"B": b})
        with host_place() if self.queue is None else ArrayPlace([b], self.queue, wait_for) as place:
            view_b = place.read(b if place.is_device or b.ndim == 2 else numpy.asarray(b, order="C"), "B")
            result = place.make(shape, self.dtype) if out is None else place.output(out, has_beta)
            if math.prod(shape):
                views = [column(view) if is_vector else view for view in (view_b, result)]
                self.enqueue(place, views, alpha, beta, transposed)
            return place.give(result, out)

    def enqueue(self, place, views, alpha, beta, transposed):
        operands = structs.SpmmOperands(b=views[0].ref, c=views[1].ref)
        operands.alpha, operands.beta = scalar(alpha, self.dtype, "alpha"), scalar(beta, self.dtype, "beta")
        operands.values = structs.Matrix(buffer=self.buffers.get("values"))
        plan = self.plan(views, transposed)
        place.enqueue(library().spmm_enqueue, [plan.handle, place.queue, ctypes.byref(operands)])

    def __matmul__(self, b: Operand) -> Result:
        return self.matmul(b)

    def __rmatmul__(self, b: Operand) -> Result:
        # b A = (A^T b^T)^T
        b = b if is_opencl(b) else host_array(b, "B")
        if len(b.shape) < 2:
            return self.T.matmul(b)
        result = self.T.matmul(swapped(b))
        # pyopencl cannot read batches by columns.
        return transpose(result) if is_opencl(result) and len(result.shape) > 2 else swapped(result)

    @property
    def T(self) -> Matrix:  # noqa: N802, the name in NumPy and SciPy
        """The transpose, which shares the memory on the device."""
        found = copy(self)
        found.shape, found.is_transposed = self.shape[::-1], not self.is_transposed
        return found

    @property
    def stored_shape(self):
        return self.shape[::-1] if self.is_transposed else self.shape

    def explain(self, columns: int = 1) -> Explanation:
        """Return which kernel multiplies a row-major matrix of so many columns, and why.

        Parameters
        ----------
        columns : int
            The number of columns of B.

        Returns
        -------
        Explanation
            As from `tilewright.explain`, without candidates.

        Raises
        ------
        InvalidValue, InvalidType
            `columns` is no positive whole number.
        """
        columns = whole_number(columns, "columns", 1, 2**63 - 1)
        views = [View(None, 0, (size, columns), (columns, 1), self.dtype) for size in reversed(self.shape)]
        return Explanation(read_text(library().plan_explain, self.plan(views, self.is_transposed).handle))


def swapped(array):
    """Returns an array with its last two axes exchanged, which shares the memory."""
    axes = tuple(range(len(array.shape) - 2))
    return array.transpose((*axes, len(axes) + 1, len(axes)))


def column(view):
    """Returns a vector as a matrix of one column."""
    step = view.strides[0] if view.shape[0] > 1 else 1
    if step < 1:
        raise InvalidValue("a vector has an increment that is not positive; copy it", "invalid_increment")
    return view.with_axes((view.shape[0], 1), (step, 1))


def matmul(
    a: Any,
    b: Operand,
    out: Optional[Array] = None,
    *,
    alpha: Scalar = 1,
    beta: Scalar = 0,
    transposed: bool = False,
    check: str = "valid",
    queue: Queue = None,
    wait_for: Events = None,
) -> Result:
    """Compute ``alpha op(A) B + beta C`` with a sparse A, which is copied to the device for this call.

    Parameters
    ----------
    a : sparse matrix or array of SciPy
        In the format csr, csc or coo.
    b, out, alpha, beta, transposed, wait_for
        As for `Matrix.matmul`, whose result, accuracy and exceptions this function has.
    check, queue
        As for `Matrix`. The default queue is that of `b`, if it is an array of pyopencl.

    Returns
    -------
    numpy.ndarray or pyopencl.array.Array
        C. An array of pyopencl is not waited for.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `Matrix` and `Matrix.matmul`.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, tilewright as tw
    >>> a = scipy.sparse.coo_matrix(np.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tw.sparse.matmul(a, np.eye(2), transposed=True)
    array([[0., 3.],
           [2., 0.]])
    """
    if queue is None and is_opencl(b):
        queue = b.queue
    matrix = Matrix(a, queue=queue, check=check)
    return matrix.matmul(b, out, alpha=alpha, beta=beta, transposed=transposed, wait_for=wait_for)
