"""Products of matrices in host memory that may be larger than the device's memory."""

import ctypes
import math
import threading

import numpy

from ._c import check, constants, library, structs
from .dtypes import code_of
from .errors import InvalidType
from .problem import scalar
from .progress import Reporter
from .views import View, stored_as

TYPES = {"float32", "float64"}
COPY_THREADS = 4  # as the BLAS has
# Smaller products take one call of a kernel: a schedule of tiles costs more than it gains. Tiles that are copied need
# pinned memory, which takes long to allocate. Tiles in place took 3 to 14 % longer on two cores for 2e9 to 2e10
# operations, and 1 % for 5e10. A call of a kernel cannot be interrupted: 1e11 operations take less than a second there.
LEAST_FLOPS, LEAST_FLOPS_IN_PLACE = 1e10, 1e11


def goes_by_tiles(engine, a, b, shape, dtype, progress, accuracy, epilogue, choice):
    """Returns whether a product is computed by tiles: if it reports progress, or if its size makes that faster."""
    can = a.dtype.name in TYPES and dtype == a.dtype and not epilogue and not choice and accuracy == "full"
    if progress is not None:
        if not can:
            raise InvalidType(
                "progress is possible for float32 and float64 without an epilogue, with the accuracy full, and without "
                "a chosen kernel",
                "unsupported_type",
            )
        return math.prod(shape.result) > 0
    if not can or not math.prod(shape.result):
        return False
    flops = 2 * shape.m * shape.n * shape.k
    if flops >= (LEAST_FLOPS_IN_PLACE if engine.shares_memory() else LEAST_FLOPS):
        return True
    info = engine.info()
    sizes = (a.nbytes, b.nbytes, math.prod(shape.result) * dtype.itemsize)
    return max(sizes) > info["max_allocation_bytes"] or sum(sizes) > info["global_memory_bytes"] // 2


def reporter_of(progress, number, count):
    """Returns the reporter of one product of a batch, or None.

    In the main thread there is always one, so that an interrupt from the keyboard ends the product after a tile.
    """
    if progress is None and threading.current_thread() is not threading.main_thread():
        return None

    def report(found):
        return progress((number + found.work_done) / count) if progress is not None else False

    return Reporter(structs.OutOfCoreProgress, report)


def matrices(array, lead):
    """Returns the matrices of a batch as arrays of two axes, in contiguous rows or columns."""
    item = array.dtype.itemsize
    array = numpy.broadcast_to(array, (*lead, *array.shape[-2:]))
    for index in numpy.ndindex(*lead):
        matrix = array[index]
        steps = tuple(step // item for step in matrix.strides)
        usable = matrix.flags.aligned and not any(step % item for step in matrix.strides)
        rows, columns = matrix.shape
        is_row_major = (columns <= 1 or steps[1] == 1) and (rows <= 1 or steps[0] >= columns)
        is_column_major = (rows <= 1 or steps[0] == 1) and (columns <= 1 or steps[1] >= rows)
        yield matrix if usable and (is_row_major or is_column_major) else numpy.array(matrix, order="C")


def view_of(matrix):
    steps = tuple(step // matrix.dtype.itemsize for step in matrix.strides)
    return View(None, 0, matrix.shape, steps, matrix.dtype)


class IdlePlans:
    """Plans of products in place that no thread runs now. They keep little memory."""

    MOST = 8

    def __init__(self):
        self.lock = threading.Lock()
        self.plans = {}

    def take(self, key):
        """Returns a plan that only the caller may run, or None."""
        with self.lock:
            return self.plans.pop(key, None)

    def put(self, key, plan):
        with self.lock:
            surplus = [self.plans.pop(key, None)]
            self.plans[key] = plan  # now the last one
            if len(self.plans) > self.MOST:
                surplus.append(self.plans.pop(next(iter(self.plans))))
        for old in surplus:
            library().host_plan_release(old)


idle_plans = IdlePlans()


def run(engine, problem, operands, callbacks):
    """Runs a product and returns its status. Repeated products in place find their plan made."""
    functions = library()
    options = ctypes.byref(structs.OutOfCoreOptions(copy_threads=COPY_THREADS))
    problem_reference, operands_reference = ctypes.byref(problem), ctypes.byref(operands)
    if not engine.shares_memory():
        return functions.gemm_out_of_core(
            engine.handle, problem_reference, operands_reference, options, callbacks, None
        )
    key = engine.handle, *(getattr(problem, name) for name, _ in problem._fields_[:-2])  # no batch, no epilogue
    plan = idle_plans.take(key)
    if plan is None:
        plan = ctypes.c_void_p()
        check(functions.host_plan_create(engine.handle, problem_reference, options, ctypes.byref(plan)))
    status = functions.host_plan_run(plan, operands_reference, callbacks, None)
    if status == constants.SUCCESS:
        idle_plans.put(key, plan)
    else:
        functions.host_plan_release(plan)  # which does not change the last error
    return status


def product_out_of_core(engine, a, b, out, shape, alpha, beta, trans_a, trans_b, progress):
    """Computes a product, or one after another those of a batch."""
    result = numpy.empty(shape.result, a.dtype) if out is None else out
    whole = numpy.asarray(result)  # a numpy.matrix could not have the axes below
    target = whole if whole.flags.c_contiguous and whole.flags.aligned else numpy.array(whole, order="C")
    scalars = [scalar(alpha, a.dtype, "alpha"), scalar(beta, a.dtype, "beta")]
    count = math.prod(shape.lead)
    products = zip(matrices(a, shape.lead), matrices(b, shape.lead), target.reshape(-1, shape.m, shape.n))
    for number, (matrix_a, matrix_b, matrix_c) in enumerate(products):
        trans = [
            stored_as(view_of(matrix), op, constants.ROW_MAJOR, name)
            for matrix, op, name in ((matrix_a, trans_a, "A"), (matrix_b, trans_b, "B"))
        ]
        problem = structs.GemmProblem(
            type=code_of(a.dtype),
            trans_a=trans[0][0],
            trans_b=trans[1][0],
            m=shape.m,
            n=shape.n,
            k=shape.k,
            lda=trans[0][1],
            ldb=trans[1][1],
        )
        operands = structs.HostOperands(
            alpha=scalars[0],
            beta=scalars[1],
            a=matrix_a.ctypes.data,
            b=matrix_b.ctypes.data,
            c=matrix_c.ctypes.data,
        )
        reporter = reporter_of(progress, number, count)
        if reporter is None:
            check(run(engine, problem, operands, None))
            continue
        callbacks = structs.OutOfCoreCallbacks(progress=reporter.pointer)
        with reporter:
            status = run(engine, problem, operands, ctypes.byref(callbacks))
        reporter.raise_problem()
        check(status)
    if target is not whole:
        result[...] = target
    return result
