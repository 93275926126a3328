#pragma once

#include <string>
#include <vector>

#include "compare/measure.hpp"
#include "text/json_output.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

/// A row of `bench` or `ladder`: one product computed in one way.
struct Result {
  GemmProblem problem;
  std::string variant;
  std::string configuration;
  bool measured = false;
  std::string note;  ///< why it was not measured; empty if it was

  double seconds = 0;
  double first_call_seconds = 0;
  Compilation compilation;
  double error_over_bound = 0;
  bool verified = false;

  struct Against {
    std::string name;
    double seconds = 0;
  };
  std::vector<Against> against;

  double gflops() const;

  /// Copies the results of a measurement.
  void set_measurement(const Entrant& entrant);
  void add_reference(const Entrant& reference);
};

/// Returns a JSON object. If nothing was measured, numbers are null and "note" gives the reason.
Json to_json(const Result& result, const Device& device);

/// Returns a message for standard error: the wrong element, its value and the expected value.
std::string describe_failure(const Entrant& entrant);

}  // namespace tilewright::tool
