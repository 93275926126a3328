"""The speed of every kernel variant on one product."""

from __future__ import annotations

import ctypes
import math
import time
from typing import Any, Optional, Sequence

import numpy

from ._c import check, constants, library, read_text
from ._c.opencl import expect, opencl
from .annotations import DTypeLike
from .dtypes import PRODUCTS, code_of, product_type
from .engines import default_engine
from .errors import Error, InvalidValue
from .explanation import configuration_text
from .host_places import HostPlace
from .places import choice_of
from .prepared import Prepared, Slot
from .problem import Sizes, gemm_problem, real_number, shape_of, whole_number
from .progress import Bar

SMALL_FLOPS = 1e8  # products with fewer operations run without an estimate of their time
SMALL_SIZE = 96
LEAST_SECONDS = 2e-3  # of one measurement, which repeats shorter calls
ROUNDOFF = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float64": 2.0**-53, "complex128": 2.0**-53}
SAMPLED_ROWS = 16


def random_matrix(random, shape, dtype):
    if dtype.name in ("int8", "uint8"):
        limits = numpy.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    values = random.uniform(-1, 1, shape)
    return (values + 1j * random.uniform(-1, 1, shape) if dtype.kind == "c" else values).astype(dtype)


def is_right(c, a, b):
    """Returns whether some rows of C are within the bound of A B that `gemm` promises."""
    rows = numpy.linspace(0, len(a) - 1, min(len(a), SAMPLED_ROWS)).astype(int)
    wide = numpy.dtype({"c": "complex128"}.get(a.dtype.kind, "int64" if a.dtype.kind in "iu" else "float64"))
    left, right = a[rows].astype(wide), b.astype(wide)
    exact, found = left @ right, c[rows].astype(wide)
    if a.dtype.kind in "iu":
        return bool((found == exact.astype("int32")).all())
    u_sum = max(ROUNDOFF.get(a.dtype.name, 2.0**-24), 2.0**-53)
    u_sum = u_sum if a.dtype.itemsize >= 4 else 2.0**-24
    terms = 2 * (a.shape[1] + 4) * (4 if a.dtype.kind == "c" else 1)  # twice: NumPy's own sums have errors, too
    bound = terms * u_sum * (abs(left) @ abs(right)) + 2 * ROUNDOFF.get(a.dtype.name, 2.0**-24) * abs(exact) + 2.0**-24
    return bool((abs(found - exact) <= bound).all())


class Product:
    """A product of random matrices in device memory."""

    def __init__(self, place, shape, dtype):
        m, n, k = shape
        random = numpy.random.default_rng(1)
        self.place, self.shape, self.dtype = place, shape, dtype
        self.a, self.b = random_matrix(random, (m, k), dtype), random_matrix(random, (k, n), dtype)
        self.c = numpy.empty((m, n), product_type(dtype))
        self.views = [place.read(self.a, "A"), place.read(self.b, "B"), place.make((m, n), self.c.dtype)]
        plain = constants.NO_TRANS
        sizes = Sizes((m, k), (k, n), plain, plain)
        self.problem, _ = gemm_problem(sizes, self.views, plain, plain, "full")

    @property
    def flops(self):
        return (8 if self.dtype.kind == "c" else 2) * math.prod(self.shape)

    def prepare(self, variant):
        return Prepared(self.place.engine, self.problem, None, self.dtype, choice_of(variant))

    def fill(self):
        """Writes other values to C, so that a kernel that writes nothing is found out."""
        self.c[...] = 77
        self.place.write(self.views[2], self.c)

    def result(self):
        return self.place.give(self.views[2])

    def seconds(self, plan, calls):
        """Runs a plan some times and returns the seconds per call."""
        slot = Slot(plan)
        operands = slot.operands
        operands.a, operands.b, operands.c = (view.ref for view in self.views)
        enqueue = library().gemm_enqueue
        start = time.perf_counter()
        for _ in range(calls):
            check(enqueue(plan.handle, self.place.queue, ctypes.byref(operands), 0, None, None))
        expect(opencl().clFinish(self.place.queue), "clFinish()")
        return (time.perf_counter() - start) / calls


def measure(product, small, variant, runs, budget):
    """Returns the best seconds of a call and whether its result is right. Raises InvalidValue if it takes too long."""
    if product.flops > SMALL_FLOPS:
        plan = small.prepare(variant)
        small.seconds(plan, 1)
        estimate = small.seconds(plan, 1) * product.flops / small.flops
        if estimate > budget:
            raise InvalidValue(f"not run: a call would take about {estimate:.3g} s, but the budget is {budget:.3g} s")
    plan = product.prepare(variant)
    product.fill()
    product.seconds(plan, 1)
    right = is_right(product.result(), product.a, product.b)
    best = product.seconds(plan, 1)
    calls = max(1, min(1000, int(LEAST_SECONDS / max(best, 1e-9))))
    for _ in range(runs):
        best = min(best, product.seconds(plan, calls))
        if best * calls * runs > budget:
            break
    return best, right


def ladder(
    shape: Sequence[int] = (512, 512, 512),
    *,
    dtype: DTypeLike = "float32",
    variants: Optional[Sequence[str]] = None,
    runs: int = 5,
    budget: float = 1.0,
    progress: bool = True,
) -> list[dict[str, Any]]:
    """Run every kernel variant on one product of random matrices, verify it and measure its speed.

    The device is that for arrays in host memory; transfers are not measured. Nothing else should use the device
    meanwhile. Each variant runs with the configuration that the library would choose for it.

    Parameters
    ----------
    shape : tuple of int
        m, n and k: A is m x k, and B is k x n.
    dtype : dtype
        The element type of A and B, as for `gemm`.
    variants : list of str, optional
        The names of the variants that run; all by default.
    runs : int
        Measurements, of which the fastest counts.
    budget : float
        A variant does not run if one call would take more seconds, and is measured for about as long.
    progress : bool
        Show a bar, if tqdm is installed and the output is a terminal.

    Returns
    -------
    list of dict
        One row per variant, from the simplest to the fastest by design: `variant`, `summary`, `configuration`,
        `seconds` of a call, `gflops`, `verified`, `fastest` and `note`. A variant that did not run has NaN as `seconds`
        and `gflops`, and `note` says why. ``pandas.DataFrame`` takes the list.

    Raises
    ------
    InvalidValue, InvalidType
        A size is no positive whole number, there are no products of `dtype`, or a variant is unknown.
    OutOfMemory, Error
        As for `gemm`. A variant that fails alone does not raise: `note` has its message.

    Examples
    --------
    >>> import tilewright as tw
    >>> [row["verified"] for row in tw.ladder((16, 16, 16), variants=["naive"], runs=1)]
    [True]
    """
    sizes, dtype = shape_of(shape, "shape"), numpy.dtype(dtype)
    if len(sizes) != 3 or min(sizes) < 1:
        raise InvalidValue(f"shape is {shape!r}, but it must be (m, n, k) with positive sizes")
    code_of(dtype, PRODUCTS)
    runs, budget = whole_number(runs, "runs", 1), real_number(budget, "budget")
    known = {variant["name"]: variant["summary"] for variant in read_text(library().list_variants, b"gemm")}
    wanted = list(known) if variants is None else list(variants)
    for name in wanted:
        if name not in known:
            raise InvalidValue(f"there is no variant {name!r}; there are {', '.join(known)}", "unknown_variant")
    rows = []
    with HostPlace(default_engine()) as place, Bar("ladder", len(wanted), is_shown=progress) as bar:
        product = Product(place, sizes, dtype)
        small = Product(place, tuple(min(size, SMALL_SIZE) for size in sizes), dtype)
        for number, name in enumerate(wanted):
            bar.show(number, name)
            rows.append({"variant": name, "summary": known[name], **measured(product, small, name, runs, budget)})
    fastest = min((row["seconds"] for row in rows if row["verified"]), default=math.nan)
    return [{**row, "fastest": row["seconds"] == fastest and row["verified"]} for row in rows]


def measured(product, small, name, runs, budget):
    """Returns the rest of a variant's row."""
    seconds, right, note, configuration = math.nan, False, "", ""
    try:
        found = read_text(library().explain_gemm, product.place.engine.device, product.problem, choice_of(name))
        configuration = configuration_text(found["configuration"])
        seconds, right = measure(product, small, name, runs, budget)
        note = "" if right else "the result is wrong"
    except Error as problem:
        if problem.code == "device_lost":
            raise
        note = str(problem)
    gflops = product.flops / seconds / 1e9
    return {
        "configuration": configuration,
        "seconds": seconds,
        "gflops": gflops,
        "verified": right,
        "note": note,
    }
