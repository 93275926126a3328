// The toy in `tilewright check`.
#include "toy/tunable.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/case_text.hpp"

namespace tilewright::verification {
namespace {

struct ToyCase {
  Choice choice{};
  std::uint64_t bytes = 1;
};

void list_fields(CaseText& text, ToyCase& test) {
  text.choice("variant", test.choice);
  text("bytes", test.bytes);
}

std::vector<std::string> names() { return {"whole", "in_pieces"}; }

std::vector<CheckPart> parts(const DeviceProfile&, const std::string& variant, Breadth) {
  CheckPart part{.name = "bytes"};
  for (const std::uint64_t bytes : {1U, 15U, 16U, 17U, 1000U}) {
    ToyCase test{.choice = {variant, {}}, .bytes = bytes};
    if (variant == "in_pieces") test.choice.configuration = {{"pieces", 4}};
    part.cases.push_back(case_text(test));
  }
  return {part};
}

CaseResult run(const Engine& engine, const std::string& text) {
  const auto test = read_case<ToyCase>(text);
  return {.wrong = tuning::check_copy(engine, {test.bytes}, test.choice), .kernels = {"toy " + test.choice.variant}};
}

}  // namespace

CheckedOperation checked_toy() { return {.name = "toy", .variants = names, .parts = parts, .run = run}; }

}  // namespace tilewright::verification
