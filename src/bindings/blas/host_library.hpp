// The host's own BLAS and LAPACK.
#pragma once

#include <string>

namespace tilewright::blas {

/// Returns the host's function of one of two names. The first of these that defines it is used:
/// - the library that `chosen` names, unless it is empty;
/// - the libraries in the process, in the order in which they were loaded, also those that dlopen() loaded locally:
/// first
///   for `name` in all of them, then for `other_name`;
/// - the system's libopenblas.so.0, libblas.so.3 and liblapack.so.3.
///
/// The library is never unloaded then. Libraries of Tilewright are skipped. Returns null if no library defines the
/// function.
void* find_host_function(const char* name, const char* other_name, const std::string& chosen);

/// Returns how many libraries the process has loaded so far. A function that was not found can only be found when this
/// has changed.
unsigned long long loaded_count();

/// Whether integers have 64 bits in the library that defines a function without a suffix. Calls that library's
/// isamax(), or the one of a library that it depends on. If there is none, the file name decides: libblas64.so.3,
/// libmkl_ilp64.so.
bool has_wide_integers(void* function);

/// Returns the path of the library that defines a function; empty if it is unknown.
std::string library_of(void* function);

}  // namespace tilewright::blas
