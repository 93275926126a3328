// Directories and runs for tests of `tilewright tune`.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "run_command.hpp"
#include "selection/json.hpp"
#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

struct TunePlace {
  TemporaryDirectory directory;
  ScopedEnvironment data{"TILEWRIGHT_DATA_DIR", directory.file("data")};
  ScopedEnvironment on{"TILEWRIGHT_RECORDS", std::nullopt};
  std::string shapes = directory.file("shapes.csv");

  TunePlace() { std::ofstream(shapes) << "m,n,k,trans_a,trans_b\n48,32,40,N,N\n24,40,16,T,N\n"; }
};

// Runs a command line whose words contain no spaces.
inline CommandResult run_words(const std::string& words) {
  std::istringstream stream(words);
  return run_command({std::istream_iterator<std::string>(stream), {}});
}

inline std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

// The row with this value. GPUs are tuned for several problems at the same time, so rows come in any order.
template <class Value>
nlohmann::json row_of(const std::vector<nlohmann::json>& rows, const char* field, const Value& value) {
  for (const nlohmann::json& row : rows)
    if (row.contains(field) && row[field] == value) return row;
  FAIL_CHECK("no row has " << value << " in " << field);
  return {};
}

}  // namespace tilewright::test
