#pragma once

#include "spmm/variant.hpp"

namespace tilewright::detail {

/// Makes launches for a row-major B (with_rows_of_b()) read a copy of a column-major B. Adds the launch that makes the
/// copy, and its workspace. Does nothing if B is row-major.
void read_rows_of_b(const SpmmCore& core, const DeviceProfile& device, std::vector<Launch>& launches,
                    std::vector<Workspace>& workspaces);

}  // namespace tilewright::detail
