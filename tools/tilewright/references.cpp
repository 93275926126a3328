#include "references.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "suggest.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct Reference {
  std::string_view name;
  std::string_view title;    // as it calls itself
  std::string_view package;  // in Debian and Ubuntu
  std::unique_ptr<Contender> (*make)(Workload&);
};

constexpr std::array references{
#ifdef TILEWRIGHT_WITH_CLBLAST
    Reference{"clblast", "CLBlast", "libclblast-dev", make_clblast},
#else
    Reference{"clblast", "CLBlast", "libclblast-dev", nullptr},
#endif
#ifdef TILEWRIGHT_WITH_OPENBLAS
    Reference{"openblas", "OpenBLAS", "libopenblas-dev", make_openblas},
#else
    Reference{"openblas", "OpenBLAS", "libopenblas-dev", nullptr},
#endif
};

const Reference& find_reference(std::string_view name) {
  for (const Reference& reference : references) {
    if (reference.name != name) continue;
    if (reference.make != nullptr) return reference;
    throw std::runtime_error(fmt::format("this build cannot compare with {}: install the package {} and build again",
                                         name, reference.package));
  }
  throw UsageError(unknown_word("library to compare with", name, {"clblast", "openblas"}));
}

}  // namespace

void check_references(const std::vector<std::string>& names) {
  for (const std::string& name : names) find_reference(name);
}

std::string reference_title(std::string_view name) { return std::string(find_reference(name).title); }

std::unique_ptr<Contender> make_reference(std::string_view name, Workload& workload) {
  return find_reference(name).make(workload);
}

}  // namespace tilewright::tool
