// Places in a build log as files and lines of the source.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Returns a build log whose places are files and lines according to the source's #line directives. Some drivers ignore
/// these directives and count through: "input.cl:173:14: error: ..." becomes "gemm/naive.cl:24:14: error: ...". Places
/// that already name a file of the source, or no .cl file, stay unchanged.
std::string with_source_places(std::string_view log, std::string_view source);

}  // namespace tilewright::detail
