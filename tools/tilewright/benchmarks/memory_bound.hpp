// Parts of the benchmarks of calls that memory traffic limits. Their speed is compared with copies of as many bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/contest.hpp"

namespace tilewright::tool {

/// Returns clEnqueueCopyBuffer for these buffers, which must outlive the result, as must the session.
Timed buffer_copy(const Session& session, cl_mem from, cl_mem to, std::size_t bytes);

/// A call that is measured next to copies between a pair of other buffers.
struct MemoryBoundCall {
  std::string label;
  Json fields;       ///< begin the row's JSON
  double bytes = 0;  ///< read and written, each operand once
};

/// Times the contest, whose first entrant is Tilewright's. `pattern` is that of Contest::failures().
BenchmarkResult measure_memory_bound(const Session& session, Contest& contest, const MemoryBoundCall& call,
                                     unsigned runs, std::string_view pattern = Contest::wrong_result);

/// Return a function of OpenBLAS or CLBlast as a contender whose results are not verified; nothing if it is empty.
std::optional<Contender> openblas_function(const std::function<void()>& call);
std::optional<Contender> clblast_function(const std::function<void(unsigned calls)>& run);

/// Returns the table's columns; `first` is the title of the label.
std::vector<Column> memory_bound_columns(const BenchmarkOptions& options, const char* first);

}  // namespace tilewright::tool
