// Ways to compute a workload's product. They keep a reference to the workload.
#pragma once

#include "compare/contender.hpp"
#include "compare/workload.hpp"
#include "tilewright/device_group.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// Enqueues the same plan for every call.
Contender plan_contender(Workload& workload, GemmPlan plan);

/// Calls gemm() for every product. Measures its overhead over a plan.
Contender gemm_contender(Workload& workload, const Choice& choice = {});

/// Enqueues a plan whose B is packed once, before the first call.
Contender packed_contender(Workload& workload, GemmPlan plan);

/// Enqueues the same Strassen plan for every call. Its results are checked against the norm-wise bound for random data.
Contender strassen_contender(Workload& workload, StrassenPlan plan);

/// Multiplies the workload's matrices in host memory on a group of devices. Each call overwrites `report`.
Contender group_contender(Workload& workload, const DeviceGroup& group, const DeviceGroupOptions& options,
                          DeviceGroupReport& report);

}  // namespace tilewright::tool
