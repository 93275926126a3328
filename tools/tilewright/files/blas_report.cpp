#include "files/blas_report.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <set>
#include <stdexcept>
#include <utility>

#include "files/file_error.hpp"
#include "runtime/system/atomic_file.hpp"
#include "selection/json_line.hpp"

namespace tilewright::tool {
namespace {

constexpr std::uint64_t largest_report = 64 << 20;
constexpr std::uint64_t largest_size = std::uint64_t{1} << 40;

// A letter of BLAS: n, t or c.
std::string transpose_in(const nlohmann::json& shape, const char* name) {
  std::string letter = detail::text(shape, name, 1);
  if (letter != "n" && letter != "t" && letter != "c")
    throw std::runtime_error(fmt::format("{} is '{}', expected n, t or c", name, detail::printable(letter)));
  return letter;
}

std::string row_of(const nlohmann::json& shape) {
  std::uint64_t m = detail::whole_number(shape, "m", 1, largest_size),
                n = detail::whole_number(shape, "n", 1, largest_size);
  const std::uint64_t k = detail::whole_number(shape, "k", 1, largest_size);
  std::string trans_a = transpose_in(shape, "trans_a"), trans_b = transpose_in(shape, "trans_b");
  const std::string layout = detail::text(shape, "layout"), type = detail::text(shape, "type");
  if (layout == "column_major") {
    std::swap(m, n);
    std::swap(trans_a, trans_b);
  } else if (layout != "row_major") {
    throw std::runtime_error(
        fmt::format("layout is '{}', expected row_major or column_major", detail::printable(layout)));
  }
  if (type != "f32" && type != "f64" && type != "c64" && type != "c128")
    throw std::runtime_error(fmt::format("type is '{}', expected f32, f64, c64 or c128", detail::printable(type)));
  return fmt::format("{},{},{},{},{},{}\n", m, n, k, trans_a, trans_b, type);
}

// Arrays of a report. Anything else throws std::runtime_error.
const nlohmann::json& array(const nlohmann::json& values, const char* name) {
  const nlohmann::json& found = detail::field(values, name);
  if (!found.is_array()) throw std::runtime_error(fmt::format("{} is no array", name));
  return found;
}

std::string table_of(const nlohmann::json& report) {
  std::set<std::string> on_device, on_host;
  for (const nlohmann::json& routine : array(report, "routines")) {
    const std::string name = detail::text(routine, "routine");
    if (name.size() != 5 || name.substr(1) != "gemm") continue;
    for (const nlohmann::json& shape : array(routine, "shapes"))
      (detail::text(shape, "side") == "device" ? on_device : on_host).insert(row_of(shape));
  }
  std::string table = "m,n,k,trans_a,trans_b,type\n";
  for (const std::string& row : on_device.empty() ? on_host : on_device) table += row;
  return table;
}

}  // namespace

std::string products_of_report(const std::string& path) {
  const auto text = detail::read_file(path, largest_report);
  if (!text)
    throw FileError(FileErrorCode::cannot_open, path,
                    fmt::format("cannot be read, or is no file of at most {} MiB", largest_report >> 20));
  try {
    const nlohmann::json report = detail::parse_json(*text);
    return table_of(report);
  } catch (const std::exception& error) {
    throw FileError(FileErrorCode::malformed_row, path,
                    fmt::format("is no report of the BLAS library: {}", detail::printable(error.what())));
  }
}

}  // namespace tilewright::tool
