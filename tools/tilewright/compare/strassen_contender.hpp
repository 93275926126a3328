#pragma once

#include <memory>

#include "compare/contender.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// A plan of Strassen's method, enqueued again and again; its results are checked by the norm-wise bound that random
/// data keep to.
std::unique_ptr<Contender> make_strassen_contender(Workload& workload, StrassenPlan plan);

}  // namespace tilewright::tool
