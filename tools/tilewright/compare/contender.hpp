// Implementations that compute a workload's product: Tilewright's variants and other libraries.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/gemm.hpp"
#include "workload.hpp"

namespace tilewright::tool {

/// An implementation that computes a workload's product.
class Contender {
 public:
  explicit Contender(Workload& workload) : workload_(workload) {}
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  /// Makes `calls` calls back to back, at least one, and waits for the last.
  virtual void run(unsigned calls) = 0;

  /// Waits until leftovers of run(), such as spinning threads, cannot slow the next contender.
  virtual void settle() {}

  /// Compares the result of the last call with the reference.
  virtual verification::Comparison check() { return workload_.check_device_result(); }

 protected:
  Workload& workload() const { return workload_; }

 private:
  Workload& workload_;
};

/// Enqueues the same plan for every call.
std::unique_ptr<Contender> make_plan_contender(Workload& workload, GemmPlan plan);

/// Calls gemm() for every product. Measures its overhead over a plan.
std::unique_ptr<Contender> make_gemm_contender(Workload& workload, Choice choice = {});

/// Enqueues a plan whose B is packed once, before the first call.
std::unique_ptr<Contender> make_packed_contender(Workload& workload, GemmPlan plan);

/// Throws UsageError if a name is unknown, and std::runtime_error, naming the missing package, if this build lacks the
/// library.
void check_references(const std::vector<std::string>& names);

/// Returns true if the library multiplies matrices of this type. Throws the errors of check_references(names).
bool has_type(std::string_view name, DataType type);

/// Throws UsageError if a library cannot multiply matrices of this type or has no product with the problem's epilogue.
/// Also throws the errors of check_references(names).
void check_references(const std::vector<std::string>& names, DataType type);
void check_references(const std::vector<std::string>& names, const GemmProblem& problem);

/// Returns the library's own spelling, for example "CLBlast". Throws the errors of check_references(names).
std::string reference_title(std::string_view name);

/// Returns a contender of "clblast" or "openblas". Throws the errors of check_references(names, problem).
std::unique_ptr<Contender> make_reference(std::string_view name, Workload& workload);

}  // namespace tilewright::tool
