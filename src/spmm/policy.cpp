// What spmm runs where nothing is forced: by the device's type, n, and the lengths of the rows.
#include "selection/usable_configurations.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

extern const SpmmVariant row_per_item_spmm, lanes_per_row_spmm, row_blocks_spmm, column_lanes_spmm, chunk_per_item_spmm;

namespace {

bool is_cpu(const SpmmCore&, const DeviceProfile& device) { return device.type == DeviceType::cpu; }

// From here on lanes find enough columns side by side, and rows of B fill whole lines of memory.
bool has_columns(const SpmmCore& core, const DeviceProfile&) { return core.n >= 8; }

// Where the lengths of rows differ so much that most of a device would wait for few of them.
bool is_skewed(const SpmmCore& core, const DeviceProfile&) {
  const auto longest = static_cast<double>(core.a.longest);
  return longest > 64 && (core.a.deviation > 2 * core.a.mean || longest > 32 * (core.a.mean + 1));
}

// A group of row_blocks does one column, so that A is read for each.
bool is_skewed_with_columns(const SpmmCore& core, const DeviceProfile& device) {
  return core.n > 2 && is_skewed(core, device);
}

// The order in which variants are tried, and why.
constexpr Default<SpmmCore> defaults[] = {
    {{&chunk_per_item_spmm, "default for CPUs: chunks of equal work, vectors of columns"}, is_cpu},
    {{&column_lanes_spmm, "default for GPUs with 8 columns or more: lanes side by side in rows of B"}, has_columns},
    {{&column_lanes_spmm, "default for GPUs where the lengths of rows differ much"}, is_skewed_with_columns},
    {{&row_blocks_spmm, "default for GPUs with few columns where the lengths of rows differ much"}, is_skewed},
    {{&lanes_per_row_spmm, "default for GPUs: lanes of a row as its usual length asks for"}},
    {{&row_per_item_spmm, "runs everywhere"}},
};

}  // namespace

UntunedChoice<SpmmCore> Operation<SpmmCore>::untuned(const SpmmCore& core, const DeviceProfile& device) {
  return first_usable<SpmmCore>(defaults, core, device);
}

}  // namespace tilewright::detail
