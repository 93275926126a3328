#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct LocalColumn {
  std::int64_t wg, chunk, columns;
};

}  // namespace

extern constexpr GemmVariant local_column{
    .name = "local_column",
    .summary = "like private_row, with the columns of B in local memory",
    .program = {.file = "gemm/local_column.cl"},
    .parameters =
        {
            {"wg", &LocalColumn::wg, "work-items per group", {1, 2, 4, 8, 16, 32, 64, 128, 256}},
            {"chunk",
             &LocalColumn::chunk,
             "elements of A's row and B's columns held at a time",
             {16, 32, 64, 128, 256, 512, 1024}},
            {"columns", &LocalColumn::columns, "columns of C computed at a time", {1, 2, 4, 8, 16}},
        },
    .constraints = {{"columns <= 64",
                     "each column takes a register",
                     {&LocalColumn::columns},
                     [](const LocalColumn& c, const CoreProduct&, const DeviceProfile&) { return c.columns <= 64; }}},
    .preferences = [](const CoreProduct&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {LocalColumn{.wg = 32, .chunk = 1024, .columns = 4}, LocalColumn{.wg = 32, .chunk = 256, .columns = 4},
              LocalColumn{.wg = 1, .chunk = 64, .columns = 1}};
    },
    .edges = [](const LocalColumn& c) -> Edges {
      return {{c.wg}, {c.columns}, {c.chunk, (c.wg + c.columns - 1) / c.columns}};
    },
    .memory = {.local_bytes =
                   [](const LocalColumn& c, const CoreProduct& p) {
                     return static_cast<std::uint64_t>(c.chunk * c.columns) * accumulator_bytes(p.type);
                   },
               .private_bytes =
                   [](const LocalColumn& c, const CoreProduct& p, const DeviceProfile&) {
                     return static_cast<std::uint64_t>(c.chunk + c.columns) * accumulator_bytes(p.type);
                   }},
    .execution = [](const LocalColumn& c, const CoreProduct& p, const DeviceProfile&) { return over_rows(p, c.wg); },
};

}  // namespace tilewright::detail::gemm_variants
