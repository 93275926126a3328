#include "tilewright/log.hpp"

#include <doctest/doctest.h>

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
