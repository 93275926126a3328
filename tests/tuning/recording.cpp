#include "tuning/recording.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_set>

namespace tilewright::test {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

std::string unzipped(const std::filesystem::path& file) {
  const std::string command = "gzip -dc '" + file.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 1 << 16> part;
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), got);
  return text;
}

// A rule that holds if the values of the first parameters occur together in the recording.
tuning::Rule recorded(const std::vector<std::string>& names, const std::vector<Configuration>& configurations) {
  const auto key = [names](const Configuration& configuration) {
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (const std::string& name : names)
      hash = (hash ^ static_cast<std::uint64_t>(configuration[name])) * 1099511628211U;
    return hash;
  };
  auto keys = std::make_shared<std::unordered_set<std::uint64_t>>();
  for (const Configuration& configuration : configurations) keys->insert(key(configuration));
  return {names, [key, keys](const Configuration& configuration) { return keys->contains(key(configuration)); }};
}

}  // namespace

tuning::Space Recording::space() const {
  std::vector<Configuration> configurations;
  for (const auto& [text, time] : seconds) configurations.push_back(Configuration::parse(text));
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  const std::vector<std::string> half(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2));
  return {parameters, {recorded(half, configurations), recorded(names, configurations)}};
}

Recording read_recording(std::istream& stream, const std::string& name) {
  Recording recording{.name = name, .parameters = {}, .seconds = {}, .best = std::numeric_limits<double>::infinity()};
  std::vector<std::set<std::int64_t>> values;
  double unit = 1;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto cells = split(line);
    if (recording.parameters.empty()) {
      const auto time = std::find_if(cells.begin(), cells.end(),
                                     [](const auto& cell) { return cell == "seconds" || cell == "median_ms"; });
      if (time == cells.end() || time == cells.begin()) throw std::runtime_error(name + ": no column of times");
      for (auto cell = cells.begin(); cell != time; ++cell) recording.parameters.push_back({*cell, "", {}});
      values.resize(recording.parameters.size());
      unit = *time == "seconds" ? 1 : 1e-3;
      continue;
    }
    if (cells.size() < values.size()) throw std::runtime_error(name + ": a short line: " + line);
    Configuration configuration;
    for (std::size_t p = 0; p < values.size(); ++p) {
      const std::int64_t value = std::stoll(cells[p]);
      configuration.set(recording.parameters[p].name, value);
      values[p].insert(value);
    }
    std::optional<double> seconds;
    if (cells.size() > values.size() && !cells[values.size()].empty()) seconds = std::stod(cells[values.size()]) * unit;
    if (seconds) recording.best = std::min(recording.best, *seconds);
    recording.seconds[to_string(configuration)] = seconds;
  }
  if (recording.seconds.empty()) throw std::runtime_error(name + ": no configurations");
  for (std::size_t p = 0; p < values.size(); ++p)
    recording.parameters[p].values.assign(values[p].begin(), values[p].end());
  return recording;
}

std::vector<Recording> read_recordings(const std::filesystem::path& directory) {
  std::set<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none)) files.insert(entry.path());
  std::vector<Recording> recordings;
  for (const auto& file : files) {
    if (file.extension() == ".gz") {
      std::istringstream stream(unzipped(file));
      recordings.push_back(read_recording(stream, file.filename().string()));
    } else if (file.extension() == ".csv") {
      std::ifstream stream(file);
      recordings.push_back(read_recording(stream, file.filename().string()));
    }
  }
  return recordings;
}

std::vector<double> replay(const Recording& recording, tuning::Search& search, std::size_t evaluations) {
  std::vector<double> curve;
  double best = std::numeric_limits<double>::infinity();
  while (curve.size() < evaluations) {
    const auto configuration = search.next();
    if (!configuration) break;
    const auto seconds = recording.seconds.at(to_string(*configuration));
    search.report(*configuration, seconds);
    if (seconds) best = std::min(best, *seconds);
    curve.push_back(recording.best / best);
  }
  curve.resize(evaluations, curve.empty() ? 0 : curve.back());
  return curve;
}

}  // namespace tilewright::test
