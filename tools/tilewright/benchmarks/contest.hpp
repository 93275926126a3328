// Measurement of several ways to compute the same problem.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/contender.hpp"
#include "compare/measure.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::tool {

/// Work of the driver's compiler.
struct Compilation {
  std::uint64_t programs = 0;
  double seconds = 0;
};

/// Returns the compilations of an engine since the statistics `before`.
Compilation compiled_since(const ProgramStatistics& before, const Engine& engine);

/// A contender and its measurements.
struct Entrant {
  std::string name;
  Contender contender{};
  std::string note{};  ///< why it did not run; empty if it ran
  double first_call_seconds = 0;
  Compilation compilation{};  ///< during the first call
  Verdict verdict{};
  double seconds = 0;  ///< per call in the steady state; 0 if it was not timed

  bool ran() const { return first_call_seconds > 0; }
  bool measured() const { return seconds > 0; }
  bool verified() const { return ran() && verdict.wrong.empty(); }
};

/// Returns an entrant that does not run, for this reason.
Entrant skipped(const Choice& choice, const std::string& reason);

/// Tilewright's ways to compute a problem, and those of others.
class Contest {
 public:
  static constexpr std::string_view wrong_result = "wrong result of {}: {}";

  /// `label` names the problem. `poison` runs before each first call, so that an earlier result cannot pass for a new
  /// one. `engine` must outlive this object.
  Contest(const Engine& engine, std::string label, std::function<void()> poison)
      : engine_(engine), label_(std::move(label)), poison_(std::move(poison)) {}

  // Make a contender and compute the problem once, including compilation, which is a user's first wait. Verify the
  // result. If this throws, the entrant remains, and did not run. An empty name is replaced by the contender's variant.
  Entrant& add(const std::string& name, const std::function<Contender()>& make) { return enter(own, name, make); }
  Entrant& add_reference(const std::string& name, const std::function<Contender()>& make) {
    return enter(references, name, make);
  }

  /// Adds a library's contender, or an entrant that does not run if there is none.
  void add_reference_if(const std::string& name, std::optional<Contender> contender);

  /// Times everything that ran, in turns, and then `others`. Returns the medians of the latter.
  std::vector<double> time(const MeasureLimits& limits, std::vector<Timed> others = {});

  /// Returns a message for each wrong result. `pattern` has the name and the description.
  std::vector<std::string> failures(std::string_view pattern = wrong_result) const;

  // Deques keep entrants at their addresses when others are added.
  std::deque<Entrant> own;
  std::deque<Entrant> references;

 private:
  Entrant& enter(std::deque<Entrant>& list, const std::string& name, const std::function<Contender()>& make);

  const Engine& engine_;
  std::string label_;
  std::function<void()> poison_;
};

/// Returns each variant with its default configuration, then with its other strategies.
std::vector<Choice> choices_of(const std::vector<VariantInfo>& variants);

}  // namespace tilewright::tool
