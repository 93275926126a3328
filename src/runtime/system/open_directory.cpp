#include "runtime/system/open_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <memory>

namespace tilewright::detail {
namespace {

// Suffices to reach the entries, even without permission to list them.
#if defined(O_PATH)
constexpr int only_to_pass = O_PATH;
#else
constexpr int only_to_pass = O_RDONLY;
#endif

struct CloseStream {
  void operator()(DIR* stream) const { closedir(stream); }
};

}  // namespace

std::optional<OpenDirectory> OpenDirectory::open(int above, const std::string& name, int flags) {
  Descriptor descriptor(openat(above, name.c_str(), only_to_pass | O_DIRECTORY | O_CLOEXEC | flags));
  if (descriptor.get() < 0) return {};
  return OpenDirectory(std::move(descriptor));
}

std::optional<OpenDirectory> OpenDirectory::at(const std::string& path) { return open(AT_FDCWD, path, 0); }

std::optional<OpenDirectory> OpenDirectory::child(const std::string& name) const {
  return open(descriptor(), name, O_NOFOLLOW);
}

std::optional<OpenDirectory> OpenDirectory::make_child(const std::string& name) const {
  mkdirat(descriptor(), name.c_str(), S_IRWXU);  // if it fails, opening reports the error that matters
  return child(name);
}

std::vector<std::string> OpenDirectory::names() const {
  std::vector<std::string> names;
  // Opens a new descriptor, because the position in the list belongs to the descriptor.
  const int own = openat(descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseStream> stream(own < 0 ? nullptr : fdopendir(own));
  if (!stream) {
    if (own >= 0) ::close(own);
    return names;
  }
  while (const dirent* const entry = readdir(stream.get())) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tilewright::detail
