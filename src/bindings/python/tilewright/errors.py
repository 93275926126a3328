"""Exceptions."""


class Error(Exception):
    """A failure of the library.

    Attributes
    ----------
    code : str
        The name of the status, such as ``"overlapping_operands"``.
    operand : str
        The operand that is wrong, such as ``"A"``; empty if no single operand is wrong.
    opencl_status : int
        The status of the OpenCL call that failed, or 0.
    """

    def __init__(self, message, code="invalid_argument", operand="", opencl_status=0):
        super().__init__(message)
        self.code = code
        self.operand = operand
        self.opencl_status = opencl_status

    def __reduce__(self):
        return type(self), (str(self), self.code, self.operand, self.opencl_status)


class InvalidValue(Error, ValueError):
    """An argument has the right type but an impossible value."""


class InvalidType(Error, TypeError):
    """An argument has a type that the operation or the device lacks."""


class OutOfMemory(Error, MemoryError):
    """The device or the host has too little memory."""


VALUES = {
    "size_overflow",
    "invalid_leading_dimension",
    "invalid_increment",
    "invalid_offset",
    "buffer_too_small",
    "invalid_batch",
    "invalid_scalar",
    "invalid_structure",
    "overlapping_operands",
    "invalid_argument",
    "invalid_configuration",
    "unknown_variant",
    "unknown_parameter",
    "unsupported_variant",
    "unsuitable_packed_matrix",
    "foreign_object",
    "null_object",
    "invalid_buffer",
}


def error_class(code):
    """Returns the exception class for the name of a status."""
    if code == "out_of_memory":
        return OutOfMemory
    if code == "unsupported_type":
        return InvalidType
    return InvalidValue if code in VALUES else Error
