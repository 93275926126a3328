"""Where calls for arrays in host memory work: on copies of them, or in place if the device is the host's processor."""

import ctypes

import numpy

from ._c import check, constants, library
from ._c.opencl import expect, opencl
from .engines import default_engine
from .errors import InvalidType
from .views import View, dense_strides, leading_dimension

READ_WRITE, READ_ONLY, USE_HOST_PTR, MAP_READ = 1, 4, 8, 1  # OpenCL's flags


def is_by_columns(array):
    """Returns whether the matrices of an array have contiguous columns and follow each other without gaps."""
    return array.ndim >= 2 and array.swapaxes(-1, -2).flags.c_contiguous


def with_exchanged_axes(view):
    """Returns a view whose last two axes are exchanged."""
    (*lead, rows, columns), (*steps, outer, inner) = view.shape, view.strides
    return view.with_axes((*lead, columns, rows), (*steps, inner, outer))


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


def expect_host(array, name):
    if not isinstance(array, numpy.ndarray):
        raise InvalidType(
            f"{name} is a {type(array).__name__}, but the other operands are in host memory; move them to one place",
            "unsupported_type",
            name,
        )


class HostPlace(Place):
    """Copies operands to a device, and the results back. The device's memory is released at the end."""

    is_device = False

    def __init__(self, engine):
        self.engine = engine
        self.queue = engine.queue()
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
        """Waits until no array in host memory is used."""
        opencl().clFinish(self.queue)
        self.sources.clear()

    def enqueue(self, entry, arguments):
        check(entry(*arguments, 0, None, None))

    def buffer(self, size, flags=READ_WRITE, data=None):
        if size == 0:
            return None
        status = ctypes.c_int32()
        buffer = opencl().clCreateBuffer(self.engine.context, flags, size, data, ctypes.byref(status))
        expect(status.value, f"clCreateBuffer() of {size} bytes")
        self.buffers.append(buffer)
        return buffer

    def read(self, array, name):
        """Returns a view of an operand, which is only read. The array stays unchanged until a result is read."""
        expect_host(array, name)
        by_columns = is_by_columns(array)
        source = array.swapaxes(-1, -2) if by_columns else numpy.asarray(array, order="C")
        view = View(self.buffer(source.nbytes), 0, source.shape, dense_strides(source.shape), array.dtype)
        self.write(view, source)
        return with_exchanged_axes(view) if by_columns else view

    def copy(self, array, name):
        """Returns a C-contiguous copy of an operand, which may be overwritten."""
        expect_host(array, name)
        return self.read(numpy.asarray(array, order="C"), name)

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

    def make(self, shape, dtype, by_columns=False):
        """Returns a new C-contiguous array, whose elements are undefined."""
        shape = tuple(shape)
        count = int(numpy.prod(shape, dtype=object))
        return View(self.buffer(count * dtype.itemsize), 0, shape, dense_strides(shape), dtype)

    def output(self, out, is_read, name="C", layouts=()):
        """Returns a view for the new elements of `out`. It has the old ones if they are read."""
        return self.copy(out, name) if is_read else self.make(out.shape, out.dtype)

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


def element_strides(array):
    """Returns the strides of an array in elements, or None if it is not aligned or a stride ends inside an element."""
    size = array.dtype.itemsize
    if not array.flags.aligned or any(step % size for step in array.strides):
        return None
    return tuple(0 if length <= 1 else step // size for length, step in zip(array.shape, array.strides))


class SharedPlace(HostPlace):
    """Works on arrays in host memory in place: each gets a buffer over its memory, and nothing is copied.

    OpenCL does not define what commands do with two buffers over the same memory. An array inside another one uses
    that one's buffer. Other arrays that overlap are copied.
    """

    def __init__(self, engine):
        super().__init__(engine)
        self.ranges = []  # (first byte, end, buffer, whether it is written, array)
        self.is_busy = False

    def __exit__(self, kind, problem, trace):
        if self.is_busy:
            self.finish()
        super().__exit__(None, None, None)

    def finish(self):
        super().finish()
        self.is_busy = False

    def enqueue(self, entry, arguments):
        self.is_busy = True
        super().enqueue(entry, arguments)

    def share(self, array, strides, is_written):
        """Returns a view of an array's own memory, or None if its bytes overlap with those of another operand."""
        size = array.dtype.itemsize
        if array.size == 0:
            return View(None, 0, array.shape, dense_strides(array.shape), array.dtype, array)
        begin = array.ctypes.data
        end = begin + (sum((length - 1) * step for length, step in zip(array.shape, strides)) + 1) * size
        buffer, offset = None, 0
        for first, last, known, is_output, _ in self.ranges:
            if end <= first or last <= begin:
                continue
            if is_written or is_output or begin < first or last < end or (begin - first) % size:
                return None
            buffer, offset = known, (begin - first) // size
        if buffer is None:
            flags = USE_HOST_PTR | (READ_WRITE if is_written else READ_ONLY)
            buffer = self.buffer(end - begin, flags, begin)
            self.ranges.append((begin, end, buffer, is_written, array))
        return View(buffer, offset, array.shape, strides, array.dtype, array)

    def read(self, array, name):
        """Returns a view of an operand, which is only read. The array stays unchanged until the place is left."""
        expect_host(array, name)
        strides = element_strides(array)
        if strides is not None and min(strides, default=0) >= 0:
            view = View(None, 0, array.shape, strides, array.dtype)
            layouts = (constants.ROW_MAJOR, constants.COLUMN_MAJOR)
            if array.ndim < 2 or any(leading_dimension(view, layout) is not None for layout in layouts):
                found = self.share(array, strides, False)
                if found is not None:
                    return found
        if is_by_columns(array):  # so that a residual stays in the order of C
            return with_exchanged_axes(self.copy(array.swapaxes(-1, -2), name))
        return self.copy(array, name)

    def copy(self, array, name):
        """Returns a C-contiguous copy of an operand, which may be overwritten."""
        expect_host(array, name)
        return self.owned(numpy.array(array, order="C", subok=False))

    def make(self, shape, dtype, by_columns=False):
        """Returns a new C-contiguous array, whose elements are undefined."""
        return self.owned(numpy.empty(tuple(shape), dtype))

    def owned(self, array):
        return self.share(array, dense_strides(array.shape), True)

    def output(self, out, is_read, name="C", layouts=()):
        """Returns a view for the new elements of `out`, which is `out` itself if it is stored as kernels can write it.

        Arrays in one of `layouts` may have gaps between their rows or columns; others must be C-contiguous.
        """
        array, strides = numpy.asarray(out), None
        if array.flags.aligned and array.flags.c_contiguous:
            strides = dense_strides(array.shape)
        elif array.ndim == 2 and layouts:
            strides = element_strides(array)
            if strides is not None:
                view = View(None, 0, array.shape, strides, array.dtype)
                is_stored = min(strides) >= 0 and any(leading_dimension(view, one) is not None for one in layouts)
                strides = strides if is_stored else None
        view = self.share(array, strides, True) if strides is not None else None
        return view if view is not None else super().output(out, is_read, name)

    def write(self, view, array):
        raise NotImplementedError("arrays are used in place")

    def give(self, view, out=None):
        """Returns the elements of a result in host memory, in `out` if it is given."""
        result = view.owner
        if view.buffer is not None:
            self.wait_for(view.buffer)
        if out is not None and numpy.may_share_memory(result, out):
            return out
        if view.shape != result.shape or view.strides != dense_strides(view.shape):
            strides = tuple(step * view.dtype.itemsize for step in view.strides)
            result = numpy.lib.stride_tricks.as_strided(result, view.shape, strides)
        if out is None:
            return result
        out[...] = result
        return out

    def wait_for(self, buffer):
        """Waits for the commands before; the host sees the results of kernels only in mapped memory."""
        (size,) = [last - first for first, last, known, *_ in self.ranges if known == buffer]
        status = ctypes.c_int32()
        mapped = opencl().clEnqueueMapBuffer(
            self.queue, buffer, 1, MAP_READ, 0, size, 0, None, None, ctypes.byref(status)
        )
        expect(status.value, "clEnqueueMapBuffer()")
        expect(opencl().clEnqueueUnmapMemObject(self.queue, buffer, mapped, 0, None, None), "clEnqueueUnmapMemObject()")
        self.is_busy = True  # until it is unmapped


def host_place():
    """Returns a place for arrays in host memory on the default device."""
    engine = default_engine()
    return SharedPlace(engine) if engine.shares_memory() else HostPlace(engine)
