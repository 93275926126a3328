#include "bindings/blas/settings.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace tilewright::blas {
namespace {

// Empty in a set-user-ID program: another user controls its environment.
std::string_view environment(const char* name) {
  const char* const value = secure_getenv(name);
  return value == nullptr ? "" : value;
}

// Independent of the locale, unlike strtod().
double number(std::string_view text, double otherwise) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? value : otherwise;
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

std::vector<std::string> list(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (comma != 0) names.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return names;
}

}  // namespace

Settings read_settings() {
  Settings settings;
  const std::string_view mode = environment("TILEWRIGHT_BLAS"), accuracy = environment("TILEWRIGHT_BLAS_ACCURACY");
  if (mode == "always") settings.mode = Mode::always;
  if (mode == "never") settings.mode = Mode::never;
  settings.host = environment("TILEWRIGHT_BLAS_HOST");
  const std::string_view integers = environment("TILEWRIGHT_BLAS_INTEGERS");
  if (integers == "32" || integers == "64") settings.wide_integers = integers == "64";
  settings.routines = list(environment("TILEWRIGHT_BLAS_ROUTINES"));
  settings.min_flops = number(environment("TILEWRIGHT_BLAS_MIN_FLOPS"), settings.mode == Mode::always ? 0 : 1e7);
  settings.memory = bytes(environment("TILEWRIGHT_BLAS_MEMORY"));
  for (const Accuracy value : {Accuracy::fp32_split, Accuracy::tf32})
    if (accuracy == to_string(value)) settings.accuracy = value;
  settings.report = environment("TILEWRIGHT_BLAS_REPORT");
  if (settings.report == "0") settings.report.clear();
  return settings;
}

}  // namespace tilewright::blas
