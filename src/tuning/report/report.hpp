// The report of a tuning run for people: one self-contained HTML file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// The time of another library for the same product.
struct ReportReference {
  std::string library;
  double seconds = 0;  ///< median per call
};

struct ReportShape {
  Tuned tuned;
  std::vector<ReportReference> references{};  ///< the libraries that were measured
};

/// The measured peak of a device for a type.
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
  std::string budget;  ///< as requested: "10m"
  std::string strategy;
  std::uint64_t seed = 1;
  std::vector<ReportRoof> roofs{};  ///< one per measured type
  double bandwidth_gbytes = 0;      ///< gigabytes (10^9) per second; 0 if unknown
  std::vector<ReportShape> shapes{};
};

/// Returns a whole HTML document that refers to nothing outside itself and follows the reader's choice of light or
/// dark. The headline and the table of results are in its markup. A script draws the figures from the embedded data.
std::string html_report(const TuneReport& report);

}  // namespace tilewright::tuning
