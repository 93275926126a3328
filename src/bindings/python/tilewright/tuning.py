"""Tuning: finds the fastest kernels for a program's products."""

from __future__ import annotations

import ctypes
import json
import re
from typing import Any, Sequence, Union

import numpy

from ._c import check, constants, library, structs
from .annotations import DTypeLike, TuneProgress
from .dtypes import PRODUCTS, code_of
from .engines import default_engine
from .errors import InvalidType, InvalidValue
from .problem import shape_of
from .progress import Reporter, tuning_steps

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def seconds_of(budget):
    """Returns the seconds of a number or of a text such as "90s", "5m" or "1h"."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", str(budget))
    if found is None or float(found[1]) == 0:
        raise InvalidValue(f"budget is {budget!r}, but it must be seconds, or a text such as 90s, 5m or 1h")
    return float(found[1]) * UNITS[found[2]]


def problem_of(shape, code):
    """Returns the problem of (m, n, k), of (batch, m, n, k), or of a text such as "512x512x512"."""
    if isinstance(shape, str):
        sizes = [int(size) if size.isdecimal() else 0 for size in shape.split("x")]
    else:
        sizes = shape_of(shape, "a shape")
    if len(sizes) not in (3, 4) or min(sizes) < 1:
        raise InvalidValue(f"the shape {shape!r} must be (m, n, k) or (batch, m, n, k)")
    m, n, k = sizes[-3:]
    problem = structs.GemmProblem(type=code, m=m, n=n, k=k)
    if len(sizes) == 4:
        batch = structs.Batch(count=sizes[0], stride_a=m * k, stride_b=k * n, stride_c=m * n)
        problem.batch = ctypes.pointer(batch)
    return problem


def step_of(progress):
    """Returns the dictionary that describes a step of tuning."""
    values = {name: getattr(progress, name) for name, _ in progress._fields_[2:]}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}


def tune(
    shapes: Sequence[Union[Sequence[int], str]],
    *,
    dtype: DTypeLike = "float32",
    budget: Union[float, str] = "5m",
    progress: TuneProgress = None,
    refresh: bool = False,
) -> dict:
    """Find the fastest kernels for products of these sizes on the device for arrays in host memory.

    The results are stored as records, by which the library chooses kernels in processes that start afterwards. Nothing
    else should use the device meanwhile.

    Parameters
    ----------
    shapes : list of tuple or str
        Each is (m, n, k), (batch, m, n, k), or a text such as ``"512x512x512"``.
    dtype : dtype
        The element type of A and B.
    budget : float or str
        The limit of time, in seconds, or a text such as ``"90s"``, ``"5m"`` or ``"1h"``.
    progress : callable or bool, optional
        A bar by default, if tqdm is installed and the output is a terminal; False shows none. A function is called from
        any thread after each configuration, with a dictionary: `problem` and `problems` (numbers), `evaluations`,
        `best_seconds`, `untuned_seconds`, `seconds_left`, `problem_text` and `activity`. If it returns True, tuning
        ends; finished problems keep their records.
    refresh : bool
        Also tune problems that have records of this driver.

    Returns
    -------
    dict
        `records`, the path of the file; `stopped`; and `results`, a list with a dictionary for each problem.

    Raises
    ------
    InvalidValue
        A shape or the budget is invalid.
    InvalidType
        `shapes` is no list of shapes, a size is no whole number, or there are no products of `dtype`.
    Error
        With the code ``"invalid_records"`` if records cannot be stored; nothing is tuned then.
    """
    code = code_of(numpy.dtype(dtype), PRODUCTS)
    if isinstance(shapes, str) or not numpy.iterable(shapes):
        raise InvalidType(f"shapes is {shapes!r}, but it must be a list of shapes", "invalid_argument")
    problems = [problem_of(shape, code) for shape in shapes]
    if not problems:
        raise InvalidValue("there are no shapes to tune")
    pointers = (ctypes.POINTER(structs.GemmProblem) * len(problems))(*map(ctypes.pointer, problems))
    options = structs.TuneOptions(
        refresh=int(refresh),
        gemm_problems=pointers,
        gemm_problems_count=len(problems),
        seconds=seconds_of(budget),
    )
    text = ctypes.c_void_p()
    functions, engine = library(), default_engine()
    with tuning_steps(progress, options.seconds) as report:
        # Without a function there is a reporter, too, so that an interrupt from the keyboard ends the tuning.
        reporter = Reporter(structs.TuneProgress, lambda found: report(step_of(found)) if report is not None else False)
        options.progress = reporter.pointer
        with reporter:
            status = functions.tune(engine.handle, ctypes.byref(options), ctypes.byref(text))
    try:
        results: Any = json.loads(ctypes.string_at(text.value)) if text.value else None
    finally:
        functions.text_release(text)
    reporter.raise_problem()
    if status != constants.CANCELLED or results is None:
        check(status)
    return results
