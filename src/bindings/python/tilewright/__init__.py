"""Tilewright: matrix operations on any OpenCL device.

Functions take arrays in host memory (NumPy's, or any object that DLPack can read) and return arrays in host memory, or
they take arrays of pyopencl and return arrays on the device, which are not waited for.
"""

from . import cache, linalg, records, sparse, vector
from .copies import copy
from .engines import devices, use_device
from .errors import Error, InvalidType, InvalidValue, OutOfMemory
from .explain import explain
from .gemm import gemm, matmul
from .ladder import ladder
from .patch import install_matmul, uninstall_matmul
from .plan import Plan
from .transposes import transpose
from .tuning import tune
from .version import version

__all__ = [
    "Error",
    "InvalidType",
    "InvalidValue",
    "OutOfMemory",
    "Plan",
    "cache",
    "copy",
    "devices",
    "explain",
    "gemm",
    "install_matmul",
    "ladder",
    "linalg",
    "matmul",
    "records",
    "sparse",
    "transpose",
    "tune",
    "uninstall_matmul",
    "use_device",
    "vector",
    "version",
]


def __getattr__(name: str) -> str:
    if name == "__version__":  # of the C library, which is opened when it is needed
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
