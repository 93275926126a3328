// What gemm runs untuned: by the device's type, and by the shape of C.
#include <algorithm>
#include <array>

#include "gemm/variant.hpp"
#include "selection/record_book.hpp"

namespace tilewright::detail {

extern const GemmVariant naive, register_strip, register_blocked, packed_panel, group_reduction, tensor_f64, async_tile;

namespace {

using Predictions = std::vector<Prediction<GemmProblem>>;

bool has_few_rows_or_columns(const GemmProblem& problem) { return std::min(problem.m, problem.n) <= 8; }

// C has so few tiles that k must be split into many slices.
bool is_narrow_or_deep(const GemmProblem& p) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  return accumulator_of(p.type) == DataType::f32 && p.batch.count == 1 && p.k >= 1024 &&
         (narrow <= 32 || (wide <= 256 && p.k >= 8 * wide));
}

bool splits_k(const Configuration& configuration) {
  return configuration.contains("slice_k") && configuration["slice_k"] > 0;
}

// Whether records say anything of a default.
template <const GemmVariant& wanted>
bool has_variant(const Predictions& predictions) {
  return std::any_of(predictions.begin(), predictions.end(),
                     [](const auto& prediction) { return prediction.variant == &wanted; });
}

bool has_slices(const Predictions& predictions) {
  return std::any_of(predictions.begin(), predictions.end(), [](const auto& prediction) {
    return prediction.variant == &register_blocked && splits_k(prediction.configuration);
  });
}

// The order in which variants are tried untuned, and why.
struct Default {
  Untuned<GemmProblem> untuned;
  bool (*suits)(const GemmProblem&) = nullptr;  // for some problems only
};

constexpr std::array gpu_defaults{
    Default{{&group_reduction, "default for GPUs where C has few rows or columns: reads the larger operand once",
             has_variant<group_reduction>},
            has_few_rows_or_columns},
    Default{{&register_blocked, "default for GPUs where C has few tiles: k in slices", has_slices}, is_narrow_or_deep},
    Default{{&async_tile, "default for FP32 on NVIDIA GPUs: asynchronous copies, reuse in registers",
             has_variant<async_tile>}},
    Default{{&tensor_f64, "default for FP64 on NVIDIA GPUs that have tensor cores for it", has_variant<tensor_f64>}},
    Default{{&register_blocked, "default for GPUs: reuse in registers and local memory"}},
    Default{{&register_strip, "default for GPUs that cannot run register_blocked"}},
    Default{{&naive, "runs everywhere"}},
};
constexpr std::array cpu_defaults{
    Default{{&packed_panel, "default for CPUs: packed panels, a block of C in vector registers"}},
    Default{{&naive, "runs everywhere"}},
};

}  // namespace

Untuned<GemmProblem> Operation<GemmProblem>::untuned(const GemmProblem& problem, const DeviceProfile& device) {
  const auto pick = [&](const auto& defaults) {
    for (const Default& candidate : defaults)
      if ((candidate.suits == nullptr || candidate.suits(problem)) &&
          why_unsupported(*candidate.untuned.variant, problem, device).empty())
        return candidate.untuned;
    throw Error(ErrorCode::unsupported_variant, "no variant can do this problem on " + device.name);
  };
  return device.type == DeviceType::cpu ? pick(cpu_defaults) : pick(gpu_defaults);
}

}  // namespace tilewright::detail
