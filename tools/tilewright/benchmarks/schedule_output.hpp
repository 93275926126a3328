#pragma once

#include <string>

#include "text/json_output.hpp"
#include "text/page.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::tool {

/// Formats a schedule as fields of a page, one per line.
std::string schedule_fields(const TileSchedule& schedule, const Page& page);

Json schedule_json(const TileSchedule& schedule);

}  // namespace tilewright::tool
