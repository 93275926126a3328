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

/// One line of the ladder: a variant with its default configuration, a further strategy of it, or another library.
struct Rung {
  Result result;
  std::optional<Entrant> entrant;  ///< empty where it was not run
};

/// Runs every variant, and other libraries, on one product.
class Ladder {
 public:
  /// Time for the runs of one rung, and for a single call of it: what would take longer is not run.
  static constexpr double budget_seconds = 10;

  /// `session` must outlive the ladder.
  Ladder(const Session& session, const GemmProblem& problem) : session_(session), workload_(session, problem) {}

  /// Makes, runs and verifies the rungs of variants.
  void add_variants(const std::vector<VariantInfo>& variants);
  /// The same for a library.
  void add_reference(const std::string& name);
  /// Times all rungs, alternating.
  void time();

  const std::deque<Rung>& variants() const { return variants_; }
  const std::deque<Rung>& references() const { return references_; }

  /// What went wrong; empty where everything was done and verified.
  std::vector<std::string> failures() const;

 private:
  void add_variant(const Choice& choice);
  void climb(Rung& rung, const Choice& choice);
  void note_failure(const Entrant& entrant);

  const Session& session_;
  Workload workload_;
  // Deques, as entrants must stay where they are while more rungs come.
  std::deque<Rung> variants_;
  std::deque<Rung> references_;
  std::vector<std::string> failures_;
};

}  // namespace tilewright::tool
