// The error of a call that failed halfway.
#pragma once

#include "tilewright/error.hpp"

namespace tilewright::detail {

/// Thrown if a call failed after its first commands were enqueued, which may still write its result. Any other Error of
/// an enqueue means that nothing was enqueued.
class PartlyEnqueued : public Error {
 public:
  using Error::Error;
};

/// Returns the error of a call whose first commands were enqueued before `error` was thrown. Its message says so.
PartlyEnqueued partly_enqueued(const Error& error);

}  // namespace tilewright::detail
