// Implementations of factorisations, solutions and triangular systems: Tilewright and other libraries.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "compare/lapack/lapack_data.hpp"
#include "session.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::tool {

/// One implementation, with operands of its own or of its device.
struct LapackContender {
  std::string name;
  std::function<void()> restore;       ///< copies the operands that a call overwrites
  std::function<void()> call;          ///< makes one call, after restore(), and waits for it
  std::function<LapackData()> result;  ///< returns the operands after the last call
  std::function<void()> settle{};      ///< waits until leftovers of call() cannot slow the next contender; may be empty
};

/// The operands in device memory.
class LapackBuffers {
 public:
  /// Throws Error(out_of_memory) before any allocation if the device is too small. Keeps references.
  LapackBuffers(const Session& session, const LapackProblem& problem, const LapackData& data);

  const Session& session() const { return session_; }
  const LapackProblem& problem() const { return problem_; }
  cl_mem a() const { return a_.get(); }
  cl_mem b() const { return b_.get(); }
  cl_mem original_b() const { return original_b_.get(); }  ///< B as it was before the call
  cl_mem pivots() const { return pivots_.get(); }
  cl_mem tau() const { return tau_.get(); }
  cl_mem info() const { return info_.get(); }

  /// Returns a contender that enqueues commands on these buffers. `call` makes a call and waits for it.
  LapackContender contender(const std::string& name, std::function<void()> call) const;

 private:
  void restore() const;
  LapackData result() const;

  const Session& session_;
  const LapackProblem& problem_;
  const LapackData& data_;
  Buffer a_, b_, pivots_, tau_, info_;
  Buffer original_a_, original_b_;  // of operands that calls overwrite
};

/// Tilewright's implementation.
struct TilewrightCall {
  std::function<void()> call;
  std::function<Explanation()> explain;  ///< compiles nothing after a call
};
TilewrightCall tilewright_lapack_call(const LapackBuffers& buffers, const Choice& choice);

/// Returns CLBlast's function. Empty if CLBlast has none or this build lacks CLBlast.
std::function<void()> clblast_lapack_call(const LapackBuffers& buffers);

/// Returns OpenBLAS's function on the host, which is called for each problem of a batch. Nothing if this build lacks
/// OpenBLAS or its LAPACK, or a size exceeds OpenBLAS's integers. Keeps references.
std::optional<LapackContender> openblas_lapack_contender(const LapackProblem& problem, const LapackData& data);

/// Returns the kernels and threads that OpenBLAS uses, for example "SkylakeX, 2 threads". Empty if this build lacks
/// OpenBLAS.
std::string openblas_kernels();

}  // namespace tilewright::tool
