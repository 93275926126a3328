# Writes OUTPUT, a C++ file that holds every kernel file of FILES (paths below ROOT) as bytes.
# Bytes have no length limit and no escapes, unlike string literals.
string(REPLACE " " ";" FILES "${FILES}")
set(arrays "")
set(table "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "constexpr unsigned char file_${index}[] = {${bytes}};\n")
  string(APPEND table "    {\"${file}\", {reinterpret_cast<const char*>(file_${index}), sizeof(file_${index})}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from cl/ by cmake/EmbedKernels.cmake.
#include \"runtime/embedded_kernels.hpp\"

namespace tilewright::detail {
namespace {
${arrays}
const EmbeddedKernel table[] = {
${table}};
}  // namespace

std::span<const EmbeddedKernel> embedded_kernels() { return table; }

}  // namespace tilewright::detail
")
