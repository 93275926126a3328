// Factories of other libraries' contenders. Each library has its own file, built only if the library is found.
#pragma once

#include <memory>

#include "compare/contender.hpp"

namespace tilewright::tool {

std::unique_ptr<Contender> make_clblast(Workload& workload);
std::unique_ptr<Contender> make_openblas(Workload& workload);

}  // namespace tilewright::tool
