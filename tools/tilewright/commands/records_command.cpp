#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "commands/commands.hpp"
#include "gemm/selector.hpp"
#include "product_options.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/record_json.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "tilewright/records.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  std::string device;
  std::string file;
  bool json = false;
};

// 1 where something was skipped, which is told.
int report(const RecordSet& set) {
  for (const std::string& problem : set.problems) print_error(problem);
  return set.problems.empty() ? 0 : ExitStatus::failed;
}

std::string records(std::size_t count) { return count_of(count, "record"); }

void print_object(Json line, const Device& device) {
  add_device(line, device);
  print_json(line);
}

// Where the records are from, in their order, and how many.
std::string origins_of(const RecordSet& set) {
  std::vector<std::pair<std::string, std::size_t>> origins;
  for (const GemmRecord& record : set.records) {
    const std::string origin = record.source + (record.same_device ? "" : ", measured on another device of its family");
    const auto known = std::find_if(origins.begin(), origins.end(), [&](const auto& o) { return o.first == origin; });
    if (known == origins.end())
      origins.emplace_back(origin, 1);
    else
      ++known->second;
  }
  std::string text;
  for (const auto& [origin, count] : origins) text += fmt::format("{} from {}\n", records(count), origin);
  return text;
}

int list(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = load_records(device.profile);
  if (options.json) {
    for (const GemmRecord& record : set.records) {
      Json line = detail::to_json(record);
      line["source"] = record.source;
      const std::string measured_with = record.driver;  // the driver of the line, which may be another than today's
      add_device(line, device);
      line["driver"] = measured_with;
      print_json(line);
    }
    return report(set);
  }
  fmt::print("device {}  {}\n", device.index(), device.profile.name);
  if (set.records.empty()) {
    fmt::print("{}\n", detail::trusted_environment("TILEWRIGHT_RECORDS") == "off"
                           ? "no records: TILEWRIGHT_RECORDS is off"
                           : "no records; `tilewright tune` makes some");
    return report(set);
  }
  fmt::print("{}\n", origins_of(set));
  Table table({{"product"},
               {"time", true},
               {"GFLOP/s", true},
               {"x untuned", true},
               {"timings", true, true},
               {"driver", false, true},
               {"variant"},
               {"configuration", false, true}});
  for (const GemmRecord& record : set.records)
    table.add_row({to_string(record.problem), format_seconds(record.seconds),
                   format_number(flops_of(record.problem) / record.seconds * 1e-9),
                   fmt::format("{:.2f}", record.untuned_seconds / record.seconds), std::to_string(record.timings),
                   record.driver == device.profile.driver_version ? "this one" : "older: verify", record.variant,
                   tilewright::to_string(record.configuration)});
  fmt::print("{}", table.to_string(output_page()));
  return report(set);
}

int print_path(const Options& options) {
  const Device device = pick_device(options.device);
  const auto file = records_file(device.profile);
  if (!file)
    throw std::runtime_error("there is no directory for records: " +
                             detail::why_untrusted(detail::find_user_directory(detail::user_data)));
  if (options.json) {
    print_object({{"path", file->string()}}, device);
  } else {
    fmt::print("{}\n", printable(file->string()));
  }
  return 0;
}

int import_file(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = read_records(options.file, device.profile);
  store_records(device.profile, set.records);
  const std::string path = records_file(device.profile)->string();
  if (options.json) {
    print_object({{"added", set.records.size()}, {"path", path}}, device);
  } else {
    fmt::print("{} added to {}\n", records(set.records.size()), printable(path));
  }
  return report(set);
}

int export_file(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = load_records(device.profile);
  if (set.records.empty()) {
    report(set);
    throw std::runtime_error("there are no records of " + device.profile.name);
  }
  std::error_code none;
  if (const auto own = records_file(device.profile); own && std::filesystem::equivalent(*own, options.file, none))
    throw std::runtime_error(options.file + " is where these records are kept; name another file");
  write_records(options.file, device.profile, set.records);
  if (options.json) {
    print_object({{"written", set.records.size()}, {"path", options.file}}, device);
  } else {
    fmt::print("{} written to {}\n", records(set.records.size()), printable(options.file));
  }
  return report(set);
}

int clear(const Options& options) {
  const Device device = pick_device(options.device);
  const auto cleared = clear_records(device.profile);
  if (options.json) {
    Json line{{"removed", cleared ? cleared->lines : 0}};
    line["path"] = cleared ? Json(cleared->file.string()) : Json();
    line["backup"] = cleared ? Json(cleared->backup.string()) : Json();
    print_object(std::move(line), device);
  } else if (cleared) {
    fmt::print("{} removed from {}; they are kept in {}\n", records(cleared->lines), printable(cleared->file.string()),
               printable(cleared->backup.string()));
  } else {
    fmt::print("there are no records of yours of {}\n", device.profile.name);
  }
  return 0;
}

}  // namespace

void add_records_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("records", "Show, import and export what tuning found");
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* help, int (*run)(const Options&)) {
    CLI::App* const sub = command->add_subcommand(name, help);
    add_device_option(*sub, options->device);
    sub->add_flag("--json", options->json, "one JSON object a line");
    sub->callback([&action, options, run] { action = [options, run] { return run(*options); }; });
    return sub;
  };
  add("list", "the records that the library chooses by", list);
  add("path", "print the file that holds the records of yours of this device", print_path);
  add("import", "add the records of a file to this device's", import_file)
      ->add_option("file", options->file, "a file that `tilewright records export` wrote")
      ->required();
  add("export", "write this device's records to a file", export_file)
      ->add_option("file", options->file, "the file to write")
      ->required();
  add("clear", "take yours of this device away, into a backup beside them; the shipped ones stay", clear);
  command->footer("Example:\n  tilewright records export my-gpu.jsonl");
}

}  // namespace tilewright::tool
