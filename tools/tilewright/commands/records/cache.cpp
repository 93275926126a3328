#include "tilewright/cache.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>

#include "commands/commands.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/table.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

std::string directory() {
  CacheLocation location = cache_location();
  if (location.directory.empty()) throw std::runtime_error("no cache directory: " + location.reason);
  return std::move(location.directory);
}

int print_path(bool json) {
  if (json) {
    print_json({{"path", directory()}});
  } else {
    fmt::print("{}\n", directory());
  }
  return 0;
}

std::string date(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::chrono::system_clock::to_time_t(time)));
}

std::string to_json(const std::vector<CacheEntry>& entries) {
  Json list = Json::array();
  for (const CacheEntry& entry : entries) {
    list.push_back({{"path", entry.path},
                    {"bytes", entry.bytes},
                    {"last_use", date(entry.last_use)},
                    {"whole", entry.problem.empty()},
                    {"problem", entry.problem},
                    {"program", entry.program},
                    {"options", entry.options},
                    {"device", entry.device},
                    {"platform", entry.platform},
                    {"driver", entry.driver},
                    {"library", entry.library}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_table(const std::vector<CacheEntry>& entries) {
  Table table({{"program"}, {"size", true}, {"last use"}, {"device", false, true}, {"driver", false, true}, {"file"}});
  std::uint64_t bytes = 0;
  for (const CacheEntry& entry : entries) {
    const std::string file = entry.path.substr(entry.path.find_last_of('/') + 1);
    table.add_row({entry.problem.empty() ? entry.program : "(" + entry.problem + ")", format_bytes(entry.bytes),
                   date(entry.last_use), entry.device, entry.driver, file.substr(0, 16)});
    bytes += entry.bytes;
  }
  return fmt::format("{}{}, {}\n", entries.empty() ? "" : table.to_string(output_page()) + '\n',
                     count_of(entries.size(), "program"), format_bytes(bytes));
}

int list(bool json) {
  const auto entries = list_cache(directory());
  fmt::print("{}", json ? to_json(entries) + '\n' : to_table(entries));
  return 0;
}

int verify(bool json) {
  auto entries = list_cache(directory());
  const std::size_t all = entries.size();
  std::erase_if(entries, [](const CacheEntry& entry) { return entry.problem.empty(); });
  if (json) {
    fmt::print("{}\n", to_json(entries));
  } else {
    for (const CacheEntry& entry : entries) fmt::print("{}: {}\n", printable(entry.path), printable(entry.problem));
    fmt::print("{}, {} damaged\n", count_of(all, "program"), entries.size());
  }
  return entries.empty() ? 0 : ExitStatus::failed;
}

int clear(bool json) {
  const std::string cache = directory();
  const std::uint64_t removed = clear_cache(cache);
  if (json) {
    print_json({{"removed", removed}, {"path", cache}});
  } else {
    fmt::print("{} removed from {}\n", count_of(removed, "program"), printable(cache));
  }
  return 0;
}

}  // namespace

void add_cache_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("cache", "Show, check and clear the directory of compiled programs");
  command->require_subcommand(1);
  command->footer(
      "The directory is TILEWRIGHT_CACHE_DIR, otherwise tilewright in XDG_CACHE_HOME, otherwise ~/.cache/tilewright.\n"
      "TILEWRIGHT_CACHE says how programs use it; these commands work on it even if that is off.\n"
      "Example:\n"
      "  tilewright cache list");
  const auto json = std::make_shared<bool>(false);
  const auto add = [&](const char* name, const char* what, const Action& run) {
    CLI::App* const part = command->add_subcommand(name, what);
    part->callback([&action, run] { action = run; });
    return part;
  };
  add("path", "Print the directory", [json] {
    return print_path(*json);
  })->add_flag("--json", *json, "print a JSON object");
  add("list", "List the programs, most recently used first", [json] {
    return list(*json);
  })->add_flag("--json", *json, "print all fields as one JSON array");
  add("verify", "List damaged files; the exit status is 1 if there are any", [json] {
    return verify(*json);
  })->add_flag("--json", *json, "print the damaged files as one JSON array");
  add("clear", "Remove the files that the library wrote", [json] {
    return clear(*json);
  })->add_flag("--json", *json, "print the number of removed files as a JSON object");
}

}  // namespace tilewright::tool
