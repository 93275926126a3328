// Rank-k updates to measure, by their names in BLAS, with their operands and other libraries' functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/contender.hpp"
#include "session.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::tool {

/// One function. herk and her2k are syrk and syr2k with Symmetry::hermitian.
struct RankKRoutine {
  std::string_view name;
  bool has_b;
  bool has_second_trans;  ///< A and B have transposes of their own
  Symmetry symmetry;
};

/// Returns syrk, herk, syr2k, her2k and gemmt.
const std::array<RankKRoutine, 5>& rank_k_routines();

/// An update of the lower triangle with alpha = 1 and beta = 0. Matrices are row-major and densely stored.
struct RankKTask {
  const RankKRoutine* routine = nullptr;
  DataType type = DataType::f32;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;  ///< of gemmt
  std::uint64_t n = 0, k = 0;

  std::uint64_t lda() const { return trans_a == Transpose::no ? k : n; }  ///< also of B, except for gemmt
  /// Floating-point operations without terms of lower order: n^2 k, twice as many for rank-2k updates, four times as
  /// many for complex numbers.
  double flops() const;
  double bytes() const;  ///< of all matrices
};

/// Returns for example "syrk 1024 x 512 f32 N".
std::string to_string(const RankKTask& task);

/// The operands of a task on the host and on the device.
class RankKWorkload {
 public:
  /// Throws Error(out_of_memory) before any allocation if the device is too small. Keeps a reference to the session.
  RankKWorkload(const Session& session, const RankKTask& task);

  const Session& session() const { return session_; }
  const RankKTask& task() const { return task_; }
  const std::byte* host_a() const { return a_.data(); }
  const std::byte* host_b() const { return b_.data(); }
  std::byte* host_c() { return c_.data(); }
  cl_mem a() const { return device_a_.get(); }
  cl_mem b() const { return device_b_.get(); }
  cl_mem c() const { return device_c_.get(); }

  /// Fills C on the host and the device with NaN, so that an earlier result cannot pass for a new one.
  void poison();

  // Compare some elements of the lower triangle with sums in higher precision.
  Verdict check_device_result();
  Verdict check_host_result() const;

 private:
  const Session& session_;
  RankKTask task_;
  std::vector<std::byte> a_, b_, c_;
  Buffer device_a_, device_b_, device_c_;
};

// Return functions of other libraries; empty if the library lacks the function, or this build the library. OpenBLAS
// works on the host's matrices. CLBlast's function makes calls back to back and waits for the last.
std::function<void()> openblas_rank_k_call(RankKWorkload& workload);
std::function<void(unsigned calls)> clblast_rank_k_call(RankKWorkload& workload);

}  // namespace tilewright::tool
