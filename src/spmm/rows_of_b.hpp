#pragma once

#include "spmm/variant.hpp"

namespace tilewright::detail {

/// Where B is column-major, makes launches that are made for a row-major one (with_rows_of_b()) read a copy, and adds
/// the launch that makes it and the workspace that it lies in.
void read_rows_of_b(const SpmmCore& core, const DeviceProfile& device, std::vector<Launch>& launches,
                    std::vector<Workspace>& workspaces);

}  // namespace tilewright::detail
