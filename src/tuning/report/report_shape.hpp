// One shape of a report as JSON.
#pragma once

#include <map>
#include <string>

#include "tuning/report/report.hpp"
#include "tuning/report/report_quantities.hpp"
#include "tuning/report/report_trials.hpp"

namespace tilewright::tuning {

/// Numbers the choices of a report, so that each is written once.
class ReportChoices {
 public:
  std::size_t number_of(const Choice& choice);
  const Json& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  Json list_ = Json::array();
};

/// Returns one shape: its results, every configuration tried, the failures and the influence of the parameters.
Json shape_json(const ReportShape& shape, const std::vector<ReportTrial>& trials, ReportChoices& choices);

}  // namespace tilewright::tuning
