// The default variants of spmm, by the type of the device, n, and the lengths of the rows.
#include "selection/usable_configurations.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

namespace spmm_variants {
extern const SpmmVariant row_per_item, lanes_per_row, row_blocks, column_lanes, chunk_per_item;
}

namespace {

using namespace spmm_variants;

bool is_cpu(const SpmmCore&, const DeviceProfile& device) { return device.type == DeviceType::cpu; }

// From 8 columns, neighbouring lanes have enough columns, and rows of B fill whole cache lines.
bool has_columns(const SpmmCore& core, const DeviceProfile&) { return core.n >= 8; }

// Whether the lengths of rows differ so much that most of a device would wait for a few long rows.
bool is_skewed(const SpmmCore& core, const DeviceProfile&) {
  const auto longest = static_cast<double>(core.a.longest);
  return longest > 64 && (core.a.deviation > 2 * core.a.mean || longest > 32 * (core.a.mean + 1));
}

// A group of row_blocks computes one column, so A is read once per column.
bool is_skewed_with_columns(const SpmmCore& core, const DeviceProfile& device) {
  return core.n > 2 && is_skewed(core, device);
}

// The variants in the order in which they are tried, with the reason.
constexpr Default<SpmmCore> defaults[] = {
    {{&chunk_per_item, "default for CPUs: chunks of equal work, vectors of columns"}, is_cpu},
    {{&column_lanes, "default for GPUs with 8 columns or more: neighbouring lanes read a row of B"}, has_columns},
    {{&column_lanes, "default for GPUs if the lengths of rows differ much"}, is_skewed_with_columns},
    {{&row_blocks, "default for GPUs with few columns if the lengths of rows differ much"}, is_skewed},
    {{&lanes_per_row, "default for GPUs: as many lanes per row as its mean length needs"}},
    {{&row_per_item, "runs everywhere"}},
};

}  // namespace

UntunedChoice<SpmmCore> Operation<SpmmCore>::untuned(const SpmmCore& core, const DeviceProfile& device) {
  return first_usable<SpmmCore>(defaults, core, device);
}

}  // namespace tilewright::detail
