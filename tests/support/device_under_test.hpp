#pragma once

#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::test {

/// The device that every test runs on: TILEWRIGHT_DEVICE, else the best one there.
const Device& device_under_test();

/// One engine for the whole run, so that every program is compiled once.
const Engine& shared_engine();

/// The shared engine's context, with a reference of its own.
cl::Context shared_context();

/// A new queue on the shared engine's context and device.
cl::CommandQueue make_queue(cl_command_queue_properties properties = 0);

/// Whether the device has queues that reorder commands.
bool has_out_of_order_queues();

}  // namespace tilewright::test
