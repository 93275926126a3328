#include "gemm/complex_selection.hpp"

#include <string>

namespace tilewright::detail {

GemmSelection selection_for_complex(const GemmSelection& for_real, const CoreProduct& product,
                                    const DeviceProfile& device) {
  if (!product.complex || !for_real.has_more) return for_real;
  std::string broken;
  GemmSelection selection{for_real.variant, usable_configurations(*for_real.variant, product, device, {}, broken),
                          for_real.reason};
  return selection.values.empty() ? for_real : selection;
}

}  // namespace tilewright::detail
