#include <algorithm>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail {

extern const GemmVariant group_reduction;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

// The larger operand is that of C's longer side.
bool wide_is_n(Problem p) { return p.n >= p.m; }
std::uint64_t thin_side(Problem p) { return std::min(p.m, p.n); }
std::uint64_t wide_side(Problem p) { return std::max(p.m, p.n); }
StoredMatrix wide_operand(Problem p) { return wide_is_n(p) ? stored_b(p) : stored_a(p); }
StoredMatrix thin_operand(Problem p) { return wide_is_n(p) ? stored_a(p) : stored_b(p); }

// Whether an operand's rows run along k.
bool wide_along_k(Problem p) { return wide_is_n(p) ? p.trans_b == Transpose::yes : p.trans_a == Transpose::no; }
bool thin_along_k(Problem p) { return wide_is_n(p) ? p.trans_a == Transpose::no : p.trans_b == Transpose::yes; }

std::int64_t items(Config c) { return c["wg_wide"] * c["wg_k"]; }

// Elements of the widest vectors that every device loads in one piece, 16 bytes.
std::int64_t vector_width(Problem p) { return static_cast<std::int64_t>(16 / accumulator_bytes(p.type)); }

// Elements of the thin operand that an item reads in one piece.
std::int64_t thin_vector(Config c, Problem p) {
  const std::int64_t width = vector_width(p);
  const std::int64_t run = wide_along_k(p) ? c["vector"] : c["unroll"];
  return thin_along_k(p) && run % width == 0 && rows_in_vectors(thin_operand(p), p.offset_alignment, width) ? width : 1;
}

std::size_t work_groups(Config c, Problem p) {
  const std::int64_t lines = c["wg_wide"] * c["strips"] * (wide_along_k(p) ? 1 : c["vector"]);
  return ceil_div(wide_side(p), lines) * ceil_div(thin_side(p), c["thin"]);
}

Slices slices_of(Config c, Problem p, Profile d) {
  const std::int64_t turn = c["wg_k"] * c["unroll"] * (wide_along_k(p) ? c["vector"] : 1);
  return split_k(p, work_groups(c, p), groups_to_fill(d, items(c)), c["slice_k"], turn);
}

// A configuration by its parts.
struct Reduction {
  std::int64_t thin = 1, strips = 1, vector = 1, unroll = 1, wg_wide = 1, wg_k = 1, slice_k = 0;

  Configuration configuration() const {
    return {{"thin", thin},       {"strips", strips}, {"vector", vector},  {"unroll", unroll},
            {"wg_wide", wg_wide}, {"wg_k", wg_k},     {"slice_k", slice_k}};
  }
};

// Measured on an H200. The second one fits every device.
std::vector<Reduction> gpu_reductions(Problem p, std::int64_t thin) {
  const std::int64_t vector = vector_width(p);
  Reduction best{.thin = thin, .vector = vector, .wg_k = 64, .slice_k = 256};
  if (wide_along_k(p)) {
    best.strips = 2;
    best.unroll = thin == 1 || thin == 8 ? 4 : 2;
    best.wg_wide = 4;
  } else {
    best.unroll = 8;
    best.wg_wide = 32 / vector;
    if (thin > 1 && vector != 4) best.wg_k = 32;
  }
  return {best, {.thin = thin, .vector = vector, .unroll = 4, .wg_wide = 8, .wg_k = 8, .slice_k = 256}};
}

}  // namespace

const GemmVariant group_reduction{
    .name = "group_reduction",
    .summary = "for C of few rows or columns: the larger operand is read once, straight into registers",
    .file = "gemm/group_reduction.cl",
    .shared_files = {"gemm/split_k.cl", split_k_reduction_file},
    .parameters =
        {
            {"thin", "rows (or columns) of C's short side of a work-item", {1, 2, 4, 8, 16}},
            {"strips", "vectors of the long side of a work-item; lines where these run along k", {1, 2, 4}},
            {"vector", "elements of a vector of the larger operand", {1, 2, 4, 8}},
            {"unroll", "vectors of each strip that are read before they are used", {1, 2, 4, 8, 16}},
            {"wg_wide", "work-items of a group along C's long side", {1, 2, 4, 8, 16, 32}},
            {"wg_k", "work-items of a group along k", {1, 8, 16, 32, 64, 128}},
            {"slice_k", "k is split where there are few groups, into parts no shorter; 0: never", {0, 32, 256, 1024}},
        },
    .strategies = {},
    .constraints =
        {
            {"vector is 1, 2, 4, 8 or 16", "OpenCL C has no other vectors",
             [](Config c, Problem, Profile) { return is_vector_width(c["vector"]); }},
            {"thin strips vector <= 256, strips vector unroll <= 128", "more is spilled to memory",
             [](Config c, Problem, Profile) {
               return c["thin"] * c["strips"] * c["vector"] <= 256 && c["strips"] * c["vector"] * c["unroll"] <= 128;
             }},
            {"thin strips vector unroll <= 512", "all of it is unrolled, and compiles for long",
             [](Config c, Problem, Profile) { return c["thin"] * c["strips"] * c["vector"] * c["unroll"] <= 512; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      // Either side may be the thin one, and vectors run along the wide side or along k.
      const std::int64_t lines = c["wg_wide"] * c["strips"], along_k = c["wg_k"] * c["unroll"];
      return {.m = {c["thin"], c["vector"], lines, lines * c["vector"]},
              .n = {lines * c["vector"], lines, c["vector"], c["thin"]},
              .k = {c["vector"], c["unroll"], along_k, c["wg_k"] * c["vector"], along_k * c["vector"], c["slice_k"]},
              .sharers = c["wg_k"]};
    },
    .unsupported = always_supported,
    .preferences =
        [](Problem p, Profile d) {
          std::int64_t thin = 1;
          while (thin < 8 && static_cast<std::uint64_t>(thin) < thin_side(p)) thin *= 2;
          std::vector<Reduction> reductions;
          if (d.type != DeviceType::cpu) reductions = gpu_reductions(p, thin);
          reductions.push_back({.thin = std::min<std::int64_t>(thin, 4), .vector = 4, .unroll = 4});
          reductions.emplace_back();
          std::vector<Configuration> result;
          for (const Reduction& reduction : reductions) result.push_back(reduction.configuration());
          return result;
        },
    .launch_parameters = {"slice_k"},
    .extra_defines =
        [](Config c, Problem p) {
          const bool vectors = rows_in_vectors(wide_operand(p), p.offset_alignment, c["vector"]);
          return std::string(" -DWIDE_IS_N=") + (wide_is_n(p) ? '1' : '0') +
                 " -DREAD_X=" + std::to_string(vectors ? c["vector"] : 1) +
                 " -DREAD_Y=" + std::to_string(thin_vector(c, p));
        },
    .local_bytes =
        [](Config c, Problem p) {
          constexpr std::int64_t at_once = 2048;  // sums of a group, as in the kernel file
          const std::int64_t sums = std::min(c["thin"] * c["strips"], std::max<std::int64_t>(1, at_once / items(c)));
          return static_cast<std::uint64_t>(sums * items(c) * (wide_along_k(p) ? 1 : c["vector"])) *
                 accumulator_bytes(p.type);
        },
    .private_bytes =
        [](Config c, Problem p, Profile) {
          const std::int64_t sums = c["thin"] * c["strips"] * (wide_along_k(p) ? 1 : c["vector"]);
          const std::int64_t wide = c["strips"] * c["vector"] * c["unroll"];
          return static_cast<std::uint64_t>(sums + wide + std::max(c["vector"], c["unroll"])) *
                 accumulator_bytes(p.type);
        },
    .workspaces = [](Config c, Problem p, Profile d) { return slices_workspaces(p, slices_of(c, p, d)); },
    .launches =
        [](Config c, Problem p, Profile d) {
          const auto group = static_cast<std::size_t>(items(c));
          return product_in_slices({.kernel = "gemm",
                                    .arguments = gemm_arguments(p),
                                    .global = {work_groups(c, p) * group},
                                    .local = {group}},
                                   p, d, slices_of(c, p, d));
        },
};

}  // namespace tilewright::detail
