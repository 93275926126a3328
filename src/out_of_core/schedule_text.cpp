// Texts about schedules for people.
#include <string>

#include "out_of_core/schedule.hpp"
#include "runtime/system/plain_text.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright {
namespace {

std::string bytes_text(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (value >= 0x1p30) return detail::fixed_text(value * 0x1p-30, 2) + " GiB";
  if (value >= 0x1p20) return detail::fixed_text(value * 0x1p-20, 1) + " MiB";
  return detail::fixed_text(value * 0x1p-10, 1) + " KiB";
}

std::string seconds_text(double seconds) { return detail::general_text(seconds, 3) + " s"; }

}  // namespace

Explanation detail::explain_tiles(const DeviceProfile& device, const TileForm& form, const TileSchedule& schedule) {
  const GemmProblem& p = form.problem;
  const std::string rows = std::to_string(form.is_swapped ? p.n : p.m);
  const std::string columns = std::to_string(form.is_swapped ? p.m : p.n);
  Explanation explanation{.reason = "the product is cut into tiles of C and slabs along k",
                          .problem = "gemm_out_of_core " + std::string(to_string(p.type)) + ' ' + rows + 'x' + columns +
                                     'x' + std::to_string(p.k)};
  if (form.is_empty()) return explanation;
  for_each_tile_problem(form, schedule, [&](const GemmProblem& problem) {
    explanation.parts.push_back(explain_gemm(device, problem, schedule.choice));
  });
  return explanation;
}

std::string to_string(const TileSchedule& s) {
  const auto number = [](std::uint64_t x) { return std::to_string(x); };
  std::string text = "tiles of C     " + number(s.tiles_m) + " x " + number(s.tiles_n) + " of " + number(s.tile.m) +
                     " x " + number(s.tile.n) + ", along " + (s.by_columns ? "columns" : "rows") + " back and forth\n";
  text += "slabs          " + number(s.tiles_k) + " along k, " + number(s.tile.k) + " deep\n";
  if (s.transfer == TileTransfer::in_place) {
    text += "memory         " + bytes_text(s.workspace_bytes) + " of workspace; matrices are used in place\n";
    return text + "expected       " + seconds_text(s.seconds) + "\n";
  }
  text += "on the device  " + number(s.slots_a) + " slabs of A, " + number(s.slots_b) + " of B, " + number(s.slots_c) +
          (s.slots_c == 1 ? " tile of C\n" : " tiles of C\n");
  text += "memory         " + bytes_text(s.memory()) + ": " + bytes_text(s.tile_bytes) + " for these, " +
          bytes_text(s.workspace_bytes) + " of workspace, " + bytes_text(s.staging_bytes) + " pinned in " +
          number(s.chunks_up + s.chunks_down) + " chunks\n";
  text += "over the link  " + bytes_text(s.bytes_up) + " up, " + bytes_text(s.bytes_down) + " down\n";
  return text + "expected       " + seconds_text(s.seconds) + ": products " + seconds_text(s.compute_seconds) +
         ", uploads " + seconds_text(s.upload_seconds) + ", downloads " + seconds_text(s.download_seconds) +
         ", copies " + seconds_text(s.copy_seconds) + " overlapped\n";
}

}  // namespace tilewright
