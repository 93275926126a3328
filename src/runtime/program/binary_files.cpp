#include "runtime/program/binary_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "runtime/program/binary_container.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::detail {
namespace {

constexpr std::time_t stale_seconds = 3600;
constexpr const char* root_name = "binaries";
constexpr std::size_t environment_digits = 16;
constexpr std::size_t hash_digits = 64;

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_binary_name(std::string_view name) {
  return name.ends_with(binary_suffix) &&
         is_hexadecimal(name.substr(0, name.size() - binary_suffix.size()), hash_digits);
}

bool is_temporary_name(std::string_view name) {
  if (!is_temporary_file(name)) return false;
  const std::string_view wanted = without_temporary_mark(name);
  return wanted == environment_file || is_binary_name(wanted);
}

// The status of a regular file; nothing for a symbolic link or anything else.
std::optional<struct stat> regular_file(const OpenDirectory& directory, const std::string& name) {
  struct stat status {};
  if (fstatat(directory.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
  if (!S_ISREG(status.st_mode)) return {};
  return status;
}

bool begins_with(const OpenDirectory& directory, const std::string& name, std::string_view beginning) {
  const Descriptor file(openat(directory.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::array<char, 64> found{};
  const ssize_t bytes = pread(file.get(), found.data(), std::min(found.size(), beginning.size()), 0);
  return bytes >= 0 && std::string_view(found.data(), static_cast<std::size_t>(bytes)) == beginning;
}

// The directory of one driver environment, with the files that the library wrote into it.
class Environment {
 public:
  struct File {
    std::string name;
    struct stat status;
  };

  explicit Environment(OpenDirectory directory)
      : directory_(std::move(directory)),
        is_described_(regular_file(directory_, std::string(environment_file)) &&
                      begins_with(directory_, std::string(environment_file), environment_heading)) {}

  std::vector<File> binaries() const {
    return files([&](const std::string& name, const struct stat& status) { return is_binary(name, status); });
  }
  std::vector<File> temporaries() const { return files(is_temporary); }

  /// Removes a file if it is still a binary or a temporary file.
  bool remove(const std::string& name) const {
    const auto status = regular_file(directory_, name);
    return status && (is_binary(name, *status) || is_temporary(name, *status)) &&
           unlinkat(directory_.descriptor(), name.c_str(), 0) == 0;
  }

  /// Removes the directory from its parent if it holds nothing but its description and the library made it. The
  /// description proves that, and so does a removed file. Fails, as intended, if another process has just written.
  bool remove_unused(const OpenDirectory& above, const std::string& name, bool had_files) const {
    const auto names = directory_.names();
    if (!is_described_ && !(had_files && names.empty())) return false;
    if (names.size() > 1 || (names.size() == 1 && names.front() != environment_file)) return false;
    if (is_described_) unlinkat(directory_.descriptor(), std::string(environment_file).c_str(), 0);
    return unlinkat(above.descriptor(), name.c_str(), AT_REMOVEDIR) == 0;
  }

 private:
  // A damaged binary may begin with anything, so the directory's description identifies it. The library makes no hard
  // links, so a file with several names is identified by its content alone.
  bool is_binary(const std::string& name, const struct stat& status) const {
    if (!is_binary_name(name)) return false;
    return (is_described_ && status.st_nlink == 1) || begins_with(directory_, name, container_magic);
  }
  static bool is_temporary(const std::string& name, const struct stat& status) {
    return is_temporary_name(name) && status.st_nlink == 1;
  }

  template <class Predicate>
  std::vector<File> files(Predicate&& is_wanted) const {
    std::vector<File> found;
    for (std::string& name : directory_.names())
      if (const auto status = regular_file(directory_, name); status && is_wanted(name, *status))
        found.push_back({std::move(name), *status});
    return found;
  }

  OpenDirectory directory_;
  bool is_described_;
};

std::optional<OpenDirectory> open_root(const std::string& cache) {
  const auto directory = OpenDirectory::at(cache);
  return directory ? directory->child(root_name) : std::nullopt;
}

// Calls visit(environment, name) for every environment's directory in a root.
template <class Visit>
void for_each_environment(const OpenDirectory& root, Visit&& visit) {
  for (const std::string& name : root.names())
    if (is_hexadecimal(name, environment_digits))
      if (auto directory = root.child(name)) visit(Environment(std::move(*directory)), name);
}

struct OwnBinary {
  std::string environment;
  Environment::File file;
};

std::vector<OwnBinary> own_binaries(const OpenDirectory& root) {
  std::vector<OwnBinary> binaries;
  for_each_environment(root, [&](const Environment& environment, const std::string& name) {
    for (Environment::File& file : environment.binaries()) binaries.push_back({name, std::move(file)});
  });
  return binaries;
}

std::uint64_t bytes_of(const struct stat& status) { return static_cast<std::uint64_t>(status.st_size); }

}  // namespace

std::string environment_directory(const std::string& cache, const std::string& environment) {
  return cache + '/' + root_name + '/' + environment;
}

std::optional<OpenDirectory> open_environment(const std::string& cache, const std::string& environment) {
  const auto root = open_root(cache);
  return root ? root->child(environment) : std::nullopt;
}

std::optional<OpenDirectory> make_environment(const std::string& cache, const std::string& environment) {
  if (!make_directories(cache)) return {};
  const auto directory = OpenDirectory::at(cache);
  const auto root = directory ? directory->make_child(root_name) : std::nullopt;
  return root ? root->make_child(environment) : std::nullopt;
}

std::vector<BinaryFile> find_binaries(const std::string& cache) {
  std::vector<BinaryFile> files;
  if (const auto root = open_root(cache))
    for (const OwnBinary& binary : own_binaries(*root))
      files.push_back({environment_directory(cache, binary.environment) + '/' + binary.file.name,
                       bytes_of(binary.file.status), binary.file.status.st_mtime});
  return files;
}

void remove_binary(const OpenDirectory& environment, const std::string& name) {
  if (auto same = environment.child(".")) Environment(std::move(*same)).remove(name);
}

void evict_binaries(const std::string& cache, std::uint64_t max_bytes) {
  const auto root = open_root(cache);
  if (!root) return;
  const std::time_t now = std::time(nullptr);
  for_each_environment(*root, [&](const Environment& environment, const std::string&) {
    for (const Environment::File& file : environment.temporaries())
      if (now - file.status.st_mtime > stale_seconds) environment.remove(file.name);
  });

  auto binaries = own_binaries(*root);
  std::uint64_t total = 0;
  for (const OwnBinary& binary : binaries) total += bytes_of(binary.file.status);
  if (total <= max_bytes) return;
  std::sort(binaries.begin(), binaries.end(),
            [](const auto& a, const auto& b) { return a.file.status.st_mtime < b.file.status.st_mtime; });
  for (const OwnBinary& binary : binaries) {
    if (total <= max_bytes - max_bytes / 10) break;
    if (auto directory = root->child(binary.environment)) Environment(std::move(*directory)).remove(binary.file.name);
    total -= bytes_of(binary.file.status);
  }
  for_each_environment(*root, [&](const Environment& environment, const std::string& name) {
    environment.remove_unused(*root, name, false);
  });
}

std::uint64_t remove_binaries(const std::string& cache) {
  const auto directory = OpenDirectory::at(cache);
  const auto root = directory ? directory->child(root_name) : std::nullopt;
  if (!root) return 0;
  std::uint64_t removed = 0;
  bool had_environments = false;
  for_each_environment(*root, [&](const Environment& environment, const std::string& name) {
    bool had_files = false;
    for (const Environment::File& file : environment.temporaries()) had_files |= environment.remove(file.name);
    for (const Environment::File& file : environment.binaries())
      if (environment.remove(file.name)) {
        had_files = true;
        ++removed;
      }
    had_environments |= environment.remove_unused(*root, name, had_files);
  });
  if (had_environments) unlinkat(directory->descriptor(), root_name, AT_REMOVEDIR);
  return removed;
}

}  // namespace tilewright::detail
