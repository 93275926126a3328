// Numbers and tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::tool {

/// "12.34 us"
std::string format_seconds(double seconds);

/// "64 KiB"
std::string format_bytes(std::uint64_t bytes);

/// Four significant digits at most, never an exponent where it can be helped: "1234", "12.3", "0.00123".
std::string format_number(double number);

/// Text in columns, each as wide as its widest entry.
class Table {
 public:
  struct Column {
    std::string title;
    bool right_aligned = false;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One entry for each column; what is missing at the end stays empty.
  void add_row(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string to_string() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilewright::tool
