"""Which kernels the library chooses, and why."""

# mypy: disable-error-code="union-attr"
# is_opencl() tells the kinds of operands apart, which type checkers do not follow through several arrays.

from __future__ import annotations

from typing import Optional

import numpy

from ._c import library, read_text
from .annotations import Configuration, DTypeLike, Operand, Transpose
from .dtypes import product_type
from .engines import default_engine, engine_of_queue
from .explanation import Explanation
from .gemm import common_type
from .places import choice_of, host_array, is_opencl
from .problem import TRANSPOSES, Sizes, gemm_problem, named
from .views import View, as_view, dense_strides


def explain(
    a: Operand,
    b: Operand,
    *,
    dtype: Optional[DTypeLike] = None,
    trans_a: Transpose = False,
    trans_b: Transpose = False,
    accuracy: str = "full",
    variant: Optional[str] = None,
    configuration: Configuration = None,
) -> Explanation:
    """Return which kernel `gemm` runs for matrices like A and B, and why. Compiles nothing.

    Parameters
    ----------
    a, b : array_like or pyopencl.array.Array
        Matrices as for `gemm`. Their elements are not read.
    dtype, trans_a, trans_b, accuracy, variant, configuration
        As for `gemm`.

    Returns
    -------
    Explanation
        A dict, which notebooks show as a table: `problem`, `variant`, `configuration`, `reason`, `parts`, and
        `candidates`: every variant with the reason for or against it.

    Raises
    ------
    InvalidValue, InvalidType, Error
        As for `gemm`.

    Examples
    --------
    >>> import numpy as np, tilewright as tw
    >>> a = np.ones((64, 64), np.float32)
    >>> sorted(tw.explain(a, a))
    ['candidates', 'configuration', 'parts', 'problem', 'reason', 'variant']
    """
    trans_a, trans_b = named(TRANSPOSES, trans_a, "trans_a"), named(TRANSPOSES, trans_b, "trans_b")
    on_device = is_opencl(a) and is_opencl(b)
    if not on_device:
        a, b = common_type(host_array(a, "A"), host_array(b, "B"))
    shape = Sizes(a.shape, b.shape, trans_a, trans_b)
    kind = numpy.dtype(dtype) if dtype is not None else product_type(a.dtype)
    c = View(None, 0, shape.result, dense_strides(shape.result), kind)
    if on_device:
        engine, views = engine_of_queue(b.queue), [as_view(a, "A"), as_view(b, "B"), c]
    else:
        dense = [View(None, 0, array.shape, dense_strides(array.shape), array.dtype) for array in (a, b)]
        engine, views = default_engine(), [*dense, c]
    problem, _ = gemm_problem(shape, views, trans_a, trans_b, accuracy)
    return Explanation(read_text(library().explain_gemm, engine.device, problem, choice_of(variant, configuration)))
