#include "runtime/program/sm_90a.hpp"

#include <utility>

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

constexpr std::string_view marker = "//sm_90a ";
constexpr std::string_view entry_marker = "//sm_90a_entry ";
constexpr std::string_view literal = "\"//sm_90a \"";
constexpr std::string_view target_directive = ".target sm_90";

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::build_failed, "cannot insert sm_90a instructions into the program: " + what);
}

// Moves the directives in comments of a kernel's body to its header, where PTX expects them.
std::string with_entry_directives(std::string ptx) {
  for (std::size_t at = ptx.find(entry_marker); at != std::string::npos; at = ptx.find(entry_marker, at)) {
    const std::size_t begin = at + entry_marker.size();
    const std::string directive = ptx.substr(begin, ptx.find('\n', begin) - begin);
    ptx.erase(at, entry_marker.size() + directive.size());
    const std::size_t entry = ptx.rfind(".entry", at), body = ptx.find('{', entry);
    if (entry == std::string::npos || body > at) fail("a directive is in no kernel");
    ptx.insert(body, directive + '\n');
  }
  return ptx;
}

}  // namespace

bool has_sm_90a_instructions(std::string_view source) { return source.find(literal) != std::string_view::npos; }

std::string with_sm_90a_instructions(std::string_view ptx) {
  ptx = ptx.substr(0, ptx.find('\0'));
  const std::size_t target = ptx.find(target_directive);
  if (target == std::string_view::npos) fail("its binary is not PTX for sm_90");
  const std::size_t after = target + target_directive.size();
  if (after < ptx.size() && ptx[after] != ',' && ptx[after] != '\n' && ptx[after] != '\r' && ptx[after] != ' ')
    fail("its binary is PTX for another target");

  std::string result(ptx.substr(0, after));
  result += 'a';
  std::size_t from = after;
  std::size_t next = ptx.find(marker, from);
  if (next == std::string_view::npos) fail("the compiler dropped them");
  for (; next != std::string_view::npos; next = ptx.find(marker, from)) {
    result += ptx.substr(from, next - from);
    from = next + marker.size();
  }
  result += ptx.substr(from);
  return with_entry_directives(std::move(result));
}

}  // namespace tilewright::detail
