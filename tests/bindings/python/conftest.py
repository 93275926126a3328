"""Fixtures and bounds for the tests of the Python package."""

import os
import pathlib
import sys

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "src/bindings/python"))

# At the quick level slow tests run fewer samples, some of which change with the day.
QUICK = os.environ.get("TILEWRIGHT_TEST_LEVEL") == "quick"
DAY = int(os.environ.get("TILEWRIGHT_TEST_SEED") or 1)
ROUNDOFF = {"float16": 2**-11, "float32": 2**-24, "float64": 2**-53, "complex64": 2**-24, "complex128": 2**-53}
WIDE = {"f": numpy.longdouble, "c": numpy.clongdouble, "i": numpy.int64, "u": numpy.int64}


class Bounds:
    """Random arrays, and the bound of a product's error."""

    def __init__(self):
        self.random = numpy.random.default_rng(7)

    def array(self, shape, dtype):
        dtype = numpy.dtype(dtype)
        if dtype.kind in "iu":
            return self.random.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)
        values = self.random.uniform(-1, 1, shape)
        if dtype.kind == "c":
            values = values + 1j * self.random.uniform(-1, 1, shape)
        return values.astype(dtype)

    def expect_product(self, result, a, b, c=None, alpha=1, beta=0):
        """Compares a result with alpha A B + beta C, within gamma(k + 2) |A| |B| + gamma(2) |C|."""
        wide = WIDE[a.dtype.kind]
        exact = alpha * (a.astype(wide) @ b.astype(wide))
        size = abs(alpha) * (abs(a).astype(WIDE["f"]) @ abs(b).astype(WIDE["f"]))
        if c is not None:
            exact = exact + beta * c.astype(wide)
            size = size + abs(beta) * abs(c)
        assert result.shape == exact.shape
        if a.dtype.kind in "iu":
            assert numpy.array_equal(result, exact)
            return
        u = max(ROUNDOFF[result.dtype.name], 2**-24 if a.dtype == numpy.float16 else 0)
        terms = (a.shape[-1] + 3) * (3 if a.dtype.kind == "c" else 1)
        u_sum = 2**-24 if a.dtype == numpy.float16 else u
        bound = terms * u_sum / (1 - terms * u_sum) * size + 2 * u * abs(exact) + 1e-30
        if result.dtype == numpy.float16:
            bound = bound + 2**-24  # a subnormal result
        assert (abs(result - exact) <= bound).all()


@pytest.fixture
def bounds():
    return Bounds()


@pytest.fixture(scope="session")
def tw():
    """The package, if there is a device."""
    import tilewright

    try:
        tilewright.devices()
    except tilewright.Error as problem:
        pytest.skip(f"no device: {problem}")
    return tilewright


@pytest.fixture(scope="session")
def queue(tw):
    """A queue of pyopencl."""
    cl = pytest.importorskip("pyopencl")
    pytest.importorskip("pyopencl.array")
    context = cl.create_some_context(interactive=False)
    return cl.CommandQueue(context)
