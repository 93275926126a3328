"""Plans with epilogues."""

import numpy
import pytest


def expected(a, b, bias, residual):
    return numpy.maximum(a.astype("f8") @ b + bias, 0) + residual


def test_epilogues_of_plans(tw, bounds, monkeypatch):
    from tilewright import engines

    a, b = bounds.array((2, 4, 6), "f4"), bounds.array((6, 5), "f4")
    bias, residual = bounds.array(5, "f4"), bounds.array((2, 4, 5), "f4")
    for is_shared in {False, engines.default_engine().shares_memory()}:
        monkeypatch.setattr(engines.default_engine(), "shares_memory", lambda is_shared=is_shared: is_shared)
        given = {"bias": bias.copy(), "activation": "relu", "residual": residual.copy()}
        plan = tw.Plan(a.shape, b.shape, "f4", epilogue=given)
        given["bias"][...] = 99  # copied when the plan was made
        for _ in range(3):
            numpy.testing.assert_allclose(plan(a, b), expected(a, b, bias, residual), atol=1e-5)
        found = tw.Plan(a.shape, b.shape, "f4", epilogue={"activation": "relu"})(a, b)
        numpy.testing.assert_allclose(found, expected(a, b, 0, 0), atol=1e-5)
    with pytest.raises(ValueError, match="bias"):
        tw.Plan(a.shape, b.shape, "f4", epilogue={"bias": numpy.ones(3, "f4")})
    for wrong in ("relu", ["bias"]):
        with pytest.raises(TypeError, match="must be a dict"):
            tw.Plan(a.shape, b.shape, "f4", epilogue=wrong)


def test_epilogues_of_plans_on_a_device(tw, queue, bounds):
    cl, arrays = pytest.importorskip("pyopencl"), pytest.importorskip("pyopencl.array")
    a, b = bounds.array((4, 6), "f4"), bounds.array((6, 5), "f4")
    bias, residual = bounds.array(5, "f4"), bounds.array((4, 5), "f4")
    device = [arrays.to_device(queue, array) for array in (a, b, bias, residual)]
    epilogue = {"bias": device[2], "activation": "relu", "residual": device[3]}
    plan = tw.Plan(a.shape, b.shape, "f4", queue=queue, epilogue=epilogue)
    for _ in range(2):
        numpy.testing.assert_allclose(plan(*device[:2]).get(), expected(a, b, bias, residual), atol=1e-5)
    device[2].fill(2)  # read by each call
    numpy.testing.assert_allclose(plan(*device[:2]).get(), expected(a, b, 2, residual), atol=1e-5)
    gate = cl.UserEvent(queue.context)
    device[2].add_event(gate)  # waited for on the device
    result = plan(*device[:2])
    assert result.events[-1].command_execution_status > cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    numpy.testing.assert_allclose(result.get(), expected(a, b, 2, residual), atol=1e-5)
    with pytest.raises(TypeError, match="array of pyopencl|arrays of pyopencl"):
        tw.Plan(a.shape, b.shape, "f4", queue=queue, epilogue={"bias": bias})
    with pytest.raises(TypeError, match="host memory"):
        tw.Plan(a.shape, b.shape, "f4", epilogue={"bias": device[2]})
