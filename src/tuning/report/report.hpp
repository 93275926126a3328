// The report of a tuning run for people: one HTML file with everything in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// What another library took for the same product.
struct ReportReference {
  std::string library;
  double seconds = 0;  ///< of one call; the median
};

struct ReportShape {
  Tuned tuned;
  std::vector<ReportReference> references{};  ///< those that were measured
};

/// The most that the device does with a type, measured.
struct ReportRoof {
  DataType type = DataType::f32;
  double gflops = 0;
};

struct TuneReport {
  std::string device;
  std::string platform;
  std::string driver;
  std::string library_version;
  std::string date;
  std::string budget;  ///< as it was asked for: "10m"
  std::string strategy;
  std::uint64_t seed = 1;
  std::vector<ReportRoof> roofs{};  ///< of the types that were measured
  double bandwidth_gbytes = 0;      ///< gigabytes (10^9) per second; 0 where it is unknown
  std::vector<ReportShape> shapes{};
};

/// A whole HTML document that refers to nothing outside itself and follows the reader's choice of light or dark. The
/// head line and the table of results stand in its markup; a script draws the figures from the data embedded in it.
std::string html_report(const TuneReport& report);

}  // namespace tilewright::tuning
