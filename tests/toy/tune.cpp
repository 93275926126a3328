// The toy in `tilewright tune` and `regret`.
#include <fstream>

#include "runtime/system/plain_text.hpp"
#include "toy/tunable.hpp"
#include "tune/operations.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

tuning::Problem read_shape(std::string_view text, const ProblemOptions&) {
  const auto bytes = detail::find_whole<std::uint64_t>(text);
  if (!bytes || *bytes == 0) throw UsageError("--shape of a toy is a number of bytes above 0");
  return tuning::tunable({*bytes});
}

// A number of bytes per line.
std::vector<tuning::Problem> read_table(const std::string& path, const ProblemOptions&) {
  std::vector<tuning::Problem> result;
  std::ifstream file(path);
  for (std::uint64_t bytes = 0; file >> bytes;) result.push_back(tuning::tunable({bytes}));
  return result;
}

}  // namespace

extern constinit const TuneOperation tune_toy{tuning::toy_operation, read_shape, read_table, nullptr, nullptr};

}  // namespace tilewright::tool
