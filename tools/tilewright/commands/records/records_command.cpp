#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "gemm/fitted_times.hpp"
#include "options/product_options.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/user_directory.hpp"
#include "selection/json_line.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "tilewright/records.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tool {
namespace {

struct RecordsOptions {
  std::string device;
  std::string file;
  bool json = false;
};

// Records of all operations.
struct AllRecords {
  struct Entry {
    const tuning::Operation* operation;
    tuning::ProblemRecord record;
  };
  std::vector<Entry> entries;
  std::vector<std::string> problems;  // skipped lines and reasons

  void add(const tuning::Operation& operation, tuning::ProblemRecords read) {
    for (tuning::ProblemRecord& record : read.records) entries.push_back({&operation, std::move(record)});
    // A damaged file is reported by each operation; keep one copy of each message.
    for (std::string& problem : read.problems)
      if (std::find(problems.begin(), problems.end(), problem) == problems.end())
        problems.push_back(std::move(problem));
  }
};

// `load` is a member of tuning::Operation.
template <class Load>
AllRecords load_all(const DeviceProfile& device, Load load) {
  AllRecords all;
  for (const tuning::Operation* const operation : tuning::operations()) all.add(*operation, (operation->*load)(device));
  return all;
}

// Prints the problems; returns 1 if there are any.
int report(const AllRecords& all) {
  for (const std::string& problem : all.problems) print_error(problem);
  return all.problems.empty() ? 0 : ExitStatus::failed;
}

std::string records(std::size_t count) { return count_of(count, "record"); }

void print_object(Json line, const Device& device) {
  add_device(line, device);
  print_json(line);
}

// Returns the number of records per source, in the order of the sources.
std::string origins_of(const AllRecords& all) {
  std::vector<std::pair<std::string, std::size_t>> origins;
  for (const auto& [operation, record] : all.entries) {
    const std::string origin =
        record.source + (record.same_device ? "" : ", measured on another device of the same family");
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

int list(const RecordsOptions& options) {
  const Device device = pick_device(options.device);
  const AllRecords all = load_all(device.profile, &tuning::Operation::load_records);
  if (options.json) {
    for (const auto& [operation, record] : all.entries) {
      Json line = operation->record_to_json(record);
      line["source"] = record.source;
      const std::string measured_with = record.driver;  // the record's driver, which may differ from today's
      add_device(line, device);
      line["driver"] = measured_with;
      print_json(line);
    }
    return report(all);
  }
  fmt::print("device {}  {}\n", device.index(), device.profile.name);
  if (all.entries.empty()) {
    fmt::print("{}\n", detail::trusted_environment("TILEWRIGHT_RECORDS") == "off"
                           ? "no records: TILEWRIGHT_RECORDS is off"
                           : "no records; create some with `tilewright tune`");
    return report(all);
  }
  fmt::print("{}\n", origins_of(all));
  Table table({{"operation"},
               {"problem"},
               {"time", true},
               {"speed", true},
               {"x untuned", true},
               {"timings", true, true},
               {"driver", false, true},
               {"variant"},
               {"configuration", false, true}});
  for (const auto& [operation, record] : all.entries) {
    const tuning::Work work = record.problem->work();
    table.add_row({std::string(operation->name), record.problem->label(), format_seconds(record.seconds),
                   format_number(work.speed(record.seconds)) + ' ' + work.unit(),
                   fmt::format("{:.2f}", record.untuned_seconds / record.seconds), std::to_string(record.timings),
                   record.driver == device.profile.driver_version ? "current" : "older: verify", record.variant,
                   tilewright::to_string(record.configuration)});
  }
  fmt::print("{}", table.to_string(output_page()));
  return report(all);
}

int print_path(const RecordsOptions& options) {
  const Device device = pick_device(options.device);
  const auto file = records_file(device.profile);
  if (!file)
    throw std::runtime_error("no directory for records: " +
                             detail::why_untrusted(detail::find_user_directory(detail::user_data)));
  if (options.json) {
    print_object({{"path", file->string()}}, device);
  } else {
    fmt::print("{}\n", printable(file->string()));
  }
  return 0;
}

int import_file(const RecordsOptions& options) {
  const Device device = pick_device(options.device);
  AllRecords all;
  for (const tuning::Operation* const operation : tuning::operations())
    all.add(*operation, operation->read_records(options.file, device.profile));
  const auto times =
      detail::fitted_times_in(detail::read_text(options.file).value_or(""), options.file, device.profile);
  for (const tuning::Operation* const operation : tuning::operations()) {
    std::vector<tuning::ProblemRecord> added;
    for (const auto& [of, record] : all.entries)
      if (of == operation) added.push_back(record);
    operation->update_records(device.profile, {}, added);
  }
  const std::string path = records_file(device.profile)->string();
  const std::string path_of_times = times ? detail::store_fitted_times(device.profile, *times) : "";
  if (options.json) {
    Json line{{"added", all.entries.size()}, {"path", path}};
    line["fitted_times"] = times ? Json(path_of_times) : Json();
    print_object(std::move(line), device);
  } else {
    fmt::print("{} added to {}\n", records(all.entries.size()), printable(path));
    if (times) fmt::print("fitted constants written to {}\n", printable(path_of_times));
  }
  return report(all);
}

int export_file(const RecordsOptions& options) {
  const Device device = pick_device(options.device);
  const AllRecords all = load_all(device.profile, &tuning::Operation::load_stored_records);
  const bool has_times = detail::stored_fitted_times(device.profile) != nullptr;
  if (all.entries.empty() && !has_times) {
    report(all);
    throw std::runtime_error("no records found for " + device.profile.name);
  }
  std::error_code none;
  if (const auto own = records_file(device.profile); own && std::filesystem::equivalent(*own, options.file, none))
    throw std::runtime_error(options.file + " is the file that stores these records; name another file");
  std::string text = detail::header_with_fitted_times(device.profile) + '\n';
  for (const auto& [operation, record] : all.entries)
    text += detail::to_json_line(operation->record_to_json(record)) + '\n';
  detail::write_text(options.file, text);
  if (options.json) {
    print_object({{"written", all.entries.size()}, {"path", options.file}, {"fitted_times", has_times}}, device);
  } else {
    fmt::print("{}{} written to {}\n", records(all.entries.size()), has_times ? " and fitted constants" : "",
               printable(options.file));
  }
  return report(all);
}

int clear(const RecordsOptions& options) {
  const Device device = pick_device(options.device);
  const auto cleared = clear_records(device.profile);
  const auto times = detail::clear_fitted_times(device.profile);
  if (options.json) {
    Json line{{"removed", cleared ? cleared->lines : 0}};
    line["path"] = cleared ? Json(cleared->file.string()) : Json();
    line["backup"] = cleared ? Json(cleared->backup.string()) : Json();
    line["fitted_times_backup"] = times ? Json(times->string()) : Json();
    print_object(std::move(line), device);
    return 0;
  }
  if (cleared)
    fmt::print("{} removed from {}; backup in {}\n", records(cleared->lines), printable(cleared->file.string()),
               printable(cleared->backup.string()));
  else
    fmt::print("no user records of {}\n", device.profile.name);
  if (times) fmt::print("fitted constants removed; backup in {}\n", printable(times->string()));
  return 0;
}

}  // namespace

void add_records_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("records", "Show, import and export tuning results");
  command->require_subcommand(1);
  const auto options = std::make_shared<RecordsOptions>();
  const auto add = [&](const char* name, const char* help, int (*run)(const RecordsOptions&)) {
    CLI::App* const sub = command->add_subcommand(name, help);
    add_device_option(*sub, options->device);
    sub->add_flag("--json", options->json, "print one JSON object per line");
    sub->callback([&action, options, run] { action = [options, run] { return run(*options); }; });
    return sub;
  };
  add("list", "List the records that the library uses", list);
  add("path", "Print the path of this device's user records", print_path);
  add("import", "Add the records of a file, and its fitted constants, to this device's", import_file)
      ->add_option("file", options->file, "file written by `tilewright records export`")
      ->required();
  add("export", "Write this device's records and fitted constants to a file", export_file)
      ->add_option("file", options->file, "file to write")
      ->required();
  add("clear",
      "Remove this device's user records and fitted constants, after a backup next to them; shipped records stay",
      clear);
  command->footer(
      "With TILEWRIGHT_RECORDS=off the library chooses without records and fitted constants, so list shows none.\n"
      "The other commands work on the files as without it.\n"
      "Example:\n"
      "  tilewright records export my-gpu.jsonl");
}

}  // namespace tilewright::tool
