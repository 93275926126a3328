// Everything that a workload can be given to: our own variants and the libraries that they are compared with.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/gemm.hpp"
#include "workload.hpp"

namespace tilewright::tool {

/// Something that computes a workload's product.
class Contender {
 public:
  explicit Contender(Workload& workload) : workload_(workload) {}
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  /// Calls back to back, at least one; returns when the last is done.
  virtual void run(unsigned calls) = 0;

  /// Waits until nothing that run() started is in the way of the next contender.
  virtual void settle() {}

  /// Compares the result of the last call with the reference.
  virtual verification::Comparison check() { return workload_.check_device_result(); }

 protected:
  Workload& workload() const { return workload_; }

 private:
  Workload& workload_;
};

/// A plan, enqueued again and again.
std::unique_ptr<Contender> make_plan_contender(Workload& workload, GemmPlan plan);

/// What a user pays who calls gemm() for every product.
std::unique_ptr<Contender> make_gemm_contender(Workload& workload, Choice choice = {});

/// A plan whose B is packed once, before the first call.
std::unique_ptr<Contender> make_packed_contender(Workload& workload, GemmPlan plan);

/// Throws UsageError where a name is unknown, and std::runtime_error where this build lacks the library: says which
/// package it needs.
void check_references(const std::vector<std::string>& names);

/// Whether a library multiplies matrices of a type. Throws as check_references() does.
bool has_type(std::string_view name, DataType type);

/// Throws UsageError where a library does not multiply matrices of a type, or has no product with the problem's
/// epilogue, beside what the other one throws.
void check_references(const std::vector<std::string>& names, DataType type);
void check_references(const std::vector<std::string>& names, const GemmProblem& problem);

/// The name as the library writes it: "CLBlast". Throws as check_references() does.
std::string reference_title(std::string_view name);

/// "clblast" or "openblas". Throws as check_references() does, of the workload's type too.
std::unique_ptr<Contender> make_reference(std::string_view name, Workload& workload);

}  // namespace tilewright::tool
