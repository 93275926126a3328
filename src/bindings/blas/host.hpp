// The host's own BLAS and LAPACK.
#pragma once

#include <string>

namespace tilewright::blas {

/// Returns the host's function of one of two names. The first of these that defines it is used:
/// - the library that `chosen` names, unless it is empty;
/// - the libraries in the process, in the order in which they were loaded, also those that dlopen() loaded locally;
/// - the system's libopenblas.so.0, libblas.so.3 and liblapack.so.3.
///
/// Libraries of Tilewright are skipped. Returns null if no library defines the function.
void* find_host_function(const char* name, const char* other_name, const std::string& chosen);

}  // namespace tilewright::blas
