// Opens the OpenCL library.
#include <dlfcn.h>
#include <link.h>

#include <string>

#include "bindings/opencl/functions.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::opencl {
namespace {

constexpr const char* usual_name = "libOpenCL.so.1";
constexpr const char* variable = "TILEWRIGHT_OPENCL_LIBRARY";

// Returns the path of a loaded OpenCL loader, such as the one inside a Python package; empty if there is none.
std::string loaded_path() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* result) {
        const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (!name.substr(name.rfind('/') + 1).starts_with("libOpenCL")) return 0;
        *static_cast<std::string*>(result) = name;
        return 1;
      },
      &path);
  return path;
}

struct Library {
  Functions functions{};
  std::string problem{};
};

std::string advice(const std::string& reason) {
  return "no OpenCL library can be used: " + reason +
         "; install an OpenCL loader (on Debian and Ubuntu: apt install ocl-icd-libopencl1) and a driver, or name the "
         "loader's file in " +
         variable;
}

// Returns the functions of an opened library, or why it cannot be used.
Library functions_of(void* handle, const std::string& name) {
  Library library;
  const auto find = [&](auto& pointer, const char* function) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(dlsym(handle, function));
    if (pointer == nullptr && library.problem.empty())
      library.problem = advice(name + " lacks " + function + ", which OpenCL 1.2 has");
  };
#define TILEWRIGHT_FIND(function) find(library.functions.function, #function);
  TILEWRIGHT_OPENCL_FUNCTIONS(TILEWRIGHT_FIND)
#undef TILEWRIGHT_FIND
  if (!library.problem.empty()) library.functions = {};
  return library;
}

Library open_library() {
  void* handle = dlopen(usual_name, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) return functions_of(handle, usual_name);
  if (const std::string path = loaded_path(); !path.empty())
    if ((handle = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL)) != nullptr)
      return functions_of(handle, path);

  std::string name = detail::trusted_environment(variable);
  if (name.empty()) name = usual_name;
  if ((handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) != nullptr) return functions_of(handle, name);
  const char* const reason = dlerror();
  return {{}, advice(reason == nullptr ? name + " cannot be opened" : reason)};
}

// Never destroyed: OpenCL may be used while the process ends.
const Library& library() {
  static const Library& only = *new Library(open_library());
  return only;
}

}  // namespace

const Functions& functions() { return library().functions; }

std::string_view problem() { return library().problem; }

}  // namespace tilewright::opencl
