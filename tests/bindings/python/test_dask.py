"""Products of Dask's arrays, in threads and in the processes of dask.distributed."""

import os
import subprocess
import sys

import numpy
import pytest

array = pytest.importorskip("dask.array")

# In a process of its own, whose file the workers import: they start by spawn. Neither the process nor a worker has an
# engine before the worker multiplies. The blocks of the second product go through the registered function.
CLUSTER = """
import os, sys
import dask.array, numpy

def has_engine():
    engines = sys.modules.get("tilewright.engines")
    return engines is not None and engines.state.default is not None

def registered():
    from dask.array.backends import tensordot_lookup
    return tensordot_lookup.dispatch(numpy.ndarray).__module__

if __name__ == "__main__":
    from distributed import Client, LocalCluster
    import tilewright.dask
    numbers = numpy.random.default_rng(1)
    a, b = numbers.integers(-9, 9, (60, 50)).astype("f4"), numbers.integers(-9, 9, (50, 40)).astype("f4")
    blocks = dask.array.from_array(a, chunks=(10, 20)), dask.array.from_array(b, chunks=(20, 10))
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.wait_for_workers(2)
            assert len(set(client.run(os.getpid).values()) | {os.getpid()}) == 3
            assert not any(client.run(has_engine).values())
            assert (tilewright.dask.matmul(*blocks).compute() == a @ b).all()
            assert any(client.run(has_engine).values()) and not has_engine()
            client.run(tilewright.dask.install_tensordot)
            assert set(client.run(registered).values()) == {"tilewright.dask"}
            assert (dask.array.dot(*blocks).compute() == a @ b).all()
            print("right in two workers")
"""


def test_matmul(tw, bounds):
    from tilewright.dask import matmul

    a, b = bounds.array((30, 50), "f4"), bounds.array((50, 20), "f4")
    product = matmul(array.from_array(a, chunks=(16, 20)), array.from_array(b, chunks=(30, 9)))
    assert product.dtype == a.dtype and product.numblocks == (2, 3)
    bounds.expect_product(product.compute(), a, b)
    a = bounds.array((4, 5), "i1")
    product = matmul(array.from_array(a, chunks=2), array.from_array(a.T.copy(), chunks=2))
    bounds.expect_product(product.compute(), a, a.T)
    with pytest.raises(ValueError, match="fit"):
        matmul(product, array.from_array(a, chunks=2)[:2])


@pytest.mark.parametrize("shape_a, shape_b, axes", [
    ((3, 4), (4, 5), 1),
    ((3, 4), (4, 5), ((1,), (0,))),
    ((2, 3, 4), (4, 3, 2), ((1, -1), (1, 0))),
    ((2, 3), (2, 3), 2),
    ((2, 3), (4, 5), 0),
    ((3, 0), (0, 2), 1),
    ((4,), (4,), (0, 0)),
])
def test_blocks_are_multiplied_as_by_numpy(tw, bounds, shape_a, shape_b, axes):
    from tilewright.dask import tensordot

    for dtype in ("f4", "c16", "i4"):
        a, b = bounds.array(shape_a, dtype), bounds.array(shape_b, dtype)
        expected = numpy.tensordot(a, b, axes)
        found = tensordot(a, b, axes)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        assert numpy.allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_tensordot_refuses_other_lengths(tw, bounds):
    from tilewright.dask import tensordot

    with pytest.raises(ValueError, match="lengths"):
        tensordot(numpy.ones((2, 3)), numpy.ones((4, 3)), 1)


def test_dask_uses_the_function_only_while_installed(tw, bounds, monkeypatch):
    import tilewright.dask

    a = bounds.array((20, 20), "f8")
    blocks = array.from_array(a, chunks=10)
    calls = []
    monkeypatch.setattr(tilewright.dask, "multiply", lambda x, y: calls.append(1) or x @ y)
    tilewright.dask.install_tensordot()
    try:
        bounds.expect_product(array.dot(blocks, blocks).compute(), a, a)
    finally:
        tilewright.dask.uninstall_tensordot()
    assert len(calls) >= 8
    del calls[:]
    array.dot(blocks, blocks).compute()
    assert not calls


def test_two_workers_of_distributed(tw, tmp_path):
    pytest.importorskip("distributed")
    program = tmp_path / "cluster.py"
    program.write_text(CLUSTER, encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "POCL_MAX_PTHREAD_COUNT": "1"}
    found = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=variables, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "right in two workers" in found.stdout
