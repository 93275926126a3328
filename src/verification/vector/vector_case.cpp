#include "verification/vector/vector_case.hpp"

#include <sstream>

namespace tilewright::verification {
namespace {

const char* name_of(VectorCall call) {
  switch (call) {
    case VectorCall::axpby:
      return "axpby";
    case VectorCall::scal:
      return "scal";
    case VectorCall::hadamard:
      return "hadamard";
    case VectorCall::copy:
      return "copy";
    case VectorCall::swap:
      return "swap";
    case VectorCall::dot:
      return "dot";
    case VectorCall::dotc:
      return "dotc";
    case VectorCall::compensated_dot:
      return "compensated dot";
    case VectorCall::nrm2:
      return "nrm2";
    case VectorCall::asum:
      return "asum";
    case VectorCall::iamax:
      break;
  }
  return "iamax";
}

}  // namespace

std::string to_string(const VectorCase& test) {
  std::ostringstream text;
  const auto list = [&](const char* name, const auto& values) {
    text << ' ' << name << '=' << values[0] << ',' << values[1] << ',' << values[2];
  };
  text << name_of(test.call) << ' ' << to_string(test.type) << " n=" << test.n;
  list("inc", test.increments);
  list("offset", test.offsets);
  text << " count=" << test.count << " gap=" << test.gap << " alpha=" << test.alpha << " beta=" << test.beta
       << " data=" << to_string(test.data) << " memory=" << static_cast<int>(test.memory) << " seed=" << test.seed;
  return text.str();
}

std::size_t vectors_of(VectorCall call) {
  switch (call) {
    case VectorCall::hadamard:
      return 3;
    case VectorCall::axpby:
    case VectorCall::copy:
    case VectorCall::swap:
    case VectorCall::dot:
    case VectorCall::dotc:
    case VectorCall::compensated_dot:
      return 2;
    case VectorCall::scal:
    case VectorCall::nrm2:
    case VectorCall::asum:
    case VectorCall::iamax:
      break;
  }
  return 1;
}

std::size_t written_by(VectorCall call) {
  switch (call) {
    case VectorCall::scal:
      return 0;
    case VectorCall::axpby:
    case VectorCall::copy:
    case VectorCall::swap:
      return 1;
    case VectorCall::hadamard:
      return 2;
    case VectorCall::dot:
    case VectorCall::dotc:
    case VectorCall::compensated_dot:
    case VectorCall::nrm2:
    case VectorCall::asum:
    case VectorCall::iamax:
      break;
  }
  return 3;
}

}  // namespace tilewright::verification
