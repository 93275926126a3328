// Files embedded in the library.
#pragma once

#include <span>
#include <string_view>

namespace tilewright::detail {

struct EmbeddedFile {
  std::string_view path;  ///< relative to the embedded directory, for example "gemm/naive.cl"
  std::string_view text;
};

// The files present when the library was built. The definitions are generated.
std::span<const EmbeddedFile> embedded_kernels();  ///< cl/
std::span<const EmbeddedFile> embedded_records();  ///< src/selection/shipped/
std::span<const EmbeddedFile> embedded_report();   ///< src/tuning/report/page/, in the tuner's library

}  // namespace tilewright::detail
