#include "kernels/operands/host_operands.hpp"

#include <cstdint>
#include <string>

#include "kernels/operands/overlap.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

// Treats all of host memory as one buffer, in elements from address 0.
PlacedMatrices in_host_memory(const HostOperand& operand) {
  return {operand.matrix, operand.places, reinterpret_cast<std::uintptr_t>(operand.data) / operand.element};
}

}  // namespace

void check_pointer(const HostOperand& operand) {
  const auto& [name, blamed] = operand.label;
  if (operand.data == nullptr)
    throw Error(ErrorCode::null_object, blamed, std::string(name) + " is null, but this product needs it");
  if (const auto rest = reinterpret_cast<std::uintptr_t>(operand.data) % operand.element; rest != 0)
    throw Error(ErrorCode::invalid_offset, blamed,
                "the address of " + std::string(name) + " is " + std::to_string(rest) + " bytes past a multiple of " +
                    std::to_string(operand.element) + "; align it to its elements");
}

void check_apart(const HostOperand& written, const HostOperand& read) {
  const Answer answer = overlap(in_host_memory(written), in_host_memory(read));
  if (answer == Answer::no) return;
  const std::string name = read.label.name;
  throw Error(ErrorCode::overlapping_operands, read.label.operand,
              answer == Answer::yes ? std::string(written.label.name) + " shares elements with " + name +
                                          ", which is read during the call; use other memory for one of them"
                                    : std::string(written.label.name) + " may share elements with " + name +
                                          ": the interleaving of their rows is too complex to check; use equal leading "
                                          "dimensions or separate memory ranges");
}

}  // namespace tilewright::detail
