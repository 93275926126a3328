// The host's own BLAS and LAPACK.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::blas {

/// Returns the host's function of one of two names. The first of these that defines it is used:
/// - the library that `chosen` names, unless it is empty;
/// - the libraries in the process, in the order in which they were loaded, also those that dlopen() loaded locally;
/// - the system's libopenblas.so.0, libblas.so.3 and liblapack.so.3.
///
/// Libraries of Tilewright are skipped. Returns null if no library defines the function.
void* find_host_function(const char* name, const char* other_name, const std::string& chosen);

/// Whether the integers of a library's functions have 64 bits, from its file name: libblas64.so.3, libmkl_ilp64.so.
bool has_wide_integers(std::string_view path);

/// Returns the path of the library that defines a function; empty if it is unknown.
std::string library_of(void* function);

}  // namespace tilewright::blas
