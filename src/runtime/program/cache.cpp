#include "tilewright/cache.hpp"

#include <algorithm>

#include "runtime/program/binary_container.hpp"
#include "runtime/program/binary_files.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright {

CacheLocation cache_location() {
  detail::UserDirectory place = detail::find_user_directory(detail::user_cache);
  if (auto problem = detail::why_untrusted(place); !problem.empty()) return {{}, std::move(problem)};
  return {std::move(place.path), std::move(place.origin)};
}

std::vector<CacheEntry> list_cache(const std::string& directory) {
  auto files = detail::find_binaries(directory);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.last_use > b.last_use; });
  std::vector<CacheEntry> entries;
  for (const detail::BinaryFile& file : files) {
    CacheEntry entry{
        .path = file.path, .bytes = file.bytes, .last_use = std::chrono::system_clock::from_time_t(file.last_use)};
    const auto content = detail::read_file(file.path, detail::largest_container);
    const auto unpacked =
        content ? detail::unpack_binary(*content) : detail::UnpackedBinary{.problem = "cannot be read"};
    entry.problem = unpacked.problem;
    const auto field = [&](std::string_view name) { return detail::field(unpacked.fields, name); };
    entry.program = field("program");
    entry.options = field("options");
    entry.device = field("device_name");
    entry.platform = field("platform_name");
    entry.driver = field("driver_version");
    entry.library = field("library");
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::uint64_t clear_cache(const std::string& directory) { return detail::remove_binaries(directory); }

}  // namespace tilewright
