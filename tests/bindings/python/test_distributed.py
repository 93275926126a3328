"""The example for several processes, if mpi4py and its MPI library are installed."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import DAY, QUICK

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/distributed/summa.py"
PROBE = "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"


def mpiexec(count, *arguments):
    command = shutil.which("mpiexec")
    if command is None:
        pytest.skip("there is no mpiexec")
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "POCL_MAX_PTHREAD_COUNT": "1",
        # Otherwise mpiexec opens OpenCL, and some ICD loaders cut OCL_ICD_FILENAMES after the first driver.
        "HWLOC_COMPONENTS": "-opencl",
    }
    command = [command, "-n", str(count), sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=300)


@pytest.fixture(scope="module")
def mpi(tw):
    """Skips the tests unless mpiexec belongs to the MPI library of mpi4py."""
    pytest.importorskip("mpi4py")
    pytest.importorskip("pyopencl")
    found = mpiexec(2, "-c", PROBE)
    if "".join(found.stdout.split()) != "22":  # the processes write at once
        pytest.skip(f"mpi4py cannot be used with mpiexec: {found.stdout}{found.stderr}")


# Sizes that do not divide evenly, panels wider than a block, fewer elements than processes, and the defaults.
SIZES = [("150", "32"), ("97", "500"), ("3", "1"), ("1",), ()]
if QUICK:
    SIZES = [SIZES[DAY % 4]]


@pytest.mark.parametrize("sizes", SIZES)
def test_summa(mpi, sizes):
    found = mpiexec(4, str(EXAMPLE), *sizes)
    assert found.returncode == 0, found.stderr
    assert "2 x 2 processes" in found.stdout and "\n0 wrong elements\n" in found.stdout


def test_wrong_arguments(mpi):
    for sizes in [("5", "-1")] if QUICK else [("0",), ("5", "-1"), ("five",)]:
        assert mpiexec(2, str(EXAMPLE), *sizes).returncode != 0
