#pragma once

#include <string>

namespace tilewright::tool {

/// Returns the help on the shapes, times and counts of operations of LAPACK's functions.
std::string lapack_footer();

}  // namespace tilewright::tool
