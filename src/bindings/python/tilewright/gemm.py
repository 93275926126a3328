"""General matrix products."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

import math
from typing import Any, Optional

import numpy

from ._c import constants, structs
from .annotations import (
    Array,
    Configuration,
    DTypeLike,
    Events,
    Operand,
    Progress,
    Queue,
    Result,
    Scalar,
    Transpose,
    like_operand,
)
from .dtypes import PRODUCTS, code_of, common_dtype, product_type
from .epilogue import read_epilogue
from .errors import InvalidType, InvalidValue
from .out_of_core import goes_by_tiles, product_out_of_core
from .places import choice_of, expect_array, host_array, is_opencl, native, place_of
from .prepared import prepared_product
from .prepared_in_place import prepared_in_place
from .problem import TRANSPOSES, Sizes, expect_apart, expect_result, gemm_problem, is_zero, named, scalar
from .progress import expect_progress, fractions
from .transposes import enqueue_copy
from .views import result_layout


def common_type(a, b):
    """Returns A and B with the same dtype. Arrays in host memory are converted by NumPy's rules."""
    if not is_opencl(a):
        a, b = native(a), native(b)
    if a.dtype == b.dtype:
        return a, b
    if is_opencl(a):
        raise InvalidType(f"A has the dtype {a.dtype}, but B has {b.dtype}; convert one of them", "unsupported_type")
    dtype = common_dtype([a, b])
    if dtype.name not in PRODUCTS:
        raise InvalidType(
            f"A has the dtype {a.dtype} and B {b.dtype}, but there are no products of their common dtype {dtype}; "
            "convert one of them with astype()",
            "unsupported_type",
        )
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


@like_operand
def gemm(
    a: Operand,
    b: Operand,
    out: Optional[Array] = None,
    *,
    alpha: Scalar = 1,
    beta: Scalar = 0,
    trans_a: Transpose = False,
    trans_b: Transpose = False,
    accuracy: str = "full",
    epilogue: Optional[dict] = None,
    dtype: Optional[DTypeLike] = None,
    variant: Optional[str] = None,
    configuration: Configuration = None,
    queue: Queue = None,
    wait_for: Events = None,
    progress: Progress = None,
) -> Result:
    """Compute ``alpha op(A) op(B) + beta C``, one product or a batch.

    Parameters
    ----------
    a, b : array_like or pyopencl.array.Array
        Matrices in the last two axes: op(A) is m x k, and op(B) is k x n. Leading axes are batches, broadcast as in
        `numpy.matmul`. The dtype is float16, bfloat16 (of ml_dtypes), float32, float64, complex64, complex128, int8 or
        uint8. Arrays in host memory may have any strides; if their dtypes differ, both are converted to the common
        dtype of `numpy.result_type`. Arrays of pyopencl have one dtype, and need contiguous rows or columns.
    out : array, optional
        The array for the result, C. It shares no elements with A and B. If the call fails or is interrupted after its
        arguments were checked, some elements may already have new values.
    alpha, beta : scalar
        Read during the call. `beta` other than 0 reads `out`.
    trans_a, trans_b : {False, True, "N", "T", "C"}
        True and "T" transpose, "C" also conjugates.
    accuracy : {"full", "fp32_split", "tf32"}
        Required accuracy of float32 products. ``"full"``: ``|C' - C| <= gamma(k + 2) |alpha| |A| |B| + gamma(2)
        |beta| |C|`` element by element, with ``gamma(n) = n u / (1 - n u)`` and the roundoff u of the sums: ``2**-24``
        for float32 and float16, ``2**-53`` for float64. Lower accuracy is faster on some GPUs.
    epilogue : dict, optional
        What is applied to C before it is stored, in this order: `scale` and `bias`, vectors of shape (n,) or (m, 1);
        `activation`: "relu", "gelu", "gelu_tanh" or "silu"; `residual`, an array like C that is added; and
        `zero_point`, if C has 8-bit integers.
    dtype : dtype, optional
        The result's dtype: that of A, or the accumulator's (float32 for float16 and bfloat16). The default for int8 and
        uint8 is int32, whose sums are exact modulo 2**32.
    variant : str, optional
        The name of a kernel variant. The library chooses by default.
    configuration : str or dict, optional
        Values of the variant's parameters.
    queue : pyopencl.CommandQueue, optional
        The queue for arrays of pyopencl; by default the queue of the result, or else of B or A.
    wait_for : list of pyopencl.Event, optional
        Events that the product waits for, besides those of its arrays.
    progress : callable or bool, optional
        Called with the fraction that is done, for float32 or float64 matrices in host memory. If it returns True, the
        product is cancelled. ``progress=True`` shows a bar, if tqdm is installed and the output is a terminal.

    Returns
    -------
    numpy.ndarray or pyopencl.array.Array
        C. An array of pyopencl is not waited for: its event completes when the product does.

    Raises
    ------
    InvalidValue
        A ValueError: shapes or strides do not fit, or `out` shares elements with A or B.
    InvalidType
        A TypeError: there are no products of the dtypes, those of arrays of pyopencl differ, or an array is in memory
        that kernels cannot use.
    OutOfMemory
        A MemoryError: the device has too little memory.
    Error
        Any other failure of the device.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> a = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> tw.gemm(a, a, alpha=2, trans_b=True)
    array([[10., 22.],
           [22., 50.]])
    """
    if out is not None and is_opencl(out) and not (epilogue or variant or configuration or wait_for or progress):
        prepared = prepared_product(a, b, out, trans_a, trans_b, accuracy, dtype, queue)
        if prepared is not None:
            return prepared.run((queue or out.queue).int_ptr, a, b, out, alpha, beta)
    if epilogue is variant is configuration is queue is wait_for is progress is None:
        in_place = prepared_in_place(a, b, out, trans_a, trans_b, accuracy, dtype)
        result = in_place and in_place.run(a, b, out, alpha, beta)
        if result is not None:
            return result
    arrays = [array for array in (a, b, out) if array is not None]
    on_device = [is_opencl(array) for array in arrays]
    if not any(on_device):
        a, b = host_array(a, "A"), host_array(b, "B")
    trans_a, trans_b = named(TRANSPOSES, trans_a, "trans_a"), named(TRANSPOSES, trans_b, "trans_b")
    if all(on_device) or not any(on_device):
        a, b = common_type(a, b)
    place = place_of(arrays, queue, wait_for)
    shape = Sizes(a.shape, b.shape, trans_a, trans_b)
    code_of(a.dtype, PRODUCTS, "A")
    dtype = numpy.dtype(dtype) if dtype is not None else product_type(a.dtype)
    has_beta = not is_zero(beta, "beta")
    if has_beta and out is None:
        raise InvalidValue("beta is not 0, but there is no out that it scales", "invalid_argument", "C")
    if out is not None:
        expect_array(out)
        expect_result(out, shape.result, dtype)
    layouts: tuple = ()
    progress = expect_progress(progress)
    if place.is_device and progress is not None:
        raise InvalidType("progress is possible for arrays in host memory only", "invalid_argument")
    if not place.is_device:
        if out is not None:
            expect_apart(out, {"A": a, "B": b})
        if goes_by_tiles(place.engine, a, b, shape, dtype, progress, accuracy, epilogue, variant or configuration):
            with fractions(progress, "product") as report:
                return product_out_of_core(place.engine, a, b, out, shape, alpha, beta, trans_a, trans_b, report)
        # The result's rows are then contiguous, so a conjugate transpose is always possible.
        layouts = (constants.ROW_MAJOR, constants.COLUMN_MAJOR)
        if constants.CONJ_TRANS in (trans_a, trans_b):
            layouts = (constants.ROW_MAJOR,)
            a = a if trans_a != constants.CONJ_TRANS else numpy.ascontiguousarray(a)
            b = b if trans_b != constants.CONJ_TRANS else numpy.ascontiguousarray(b)
    with place:
        view_a, view_b = place.read(a, "A"), place.read(b, "B")
        if out is None:
            layout = result_layout((view_a, view_b), (trans_a, trans_b))
            c = place.make(shape.result, dtype, layout == constants.COLUMN_MAJOR)
        else:
            c = place.output(out, has_beta, layouts=layouts)
        if math.prod(shape.result):
            options, more = (None, {}) if not epilogue else read_epilogue(place, epilogue, shape, c, a.dtype)
            problem, offsets = gemm_problem(shape, (view_a, view_b, c), trans_a, trans_b, accuracy, options)
            operands = structs.GemmOperands(
                alpha=scalar(alpha, a.dtype, "alpha"),
                beta=scalar(beta, a.dtype, "beta"),
                a=view_a.ref,
                b=view_b.ref,
                c=c.ref,
            )
            for name, view in more.items():
                setattr(operands, name, view.ref)
            if offsets is not None:
                operands.offsets_a, operands.offsets_b, operands.offsets_c = offsets
            place.call("gemm", problem, operands, choice_of(variant, configuration))
            if out is None and layout == constants.COLUMN_MAJOR and place.is_device and shape.lead:
                by_rows = place.make(shape.result, dtype)  # pyopencl cannot read batches by columns
                enqueue_copy(place, c, by_rows)
                c = by_rows
        return place.give(c, out)


def as_matrices(out, axes, row, column):
    """Returns a view of a result of `matmul` that has `axes` axes, with one row or one column, or both."""
    expect_array(out)
    wanted = axes - row - column
    if len(out.shape) != wanted:
        raise InvalidValue(f"out has the shape {tuple(out.shape)}, but the result has {wanted} axes", operand="C")
    if not is_opencl(out):
        return numpy.expand_dims(numpy.asarray(out), (-2,) * row + (-1,) * column)
    end = len(out.shape) - (not column)
    return out.reshape(*out.shape[:end], *(1,) * (row + column), *out.shape[end:])


@like_operand
def matmul(
    a: Operand,
    b: Operand,
    out: Optional[Array] = None,
    *,
    accuracy: str = "full",
    dtype: Optional[DTypeLike] = None,
    queue: Queue = None,
    wait_for: Events = None,
    progress: Progress = None,
) -> Any:
    """Multiply matrices as `numpy.matmul` does.

    Parameters
    ----------
    a, b : array_like or pyopencl.array.Array
        Matrices in the last two axes, or vectors. Leading axes are batches. As everywhere in this package, subclasses
        of numpy.ndarray count as plain arrays, masked arrays are refused, and other byte orders are converted.
    out, accuracy, dtype, queue, wait_for, progress
        As for `gemm`, whose accuracy and exceptions this function has.

    Returns
    -------
    numpy.ndarray or pyopencl.array.Array
        The product; a vector if one of the operands is one. The product of two vectors has no axes.

    Raises
    ------
    InvalidValue, InvalidType, OutOfMemory, Error
        As for `gemm`. InvalidValue also if an operand has no axes.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> tw.matmul(np.ones((2, 3)), np.arange(3.0))
    array([3., 3.])
    """
    if not is_opencl(a) and not is_opencl(b):
        a, b = host_array(a, "A"), host_array(b, "B")
    if not len(a.shape) or not len(b.shape):
        raise InvalidValue("matmul needs one axis or more; multiply scalars with *")
    options: dict[str, Any] = {
        "accuracy": accuracy,
        "dtype": dtype,
        "queue": queue,
        "wait_for": wait_for,
        "progress": progress,
    }
    if len(a.shape) > 1 and len(b.shape) > 1:
        return gemm(a, b, out, **options)
    row, column = len(a.shape) == 1, len(b.shape) == 1
    a = a.reshape(1, -1) if row else a
    b = b.reshape(-1, 1) if column else b
    if out is not None:
        gemm(a, b, as_matrices(out, max(len(a.shape), len(b.shape)), row, column), **options)
        return out
    result = gemm(a, b, **options)
    shape = result.shape[:-2] + (() if row else result.shape[-2:-1]) + (() if column else result.shape[-1:])
    return result.reshape(shape) if is_opencl(result) else result.reshape(shape)[()]
