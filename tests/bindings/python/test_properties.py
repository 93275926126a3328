"""Random shapes, strides, batches and types, by hypothesis."""

import numpy
import pytest
from conftest import QUICK

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies  # noqa: E402


def settings(samples):
    """Returns settings that draw equal samples in each run, and a third of them at the quick level."""
    return hypothesis.settings(
        max_examples=samples // 3 if QUICK else samples,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        database=None,
        derandomize=True,
    )


SIZES = strategies.integers(0, 9)


@strategies.composite
def operand(draw, lead, rows, columns):
    """Returns how an array is cut from a larger one: steps, and whether it is transposed."""
    shape = [1 if draw(strategies.booleans()) else size for size in lead]
    shape = shape[draw(strategies.integers(0, len(shape))) :]
    steps = [draw(strategies.sampled_from([1, 1, 2, -1, 3])) for _ in range(len(shape) + 2)]
    return shape, rows, columns, steps, draw(strategies.booleans())


def cut(bounds, how, dtype):
    shape, rows, columns, steps, is_transposed = how
    sizes = [*shape, columns, rows] if is_transposed else [*shape, rows, columns]
    whole = bounds.array([size * abs(step) for size, step in zip(sizes, steps)], dtype)
    array = whole[tuple(slice(None, None, step) for step in steps)]
    array = array[tuple(slice(0, size) for size in sizes)]
    return array.swapaxes(-1, -2) if is_transposed else array


@strategies.composite
def product(draw):
    lead = draw(strategies.lists(strategies.integers(0, 3), max_size=3))
    m, n, k = draw(SIZES), draw(SIZES), draw(SIZES)
    return draw(operand(lead, m, k)), draw(operand(lead, k, n)), draw(strategies.sampled_from(["f4", "f8", "c8"]))


@settings(40)
@hypothesis.given(product())
def test_matmul(tw, bounds, how):
    a, b = cut(bounds, how[0], how[2]), cut(bounds, how[1], how[2])
    bounds.expect_product(tw.matmul(a, b), a, b)


@settings(15)
@hypothesis.given(product())
def test_matmul_of_device_arrays(tw, queue, bounds, how):
    from pyopencl import array as arrays

    a, b = (numpy.ascontiguousarray(cut(bounds, part, how[2])) for part in how[:2])
    hypothesis.assume(a.size and b.size)
    bounds.expect_product(tw.matmul(arrays.to_device(queue, a), arrays.to_device(queue, b)).get(), a, b)
