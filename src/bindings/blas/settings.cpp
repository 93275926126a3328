#include "bindings/blas/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "bindings/blas/blas_call.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::blas {
namespace {

// Independent of the locale, unlike strtod().
double number(std::string_view text, double otherwise) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 && std::isfinite(value) ? value
                                                                                                        : otherwise;
}

// A number of bytes, such as 4096, 512M or 1.5G.
std::uint64_t bytes(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    const std::size_t power = std::string_view("KMGT").find(text.back());
    if (power != std::string_view::npos) {
      for (std::size_t i = 0; i <= power; ++i) unit *= 1024;
      text.remove_suffix(1);
    }
  }
  const double value = number(text, 0) * unit;
  return value < 9e18 ? static_cast<std::uint64_t>(value) : std::numeric_limits<std::uint64_t>::max();
}

// Names of routines, separated by commas, in any case and with blanks around them. Unknown names are ignored.
std::vector<std::string> routines(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string name;
    for (const char c : text.substr(0, comma))
      if (c != ' ' && c != '\t') name += detail::lower_case(c);
    if (name == "gemmtr") name = "gemmt";
    if (name == "unmqr") name = "ormqr";
    for (int routine = 0; routine <= static_cast<int>(last_routine); ++routine)
      if (name == to_string(static_cast<Routine>(routine))) names.push_back(name);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return names;
}

}  // namespace

Settings read_settings() {
  Settings settings;
  const auto environment = detail::trusted_environment;
  const std::string mode = environment("TILEWRIGHT_BLAS"), accuracy = environment("TILEWRIGHT_BLAS_ACCURACY");
  if (mode == "always") settings.mode = Mode::always;
  if (mode == "never") settings.mode = Mode::never;
  settings.host = environment("TILEWRIGHT_BLAS_HOST");
  const std::string integers = environment("TILEWRIGHT_BLAS_INTEGERS");
  if (integers == "32" || integers == "64") settings.wide_integers = integers == "64";
  settings.routines = routines(environment("TILEWRIGHT_BLAS_ROUTINES"));
  settings.min_flops = number(environment("TILEWRIGHT_BLAS_MIN_FLOPS"), settings.mode == Mode::always ? 0 : 1e7);
  settings.memory = bytes(environment("TILEWRIGHT_BLAS_MEMORY"));
  for (const Accuracy value : {Accuracy::fp32_split, Accuracy::tf32})
    if (accuracy == to_string(value)) settings.accuracy = value;
  settings.report = environment("TILEWRIGHT_BLAS_REPORT");
  if (settings.report == "0") settings.report.clear();
  return settings;
}

}  // namespace tilewright::blas
