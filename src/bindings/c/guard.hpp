// The border between C++ exceptions and statuses: nothing throws through a function of the C interface.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "tilewright.h"

namespace tilewright::c {

/// A failure that only the C interface has.
class Failure : public std::exception {
 public:
  Failure(tilewright_status status, std::string message) : status_(status), message_(std::move(message)) {}

  tilewright_status status() const noexcept { return status_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  tilewright_status status_;
  std::string message_;
};

/// Remembers the current exception as the last error of this thread and returns its status. Never throws.
tilewright_status note_exception() noexcept;

/// Runs `work`. Returns TILEWRIGHT_SUCCESS, or the status of the exception that it threw.
template <class Work>
tilewright_status guarded(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    return TILEWRIGHT_SUCCESS;
  } catch (...) {
    return note_exception();
  }
}

/// Throws Failure(TILEWRIGHT_INVALID_ARGUMENT) for a null pointer; `name` is the argument's.
void expect_argument(const void* pointer, const char* name);

/// Returns a copy of a text that the caller releases with tilewright_text_release().
char* owned_text(const std::string& text);

}  // namespace tilewright::c
