"""ctypes for the short names of types in the generated modules."""

import ctypes

KINDS = {
    "none": None,
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "f64": ctypes.c_double,
    "str": ctypes.c_char_p,
    "ptr": ctypes.c_void_p,
}


class Struct(ctypes.Structure):
    """A struct of the C interface that knows its size. Members that are not given are 0, which means the default."""

    def __init__(self, **members):
        super().__init__(**members)
        if self._fields_[0][0] == "struct_size":
            self.struct_size = ctypes.sizeof(self)


def kind(name):
    """Returns the ctype of a short name, in which each star in front is a pointer."""
    if name.startswith("*"):
        return ctypes.POINTER(kind(name[1:]))
    return KINDS[name]


def struct(c_name, members):
    """Returns the class of a struct from a list such as "u32 struct_size, *Batch batch"."""
    name = "".join(word.capitalize() for word in c_name.removeprefix("tilewright_").split("_"))
    fields = [(member, kind(declared)) for declared, member in (text.split() for text in members.split(","))]
    KINDS[name] = type(name, (Struct,), {"_fields_": fields, "c_name": c_name, "__slots__": ()})
    return KINDS[name]
