"""The functions of OpenCL by which arrays in host memory reach a device."""

import ctypes
import os

from ..errors import Error, OutOfMemory

USUAL_NAME = "libOpenCL.so.1"
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


class Info(ctypes.Structure):
    """The first members of dl_phdr_info."""

    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]


def loaded_loader():
    """Returns the path of the OpenCL loader in the process, by the C library's rule; None if there is none."""
    found = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
    def visit(info, size, data):
        name = (info.contents.name or b"").decode(errors="surrogateescape")
        if not os.path.basename(name).startswith("libOpenCL"):
            return 0
        found.append(name)
        return 1

    ctypes.CDLL(None).dl_iterate_phdr(visit, None)
    return found[0] if found else None


class OpenCL:
    """OpenCL's functions, from the loader that the process already has, otherwise the system's."""

    def __init__(self):
        name = loaded_loader() or os.environ.get("TILEWRIGHT_OPENCL_LIBRARY") or USUAL_NAME
        try:
            handle = ctypes.CDLL(name)
        except OSError as problem:
            raise Error(f"no OpenCL library can be used: {problem}", "no_platform") from problem
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
