// Functions and types shared by the variants of gemm.
#pragma once

#include <algorithm>
#include <span>

#include "gemm/core_product.hpp"
#include "gemm/problem.hpp"
#include "gemm/slots.hpp"
#include "kernels/element_type.hpp"
#include "kernels/variant.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

// Every function of a variant takes a normalized problem, as a CoreProduct.
using GemmVariant = Variant<GemmProblem>;

template <>
struct Operation<GemmProblem> {
  static constexpr std::string_view name = "gemm";
  static std::uint64_t batch(const GemmProblem& problem) { return is_batched(problem) ? problem.batch.count : 0; }
  static double depth(const GemmProblem& problem) { return static_cast<double>(problem.k); }

  // See selection/operation.hpp.
  static std::span<const GemmVariant* const> variants();
  static GemmProblem normalized(const GemmProblem& problem);  ///< the core problem of `problem`
  static std::string unsupported_type(const GemmProblem& problem, const DeviceProfile& device);
  static DataType stored_type(const GemmProblem& problem) { return problem.type; }
  static UntunedChoice<GemmProblem> untuned(const GemmProblem& problem, const DeviceProfile& device);
  static bool is_trivial(const GemmProblem& problem) { return is_empty(problem) || problem.k == 0; }
  static double work(const GemmProblem& problem);  ///< multiply-adds of real numbers
  static bool same_kind(const GemmProblem& left, const GemmProblem& right) {
    return left.type == right.type && type_of_c(left) == type_of_c(right) && left.accuracy == right.accuracy;
  }
  static double distance(const GemmProblem& left, const GemmProblem& right);
  static std::string label(const GemmProblem& problem);         ///< "64 x 64 x 64 NT"
  static std::string present_name(const std::string& variant);  ///< records may contain a former name
};

/// "f16"; "f16->f32" if C has another type than A and B; "f32 tf32" for a lower accuracy.
std::string types_of(const GemmProblem& problem);

/// Explanation::problem: "gemm f32 64x64x64 NT".
std::string problem_text(const GemmProblem& problem);

/// N, T or, for a conjugate transpose, C.
char letter_of(Transpose transpose);

/// The transposes of A and B: "NT".
std::string transposes_of(const GemmProblem& problem);

/// The arguments of every kernel "gemm", in order.
std::vector<KernelArgument> gemm_arguments(const GemmProblem& problem);

/// Whether an operand exceeds half of the device's cache, so that it comes from memory.
inline bool comes_from_memory(const StoredMatrix& matrix, DataType type, const DeviceProfile& device) {
  return device.global_cache_bytes > 0 && matrix.extent() * size_of(type) > device.global_cache_bytes / 2;
}

/// The execution of a kernel that computes a row of C per work-item, with `wg` work-items per group.
Execution over_rows(const GemmProblem& problem, std::int64_t wg);

/// The tiles (tile_m x tile_n) of C, or those that touch the wanted triangle.
template <class Parameters>
std::uint64_t tiles_in_c(const Parameters& parameters, const CoreProduct& problem) {
  if (problem.triangle)
    return tiles_in_triangle(
        *problem.triangle, problem.m, problem.n,
        {static_cast<std::uint64_t>(parameters.tile_m), static_cast<std::uint64_t>(parameters.tile_n)});
  return ceil_div(problem.m, parameters.tile_m) * ceil_div(problem.n, parameters.tile_n);
}

/// Whether a triangle's tiles can be numbered by cl/gemm/tile_order.cl: Variant::computes_part of variants that use it.
template <class Parameters>
bool numbers_tiles(const Parameters& parameters, const CoreProduct& problem) {
  return problem.triangle && can_number_tiles(*problem.triangle, {static_cast<std::uint64_t>(parameters.tile_m),
                                                                  static_cast<std::uint64_t>(parameters.tile_n)});
}

/// Whether a variant's own configurations may contain a tile: its lines need the same steps of k.
template <class Parameters>
bool suits_range(const Parameters& parameters, const CoreProduct& problem) {
  return !problem.k_range || fits_in_blocks(*problem.k_range, {static_cast<std::uint64_t>(parameters.tile_m),
                                                               static_cast<std::uint64_t>(parameters.tile_n)});
}

/// Variant::computes_part of variants that use cl/gemm/tile_order.cl for triangles, and cl/gemm/k_range.cl for factors
/// that are block triangular, but not triangular.
template <class Parameters>
bool leaves_out_tiles_or_steps(const Parameters& parameters, const CoreProduct& problem) {
  if (!problem.k_range) return numbers_tiles(parameters, problem);
  return !problem.k_range->is_triangle && suits_range(parameters, problem);
}

/// Drops configurations from the front of a list that begins with the largest tiles, until a batch of products has at
/// least `wanted` work-groups, groups(parameters) per product. Tiles (tile_m x tile_n) must also not be twice as large
/// as the C of each product of a batch. The last configuration always stays.
template <class Parameters, class Groups>
std::vector<ParameterValues> shrink_to_fill(std::span<const Parameters> largest_first, const GemmProblem& problem,
                                            double wanted, const Groups& groups) {
  const auto products = static_cast<double>(std::max<std::uint64_t>(1, problem.batch.count));
  const auto fills = [&](const Parameters& parameters) {
    if constexpr (requires { parameters.tile_m; })
      if (problem.batch.count > 1 && (static_cast<std::uint64_t>(parameters.tile_m) >= 2 * problem.m ||
                                      static_cast<std::uint64_t>(parameters.tile_n) >= 2 * problem.n))
        return false;
    return products * static_cast<double>(groups(parameters)) >= wanted;
  };
  const auto first = std::find_if(largest_first.begin(), largest_first.end() - 1, fills);
  return {first, largest_first.end()};
}

}  // namespace tilewright::detail
