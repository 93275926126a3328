"""Devices, engines and queues."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Optional

from ._c import check, library, read_text
from ._c.opencl import expect, opencl
from .errors import Error, InvalidType, InvalidValue
from .problem import encoded


class Engine:
    """An engine of the C interface and its context. Engines live as long as the process, as drivers require."""

    def __init__(self, handle):
        self.handle = handle
        functions = library()
        context, device = ctypes.c_void_p(), ctypes.c_void_p()
        check(functions.engine_context(handle, ctypes.byref(context)))
        check(functions.engine_device(handle, ctypes.byref(device)))
        self.context, self.device = context.value, device.value
        self.lock = threading.Lock()
        self.host_queue = None
        self.information = None
        if state.cache is not None:
            self.set_cache(state.cache)

    def set_cache(self, options):
        check(library().engine_set_cache(self.handle, ctypes.byref(options)))

    def queue(self):
        """Returns the handle of the in-order queue for arrays in host memory."""
        with self.lock:
            if self.host_queue is None:
                status = ctypes.c_int32()
                queue = opencl().clCreateCommandQueue(self.context, self.device, 0, ctypes.byref(status))
                expect(status.value, "clCreateCommandQueue()")
                self.host_queue = queue
            return self.host_queue

    def info(self):
        """Returns the properties of the device."""
        if self.information is None:
            self.information = read_text(library().device_info, self.device)
        return self.information

    def shares_memory(self):
        """Returns whether kernels can use arrays in host memory in place: the device is the host's processor."""
        info = self.info()
        return info["type"] == "CPU" and not info["aligned_buffers"] and info["vendor"] != "Oclgrind"


class State:
    """The engines of this process."""

    def __init__(self):
        self.lock = threading.RLock()
        self.wanted = None
        self.default = None
        self.of_contexts = {}
        self.is_orphan = False
        self.cache = None


state = State()


def forget_parent():
    # A driver does not survive fork(). A child may use its own engine only if the parent had none.
    used = state.default is not None or bool(state.of_contexts) or state.is_orphan
    wanted, cache = state.wanted, state.cache
    state.__init__()
    state.is_orphan, state.wanted, state.cache = used, wanted, cache


os.register_at_fork(after_in_child=forget_parent)


def expect_own_process():
    if state.is_orphan:
        raise Error(
            "this process was forked from one that had already used OpenCL, whose drivers do not survive fork(); "
            "start it by spawn or forkserver, or call tilewright first in the child",
            "device_lost",
        )


def default_engine():
    """Returns the engine for arrays in host memory."""
    engine = state.default
    if engine is not None:
        return engine
    expect_own_process()
    with state.lock:
        if state.default is None:
            functions = library()
            device, handle = ctypes.c_void_p(), ctypes.c_void_p()
            name = state.wanted.encode() if state.wanted else None
            check(functions.pick_device(name, ctypes.byref(device)))
            check(functions.engine_create_for_device(device, ctypes.byref(handle)))
            state.default = Engine(handle.value)
        return state.default


def engine_of_queue(queue):
    """Returns the engine for the context and device of a pyopencl queue. Engines keep their context alive."""
    try:
        key = (queue.context.int_ptr, queue.device.int_ptr)
    except AttributeError:
        raise InvalidType(
            f"queue is a {type(queue).__name__}, but it must be a pyopencl.CommandQueue", "invalid_argument"
        ) from None
    engine = state.of_contexts.get(key)
    if engine is None:
        expect_own_process()
        with state.lock:
            engine = state.of_contexts.get(key)
            if engine is None:
                handle = ctypes.c_void_p()
                check(library().engine_from_queue(queue.int_ptr, ctypes.byref(handle)))
                engine = state.of_contexts[key] = Engine(handle.value)
    return engine


def set_cache(options):
    """Sets the cache of all engines of this process, those that exist and new ones."""
    with state.lock:
        for engine in (state.default, *state.of_contexts.values()):
            if engine is not None:
                engine.set_cache(options)
        state.cache = options


def devices() -> list[dict]:
    """Return the properties of all OpenCL devices.

    Returns
    -------
    list of dict
        Each has `index`, such as ``"0:1"``, `name`, `type`, `global_memory_bytes`, `fp64` and others.

    Raises
    ------
    Error
        With the code ``"no_platform"`` if there is no OpenCL library or driver. The message says what to install.
    """
    expect_own_process()
    return read_text(library().list_devices)


def use_device(name: Optional[str]) -> None:
    """Choose the device for arrays in host memory.

    Arrays of pyopencl are multiplied on their own device.

    Parameters
    ----------
    name : str or None
        An `index` of `devices()`, or a part of the device's, platform's or vendor's name. None: the device that the
        environment variable ``TILEWRIGHT_DEVICE`` names, otherwise a GPU if there is one.

    Raises
    ------
    InvalidType, InvalidValue
        `name` is no str, or empty.
    Error
        With the code ``"no_device"`` if no device has this name. The device stays what it was.
    """
    if name is not None and not isinstance(name, str):
        raise InvalidType(
            f"the device is {name!r}, but it must be a str, such as the index \"0:0\" of devices()", "invalid_argument"
        )
    if name == "":
        raise InvalidValue("the name of the device is empty; pass None for the default device")
    if name is not None:
        encoded(name, "the device")
    with state.lock:
        previous = state.wanted, state.default
        state.wanted, state.default = name, None
        try:
            default_engine()
        except BaseException:
            state.wanted, state.default = previous
            raise
