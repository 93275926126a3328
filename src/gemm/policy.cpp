// Choices of gemm without records: the variant that a model of the device expects to be fastest, otherwise defaults by
// device type and the shape of C.
#include <algorithm>
#include <array>

#include "gemm/packed_panel.hpp"
#include "gemm/register_blocked.hpp"
#include "gemm/variant.hpp"
#include "selection/record_book.hpp"

namespace tilewright::detail {

namespace gemm_variants {
extern const GemmVariant naive, register_strip, register_blocked, packed_panel, dot_block, column_walk, dot4_blocked,
    group_reduction, team_per_product, tensor_f64, tensor_core, tensor_warpgroup, async_tile;
}

namespace {

using namespace gemm_variants;

using Predictions = std::vector<Prediction<GemmProblem>>;

bool has_few_rows_or_columns(const GemmProblem& problem, const DeviceProfile&) {
  return std::min(problem.m, problem.n) <= 8;
}

bool has_bytes(const GemmProblem& p, const DeviceProfile&) { return is_integer(p.type); }

// Whether C has so few tiles that k must be split into many slices.
bool is_narrow_or_deep(const GemmProblem& p, const DeviceProfile&) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  return accumulator_bytes(p.type) == 4 && p.batch.count == 1 && p.k >= 1024 &&
         (narrow <= 32 || (wide <= 256 && p.k >= 8 * wide));
}

// Whether C has few rows or columns for its depth, and the larger operand's rows run along k, so that elements of C are
// dot products of stored rows. With few rows, packing B would cost more than the product. With few columns, vectors
// along them would be partly empty. The other operand is transposed if necessary, so it should be the smaller one.
// Measured on PoCL with AVX-512.
bool is_dot_products(const GemmProblem& p, const DeviceProfile& device) {
  constexpr std::uint64_t max_lines = 96;
  struct Depth {
    std::uint64_t least, of_line;
    bool suffices(const GemmProblem& problem, std::uint64_t lines) const {
      return problem.k >= std::max(least, of_line * lines);
    }
  };
  // Packing many small Bs of a batch costs more; one or two lines fill only a small part of a panel.
  constexpr Depth for_lines{4, 2};
  const Depth for_rows = p.m <= 2 ? for_lines : p.batch.count > 1 ? Depth{32, 5} : Depth{64, 8};
  const Depth for_columns = p.n <= 2 ? for_lines : Depth{256, 8};
  if (accumulator_of(p.type) != p.type) return false;  // elements would be converted for every block that uses them
  if (p.trans_b == Transpose::yes && (p.trans_a == Transpose::no || p.m <= p.n) && p.m <= max_lines &&
      for_rows.suffices(p, p.m))
    return true;
  if (p.trans_a == Transpose::yes || p.n > std::min(p.m, max_lines) || !for_columns.suffices(p, p.n)) return false;
  // Panels of half vectors take as long as panels of whole vectors.
  const std::uint64_t panel = rounded_up(static_cast<std::uint64_t>(preferred_panel_columns(p, device)),
                                         std::max(1U, native_vector_width(device, accumulator_of(p.type))));
  return 4 * p.n <= 3 * rounded_up(p.n, static_cast<std::int64_t>(panel));
}

// Whether C has a few rows or columns, and the larger operand's rows run along C's long side, so that stored rows can
// be added up. If that operand is B, panels of it are faster, unless it is narrow, so that they must be packed, or its
// rows begin in the same cache sets, or B comes from memory and its rows are long: panels read them in short pieces,
// which some hosts do half as fast and others faster. C then has at most eight, four or two rows, the fewer the deeper
// B is. In a small product with a transposed A, making panels takes longer than using them. Measured on PoCL.
bool is_sum_of_rows(const GemmProblem& p, const DeviceProfile& device) {
  constexpr double little_work = 4e6;  // multiply-adds
  constexpr std::uint64_t narrow = 64, distance_of_same_set = 4096, bytes_of_long_row = 1024;
  if (accumulator_of(p.type) != p.type) return false;
  if (p.n >= p.m) {
    const bool is_long = p.n * size_of(p.type) >= bytes_of_long_row && comes_from_memory(stored_b(p), p.type, device);
    const std::uint64_t most_for_depth = 32 * p.k <= p.n ? 8 : p.k <= 2 * p.n ? 4 : 2;
    const bool begins_in_same_set = p.m <= 2 && p.ldb * size_of(p.type) % distance_of_same_set == 0;
    const std::uint64_t most_rows = is_long ? most_for_depth : p.n < narrow || begins_in_same_set ? 4 : 0;
    return p.m <= most_rows && p.k >= 64 && p.trans_b == Transpose::no;
  }
  const double work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  const bool is_small = p.batch.count <= 1 && p.k >= p.m && work <= little_work;
  return p.trans_a == Transpose::yes && p.n <= (is_small ? 20 : 8);
}

// Whether elements of one or two rows of C are dot products whose elements are converted when they are read.
bool is_converted_row(const GemmProblem& p, const DeviceProfile&) {
  return accumulator_of(p.type) != p.type && p.m <= 2 && p.n >= 16 && p.k >= 64 && p.trans_b == Transpose::yes;
}

// Whether records cover a default.
template <const GemmVariant& wanted>
bool has_variant(const Predictions& predictions) {
  return std::any_of(predictions.begin(), predictions.end(),
                     [](const auto& prediction) { return prediction.variant == &wanted; });
}

bool has_slices(const Predictions& predictions) {
  return std::any_of(predictions.begin(), predictions.end(), [](const auto& prediction) {
    return prediction.variant == &register_blocked && register_blocked_splits_k(prediction.values);
  });
}

// The order in which variants are tried without records, and the reasons.
constexpr std::array gpu_defaults{
    Default<GemmProblem>{
        {&group_reduction, "default for GPUs if C has few rows or columns: reads the larger operand once",
         has_variant<group_reduction>},
        has_few_rows_or_columns},
    Default<GemmProblem>{
        {&dot4_blocked, "default for GPUs and 8-bit integers: dot products of four bytes", has_variant<dot4_blocked>},
        has_bytes},
    Default<GemmProblem>{{&register_blocked, "default for GPUs if C has few tiles: splits k", has_slices},
                         is_narrow_or_deep},
    Default<GemmProblem>{{&register_blocked, "default for GPUs: reuse in registers and local memory"}},
    Default<GemmProblem>{{&register_strip, "default for GPUs that cannot run register_blocked"}},
    Default<GemmProblem>{{&naive, "runs everywhere"}},
};

constexpr std::array cpu_defaults{
    Default<GemmProblem>{
        {&dot_block, "default for CPUs if C has few rows or columns for its depth: dot products of stored rows",
         has_variant<dot_block>},
        is_dot_products},
    Default<GemmProblem>{
        {&column_walk, "default for CPUs if C has few rows or columns: adds up stored rows of the larger operand",
         has_variant<column_walk>},
        is_sum_of_rows},
    Default<GemmProblem>{
        {&group_reduction, "default for CPUs if C has one or two rows and B's rows run along k: packs nothing",
         has_variant<group_reduction>},
        is_converted_row},
    Default<GemmProblem>{{&packed_panel, "default for CPUs: packed panels, a block of C in vector registers"}},
    Default<GemmProblem>{{&naive, "runs everywhere"}},
};

// The variants for which a model predicts times.
constexpr std::array modelled{
    Untuned<GemmProblem>{&async_tile, "expected to be fastest: asynchronous copies, reuse in registers",
                         has_variant<async_tile>, true},
    Untuned<GemmProblem>{&tensor_f64, "expected to be fastest: tensor cores for double precision",
                         has_variant<tensor_f64>, true},
    Untuned<GemmProblem>{&tensor_core, "expected to be fastest: tensor cores for 8-bit, 16-bit and TF32 elements",
                         has_variant<tensor_core>, true},
    Untuned<GemmProblem>{&tensor_warpgroup, "expected to be fastest: tensor cores by warpgroups",
                         has_variant<tensor_warpgroup>, true},
    Untuned<GemmProblem>{&group_reduction, "expected to be fastest: reads the larger operand once",
                         has_variant<group_reduction>, true},
    Untuned<GemmProblem>{&team_per_product, "expected to be fastest: whole products in local memory",
                         has_variant<team_per_product>, true},
};

// Has no variant if there is no model for the device, or for any variant that supports all sizes.
UntunedChoice<GemmProblem> expected_fastest(const GemmProblem& problem, const DeviceProfile& device) {
  UntunedChoice<GemmProblem> fastest;
  double least = 0;
  for (const Untuned<GemmProblem>& candidate : modelled) {
    const bool is_for_few = candidate.variant == &group_reduction || candidate.variant == &team_per_product;
    if (is_for_few && fastest.variant == nullptr) continue;
    if (!why_declined(*candidate.variant, problem, device).empty()) continue;
    std::string broken;
    const auto usable = first_usable_configuration(*candidate.variant, problem, device, broken);
    if (!usable) continue;
    const double cycles = usable->execution.cycles;
    if (cycles == 0 || (fastest.variant != nullptr && cycles >= least)) continue;
    fastest = {candidate, usable->values};
    least = cycles;
  }
  return fastest;
}

}  // namespace

UntunedChoice<GemmProblem> Operation<GemmProblem>::untuned(const GemmProblem& problem, const DeviceProfile& device) {
  if (auto fastest = expected_fastest(problem, device); fastest.variant != nullptr) return fastest;
  if (device.type == DeviceType::cpu) return first_usable<GemmProblem>(cpu_defaults, problem, device);
  return first_usable<GemmProblem>(gpu_defaults, problem, device);
}

}  // namespace tilewright::detail
