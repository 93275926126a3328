#include "tilewright/log.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/system/log.hpp"

namespace tilewright::test {

TEST_SUITE("log") {
  TEST_CASE("messages go to the latest callback, or nowhere") {
    std::vector<std::string> first, second;
    detail::log("nobody listens");
    set_log_callback([&](std::string_view message) { first.emplace_back(message); });
    detail::log("one");
    set_log_callback([&](std::string_view message) { second.emplace_back(message); });
    detail::log("two");
    set_log_callback({});
    detail::log("three");
    CHECK(first == std::vector<std::string>{"one"});
    CHECK(second == std::vector<std::string>{"two"});
  }

  TEST_CASE("debug messages have a separate callback") {
    std::vector<std::string> warnings, details;
    set_log_callback([&](std::string_view message) { warnings.emplace_back(message); });
    detail::debug("nobody listens");
    set_debug_callback([&](std::string_view message) { details.emplace_back(message); });
    detail::log("a warning");
    detail::debug("a detail");
    set_log_callback({});
    set_debug_callback({});
    CHECK(warnings == std::vector<std::string>{"a warning"});
    CHECK(details == std::vector<std::string>{"a detail"});
  }

  TEST_CASE("a failure is described by the parts of its text and the exception's message") {
    std::vector<std::string> details;
    set_debug_callback([&](std::string_view message) { details.emplace_back(message); });
    try {
      throw std::runtime_error("no space");
    } catch (...) {
      detail::debug_failure("nothing is stored");
      detail::debug_failure("cache: ", "naive", " is not saved");
    }
    set_debug_callback([](std::string_view) { throw std::runtime_error("from the callback"); });
    try {
      throw std::runtime_error("no space");
    } catch (...) {
      detail::debug_failure("cache miss: ", "naive");
    }
    set_debug_callback({});
    CHECK(details == std::vector<std::string>{"nothing is stored: no space", "cache: naive is not saved: no space"});
  }

  TEST_CASE("a callback may replace itself") {
    int calls = 0;
    set_log_callback([&](std::string_view) {
      ++calls;
      set_log_callback({});
    });
    detail::log("one");
    detail::log("two");
    CHECK(calls == 1);
  }
}

}  // namespace tilewright::test
