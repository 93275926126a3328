// Opens the OpenCL library.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings/opencl/functions.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::opencl {
namespace {

constexpr const char* usual_name = "libOpenCL.so.1";
constexpr const char* variable = "TILEWRIGHT_OPENCL_LIBRARY";

// Returns the paths of OpenCL loaders that the process has loaded, such as the one inside a Python package.
std::vector<std::string> loaded_paths() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* result) {
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (is_loader(path)) static_cast<std::vector<std::string>*>(result)->emplace_back(path);
        return 0;
      },
      &paths);
  return paths;
}

// Returns the path of the loader that a wheel for Python contains next to the library of this code.
std::string bundled_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&is_loader), &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string_view path = info.dli_fname;
  if (!path.starts_with('/')) return {};  // relative to a directory that may have changed
  return std::string(path.substr(0, path.rfind('/') + 1)) + usual_name;
}

// Sets the functions of a library, or leaves them and returns why the library cannot be used.
std::string try_library(const std::string& name, int flags, Functions& functions) {
  void* const handle = dlopen(name.c_str(), flags | RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    return reason == nullptr ? name + " cannot be opened" : reason;
  }
  Functions found;
  std::string problem;
  const auto find = [&](auto& pointer, const char* function) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(dlsym(handle, function));
    if (pointer == nullptr && problem.empty()) problem = name + " lacks " + function + ", which OpenCL 1.2 has";
  };
#define TILEWRIGHT_FIND(function) find(found.function, #function);
  TILEWRIGHT_OPENCL_FUNCTIONS(TILEWRIGHT_FIND)
#undef TILEWRIGHT_FIND
  if (problem.empty())
    functions = found;
  else
    dlclose(handle);
  return problem;
}

// Sets the functions of the first library that can be used. Otherwise leaves them and returns why the last one cannot.
std::string open_library(Functions& functions) {
  if (const std::string named = detail::trusted_environment(variable); !named.empty())
    return try_library(named, 0, functions);
  if (try_library(usual_name, RTLD_NOLOAD, functions).empty()) return {};
  for (const std::string& path : loaded_paths())
    if (try_library(path, RTLD_NOLOAD, functions).empty()) return {};
  const std::string problem = try_library(usual_name, 0, functions);
  if (problem.empty()) return {};
  const std::string bundled = bundled_path();
  return !bundled.empty() && try_library(bundled, 0, functions).empty() ? std::string() : problem;
}

// The search for the library. Only its success is kept: a loader may be installed or loaded after a failure. Never
// destroyed: OpenCL may be used while the process ends.
class Search {
 public:
  const Functions& functions() {
    if (is_found_.load(std::memory_order_acquire)) return found_;
    const std::lock_guard lock(mutex_);
    if (!is_found_.load(std::memory_order_relaxed)) {
      problem_ = open_library(found_);
      if (!problem_.empty()) return none_;
      is_found_.store(true, std::memory_order_release);
    }
    return found_;
  }

  std::string problem() {
    functions();
    const std::lock_guard lock(mutex_);
    return problem_.empty() ? problem_ : advice(problem_);
  }

 private:
  static std::string advice(const std::string& reason) {
    return "no OpenCL library can be used: " + reason +
           "; install an OpenCL loader (on Debian and Ubuntu: apt install ocl-icd-libopencl1) and a driver (for Python "
           "on x86-64: pip install tilewright[intel]), or name the loader's file in " +
           variable;
  }

  const Functions none_{};
  Functions found_{};
  std::string problem_{};
  std::mutex mutex_{};
  std::atomic<bool> is_found_ = false;
};

Search& search() {
  static Search& only = *new Search;
  return only;
}

}  // namespace

bool is_loader(std::string_view path) {
  constexpr std::string_view stem = "libOpenCL";
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with(stem) && file.size() > stem.size() && (file[stem.size()] == '.' || file[stem.size()] == '-');
}

const Functions& functions() { return search().functions(); }

std::string path() {
  Dl_info found{};
  const auto function = reinterpret_cast<const void*>(functions().clGetPlatformIDs);
  if (function == nullptr || dladdr(function, &found) == 0 || found.dli_fname == nullptr) return {};
  return found.dli_fname;
}

std::string problem() { return search().problem(); }

}  // namespace tilewright::opencl
