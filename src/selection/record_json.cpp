#include "selection/record_json.hpp"

#include <stdexcept>

namespace tilewright::detail {
namespace {

using Json = nlohmann::json;

constexpr double min_seconds = 1e-9;
constexpr double max_seconds = 1e7;
constexpr double max_variation = 1e6;
constexpr std::uint64_t max_timings = 1000000000;

std::string schema_of(const ParameterList& parameters) {
  std::string schema;
  for (const VariantParameter& parameter : parameters)
    schema += (schema.empty() ? "" : " ") + std::string(parameter.name);
  return schema;
}

}  // namespace

nlohmann::ordered_json to_json(const Configuration& configuration) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& [name, value] : configuration) values[name] = value;
  return values;
}

Configuration configuration_from_json(std::string_view variant, const ParameterList& parameters, const Json& values) {
  Configuration configuration;
  for (const VariantParameter& parameter : parameters) {
    const auto found = values.find(parameter.name);
    if (found == values.end() || values.size() != parameters.size())
      throw std::runtime_error(std::string(variant) + " now has the parameters " + schema_of(parameters));
    constexpr std::int64_t most = std::int64_t{1} << 31U;  // the variant's own limits are checked later
    if (!found->is_number_integer() || (found->is_number_unsigned() && found->get<std::uint64_t>() > most) ||
        found->get<std::int64_t>() < -most)
      throw std::runtime_error(std::string(parameter.name) + " is not a whole number that a parameter can have");
    configuration.set(parameter.name, found->get<std::int64_t>());
  }
  return configuration;
}

void append(nlohmann::ordered_json& line, const Measurement& measurement) {
  line["seconds"] = measurement.seconds;
  line["variation"] = measurement.variation;
  line["timings"] = measurement.timings;
  if (measurement.variation > noisy_variation) line["noisy"] = true;  // for people who read the file
  line["untuned_seconds"] = measurement.untuned_seconds;
  line["driver"] = measurement.driver;
  line["library"] = measurement.library;
  line["date"] = measurement.date;
  if (!measurement.same_device) line["same_device"] = false;
  if (measurement.only_own) line["only_own"] = true;
}

Measurement measurement_from_json(const Json& line) {
  Measurement measured{};
  measured.seconds = number(line, "seconds", min_seconds, max_seconds);
  measured.variation = number(line, "variation", 0, max_variation);
  measured.timings = static_cast<unsigned>(whole_number(line, "timings", 0, max_timings));
  measured.untuned_seconds = number(line, "untuned_seconds", min_seconds, max_seconds);
  measured.driver = text(line, "driver");
  measured.library = text(line, "library");
  measured.date = text(line, "date");
  measured.same_device = !line.contains("same_device") || boolean(line, "same_device");
  measured.only_own = line.contains("only_own") && boolean(line, "only_own");
  return measured;
}

}  // namespace tilewright::detail
