#include <algorithm>

#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

constexpr std::int64_t texel = 4;  // floats

struct Texels {
  std::int64_t quads_m, quads_n, wg_m, wg_n;
};

// Work-groups along m and n.
struct Groups {
  std::size_t m, n;
};
Groups groups_of(const Texels& c, const CoreProduct& p) {
  return {ceil_div(p.m, texel * c.quads_m * c.wg_m), ceil_div(p.n, texel * c.quads_n * c.wg_n)};
}

// The image of an operand with `size` rows or columns.
Workspace image_of(std::uint64_t size, const CoreProduct& p) {
  const std::size_t width = ceil_div(size, texel);
  const std::size_t height = std::max<std::size_t>(1, p.k * p.batch.count);  // an image cannot be empty
  return {.kind = Workspace::Kind::float4_image,
          .bytes = bytes_of(width, height, texel * sizeof(cl_float)),
          .width = width,
          .height = height};
}

}  // namespace

extern constexpr GemmVariant texel_blocked{
    .name = "texel_blocked",
    .summary = "operands read through images of packed float4, no local memory",
    .program = {.file = "gemm/texel_blocked.cl"},
    .parameters =
        {
            {"quads_m", &Texels::quads_m, "texels per work-item along m", {1, 2, 4}},
            {"quads_n", &Texels::quads_n, "texels per work-item along n", {1, 2, 4}},
            {"wg_m", &Texels::wg_m, "work-items per group along m", {1, 2, 4, 8, 16, 32}},
            {"wg_n", &Texels::wg_n, "work-items per group along n", {1, 2, 4, 8, 16, 32}},
        },
    .constraints = {{"quads_m quads_n <= 64",
                     "a larger block is spilled to memory",
                     {&Texels::quads_m, &Texels::quads_n},
                     [](const Texels& c, const CoreProduct&, const DeviceProfile&) {
                       return c.quads_m * c.quads_n <= 64;
                     }}},
    .preferences =
        [](const CoreProduct& p, const DeviceProfile& d) {
          constexpr Texels largest_first[] = {{.quads_m = 4, .quads_n = 2, .wg_m = 4, .wg_n = 8},
                                              {.quads_m = 2, .quads_n = 1, .wg_m = 4, .wg_n = 8},
                                              {.quads_m = 1, .quads_n = 1, .wg_m = 4, .wg_n = 8}};
          auto result = shrink_to_fill<Texels>(largest_first, p, 3.0 * d.compute_units, [&](const Texels& c) {
            const Groups groups = groups_of(c, p);
            return groups.m * groups.n;
          });
          result.emplace_back(Texels{.quads_m = 1, .quads_n = 1, .wg_m = 1, .wg_n = 1});
          return result;
        },
    .edges = [](const Texels& c) -> Edges {
      return {{texel * c.quads_m * c.wg_m, texel * c.wg_m, texel}, {texel * c.quads_n * c.wg_n, texel * c.wg_n, texel}};
    },
    .needs = {.types = {DataType::f32, DataType::f16, DataType::bf16},
              .why_no_other_type = "texels hold single precision only",
              .unsupported = [](const CoreProduct& p, const DeviceProfile& d) -> std::string {
                if (!d.images) return "the device has no images";
                if (ceil_div(std::max(p.m, p.n), texel) > d.image2d_max_width ||
                    (p.k > 0 && p.batch.count > d.image2d_max_height / p.k))
                  return "the operands are larger than the device's images of " + std::to_string(d.image2d_max_width) +
                         " x " + std::to_string(d.image2d_max_height);
                return {};
              }},
    .memory = {.private_bytes =
                   [](const Texels& c, const CoreProduct&, const DeviceProfile&) {
                     const std::int64_t texels = texel * c.quads_m * c.quads_n + c.quads_m + c.quads_n;
                     return static_cast<std::uint64_t>(texels * texel) * sizeof(cl_float);
                   }},
    .execution = [](const Texels& t, const CoreProduct& p, const DeviceProfile&) -> Execution {
      using namespace gemm_slots;
      const auto wg_m = static_cast<std::size_t>(t.wg_m), wg_n = static_cast<std::size_t>(t.wg_n);
      const auto texels_of = [&](std::uint64_t size) { return rounded_up(ceil_div(size, texel), t.wg_n); };
      const std::size_t steps = rounded_up(p.k, t.wg_m);
      const Groups groups = groups_of(t, p);
      return {.launches = {{.kernel = "pack_a",
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
                            .global = {groups.n * wg_n, groups.m * wg_m},
                            .local = {wg_n, wg_m}}},
              .workspaces = {image_of(p.m, p), image_of(p.n, p)}};
    },
};

}  // namespace tilewright::detail::gemm_variants
