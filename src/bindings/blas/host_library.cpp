#include "bindings/blas/host_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
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

// Returns a function of a library in the process. That library then stays, also after its last dlclose().
void* find_loaded(const char* path, const char* name) {
  void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const symbol = own_symbol(library, path, mark) == nullptr ? own_symbol(library, path, name) : nullptr;
  if (symbol != nullptr)
    if (void* const again = dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(again);
  dlclose(library);
  return symbol;
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

// Whether the file name says that integers have 64 bits, such as libblas64.so.3 or libmkl_intel_ilp64.so.
bool has_wide_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const char* part : {"blas64", "lapack64", "ilp64", "blaso64", "blasp64", "blis64"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

// Asks isamax() of a library, or of those that it depends on, for the width of its integers. Empty if that has none.
std::optional<bool> probe_integers(void* library) {
  // Only if the lower half of an integer comes first can it be read as one of 32 bits.
  if constexpr (std::endian::native != std::endian::little) return std::nullopt;
  // 3 in the lower half: with 32 bits the largest of three elements is found; with 64 bits the length is negative, for
  // which BLAS returns 0.
  const auto length = static_cast<std::int64_t>(0xffffffff00000003U), step = std::int64_t{1};
  constexpr float elements[]{1, 2, 1};
  for (const char* name : {"isamax_", "scipy_isamax_"})
    if (void* const symbol = dlsym(library, name)) {
      using Function = std::int64_t(const std::int64_t*, const float*, const std::int64_t*);
      const auto place = static_cast<std::int32_t>(reinterpret_cast<Function*>(symbol)(&length, elements, &step));
      if (place == 2) return false;
      if (place == 0) return true;
    }
  for (const char* name : {"cblas_isamax", "scipy_cblas_isamax"})
    if (void* const symbol = dlsym(library, name)) {
      using Function = std::int64_t(std::int64_t, const float*, std::int64_t);
      const auto place = static_cast<std::int32_t>(reinterpret_cast<Function*>(symbol)(length, elements, step));
      if (place == 1) return false;
      if (place == 0) return true;
    }
  return std::nullopt;
}

}  // namespace

bool has_wide_integers(void* function) {
  const std::string path = library_of(function);
  void* const library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  std::optional<bool> is_wide;
  if (library != nullptr) {
    is_wide = probe_integers(library);
    dlclose(library);
  }
  return is_wide ? *is_wide : has_wide_name(path);
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
  const std::vector<std::string> loaded = loaded_libraries();
  for (const char* const wanted : {name, other_name})
    for (const std::string& path : loaded)
      if (void* const symbol = find_loaded(path.c_str(), wanted)) return symbol;
  for (const char* path : {"libopenblas.so.0", "libblas.so.3", "liblapack.so.3"}) {
    void* const library = open_separately(path);
    if (void* const symbol = library != nullptr ? find_below(library, name, other_name) : nullptr) return symbol;
  }
  return nullptr;
}

unsigned long long loaded_count() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

}  // namespace tilewright::blas
