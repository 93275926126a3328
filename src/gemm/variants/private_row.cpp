#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct PrivateRow {
  std::int64_t wg, chunk, columns;
};

}  // namespace

extern constexpr GemmVariant private_row{
    .name = "private_row",
    .summary = "one row of C per work-item, the row of A in private memory",
    .program = {.file = "gemm/private_row.cl", .launch_parameters = {&PrivateRow::wg}},
    .parameters =
        {
            {"wg", &PrivateRow::wg, "work-items per group", {1, 2, 4, 8, 16, 32, 64, 128, 256}},
            {"chunk",
             &PrivateRow::chunk,
             "elements of A's row held at a time",
             {16, 32, 64, 128, 256, 512, 1024, 2048}},
            {"columns", &PrivateRow::columns, "columns of C computed at a time", {1, 2, 4, 8, 16}},
        },
    .constraints = {{"columns <= 64",
                     "each column takes a register",
                     {&PrivateRow::columns},
                     [](const PrivateRow& c, const CoreProduct&, const DeviceProfile&) { return c.columns <= 64; }}},
    .preferences = [](const CoreProduct&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {PrivateRow{.wg = 32, .chunk = 1024, .columns = 4}, PrivateRow{.wg = 1, .chunk = 256, .columns = 4}};
    },
    .edges = [](const PrivateRow& c) -> Edges {
      return {{c.wg}, {c.columns}, {c.chunk}};
    },
    .memory = {.private_bytes =
                   [](const PrivateRow& c, const CoreProduct& p, const DeviceProfile&) {
                     return static_cast<std::uint64_t>(c.chunk + c.columns) * accumulator_bytes(p.type);
                   }},
    .execution = [](const PrivateRow& c, const CoreProduct& p, const DeviceProfile&) { return over_rows(p, c.wg); },
};

}  // namespace tilewright::detail::gemm_variants
