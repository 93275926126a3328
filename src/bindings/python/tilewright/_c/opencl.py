"""The functions of OpenCL by which arrays in host memory reach a device."""

import ctypes

from ..errors import Error, OutOfMemory
from .library import library, read_text

OUT_OF_MEMORY = {-4, -5, -6, -61}  # the last one: the size exceeds what the device allocates at once
u32, u64, pointer = ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p
out = ctypes.POINTER(ctypes.c_int32)
SIGNATURES = {
    "clCreateCommandQueue": (pointer, [pointer, pointer, ctypes.c_uint64, out]),
    "clCreateBuffer": (pointer, [pointer, ctypes.c_uint64, u64, pointer, out]),
    "clEnqueueWriteBuffer": (
        ctypes.c_int32,
        [pointer, pointer, u32, u64, u64, pointer, u32, pointer, pointer],
    ),
    "clEnqueueReadBuffer": (
        ctypes.c_int32,
        [pointer, pointer, u32, u64, u64, pointer, u32, pointer, pointer],
    ),
    "clEnqueueCopyBuffer": (
        ctypes.c_int32,
        [pointer, pointer, pointer, u64, u64, u64, u32, pointer, pointer],
    ),
    "clEnqueueMapBuffer": (
        pointer,
        [pointer, pointer, u32, ctypes.c_uint64, u64, u64, u32, pointer, pointer, out],
    ),
    "clEnqueueUnmapMemObject": (ctypes.c_int32, [pointer, pointer, pointer, u32, pointer, pointer]),
    "clFinish": (ctypes.c_int32, [pointer]),
    "clReleaseMemObject": (ctypes.c_int32, [pointer]),
    "clReleaseEvent": (ctypes.c_int32, [pointer]),
}


class OpenCL:
    """OpenCL's functions, from the library that the C library uses: handles of two libraries do not mix."""

    def __init__(self):
        path = read_text(library().opencl_library)
        try:
            handle = ctypes.CDLL(path)
        except OSError as problem:
            raise Error(f"the OpenCL library {path} cannot be used: {problem}", "no_platform") from problem
        for function, (returned, arguments) in SIGNATURES.items():
            bound = getattr(handle, function)
            bound.restype, bound.argtypes = returned, arguments
            setattr(self, function, bound)


loaded = None


def opencl():
    """Returns OpenCL's functions, which the first call opens."""
    global loaded
    if loaded is None:
        loaded = OpenCL()
    return loaded


def expect(status, call):
    """Raises the exception for an OpenCL status other than 0."""
    if status:
        kind, code = (OutOfMemory, "out_of_memory") if status in OUT_OF_MEMORY else (Error, "opencl_failure")
        raise kind(f"{call} failed with OpenCL status {status}", code, "", status)
