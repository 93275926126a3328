"""Interpreters with other options, ends of processes, interrupts, homes that cannot be written, and no driver."""

import os
import re
import subprocess
import sys

import pytest
from conftest import QUICK

PRODUCTS = """
import numpy as np, tilewright as tw
a = np.eye(3)
assert tw.matmul(a, a)[0, 0] == tw.linalg.det(a) == tw.Plan((3, 3), (3, 3), "f8")(a, a)[0, 0] == 1
assert tw.explain(a, a)._repr_html_() and tw.gemm(a, a, progress=lambda done: None)[0, 0] == 1
try: tw.matmul(a, a[:2])
except tw.Error as problem: print(problem.code)
"""
DEVICE_PRODUCTS = """
import pyopencl as cl, pyopencl.array as arrays
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
device = arrays.to_device(queue, a)
assert tw.matmul(device, device).get()[0, 0] == 1
"""


def run(code, *options, **variables):
    """Runs a program and returns its output. Python must print nothing else, such as exceptions that it ignores.

    The compilers of some drivers print how many warnings they have.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    command = [sys.executable, *options, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240)
    errors = re.sub(r"^\d+ warnings? generated\.\n", "", found.stderr, flags=re.MULTILINE)
    assert found.returncode == 0 and not errors, errors
    return found.stdout.split()


@pytest.mark.parametrize("options", [["-W", "error", "-bb"], ["-X", "dev", "-W", "error"], ["-OO"]], ids=str)
def test_options(tw, options):
    assert run(PRODUCTS, *options) == ["invalid_argument"]


def test_development_mode_with_device_arrays(tw, queue):
    assert run(PRODUCTS + DEVICE_PRODUCTS, "-X", "dev") == ["invalid_argument"]


WORK = {
    "plain": "tw.matmul(a, a), plan(a, a), tw.linalg.inv(a + 200 * np.eye(200))",
    "reported": "tw.matmul(a, a, progress=lambda done: None)",
}


@pytest.mark.parametrize("work", WORK)
def test_a_process_may_end_while_threads_multiply(tw, work):
    code = (
        "import threading, time, numpy as np, tilewright as tw\n"
        "a, done = np.ones((200, 200)), []\n"
        "plan = tw.Plan(a.shape, a.shape, a.dtype)\n"
        "def work():\n"
        "    while True:\n"
        f"        {WORK[work]}, done.append(1)\n"
        "for _ in range(4): threading.Thread(target=work, daemon=True).start()\n"
        "while len(done) < 4: time.sleep(0.01)\n"
        "print('end')\n"
    )
    for _ in range(1 if QUICK else 5):
        assert run(code) == ["end"]


def test_a_process_may_end_before_the_device_is_done(tw, queue):
    code = (
        "import numpy as np, tilewright as tw, pyopencl as cl, pyopencl.array as arrays\n"
        "queue = cl.CommandQueue(cl.create_some_context(interactive=False))\n"
        "device = arrays.to_device(queue, np.full((400, 400), 0.0025))\n"
        "for _ in range(30): device = tw.matmul(device, device)\n"
        "print('end')\n"
    )
    assert run(code) == ["end"]


@pytest.mark.parametrize("progress", ["None", "lambda done: None"], ids=["silent", "reported"])
def test_an_interrupt_ends_products_by_tiles(tw, progress):
    """Python raises the exception in the function that C calls, even before its first statement."""
    code = (
        "import _thread, numpy as np, threading, tilewright as tw\n"
        "from tilewright import out_of_core\n"
        "out_of_core.LEAST_FLOPS = out_of_core.LEAST_FLOPS_IN_PLACE = 1\n"
        "a = np.ones((300, 300))\n"
        "tw.matmul(a, a)\n"
        "threading.Timer(0.2, _thread.interrupt_main).start()\n"
        "try:\n"
        f"    for _ in range(2000): tw.matmul(a, a, progress={progress})\n"
        "except KeyboardInterrupt: print('interrupted', (tw.matmul(a, a) == 300).all())\n"
    )
    for _ in range(1 if QUICK else 5):
        assert run(code) == ["interrupted", "True"]


@pytest.mark.parametrize("home", ["a file", "missing", None])
def test_homes_that_cannot_be_written(tw, tmp_path, home):
    """A home below a file cannot be made, not even by root."""
    (tmp_path / "file").touch()
    place = {"a file": tmp_path / "file", "missing": tmp_path / "file" / "home", None: ""}[home]
    code = (
        "import numpy as np, tilewright as tw\n"
        "tw.cache.configure('read_write')\n"
        "a = np.eye(5)\n"
        "assert np.array_equal(tw.matmul(a, a), a)\n"
        "tw.cache.save()\n"
        "assert tw.cache.statistics()['saved'] == 0\n"
        "try: tw.tune([(8, 8, 8)], budget=1, progress=False)\n"
        "except tw.Error as problem: print(problem.code)\n"
    )
    variables = {"HOME": str(place), "TILEWRIGHT_CACHE": "on", "TILEWRIGHT_RECORDS": "on"}
    for name in ("TILEWRIGHT_CACHE_DIR", "TILEWRIGHT_DATA_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        variables[name] = ""
    assert run(code, **variables) == ["invalid_records"]


def test_without_a_driver(tmp_path):
    """The package can be imported, and each function that needs a device says what to install."""
    code = (
        "import numpy as np, tilewright as tw\n"
        "a = np.eye(2)\n"
        "calls = [tw.devices, tw.ladder, tw.cache.statistics, tw.cache.save, tw.records.path, tw.records.load,\n"
        "         lambda: tw.use_device(None), lambda: tw.matmul(a, a), lambda: tw.matmul(a, a, progress=print),\n"
        "         lambda: tw.Plan((2, 2), (2, 2), 'f8'), lambda: tw.explain(a, a), lambda: tw.linalg.inv(a),\n"
        "         lambda: tw.vector.nrm2(a), lambda: tw.transpose(a), lambda: tw.tune([(1, 1, 1)])]\n"
        "for call in calls:\n"
        "    try: call()\n"
        "    except tw.Error as problem: assert problem.code == 'no_platform' and 'install' in str(problem), problem\n"
        "    else: print('no exception')\n"
        "tw.version(), tw.cache.location(), tw.copy(a)\n"
    )
    drivers = str(tmp_path / "none")
    assert run(code, OCL_ICD_VENDORS=drivers, OPENCL_VENDOR_PATH=drivers, OCL_ICD_FILENAMES="") == []
