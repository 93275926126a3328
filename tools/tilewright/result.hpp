#pragma once

#include <string>
#include <vector>

#include "compare/measure.hpp"
#include "text/json_output.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

/// What `bench` and `ladder` report of one product done in one way.
struct Result {
  GemmProblem problem;
  std::string variant;
  std::string configuration;
  bool measured = false;
  std::string note;  ///< why it was not measured

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

  /// Takes over what was measured.
  void set_measurement(const Entrant& entrant);
  void add_reference(const Entrant& reference);
};

/// Where nothing was measured, numbers are null and "note" says why.
Json to_json(const Result& result, const Device& device);

/// For standard error: what a wrong result is wrong by and where.
std::string describe_failure(const Entrant& entrant);

}  // namespace tilewright::tool
