#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "format.hpp"
#include "product_options.hpp"
#include "records/record_json.hpp"
#include "shape.hpp"
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
  for (const std::string& problem : set.problems) fmt::print(stderr, "tilewright: {}\n", problem);
  return set.problems.empty() ? 0 : 1;
}

int list(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = load_records(device.profile);
  if (options.json) {
    for (const GemmRecord& record : set.records) fmt::print("{}\n", detail::to_json(record).dump());
    return report(set);
  }
  fmt::print("device {}  {}\n", device.index(), device.profile.name);
  if (set.records.empty()) {
    fmt::print("no records; `tilewright tune` makes some\n");
    return report(set);
  }
  fmt::print("from {}{}\n\n", set.source, set.same_device ? "" : ", measured on another device of its family");
  Table table({{"product"},
               {"time", true},
               {"GFLOP/s", true},
               {"x untuned", true},
               {"timings", true},
               {"driver"},
               {"variant"},
               {"configuration"}});
  for (const GemmRecord& record : set.records)
    table.add_row({to_string(record.problem), format_seconds(record.seconds),
                   format_number(flops_of(record.problem) / record.seconds * 1e-9),
                   fmt::format("{:.2f}", record.untuned_seconds / record.seconds), std::to_string(record.timings),
                   record.driver == device.profile.driver_version ? "this one" : "older: verify", record.variant,
                   tilewright::to_string(record.configuration)});
  fmt::print("{}", table.to_string());
  return report(set);
}

int import_file(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = read_records(options.file, device.profile);
  store_records(device.profile, set.records);
  fmt::print("{} records are now in {}\n", set.records.size(), records_file(device.profile)->string());
  return report(set);
}

int export_file(const Options& options) {
  const Device device = pick_device(options.device);
  const RecordSet set = load_records(device.profile);
  if (set.records.empty()) throw std::runtime_error("there are no records of " + device.profile.name);
  if (!set.same_device)
    throw std::runtime_error("there are only records of another device of the family of " + device.profile.name);
  write_records(options.file, device.profile, set.records);
  fmt::print("{} records written to {}\n", set.records.size(), options.file);
  return report(set);
}

}  // namespace

void add_records_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("records", "Show, import and export what tuning found");
  command->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* help, int (*run)(const Options&)) {
    CLI::App* const sub = command->add_subcommand(name, help);
    add_device_option(*sub, options->device);
    sub->callback([&action, options, run] { action = [options, run] { return run(*options); }; });
    return sub;
  };
  add("list", "the records that the library chooses by", list)
      ->add_flag("--json", options->json, "one JSON object a record");
  add("import", "add the records of a file to this device's", import_file)
      ->add_option("file", options->file, "a file that `tilewright records export` wrote")
      ->required();
  add("export", "write this device's records to a file", export_file)
      ->add_option("file", options->file, "the file to write")
      ->required();
  command->footer("Example:\n  tilewright records export my-gpu.jsonl");
}

}  // namespace tilewright::tool
