#include "compare/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "gemm/epilogue.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct Reference {
  std::string_view name;
  std::string_view title;    // the library's own spelling
  std::string_view package;  // name in Debian and Ubuntu
  Contender (*make)(Workload&);
};

// Types that both libraries multiply comparably. CLBlast's half precision also sums in half precision; neither library
// has bfloat16 or integers.
constexpr std::array reference_types{DataType::f32, DataType::f64, DataType::c64, DataType::c128};

constexpr std::array references{
#ifdef TILEWRIGHT_WITH_CLBLAST
    Reference{"clblast", "CLBlast", "libclblast-dev", clblast_contender},
#else
    Reference{"clblast", "CLBlast", "libclblast-dev", nullptr},
#endif
#ifdef TILEWRIGHT_WITH_OPENBLAS
    Reference{"openblas", "OpenBLAS", "libopenblas-dev", openblas_contender},
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

void check_references(const std::vector<std::string>& names, DataType type) {
  for (const std::string& name : names) {
    find_reference(name);
    if (std::find(reference_types.begin(), reference_types.end(), type) != reference_types.end()) continue;
    std::vector<std::string> known;
    for (const DataType one : reference_types) known.emplace_back(tilewright::to_string(one));
    throw UsageError(
        fmt::format("{} has no product of {} matrices that could be compared, only of {}; leave out --against {}",
                    reference_title(name), tilewright::to_string(type), join_words(known, "and"), name));
  }
}

void check_references(const std::vector<std::string>& names, const GemmProblem& problem) {
  check_references(names, problem.type);
  if (!names.empty() && detail::has_epilogue(problem.epilogue))
    throw UsageError(
        fmt::format("{} has no product with an epilogue; leave out --against", reference_title(names.front())));
}

std::string reference_title(std::string_view name) { return std::string(find_reference(name).title); }

Contender library_contender(std::string_view name, Workload& workload) {
  check_references({std::string(name)}, workload.problem());
  return find_reference(name).make(workload);
}

void let_openblas_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(120)); }

}  // namespace tilewright::tool
