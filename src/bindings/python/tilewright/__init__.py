"""Tilewright: matrix operations on any OpenCL device.

Functions take arrays in host memory (NumPy's, or any object that DLPack can read) and return arrays in host memory, or
they take arrays of pyopencl and return arrays on the device, which are not waited for.
"""

from . import linalg, vector
from .engines import devices, use_device
from .errors import Error, InvalidType, InvalidValue, OutOfMemory
from .gemm import gemm, matmul
from .plan import Plan
from .transposes import transpose
from .version import version

__all__ = [
    "Error",
    "InvalidType",
    "InvalidValue",
    "OutOfMemory",
    "Plan",
    "devices",
    "gemm",
    "linalg",
    "matmul",
    "transpose",
    "use_device",
    "vector",
    "version",
]
