#pragma once

#include <memory>

#include "compare/contender.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// Enqueues the same Strassen plan for every call. Its results are checked against the norm-wise bound for random data.
std::unique_ptr<Contender> make_strassen_contender(Workload& workload, StrassenPlan plan);

}  // namespace tilewright::tool
