// Other libraries that Tilewright is compared with. Each has its own files, built only if the library is found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/contender.hpp"
#include "compare/workload.hpp"

namespace tilewright::tool {

/// Throws UsageError if a name is unknown, and std::runtime_error, naming the missing package, if this build lacks the
/// library.
void check_references(const std::vector<std::string>& names);

/// Throws UsageError if a library cannot multiply matrices of this type or has no product with the problem's epilogue.
/// Also throws the errors of check_references(names).
void check_references(const std::vector<std::string>& names, DataType type);
void check_references(const std::vector<std::string>& names, const GemmProblem& problem);

/// Returns the library's own spelling, for example "CLBlast". Throws the errors of check_references(names).
std::string reference_title(std::string_view name);

/// Returns a contender of "clblast" or "openblas". Throws the errors of check_references(names, problem).
Contender library_contender(std::string_view name, Workload& workload);

// Return the contenders of libraries that this build has. They keep a reference to the workload.
Contender clblast_contender(Workload& workload);
Contender openblas_contender(Workload& workload);

/// Contender::settle of OpenBLAS, whose threads spin for a while after a call, on cores that the next call may need.
void let_openblas_sleep();

}  // namespace tilewright::tool
