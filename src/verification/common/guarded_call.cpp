#include "verification/common/guarded_call.hpp"

#include <algorithm>

namespace tilewright::verification {

GuardedCall::GuardedCall(const Engine& engine)
    : queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)) {}

void GuardedCall::execute(const std::function<Event(cl_command_queue)>& enqueue) const {
  for (const Operand& operand : operands_) operand.upload(queue_);
  enqueue(queue_()).wait();
  for (const Operand& operand : operands_) operand.download(queue_);
}

std::string GuardedCall::verify(const std::function<Event(cl_command_queue)>& enqueue,
                                const std::function<std::string()>& wrong) {
  execute(enqueue);
  if (std::string text = wrong(); !text.empty()) return text;
  std::vector<std::vector<std::byte>> first;
  for (const Operand& operand : operands_) {
    if (const std::string text = operand.damage(); !text.empty()) return operand.name + ": " + text;
    const std::span<const std::byte> bytes = operand.bytes();
    first.emplace_back(bytes.begin(), bytes.end());
  }
  execute(enqueue);
  for (std::size_t i = 0; i < operands_.size(); ++i)
    if (!std::ranges::equal(first[i], operands_[i].bytes()))
      return operands_[i].name + ": the second run gave different bits";
  return {};
}

}  // namespace tilewright::verification
