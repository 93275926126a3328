#pragma once

#include <map>
#include <string>

#include "tuning/report.hpp"
#include "tuning/report_quantities.hpp"
#include "tuning/report_trials.hpp"

namespace tilewright::tuning {

/// Numbers the choices (a variant with its configuration) of a report, so that each is written once.
class ReportChoices {
 public:
  std::size_t number_of(const Trial& trial);
  const Json& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  Json list_ = Json::array();
};

/// One shape: its results, every configuration tried, what failed and how the parameters matter.
Json shape_json(const ReportShape& shape, const std::vector<ReportTrial>& trials, ReportChoices& choices);

}  // namespace tilewright::tuning
