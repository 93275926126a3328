// The report of a tuning run for people: one HTML file with everything in it.
#pragma once

#include <string>
#include <vector>

#include "tilewright/configuration.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tuning {

struct ReportEvaluation {
  std::string variant;
  Configuration configuration;
  std::string status;  ///< ok, slow (given up early), compile, runtime, correctness, timeout or constraints
  double seconds = 0;  ///< of ok and slow ones
};

struct ReportWinner {
  std::string variant;
  Configuration configuration;
  double seconds = 0;
  double variation = 0;  ///< standard deviation / mean of its repeated measurements
};

struct ReportShape {
  GemmProblem problem;
  std::vector<ReportEvaluation> evaluations;  ///< in their order
  double untuned_seconds = 0;
  ReportWinner untuned;
  ReportWinner tuned;
};

struct TuneReport {
  std::string device;
  std::string platform;
  std::string driver;
  std::string library_version;
  std::string date;
  double peak_gflops_f32 = 0;  ///< 0 where it is unknown, as for the next two
  double peak_gflops_f64 = 0;
  double bandwidth_gbytes = 0;  ///< gigabytes (10^9) per second
  std::vector<ReportShape> shapes;
};

/// Whether an evaluation has a time, a rough one or a good one.
bool was_timed(const ReportEvaluation& evaluation);

/// A whole HTML document that refers to nothing outside itself and follows the reader's choice of light or dark. Its
/// markup is well-formed XML too, but for the document type.
std::string html_report(const TuneReport& report);

}  // namespace tilewright::tuning
