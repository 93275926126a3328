#include "benchmarks/schedule_output.hpp"

#include <string>

#include "runtime/system/plain_text.hpp"
#include "text/table.hpp"

namespace tilewright::tool {

std::string schedule_fields(const TileSchedule& schedule, const Page& page) {
  std::string text;
  for (const std::string& line : detail::split(tilewright::to_string(schedule), '\n')) {
    const std::size_t name_end = line.find("  "), value = line.find_first_not_of(' ', name_end);
    text += format_field(line.substr(0, name_end), line.substr(value), page);
  }
  return text;
}

Json schedule_json(const TileSchedule& s) {
  return {{"transfer", tilewright::to_string(s.transfer)},
          {"tile_m", s.tile.m},
          {"tile_n", s.tile.n},
          {"tile_k", s.tile.k},
          {"tiles", s.tiles()},
          {"slabs", s.tiles_k},
          {"by_columns", s.by_columns},
          {"slabs_of_a", s.slots_a},
          {"slabs_of_b", s.slots_b},
          {"tiles_of_c", s.slots_c},
          {"memory", s.memory()},
          {"tile_bytes", s.tile_bytes},
          {"workspace_bytes", s.workspace_bytes},
          {"pinned_bytes", s.staging_bytes},
          {"bytes_up", s.bytes_up},
          {"bytes_down", s.bytes_down},
          {"expected",
           {{"seconds", s.seconds},
            {"products", s.compute_seconds},
            {"uploads", s.upload_seconds},
            {"downloads", s.download_seconds},
            {"copies", s.copy_seconds}}}};
}

}  // namespace tilewright::tool
