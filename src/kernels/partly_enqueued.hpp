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

}  // namespace tilewright::detail
