"""Threads, and child processes by fork and spawn."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading

import numpy
import pytest


def product(size):
    import tilewright

    a = numpy.full((size, size), 2.0, numpy.float32)
    return float(tilewright.matmul(a, a)[0, 0])


def product_or_code(size):
    import tilewright

    try:
        return product(size)
    except tilewright.Error as problem:
        return problem.code


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_threads(tw, bounds):
    a, b = bounds.array((2, 24, 24), "f8")
    plan, failures = tw.Plan(a.shape, b.shape, "f8"), []

    def work():
        try:
            for _ in range(10):
                bounds.expect_product(tw.matmul(a, b), a, b)
                bounds.expect_product(plan(a, b), a, b)
        except BaseException as problem:
            failures.append(problem)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_child_by_fork_refuses_the_parents_engine(tw):
    assert product(4) == 16
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(product_or_code, (4,)).get(60) == "device_lost"
    assert product(4) == 16


def test_a_child_by_fork_refuses_the_parents_plans(tw, queue):
    arrays = pytest.importorskip("pyopencl.array")
    a = numpy.eye(3, dtype=numpy.float32)
    device = arrays.to_device(queue, a)
    out = arrays.empty_like(device)
    plan, plan_of_queue = tw.Plan(a.shape, a.shape, "f4"), tw.Plan(a.shape, a.shape, "f4", queue=queue)
    calls = [
        lambda: plan(a, a),
        lambda: plan_of_queue(device, device, out),
        lambda: tw.gemm(device, device, out),
        lambda: tw.matmul(device, device),
    ]
    for call in calls:
        call()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends a child that waits for a driver
        codes = []
        for call in calls:
            try:
                call()
            except tw.Error as problem:
                codes.append(problem.code)
        os._exit(0 if codes == ["device_lost"] * len(calls) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_interrupt_leaves_the_device_usable(tw):
    code = (
        "import _thread, numpy, threading, tilewright as tw\n"
        "a = numpy.ones((300, 300))\n"
        "threading.Timer(0.3, _thread.interrupt_main).start()\n"
        "count = 0\n"
        "try:\n"
        "    while count < 100_000: count += (tw.matmul(a, a) == 300).all()\n"
        "except KeyboardInterrupt: print('interrupted', (tw.matmul(a, a) == 300).all())\n"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=120)
    assert found.stdout.split() == ["interrupted", "True"], found.stderr


def test_a_child_by_fork_has_its_own_engine(tw):
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import tilewright, test_processes as t\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(0 if t.product(4) == 16 else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or t.product(4) != 16)\n"
    )
    folder = os.path.dirname(__file__)
    subprocess.run([sys.executable, "-c", code, folder], check=True, env=environment(), timeout=120)


def test_spawn(tw):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(product_or_code, (3,)).get(120) == 12


def test_without_opencl(tmp_path):
    code = (
        "import tilewright as tw\n"
        "for call in (tw.devices, lambda: tw.matmul([[1.0]], [[1.0]])):\n"
        "    try: call()\n"
        "    except tw.Error as problem: print(problem.code, 'install' in str(problem))\n"
    )
    variables = {**environment(), "TILEWRIGHT_OPENCL_LIBRARY": str(tmp_path / "libOpenCL.so.1")}
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=variables, timeout=60
    )
    assert found.stdout.split() == ["no_platform", "True"] * 2


def test_without_the_library():
    code = (
        "import tilewright as tw\n"
        "try: tw.version()\n"
        "except ImportError as problem: print('TILEWRIGHT_LIBRARY' in str(problem))\n"
    )
    variables = {**environment(), "TILEWRIGHT_LIBRARY": "/nonexistent/libtilewright.so.1"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, env=variables)
    assert found.stdout.strip() == "True"


def test_pyopencl_may_be_imported_later(tw):
    pytest.importorskip("pyopencl")
    code = (
        "import numpy, tilewright as tw\n"
        "a = numpy.full((4, 4), 2.0)\n"
        "assert tw.matmul(a, a)[0, 0] == 16\n"
        "import pyopencl as cl, pyopencl.array as arrays\n"
        "queue = cl.CommandQueue(cl.create_some_context(interactive=False))\n"
        "b = arrays.to_device(queue, a)\n"
        "assert tw.matmul(b, b).get()[0, 0] == 16 and tw.matmul(a, a)[0, 0] == 16\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(), timeout=120)


def test_threads_with_device_arrays(tw, queue, bounds):
    arrays = pytest.importorskip("pyopencl.array")
    a = bounds.array((16, 16), "f4")
    device, failures = arrays.to_device(queue, a), []
    plan = tw.Plan(a.shape, a.shape, "f4", queue=queue, beta=1)

    def work(number):
        try:
            alpha = float(number + 1)
            out, total = (arrays.zeros(queue, a.shape, numpy.float32) for _ in range(2))
            for _ in range(50):
                tw.gemm(device, device, out, alpha=alpha)
                plan(device, device, total)
            numpy.testing.assert_allclose(out.get(), alpha * (a @ a), atol=1e-4)
            numpy.testing.assert_allclose(total.get(), 50 * (a @ a), atol=1e-3)
        except BaseException as problem:
            failures.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_both_sides_use_the_named_opencl_library(tw, tmp_path):
    pytest.importorskip("pyopencl")
    from tilewright._c.library import library, read_text

    named = tmp_path / "libOpenCL-named.so"
    shutil.copy(read_text(library().opencl_library), named)
    code = (
        "import os, numpy\n"
        "import pyopencl  # loads its own library first\n"
        "import tilewright as tw\n"
        "from tilewright._c.library import library, read_text\n"
        "a = numpy.full((4, 4), 2.0)\n"
        "print(tw.matmul(a, a)[0, 0], read_text(library().opencl_library))\n"
        "maps = open('/proc/self/maps').read()\n"
        "print(os.environ['TILEWRIGHT_OPENCL_LIBRARY'] in maps)\n"
    )
    variables = {**environment(), "TILEWRIGHT_OPENCL_LIBRARY": str(named)}
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, check=True, text=True, env=variables, timeout=60)
    assert found.stdout.split() == ["16.0", str(named), "True"]
