#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/build_options.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct Decomposed {
  std::int64_t strip, wg;
};

using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

// The matrix as kernels see it: it has at most as many rows as columns.
bool is_inverse(Problem p) { return p.m > p.n; }
std::uint64_t rows(Problem p) { return std::min(p.m, p.n); }
std::uint64_t columns(Problem p) { return std::max(p.m, p.n); }

// Elements of a group's workspace: a row, or a strip of columns.
std::uint64_t room(const Decomposed& c, Problem p) {
  return std::max(columns(p), rows(p) * static_cast<std::uint64_t>(c.strip));
}

// Enough groups to keep the device busy, with a workspace of at most a quarter of the matrix.
std::uint64_t groups(const Decomposed& c, Problem p, Profile d) {
  const std::uint64_t affordable = std::max<std::uint64_t>(1, p.m * p.n / 4 / room(c, p));
  const std::uint64_t tasks = std::max<std::uint64_t>(rows(p), ceil_div(columns(p), c.strip));
  return std::min({tasks, affordable, std::uint64_t{2} * std::max(1U, d.compute_units)});
}

}  // namespace

extern constexpr TransposeVariant decomposed{
    .name = "decomposed",
    .summary = "a rectangular matrix in place: permutations of its columns, its rows and its columns again",
    .program = {.file = "transpose/decomposed.cl",
                .extra_defines = [](const Decomposed&, Problem p) { return define_if(is_inverse(p), "INVERSE"); }},
    .parameters =
        {
            {"strip", &Decomposed::strip, "neighbouring columns that are permuted together", {4, 8, 16, 32, 64}},
            {"wg", &Decomposed::wg, "work-items of a group", {1, 64, 128, 256, 512, 1024}},
        },
    .preferences = [](Problem p, Profile d) -> std::vector<ParameterValues> {
      const std::int64_t strip = 64 / static_cast<std::int64_t>(p.type.bytes());  // the cache line of most devices
      if (d.type == DeviceType::cpu) return {Decomposed{strip, 1}};
      return {Decomposed{strip, 512}, Decomposed{strip, 256}, Decomposed{strip, 64}, Decomposed{strip, 1}};
    },
    .edges = [](const Decomposed& c) -> Edges {
      return {{c.strip}, {c.strip}};
    },
    .needs = {.unsupported = [](Problem p, Profile) -> std::string {
      if (!p.in_place) return "it works in place";
      if (p.trans == Transpose::no) return "it only transposes, but op(A) = A";
      if (p.lda != p.n || p.ldb != p.m) return "the matrix is not densely stored before and after";
      return {};
    }},
    .memory = {.private_bytes = [](const Decomposed& c, Problem,
                                   Profile d) { return kept_across_barriers(d, c.wg, 0, 1); }},
    .execution = [](const Decomposed& c, Problem p, Profile d) -> Execution {
      using namespace transpose_slots;
      const std::uint64_t common = std::gcd(p.m, p.n), count = groups(c, p, d);
      const auto group = static_cast<std::size_t>(c.wg);
      const auto step = [&](const char* kernel, std::uint64_t part) {
        return Launch{.kernel = kernel,
                      .arguments = {index(rows(p)), index(columns(p)), index(part), a, workspace(0), offset(room(c, p)),
                                    index(count)},
                      .global = {static_cast<std::size_t>(count) * group, 1},
                      .local = {group, 1}};
      };
      std::vector<Launch> launches;
      if (common > 1) launches.push_back(step("rotate_columns", columns(p) / common));
      launches.push_back(step("shuffle_rows", columns(p) / common));
      for (Launch& launch : launches) launch.arguments.push_back(batch);
      Launch& last = launches.emplace_back(step("transpose", rows(p) / common));
      last.arguments = with_common_arguments(std::move(last.arguments), p);
      if (is_inverse(p)) std::reverse(launches.begin(), launches.end());
      return {.launches = std::move(launches),
              .workspaces = {{.bytes = bytes_of(count * p.batch.count, room(c, p), p.type.bytes())}}};
    },
};

}  // namespace tilewright::detail::transpose_variants
