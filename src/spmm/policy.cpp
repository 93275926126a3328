// What spmm runs where nothing is forced: by the device's type, n, and the lengths of the rows.
#include "selection/usable_configurations.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail {

extern const SpmmVariant row_per_item_spmm;

namespace {

// The order in which variants are tried, and why.
struct Default {
  Untuned<SpmmCore> untuned;
  bool (*suits)(const SpmmCore&, const DeviceProfile&) = nullptr;  // for some problems only
};

constexpr Default defaults[] = {
    {{&row_per_item_spmm, "runs everywhere"}},
};

}  // namespace

Untuned<SpmmCore> Operation<SpmmCore>::untuned(const SpmmCore& core, const DeviceProfile& device) {
  for (const Default& candidate : defaults)
    if ((candidate.suits == nullptr || candidate.suits(core, device)) &&
        why_unsupported(*candidate.untuned.variant, core, device).empty())
      return candidate.untuned;
  throw Error(ErrorCode::unsupported_variant, "no variant can do this problem on " + device.name);
}

}  // namespace tilewright::detail
