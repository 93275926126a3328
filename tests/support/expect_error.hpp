#pragma once

#include <doctest/doctest.h>

#include <string>

#include "tilewright/error.hpp"

namespace doctest {

template <>
struct StringMaker<tilewright::ErrorCode> {
  static String convert(tilewright::ErrorCode code) { return std::string(tilewright::to_string(code)).c_str(); }
};

template <>
struct StringMaker<tilewright::OperandName> {
  static String convert(tilewright::OperandName operand) { return std::string(tilewright::to_string(operand)).c_str(); }
};

}  // namespace doctest

namespace tilewright::test {

/// Checks that `call` throws an Error with this code and a substantial message. Returns the message.
template <typename Call>
std::string expect_error(ErrorCode code, Call&& call) {
  CAPTURE(to_string(code));
  try {
    call();
    FAIL_CHECK("no error was thrown");
  } catch (const Error& error) {
    CHECK_MESSAGE(error.code() == code, error.what());
    CHECK(std::string(error.what()).size() > 10);
    return error.what();
  } catch (const std::exception& error) {
    FAIL_CHECK("an exception of another type was thrown: ", error.what());
  }
  return {};
}

/// Checks that `call` throws an Error with this code for this operand. Returns the message.
template <typename Call>
std::string expect_error(ErrorCode code, OperandName operand, Call&& call) {
  return expect_error(code, [&] {
    try {
      call();
    } catch (const Error& error) {
      CHECK_MESSAGE(error.operand() == operand, error.what());
      throw;
    }
  });
}

/// Whether `text` contains `part`.
inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tilewright::test
