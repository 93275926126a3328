"""Measures what Python adds to the C functions, which a function that returns at once replaces.

    python tests/bindings/python/overhead.py

Prints microseconds per call of a plan and of gemm() with `out`, on arrays of pyopencl that wait for no event.
"""

import ctypes
import pathlib
import sys
import timeit

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "src/bindings/python"))


class Event:
    """Replaces pyopencl's event."""


def main():
    import numpy
    import pyopencl as cl
    import tilewright as tw
    from pyopencl import array
    from tilewright import prepared

    queue = cl.CommandQueue(cl.create_some_context(interactive=False))
    a, b, c = (array.zeros(queue, (32, 32), numpy.float32) for _ in range(3))
    plan = tw.Plan(a.shape, b.shape, "f4", queue=queue)
    tw.gemm(a, b, c)
    c.events[:] = []
    are_equal = ctypes.CDLL(None).pthread_equal  # returns 0 at once, because a plan is not a queue
    for product in (plan.prepared, *prepared.products.values()):
        product.enqueue = are_equal
    prepared.make_event = lambda handle, retain: Event()

    def best(call, count=20_000):
        return min(timeit.repeat(call, number=count, repeat=7)) / count * 1e6

    def with_clean_events(call):
        def run():
            call()
            c.events.clear()

        return run

    stub = best(are_equal) + best(c.events.clear)
    for name, call in (("plan", lambda: plan(a, b, c)), ("gemm with out", lambda: tw.gemm(a, b, c))):
        print(f"{name}: {best(with_clean_events(call)) - stub:.2f} us")


if __name__ == "__main__":
    main()
