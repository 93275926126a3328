#pragma once

#include <string>
#include <vector>

namespace tilewright::tool {

/// Names of the functions on vectors that bench measures: "axpy", "dot", ...
std::vector<std::string> vector_function_names();

}  // namespace tilewright::tool
