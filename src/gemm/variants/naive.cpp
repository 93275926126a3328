#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct Naive {
  std::int64_t wg_m, wg_n;
};

}  // namespace

extern constexpr GemmVariant naive{
    .name = "naive",
    .summary = "one element of C per work-item",
    .program = {.file = "gemm/naive.cl"},
    .parameters =
        {
            {"wg_m", &Naive::wg_m, "work-items per group along m", {1, 2, 4, 8, 16, 32}},
            {"wg_n", &Naive::wg_n, "work-items per group along n", {1, 4, 8, 16, 32, 64, 128, 256}},
        },
    .preferences = [](const CoreProduct&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {Naive{.wg_m = 8, .wg_n = 32}, Naive{.wg_m = 1, .wg_n = 64}, Naive{.wg_m = 1, .wg_n = 1}};
    },
    .edges = [](const Naive& c) -> Edges {
      return {{c.wg_m}, {c.wg_n}};
    },
    .execution = [](const Naive& c, const CoreProduct& p, const DeviceProfile&) -> Execution {
      const auto wg_m = static_cast<std::size_t>(c.wg_m), wg_n = static_cast<std::size_t>(c.wg_n);
      return {.launches = {{.kernel = "gemm",
                            .arguments = gemm_arguments(p),
                            .global = {ceil_div(p.n, c.wg_n) * wg_n, ceil_div(p.m, c.wg_m) * wg_m},
                            .local = {wg_n, wg_m}}}};
    },
};

}  // namespace tilewright::detail::gemm_variants
