#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// A build log in which places are told by the files and lines that the source's #line directives name. Some drivers
/// ignore these and count through: "input.cl:173:14: error: ..." becomes "gemm/naive.cl:24:14: error: ...". What names
/// a file of the source, or no .cl file, is left as it is.
std::string with_source_places(std::string_view log, std::string_view source);

}  // namespace tilewright::detail
