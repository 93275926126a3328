"""Epilogues: what a product does with C before it is stored."""

from collections.abc import Mapping

import numpy

from ._c import constants, structs
from .dtypes import accumulator
from .errors import InvalidType, InvalidValue
from .places import expect_device, host_array, native
from .problem import named, whole_number
from .views import Batches, layout_of, stored_as

ACTIVATIONS = {
    None: 0,
    "relu": constants.ACTIVATION_RELU,
    "gelu": constants.ACTIVATION_GELU,
    "gelu_tanh": constants.ACTIVATION_GELU_TANH,
    "silu": constants.ACTIVATION_SILU,
}
EPILOGUE_ARRAYS = {"scale", "bias", "residual"}
EPILOGUE = {*EPILOGUE_ARRAYS, "activation", "zero_point"}


def expect_epilogue(options):
    """Raises if an epilogue is no dictionary of known parts."""
    if not isinstance(options, Mapping):
        raise InvalidType(
            f'epilogue is {options!r}, but it must be a dict, such as {{"activation": "relu"}}', "invalid_argument"
        )
    unknown = set(options) - EPILOGUE
    if unknown:
        names = ", ".join(sorted(map(repr, unknown)))
        raise InvalidValue(f"the epilogue has no {names}; it has {', '.join(sorted(EPILOGUE))}")


def vector_kind(vector, shape, name):
    """Returns what a vector of the epilogue belongs to: a column of m numbers, or a row of n."""
    if vector.shape == (shape.m, 1):
        return constants.EPILOGUE_PER_ROW
    if vector.shape in ((shape.n,), (1, shape.n)):
        return constants.EPILOGUE_PER_COLUMN
    raise InvalidValue(
        f"{name} has the shape {vector.shape}, but it must be ({shape.n},) for the columns of C or ({shape.m}, 1) for "
        "its rows",
        "invalid_argument",
        name,
    )


def operand_of(place, array, name):
    """Returns an operand of the epilogue in the memory of the other operands."""
    if not place.is_device:
        return native(host_array(array, name))
    expect_device(array, name)
    return array


def stored_like(residual, layout):
    """Returns a matrix in host memory in the layout of C."""
    if layout == constants.ROW_MAJOR:
        return numpy.ascontiguousarray(residual)
    return numpy.ascontiguousarray(residual.swapaxes(-1, -2)).swapaxes(-1, -2)


def read_epilogue(place, options, shape, c, dtype):
    """Returns the epilogue's struct and its operands, a dictionary, for a product of elements of `dtype`."""
    expect_epilogue(options)
    epilogue = structs.GemmEpilogue(
        activation=named(ACTIVATIONS, options.get("activation"), "activation"),
        zero_point=whole_number(options.get("zero_point", 0), "zero_point", -(2**31), 2**31 - 1),
    )
    operands = {}
    for name in ("scale", "bias"):
        vector = options.get(name)
        if vector is None:
            continue
        vector = operand_of(place, vector, name)
        wanted = accumulator(dtype)
        if vector.dtype != wanted:
            raise InvalidType(f"{name} has the dtype {vector.dtype}, but it must be {wanted}", "unsupported_type", name)
        setattr(epilogue, name, vector_kind(vector, shape, name))
        view = place.read(vector if place.is_device else numpy.ascontiguousarray(vector), name)
        axis = 0 if vector.shape == (shape.m, 1) else -1
        if vector.shape[axis] > 1 and view.strides[axis] != 1:
            raise InvalidValue(f"{name} has gaps between its elements; copy it", "invalid_increment", name)
        operands[name] = view
    residual = options.get("residual")
    if residual is not None:
        residual = operand_of(place, residual, "residual")
        if residual.shape not in (shape.result, shape.result[-2:]) or residual.dtype != c.dtype:
            raise InvalidValue(
                f"the residual has the shape {residual.shape} and the dtype {residual.dtype}, but it must have those "
                f"of C, {shape.result} and {c.dtype}",
                "invalid_argument",
                "residual",
            )
        layout, _ = layout_of(c, "C")
        view = place.read(residual if place.is_device else stored_like(residual, layout), "residual")
        trans, epilogue.ldr = stored_as(view, constants.NO_TRANS, layout, "residual")
        if trans != constants.NO_TRANS:
            raise InvalidValue("the residual must be in the order of C; copy it", "invalid_argument", "residual")
        strides = Batches(shape.lead, [view]).strides()
        epilogue.residual, epilogue.stride_residual = 1, strides[0] if strides else 0
        operands["residual"] = view
    return epilogue, operands
