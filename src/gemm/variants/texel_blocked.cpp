#include <algorithm>

#include "gemm/variant.hpp"

namespace tilewright::detail {

extern const GemmVariant texel_blocked;
namespace {

constexpr std::int64_t texel = 4;  // floats

}  // namespace

const GemmVariant texel_blocked{
    .name = "texel_blocked",
    .summary = "operands read through images of packed float4, no local memory",
    .file = "gemm/texel_blocked.cl",
    .parameters =
        {
            {"quads_m", {}, "texels per work-item along m", {1, 2, 4}},
            {"quads_n", {}, "texels per work-item along n", {1, 2, 4}},
            {"wg_m", {}, "work-items per group along m", {1, 2, 4, 8, 16, 32}},
            {"wg_n", {}, "work-items per group along n", {1, 2, 4, 8, 16, 32}},
        },
    .constraints = {{"quads_m quads_n <= 64",
                     "a larger block is spilled to memory",
                     {"quads_m", "quads_n"},
                     [](const Configuration& c, const GemmProblem&, const DeviceProfile&) {
                       return c["quads_m"] * c["quads_n"] <= 64;
                     }}},
    .edges = [](const Configuration& c) -> Edges {
      return {{texel * c["quads_m"] * c["wg_m"], texel * c["wg_m"], texel},
              {texel * c["quads_n"] * c["wg_n"], texel * c["wg_n"], texel}};
    },
    .types = {DataType::f32, DataType::f16, DataType::bf16},
    .why_no_other_type = "texels hold single precision only",
    .unsupported = [](const GemmProblem& p, const DeviceProfile& d) -> std::string {
      if (!d.images) return "the device has no images";
      if (ceil_div(std::max(p.m, p.n), texel) > d.image2d_max_width ||
          (p.k > 0 && p.batch.count > d.image2d_max_height / p.k))
        return "the operands are larger than the device's images of " + std::to_string(d.image2d_max_width) + " x " +
               std::to_string(d.image2d_max_height);
      return {};
    },
    .preferences =
        [](const GemmProblem& p, const DeviceProfile& d) {
          auto result = shrink_to_fill(texel_blocked, p, d, 3.0 * d.compute_units,
                                       {{{"quads_m", 4}, {"quads_n", 2}, {"wg_m", 4}, {"wg_n", 8}},
                                        {{"quads_m", 2}, {"quads_n", 1}, {"wg_m", 4}, {"wg_n", 8}},
                                        {{"quads_m", 1}, {"quads_n", 1}, {"wg_m", 4}, {"wg_n", 8}}});
          result.push_back({{"quads_m", 1}, {"quads_n", 1}, {"wg_m", 1}, {"wg_n", 1}});
          return result;
        },
    .private_bytes =
        [](const Configuration& c, const GemmProblem&, const DeviceProfile&) {
          const std::int64_t texels = texel * c["quads_m"] * c["quads_n"] + c["quads_m"] + c["quads_n"];
          return static_cast<std::uint64_t>(texels * texel) * sizeof(cl_float);
        },
    .workspaces =
        [](const Configuration&, const GemmProblem& p, const DeviceProfile&) {
          const auto image = [&](std::uint64_t size) {
            const std::size_t width = ceil_div(size, texel);
            const std::size_t height = std::max<std::size_t>(1, p.k * p.batch.count);  // an image cannot be empty
            return Workspace{.kind = Workspace::Kind::float4_image,
                             .bytes = bytes_of(width, height, texel * sizeof(cl_float)),
                             .width = width,
                             .height = height};
          };
          return std::vector<Workspace>{image(p.m), image(p.n)};
        },
    .launches =
        [](const Configuration& config, const GemmProblem& p, const DeviceProfile&) {
          using namespace argument;
          const auto wg_m = static_cast<std::size_t>(config["wg_m"]), wg_n = static_cast<std::size_t>(config["wg_n"]);
          const auto texels_of = [&](std::uint64_t size) { return rounded_up(ceil_div(size, texel), config["wg_n"]); };
          const std::size_t steps = rounded_up(p.k, config["wg_m"]);
          return std::vector<Launch>{{.kernel = "pack_a",
                                      .arguments = {index(p.m), index(p.k), a, index(p.lda), image(0), batch},
                                      .global = {texels_of(p.m), steps},
                                      .local = {wg_n, wg_m},
                                      .packs = Packing{a.value, 0, "texels"}},
                                     {.kernel = "pack_b",
                                      .arguments = {index(p.k), index(p.n), b, index(p.ldb), image(1), batch},
                                      .global = {texels_of(p.n), steps},
                                      .local = {wg_n, wg_m},
                                      .packs = Packing{b.value, 1, "texels"}},
                                     {.kernel = "gemm",
                                      .arguments = {index(p.m), index(p.n), depth, alpha, image(0), image(1), beta, c,
                                                    index(p.ldc), batch, epilogue},
                                      .global = {ceil_div(p.n, texel * config["quads_n"] * config["wg_n"]) * wg_n,
                                                 ceil_div(p.m, texel * config["quads_m"] * config["wg_m"]) * wg_m},
                                      .local = {wg_n, wg_m}}};
        },
};

}  // namespace tilewright::detail
