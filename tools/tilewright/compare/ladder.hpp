#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "compare/measure.hpp"
#include "result.hpp"
#include "session.hpp"
#include "tilewright/gemm.hpp"
#include "workload.hpp"

namespace tilewright::tool {

/// A line of the ladder: a variant with its default configuration or another strategy, or another library.
struct LadderRow {
  Result result;
  std::optional<Entrant> entrant;  ///< empty if it did not run
};

/// Runs all variants, and other libraries, on one product.
class Ladder {
 public:
  /// Time limit for the runs of one row, and for each of its calls. Slower rows do not run.
  static constexpr double budget_seconds = 10;

  /// `session` must outlive this object.
  Ladder(const Session& session, const GemmProblem& problem) : session_(session), workload_(session, problem) {}

  /// Creates, runs and verifies the rows of variants.
  void add_variants(const std::vector<VariantInfo>& variants);
  /// Creates, runs and verifies the row of a library.
  void add_reference(const std::string& name);
  /// Times all rows in turns.
  void time();

  const std::deque<LadderRow>& variants() const { return variants_; }
  const std::deque<LadderRow>& references() const { return references_; }

  /// Returns the failures; empty if everything ran and was verified.
  std::vector<std::string> failures() const;

 private:
  void add_variant(const Choice& choice);
  void run_variant(LadderRow& row, const Choice& choice);
  void note_failure(const Entrant& entrant);

  const Session& session_;
  Workload workload_;
  // Deques keep entrants at their addresses when rows are added.
  std::deque<LadderRow> variants_;
  std::deque<LadderRow> references_;
  std::vector<std::string> failures_;
};

}  // namespace tilewright::tool
