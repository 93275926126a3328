#pragma once

#include <span>
#include <string_view>

namespace tilewright::detail {

struct EmbeddedKernel {
  std::string_view path;  ///< below cl/, for example "gemm/naive.cl"
  std::string_view text;
};

/// Every kernel file that was there when the library was built; the definition is generated.
std::span<const EmbeddedKernel> embedded_kernels();

}  // namespace tilewright::detail
