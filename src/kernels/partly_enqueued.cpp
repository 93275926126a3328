#include "kernels/partly_enqueued.hpp"

namespace tilewright::detail {

PartlyEnqueued partly_enqueued(const Error& error) {
  constexpr const char* part = "; a part of the call was enqueued before that and may still write its result";
  std::string message = error.what();
  if (!message.ends_with(part)) message += part;  // a step of the call may have said so
  return {error.code(), error.operand(), message, error.opencl_status()};
}

}  // namespace tilewright::detail
