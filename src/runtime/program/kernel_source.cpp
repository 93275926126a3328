#include "runtime/program/kernel_source.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "runtime/system/embedded_file.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/user_directory.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::string read_override(const std::string& directory, std::string_view path) {
  // std::call_once would deadlock: the callback may itself make a plan.
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log("TILEWRIGHT_KERNEL_DIR is set: kernels are read from " + directory + " instead of the library");
  const std::string file = directory + "/" + std::string(path);
  ByteStream stream(file);
  if (!stream)
    throw Error(ErrorCode::missing_kernel_source,
                "cannot read " + file + "; point TILEWRIGHT_KERNEL_DIR at a complete copy of cl/ or unset it");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string_view find_embedded(std::string_view path) {
  const auto kernels = embedded_kernels();
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const EmbeddedFile& kernel) { return kernel.path == path; });
  if (found == kernels.end())
    throw Error(ErrorCode::missing_kernel_source, "the library was built without " + std::string(path));
  return found->text;
}

}  // namespace

std::string kernel_source(const std::vector<std::string_view>& paths) {
  const std::string directory = environment_path(kernel_directory);
  std::string source;
  for (const auto path : paths) {
    // The driver's messages then name the file and its own lines.
    source += "#line 1 \"" + std::string(path) + "\"\n";
    if (directory.empty())
      source += find_embedded(path);
    else
      source += read_override(directory, path);
    source += '\n';
  }
  return source;
}

}  // namespace tilewright::detail
