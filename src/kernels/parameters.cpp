#include "kernels/parameters.hpp"

#include "tilewright/error.hpp"

namespace tilewright::detail {

void ParameterValues::set(const ParameterSetting& setting) { values_[setting.member.index] = setting.value; }

std::vector<Parameter> parameter_infos(const ParameterList& parameters) {
  std::vector<Parameter> result;
  for (const VariantParameter& parameter : parameters)
    result.push_back({parameter.name, parameter.meaning, {parameter.values.begin(), parameter.values.end()}});
  return result;
}

ParameterValues values_of(const ParameterList& parameters, const Configuration& configuration) {
  ParameterValues values;
  for (const VariantParameter& parameter : parameters) values.set({parameter.member, configuration[parameter.name]});
  return values;
}

ParameterValues values_of(const ParameterList& parameters, std::span<const ParameterMember> some,
                          const Configuration& configuration) {
  ParameterValues values;
  for (const VariantParameter& parameter : parameters) values.set({parameter.member, 1});
  for (const ParameterMember& member : some) values.set({member, configuration[parameters[member.index].name]});
  return values;
}

std::vector<ParameterSetting> settings_of(std::string_view variant, const ParameterList& parameters,
                                          const Configuration& configuration) {
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : configuration) {
    const auto known =
        std::find_if(parameters.begin(), parameters.end(),
                     [&name = name](const VariantParameter& parameter) { return parameter.name == name; });
    if (known != parameters.end()) {
      settings.push_back({known->member, value});
      continue;
    }
    std::string names;
    for (const VariantParameter& parameter : parameters)
      names += (names.empty() ? "" : ", ") + std::string(parameter.name);
    throw Error(ErrorCode::unknown_parameter,
                "variant '" + std::string(variant) + "' has no parameter '" + name + "'; it has: " + names);
  }
  return settings;
}

Configuration configuration_of(const ParameterList& parameters, const ParameterValues& values) {
  Configuration configuration;
  for (std::size_t i = 0; i < parameters.size(); ++i) configuration.set(parameters[i].name, values[i]);
  return configuration;
}

Configuration configuration_of(const ParameterList& parameters, std::span<const ParameterSetting> settings) {
  Configuration configuration;
  for (const ParameterSetting& setting : settings)
    configuration.set(parameters[setting.member.index].name, setting.value);
  return configuration;
}

std::string parameter_options(const ParameterList& parameters, std::span<const ParameterMember> except,
                              const ParameterValues& values) {
  std::string options;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto is_this = [&](const ParameterMember& member) { return member.index == i; };
    if (std::any_of(except.begin(), except.end(), is_this)) continue;
    options += " -D";
    for (const char c : std::string_view(parameters[i].name))
      options += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    options += '=' + std::to_string(values[i]);
  }
  return options;
}

}  // namespace tilewright::detail
