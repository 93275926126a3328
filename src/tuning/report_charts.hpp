// The charts of a report, each a piece of HTML.
#pragma once

#include <string>

#include "tuning/report.hpp"

namespace tilewright::tuning {

/// "f32 512 x 256 x 64, A transposed"
std::string shape_name(const GemmProblem& problem);

/// 10^9 operations per second; 0 where the time is 0.
double gflops(const GemmProblem& problem, double seconds);

/// Attainable speed over arithmetic intensity (Williams, Waterman and Patterson, "Roofline", 2009), with the winners.
/// Every operand is taken to be moved once, C in one direction. Roofs that are not known are left out.
std::string roofline_chart(const TuneReport& report);

/// The best speed so far, over evaluations.
std::string progress_chart(const ReportShape& shape);

/// How many configurations reached which speed, for each variant.
std::string speed_histograms(const ReportShape& shape);

/// Speed by value, for each parameter of each variant that has enough measurements.
std::string influence_charts(const ReportShape& shape);

}  // namespace tilewright::tuning
