#include "bindings/blas/host.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::blas {
namespace {

// A symbol that each of Tilewright's BLAS libraries defines, so that they are not taken for the host's.
constexpr const char* mark = "tilewright_blas_library";

// Returns the address of a symbol that the library itself defines, not one of those that it depends on.
void* own_symbol(void* library, const char* path, const char* name) {
  void* const symbol = dlsym(library, name);
  Dl_info info{};
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return nullptr;
  return std::strcmp(info.dli_fname, path) == 0 ? symbol : nullptr;
}

// dlsym() must not be called from within dl_iterate_phdr(), which holds the loader's lock.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        if (info->dlpi_name != nullptr && *info->dlpi_name != 0)
          static_cast<std::vector<std::string>*>(result)->emplace_back(info->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

// The library's symbols are looked up before those of the process, so that its own calls do not return to us.
void* open_separately(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND); }

void* find_in(void* library, const char* path, const char* name, const char* other_name) {
  if (own_symbol(library, path, mark) != nullptr) return nullptr;
  if (void* const symbol = own_symbol(library, path, name)) return symbol;
  return own_symbol(library, path, other_name);
}

// Looks in the library and in those that it depends on. A library of Tilewright in between hides the host's.
void* find_below(void* library, const char* name, const char* other_name) {
  for (const char* wanted : {name, other_name}) {
    void* const symbol = dlsym(library, wanted);
    Dl_info info{};
    if (symbol == nullptr || dladdr(symbol, &info) == 0) continue;
    void* const owner = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (owner == nullptr) continue;
    const bool is_own = own_symbol(owner, info.dli_fname, mark) != nullptr;
    dlclose(owner);
    if (!is_own) return symbol;
  }
  return nullptr;
}

}  // namespace

bool has_wide_integers(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.find("blas64") != name.npos || name.find("lapack64") != name.npos || name.find("ilp64") != name.npos;
}

std::string library_of(void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

void* find_host_function(const char* name, const char* other_name, const std::string& chosen) {
  if (!chosen.empty()) {
    void* const library = open_separately(chosen.c_str());
    if (void* const symbol = library != nullptr ? find_below(library, name, other_name) : nullptr) return symbol;
  }
  for (const std::string& path : loaded_libraries()) {
    void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const symbol = find_in(library, path.c_str(), name, other_name);
    dlclose(library);  // the process keeps it
    if (symbol != nullptr) return symbol;
  }
  for (const char* path : {"libopenblas.so.0", "libblas.so.3", "liblapack.so.3"}) {
    void* const library = open_separately(path);
    if (void* const symbol = library != nullptr ? find_below(library, name, other_name) : nullptr) return symbol;
  }
  return nullptr;
}

}  // namespace tilewright::blas
