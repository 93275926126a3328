#include "bindings/c/guard.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "bindings/c/conversions.hpp"
#include "bindings/c/input.hpp"
#include "bindings/opencl/functions.hpp"
#include "tilewright/error.hpp"

namespace tilewright::c {
namespace {

struct LastError {
  tilewright_status status = TILEWRIGHT_SUCCESS;
  OperandName operand = OperandName::none;
  cl_int opencl_status = CL_SUCCESS;
  std::string message{};
  const char* fixed_message = "";  // if there is no memory for `message`
  std::string operand_name{};

  const char* text() const { return message.empty() ? fixed_message : message.c_str(); }
};

LastError& last_error() {
  thread_local LastError error;
  return error;
}

tilewright_status remember(tilewright_status status, const char* message, OperandName operand = OperandName::none,
                           cl_int opencl_status = CL_SUCCESS) noexcept {
  LastError& last = last_error();
  last.status = status;
  last.operand = operand;
  last.opencl_status = opencl_status;
  last.fixed_message = "the host ran out of memory";
  try {
    last.message = message;
    last.operand_name = operand == OperandName::none ? "" : to_string(operand);
    // Without an OpenCL library the core only knows that there is no platform.
    if (status == TILEWRIGHT_NO_PLATFORM)
      if (std::string problem = opencl::problem(); !problem.empty()) last.message = std::move(problem);
  } catch (...) {
    last.message.clear();
    last.operand_name.clear();
  }
  return status;
}

}  // namespace

tilewright_status note_exception() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return remember(failure.status(), failure.what());
  } catch (const Error& error) {
    return remember(to_c(error.code()), error.what(), error.operand(), error.opencl_status());
  } catch (const std::bad_alloc&) {
    return remember(TILEWRIGHT_OUT_OF_MEMORY, "the host ran out of memory");
  } catch (const std::invalid_argument& error) {
    return remember(TILEWRIGHT_INVALID_ARGUMENT, error.what());
  } catch (const std::exception& error) {
    return remember(TILEWRIGHT_INTERNAL_ERROR, error.what());
  } catch (...) {
    return remember(TILEWRIGHT_INTERNAL_ERROR, "an unknown exception was thrown");
  }
}

void expect_argument(const void* pointer, const char* name) {
  if (pointer == nullptr) throw Failure(TILEWRIGHT_INVALID_ARGUMENT, std::string(name) + " is null");
}

char* owned_text(const std::string& text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace tilewright::c

using namespace tilewright::c;

tilewright_status tilewright_last_error(tilewright_error* error) {
  // Does not go through guarded(), which would replace the error.
  if (error == nullptr) return TILEWRIGHT_INVALID_ARGUMENT;
  try {
    expect_output(error);
  } catch (...) {
    return TILEWRIGHT_UNSUPPORTED_STRUCT;
  }
  const LastError& last = last_error();
  tilewright_error known{};
  known.struct_size = error->struct_size;
  known.status = last.status;
  known.operand = to_c(last.operand);
  known.opencl_status = last.opencl_status;
  known.message = last.text();
  known.operand_name = last.operand_name.c_str();
  write_output(error, known);
  return TILEWRIGHT_SUCCESS;
}

const char* tilewright_last_message() { return last_error().text(); }

void tilewright_text_release(char* text) { std::free(text); }
