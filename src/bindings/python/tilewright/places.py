"""Arrays that the functions take, and where a call works: in host memory, or on arrays of pyopencl."""

import ctypes
import sys

import numpy

from ._c import check, structs
from .engines import engine_of_queue
from .errors import InvalidType, InvalidValue
from .host_places import Place, host_place
from .problem import encoded
from .views import as_view

HOSTS = {1, 3}  # DLPack's kDLCPU and kDLCUDAHost
OPENCL = 4  # kDLOpenCL


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
    if is_opencl(array):
        raise InvalidType(
            f"{name} is an array of pyopencl, but other operands are in host memory; move them to one place with "
            "pyopencl.array.to_device() or get()",
            "unsupported_type",
            name,
        )
    if not isinstance(array, numpy.ndarray):
        if hasattr(array, "__dlpack_device__") and not hasattr(array, "__array_interface__"):
            device = int(array.__dlpack_device__()[0])
            if device not in HOSTS:
                kind = "in OpenCL's memory" if device == OPENCL else f"on a device of the DLPack type {device}"
                remedy = "pass it as an array of pyopencl" if device == OPENCL else "copy it to the host"
                raise InvalidType(f"{name} is {kind}; {remedy}", "unsupported_type", name)
            try:
                array = numpy.from_dlpack(array)
            except (BufferError, RuntimeError) as problem:  # of its dtype, byte order or strides
                raise InvalidType(
                    f"{name} cannot be read by DLPack: {problem}; convert it to an array of NumPy",
                    "unsupported_type",
                    name,
                ) from problem
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


def expect_device(array, name):
    """Raises InvalidType if an operand is no array of pyopencl, although others are."""
    if not is_opencl(array):
        raise InvalidType(
            f"{name} is a {type(array).__name__}, but other operands are arrays of pyopencl; move them to one place "
            "with pyopencl.array.to_device() or get()",
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
    return ctypes.byref(
        structs.Choice(
            variant=encoded(variant or "", "variant"), configuration=encoded(configuration or "", "configuration")
        )
    )


class ArrayPlace(Place):
    """Works on arrays of pyopencl. Nothing is waited for; each call waits on the device for the one before it."""

    is_device = True

    def __init__(self, arrays, queue=None, wait_for=None):
        queues = [queue] if queue is not None else [array.queue for array in arrays if array.queue is not None]
        if not queues:
            raise InvalidValue("no array has a queue; pass queue= or use with_queue()", "null_object")
        self.owner = queues[-1]
        self.engine = engine_of_queue(self.owner)
        self.queue = self.owner.int_ptr
        self.allocator = arrays[0].allocator if arrays else None
        try:
            self.kept = list(() if wait_for is None else wait_for)
            self.waits = [event.int_ptr for event in self.kept]
        except (AttributeError, TypeError):
            raise InvalidType(
                f"wait_for is {wait_for!r}, but it must be a list of pyopencl.Event", "invalid_argument"
            ) from None
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
        expect_device(array, name)
        for event in array.events:
            self.waits.append(event.int_ptr)
            self.kept.append(event)
        return as_view(array, name)

    def make(self, shape, dtype, by_columns=False):
        """Returns a new array, whose elements are undefined; with contiguous columns, or else rows."""
        shape = tuple(shape)
        stored = (*shape[:-2], shape[-1], shape[-2]) if by_columns else shape
        array = sys.modules["pyopencl.array"].empty(self.owner, stored, dtype, allocator=self.allocator)
        if by_columns:
            lead = len(shape) - 2
            array = array.transpose((*range(lead), lead + 1, lead))
        return as_view(array, "the result")

    def output(self, out, is_read, name="C", layouts=()):
        """Returns the view of an array that is written."""
        return self.read(out, name)

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
        return host_place()
    raise InvalidType(
        "some arrays are on a device and others in host memory; move them to one place with "
        "pyopencl.array.to_device() or get()"
    )
