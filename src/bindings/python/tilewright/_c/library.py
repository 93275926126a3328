"""Opens libtilewright.so.1 when it is first needed."""

import ctypes
import json
import os
import pathlib

from ..errors import error_class
from . import drivers, structs
from .functions import FUNCTIONS
from .types import kind

FILE = "libtilewright.so.1"


def paths():
    """Returns where the library may be: a path from the environment, the package, and the system's directories."""
    wanted = os.environ.get("TILEWRIGHT_LIBRARY")
    if wanted:
        return [wanted]
    bundled = pathlib.Path(__file__).parent.parent / "lib" / FILE
    return [str(bundled)] if bundled.exists() else [FILE]


class Library:
    """The functions of the C library, whose types are set when they are first used."""

    def __init__(self):
        (path,) = paths()
        drivers.register()
        try:
            self.handle = ctypes.CDLL(path)
        except OSError as problem:
            raise ImportError(
                f"{FILE} cannot be opened: {problem}; install the wheel of tilewright, or name the library's file in "
                "the environment variable TILEWRIGHT_LIBRARY"
            ) from problem

    def __getattr__(self, name):
        try:
            returned, *arguments = FUNCTIONS[f"tilewright_{name}"].split()
        except KeyError:
            raise AttributeError(f"the C interface has no function tilewright_{name}()") from None
        function = getattr(self.handle, f"tilewright_{name}")
        function.restype = kind(returned)
        function.argtypes = [kind(argument) for argument in arguments]
        setattr(self, name, function)
        return function


loaded = None


def library():
    """Returns the C library, which the first call opens."""
    global loaded
    if loaded is None:
        loaded = Library()
    return loaded


def check(status):
    """Raises the exception for a status other than 0."""
    if status == 0:
        return
    last = structs.Error()
    functions = library()
    functions.last_error(ctypes.byref(last))
    code = functions.status_name(status).decode()
    message = (last.message or b"").decode(errors="replace") if last.status == status else code
    operand = (last.operand_name or b"").decode() if last.status == status else ""
    raise error_class(code)(message, code, operand, last.opencl_status)


def read_text(function, *arguments):
    """Calls a function whose last argument receives a text, and returns the text. JSON is decoded."""
    text = ctypes.c_void_p()
    status = function(*arguments, ctypes.byref(text))
    try:
        found = ctypes.string_at(text.value).decode() if text.value else ""
    finally:
        library().text_release(text)
    check(status)
    return json.loads(found) if found[:1] in ("{", "[") else found
