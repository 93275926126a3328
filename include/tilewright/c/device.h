// Devices: the list of all, the choice of one, and their properties.
#pragma once

#include "tilewright/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes all devices to `text`, as a JSON array in the order of the OpenCL loader. Each element is an object with the
/// members of tilewright_device_info(), and `index`, such as "0:1": the numbers of the platform and the device.
///
/// Fails with one of:
///   - TILEWRIGHT_NO_PLATFORM: no OpenCL library or platform is installed; the message says what to install
///   - TILEWRIGHT_DEVICE_LOST, TILEWRIGHT_OUT_OF_MEMORY, TILEWRIGHT_OPENCL_FAILURE: every platform failed
TILEWRIGHT_C_API tilewright_status tilewright_list_devices(char** text);

/// Writes the device that `wanted` names to `device`. If `wanted` is null or empty, the environment variable
/// TILEWRIGHT_DEVICE names the device. Without either, GPUs come before accelerators and CPUs, and more compute units
/// before fewer. A name is "platform:device", or a part of the device's, platform's or vendor's name in any case.
/// Fails with TILEWRIGHT_NO_PLATFORM or TILEWRIGHT_NO_DEVICE. Never falls back to a device that was not asked for.
TILEWRIGHT_C_API tilewright_status tilewright_pick_device(const char* wanted, cl_device_id* device);

/// Writes the properties of a device to `text`, as a JSON object. Its members have the names of DeviceProfile in
/// tilewright/device.hpp, for example
///   - `name`, `vendor`, `type`, `driver_version` and `extensions`
///   - `global_memory_bytes`, `max_allocation_bytes` and `local_memory_bytes`
///   - `compute_units`, `max_work_group_size`, `fp64`, `fp16` and `tensor_cores`
///
/// Fails with TILEWRIGHT_NULL_OBJECT, TILEWRIGHT_DEVICE_LOST or
/// TILEWRIGHT_OPENCL_FAILURE.
TILEWRIGHT_C_API tilewright_status tilewright_device_info(cl_device_id device, char** text);

#ifdef __cplusplus
}
#endif
