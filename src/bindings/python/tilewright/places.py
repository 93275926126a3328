"""Where a call works: on copies of arrays in host memory, or on arrays of pyopencl."""

import ctypes
import sys

import numpy

from ._c import check, library, structs
from ._c.opencl import expect, opencl
from .engines import default_engine, engine_of_queue
from .errors import InvalidType, InvalidValue
from .views import View, as_view, dense_strides

HOSTS = {1, 3}  # DLPack's kDLCPU and kDLCUDAHost


def is_opencl(array):
    """Returns whether an object is an array of pyopencl, without importing pyopencl."""
    module = sys.modules.get("pyopencl.array")
    return module is not None and isinstance(array, module.Array)


def host_array(array, name):
    """Returns a plain NumPy array for any object in host memory that NumPy or DLPack can read, without a copy."""
    if isinstance(array, numpy.ma.MaskedArray):
        raise InvalidType(f"{name} is a masked array; fill it with filled()", "unsupported_type", name)
    if hasattr(array, "tocsr"):
        raise InvalidType(f"{name} is a sparse matrix; use tilewright.sparse", "unsupported_type", name)
    if not isinstance(array, numpy.ndarray):
        if hasattr(array, "__dlpack_device__") and not hasattr(array, "__array_interface__"):
            device = int(array.__dlpack_device__()[0])
            if device not in HOSTS:
                raise InvalidType(
                    f"{name} is on a device that is neither the host nor pyopencl's (DLPack device type {device}); "
                    "copy it to the host",
                    "unsupported_type",
                    name,
                )
            array = numpy.from_dlpack(array)
        else:
            array = numpy.asarray(array)
    if array.dtype.hasobject:
        raise InvalidType(f"{name} has the dtype object; convert it with astype()", "unsupported_type", name)
    return numpy.asarray(array)


def native(array):
    """Returns an array in host memory in this machine's byte order."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def expect_array(out, name="C", argument="out"):
    """Raises InvalidType if an object that is written is no array."""
    if isinstance(out, numpy.ma.MaskedArray) or not (isinstance(out, numpy.ndarray) or is_opencl(out)):
        raise InvalidType(
            f"{argument} is written, so it must be an array of NumPy or pyopencl, not a {type(out).__name__}",
            "unsupported_type",
            name,
        )


def choice_of(variant=None, configuration=None):
    if not variant and not configuration:
        return None
    if not isinstance(variant, (str, type(None))) or not isinstance(configuration, (str, dict, type(None))):
        raise InvalidType("variant must be a str, and configuration a str or a dict")
    if isinstance(configuration, dict):
        configuration = ",".join(f"{key}={value}" for key, value in configuration.items())
    return ctypes.byref(structs.Choice(variant=(variant or "").encode(), configuration=(configuration or "").encode()))


class Place:
    """Calls of the C interface on one queue."""

    def call(self, name, problem, operands, choice=None, function=None):
        """Enqueues one call after the previous ones."""
        entry = getattr(library(), name)
        arguments = [self.engine.handle, self.queue]
        if function is not None:
            arguments.append(function)
        arguments += [ctypes.byref(problem), ctypes.byref(operands)]
        if len(entry.argtypes) == 8 and function is None:
            arguments.append(choice)
        self.enqueue(entry, arguments)


class HostPlace(Place):
    """Copies operands to a device, and the results back. The device's memory is released at the end."""

    is_device = False

    def __init__(self):
        self.engine = default_engine()
        self.queue = self.engine.queue()
        self.buffers = []
        self.sources = []

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is not None or self.sources:
            self.finish()
        for buffer in self.buffers:
            opencl().clReleaseMemObject(buffer)

    def finish(self):
        """Waits until no array in host memory is read."""
        opencl().clFinish(self.queue)
        self.sources.clear()

    def enqueue(self, entry, arguments):
        check(entry(*arguments, 0, None, None))

    def buffer(self, size):
        if size == 0:
            return None
        status = ctypes.c_int32()
        buffer = opencl().clCreateBuffer(self.engine.context, 1, size, None, ctypes.byref(status))
        expect(status.value, f"clCreateBuffer() of {size} bytes")
        self.buffers.append(buffer)
        return buffer

    def read(self, array, name):
        """Returns a copy of an operand, which may be overwritten. The array stays unchanged until a result is read."""
        is_column_major = array.ndim >= 2 and array.swapaxes(-1, -2).flags.c_contiguous
        source = array.swapaxes(-1, -2) if is_column_major else numpy.asarray(array, order="C")
        view = View(self.buffer(source.nbytes), 0, source.shape, dense_strides(source.shape), array.dtype)
        self.write(view, source)
        if not is_column_major:
            return view
        strides = view.strides
        return view.with_axes(array.shape, (*strides[:-2], strides[-1], strides[-2]))

    def write(self, view, array):
        """Copies an array to a C-contiguous view. The array stays unchanged until a result is read."""
        if view.buffer is None:
            return
        source = numpy.asarray(array, order="C")
        self.sources.append(source)
        status = opencl().clEnqueueWriteBuffer(
            self.queue, view.buffer, 0, 0, source.nbytes, source.ctypes.data, 0, None, None
        )
        expect(status, "clEnqueueWriteBuffer()")

    def make(self, shape, dtype):
        """Returns a new array, whose elements are undefined."""
        shape = tuple(shape)
        count = int(numpy.prod(shape, dtype=object))
        return View(self.buffer(count * dtype.itemsize), 0, shape, dense_strides(shape), dtype)

    def give(self, view, out=None):
        """Returns the elements of a result in host memory, in `out` if it is given."""
        direct = out is not None and out.flags.c_contiguous and out.dtype == view.dtype
        strides = dense_strides(view.shape)
        is_column_major = strides != view.strides and len(view.shape) >= 2
        shape = (*view.shape[:-2], view.shape[-1], view.shape[-2]) if is_column_major else view.shape
        result = out if direct and not is_column_major else numpy.empty(shape, view.dtype)
        if view.buffer is not None:
            status = opencl().clEnqueueReadBuffer(
                self.queue, view.buffer, 1, 0, result.nbytes, result.ctypes.data, 0, None, None
            )
            expect(status, "clEnqueueReadBuffer()")
            self.sources = []
        result = result.swapaxes(-1, -2) if is_column_major else result
        if out is not None and result is not out:
            out[...] = result
            return out
        return result


class ArrayPlace(Place):
    """Works on arrays of pyopencl. Nothing is waited for; each call waits on the device for the one before it."""

    is_device = True

    def __init__(self, arrays, queue=None, wait_for=None):
        queues = [queue] if queue is not None else [array.queue for array in arrays if array.queue is not None]
        if not queues:
            raise InvalidValue("no array has a queue; pass queue= or use with_queue()", "null_object")
        self.owner = queues[-1]
        self.queue = self.owner.int_ptr
        self.engine = engine_of_queue(self.owner)
        self.allocator = arrays[0].allocator
        self.waits = [event.int_ptr for event in wait_for or ()]
        self.kept = list(wait_for or ())
        self.event = None

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        pass

    def enqueue(self, entry, arguments):
        waits = (ctypes.c_void_p * len(self.waits))(*self.waits) if self.waits else None
        event = ctypes.c_void_p()
        check(entry(*arguments, len(self.waits), waits, ctypes.byref(event)))
        self.event = sys.modules["pyopencl"].Event.from_int_ptr(event.value, retain=False)
        self.waits = [event.value]

    def read(self, array, name):
        """Returns the view of an operand, for whose events the next call waits."""
        for event in array.events:
            self.waits.append(event.int_ptr)
            self.kept.append(event)
        return as_view(array, name)

    def make(self, shape, dtype):
        array = sys.modules["pyopencl.array"].empty(self.owner, tuple(shape), dtype, allocator=self.allocator)
        return as_view(array, "the result")

    def give(self, view, out=None):
        """Returns the array of a result, which is complete when its event is."""
        array = view.owner if out is None else out
        if self.event is not None:
            array.events[:] = [self.event]  # which completes after all others of this array
        return array


def place_of(arrays, queue=None, wait_for=None):
    """Returns the place for a call on these arrays, all of which are in host memory or all on one device."""
    kinds = {is_opencl(array) for array in arrays}
    if kinds == {True}:
        return ArrayPlace(arrays, queue, wait_for)
    if kinds == {False}:
        if queue is not None or wait_for is not None:
            raise InvalidType("queue and wait_for belong to arrays of pyopencl, but the arrays are in host memory")
        return HostPlace()
    raise InvalidType(
        "some arrays are on a device and others in host memory; move them to one place with "
        "pyopencl.array.to_device() or get()"
    )
