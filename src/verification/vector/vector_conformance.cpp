#include "kernels/element_type.hpp"
#include "verification/checked_operations.hpp"
#include "verification/vector/vector_cases.hpp"
#include "verification/vector/vector_trial.hpp"

namespace tilewright::verification {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const VectorCall call : vector_calls) names.emplace_back(to_string(call));
  return names;
}

// Sizes around vectors, the blocks of a group and the groups of a launch.
std::vector<std::uint64_t> sizes_of(Breadth breadth) {
  std::vector<std::uint64_t> sizes{0, 1, 15, 16, 17, 65, 130, 1000};
  if (breadth == Breadth::quick) return sizes;
  sizes.insert(sizes.end(), {2, 31, 32, 33, 63, 64, 1023, 1024, 4097, 8193, 16385, 300001});
  if (breadth == Breadth::full) sizes.push_back(5000001);
  return sizes;
}

std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const VectorCall calls[] = {parse_vector_call(name)};
  std::vector<CheckPart> parts;
  for (const detail::ElementType& type : detail::element_types()) {
    CheckPart part{.name = std::string(to_string(type.type)), .skipped = why_unsupported(calls[0], type.type, device)};
    for (const VectorCase& test : vector_cases(device, type.type, calls, sizes_of(breadth)))
      part.cases.push_back(to_string(test));
    parts.push_back(std::move(part));
  }
  return parts;
}

CaseResult run(const Engine& engine, const std::string& text) {
  const VectorCase test = parse_vector_case(text);
  CaseResult result;
  result.wrong = try_vector_case(engine, test);
  if (test.n > 0)
    result.kernels.push_back("vector " + std::string(to_string(test.call)) + ' ' + std::string(to_string(test.type)));
  return result;
}

}  // namespace

CheckedOperation checked_vector() {
  return {.name = "vector", .variants = names, .has_functions = true, .parts = parts, .run = run};
}

}  // namespace tilewright::verification
