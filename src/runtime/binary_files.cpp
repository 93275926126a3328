#include "runtime/binary_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "runtime/atomic_file.hpp"

namespace tilewright::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t stale_seconds = 3600;

std::string root_of(const std::string& cache) { return cache + "/binaries"; }

bool is_ours(std::string_view temporary) {
  return is_temporary_file(temporary) &&
         (temporary.starts_with(environment_file) || temporary.find(binary_suffix) != std::string_view::npos);
}

// Calls visit(path, name) for the entries of a directory. Other processes add and remove files meanwhile.
template <class Visit>
void for_each_entry(const std::string& directory, Visit&& visit) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    visit(entry->path().string(), entry->path().filename().string());
}

// Calls visit(path, name, status) for the regular files of every environment's directory.
template <class Visit>
void for_each_file(const std::string& cache, Visit&& visit) {
  for_each_entry(root_of(cache), [&](const std::string& directory, const std::string&) {
    struct stat status {};
    if (lstat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return;
    for_each_entry(directory, [&](const std::string& path, const std::string& name) {
      if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) visit(path, name, status);
    });
  });
}

// Removes the directories that hold nothing but what describes them.
void remove_empty_environments(const std::string& cache) {
  for_each_entry(root_of(cache), [](const std::string& directory, const std::string&) {
    bool empty = true;
    for_each_entry(directory, [&](const std::string&, const std::string& name) { empty &= name == environment_file; });
    if (!empty) return;
    unlink((directory + '/' + std::string(environment_file)).c_str());
    rmdir(directory.c_str());  // fails, as it should, where another process just wrote there
  });
}

}  // namespace

std::string environment_directory(const std::string& cache, const std::string& environment) {
  return root_of(cache) + '/' + environment;
}

std::vector<BinaryFile> find_binaries(const std::string& cache) {
  std::vector<BinaryFile> files;
  for_each_file(cache, [&](const std::string& path, const std::string& name, const struct stat& status) {
    if (name.ends_with(binary_suffix))
      files.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_mtime});
  });
  return files;
}

void evict_binaries(const std::string& cache, std::uint64_t max_bytes) {
  const std::time_t now = std::time(nullptr);
  for_each_file(cache, [&](const std::string& path, const std::string& name, const struct stat& status) {
    if (is_ours(name) && now - status.st_mtime > stale_seconds) unlink(path.c_str());
  });

  auto files = find_binaries(cache);
  std::uint64_t total = 0;
  for (const BinaryFile& file : files) total += file.bytes;
  if (total <= max_bytes) return;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.last_use < b.last_use; });
  for (const BinaryFile& file : files) {
    if (total <= max_bytes - max_bytes / 10) break;
    unlink(file.path.c_str());
    total -= file.bytes;
  }
  remove_empty_environments(cache);
}

std::uint64_t remove_binaries(const std::string& cache) {
  std::uint64_t removed = 0;
  for_each_file(cache, [&](const std::string& path, const std::string& name, const struct stat&) {
    const bool is_binary = name.ends_with(binary_suffix);
    if ((is_binary || is_ours(name)) && unlink(path.c_str()) == 0 && is_binary) ++removed;
  });
  remove_empty_environments(cache);
  rmdir(root_of(cache).c_str());
  return removed;
}

}  // namespace tilewright::detail
