#pragma once

#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::test {

/// The device that every test runs on: TILEWRIGHT_DEVICE, or the best device.
const Device& device_under_test();

/// The engine of the whole run, so that every program is compiled once.
const Engine& shared_engine();

/// The shared engine's context, retained.
cl::Context shared_context();

/// A new queue on the shared engine's context and device.
cl::CommandQueue make_queue(cl_command_queue_properties properties = 0);

/// Whether the device has out-of-order queues.
bool has_out_of_order_queues();

}  // namespace tilewright::test
