#pragma once

#include <string>
#include <vector>

#include "session.hpp"
#include "tuning/report/report.hpp"

namespace tilewright::tool {

/// Times other libraries on a gemm problem, alternating, for at most 2 seconds each, and verifies them. Libraries that
/// fail or are wrong are reported on standard error and omitted. Throws nothing.
std::vector<tuning::ReportReference> time_gemm_references(const Session& session, const tuning::Problem& problem,
                                                          const std::vector<std::string>& libraries);

}  // namespace tilewright::tool
