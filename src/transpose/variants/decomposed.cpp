#include <algorithm>
#include <numeric>

#include "transpose/variant.hpp"

namespace tilewright::detail {

extern const TransposeVariant decomposed;
namespace {

using Config = const Configuration&;
using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

// The matrix as kernels see it: it has at most as many rows as columns.
bool is_inverse(Problem p) { return p.m > p.n; }
std::uint64_t rows(Problem p) { return std::min(p.m, p.n); }
std::uint64_t columns(Problem p) { return std::max(p.m, p.n); }

// Elements of a group's workspace: a row, or a strip of columns.
std::uint64_t room(Config c, Problem p) {
  return std::max(columns(p), rows(p) * static_cast<std::uint64_t>(c["strip"]));
}

// Enough groups to keep the device busy, with a workspace of at most a quarter of the matrix.
std::uint64_t groups(Config c, Problem p, Profile d) {
  const std::uint64_t affordable = std::max<std::uint64_t>(1, p.m * p.n / 4 / room(c, p));
  const std::uint64_t tasks = std::max<std::uint64_t>(rows(p), ceil_div(columns(p), c["strip"]));
  return std::min({tasks, affordable, std::uint64_t{2} * std::max(1U, d.compute_units)});
}

}  // namespace

const TransposeVariant decomposed{
    .name = "decomposed",
    .summary = "a rectangular matrix in place: permutations of its columns, its rows and its columns again",
    .file = "transpose/decomposed.cl",
    .parameters =
        {
            {"strip", {}, "neighbouring columns that are permuted together", {4, 8, 16, 32, 64}},
            {"wg", {}, "work-items of a group", {1, 64, 128, 256, 512, 1024}},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["strip"]}, {c["strip"]}};
    },
    .unsupported = [](Problem p, Profile) -> std::string {
      if (!p.in_place) return "it works in place";
      if (p.trans == Transpose::no) return "it only transposes, but op(A) = A";
      if (p.lda != p.n || p.ldb != p.m) return "the matrix is not densely stored before and after";
      return {};
    },
    .preferences =
        [](Problem p, Profile d) {
          const std::int64_t strip = 64 / static_cast<std::int64_t>(p.type.bytes());  // the cache line of most devices
          std::vector<Configuration> result;
          if (d.type != DeviceType::cpu)
            for (const std::int64_t wg : {512, 256, 64}) result.push_back({{"strip", strip}, {"wg", wg}});
          result.push_back({{"strip", strip}, {"wg", 1}});
          return result;
        },
    .extra_defines = [](Config, Problem p) { return is_inverse(p) ? std::string(" -DINVERSE=1") : std::string(); },
    .private_bytes = [](Config c, Problem, Profile d) { return kept_across_barriers(d, c["wg"], 0, 1); },
    .workspaces =
        [](Config c, Problem p, Profile d) {
          return std::vector<Workspace>{
              {.bytes = bytes_of(groups(c, p, d) * p.batch.count, room(c, p), p.type.bytes())}};
        },
    .launches =
        [](Config c, Problem p, Profile d) {
          using namespace argument;
          const std::uint64_t common = std::gcd(p.m, p.n), count = groups(c, p, d);
          const auto group = static_cast<std::size_t>(c["wg"]);
          const auto step = [&](const char* kernel, std::uint64_t part) {
            return Launch{.kernel = kernel,
                          .arguments = {index(rows(p)), index(columns(p)), index(part), a, workspace(0),
                                        offset(room(c, p)), index(count)},
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
          return launches;
        },
};

}  // namespace tilewright::detail
