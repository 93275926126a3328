// Predicts from records which configuration is best for a problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gemm/variant.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

struct Prediction {
  const GemmVariant* variant = nullptr;
  Configuration configuration;
  double seconds = 0;                   ///< predicted
  const GemmRecord* nearest = nullptr;  ///< the record that the prediction leans on most
  double distance = 0;                  ///< of its problem, see the definition
  bool exact = false;                   ///< the record is of this very problem
  std::vector<std::string> sources{};   ///< of the records that it rests on, each once
};

/// The records of one device, grouped by what was run. Immutable.
class RecordBook {
 public:
  RecordBook() = default;
  RecordBook(RecordBook&&) = default;  // the ways point into the set
  RecordBook& operator=(RecordBook&&) = default;
  RecordBook(RecordSet set, const DeviceProfile& device);

  const RecordSet& set() const { return set_; }
  bool empty() const { return ways_.empty(); }

  /// Every way that keeps its rules for a normalized problem and has a record that speaks for it, best first; those
  /// measured on this very problem come before all others. Of these the user's come before the shipped ones, and then
  /// those that were timed most often: a winner was timed anew beside all that came near it, and one that was lucky
  /// once must not beat it. Only one variant's where `variant` is given. A record speaks for problems of its type that
  /// are less than four times, and more than a quarter of, its work. Those measured on another device are only asked
  /// where none of this one speaks: their times do not compare.
  std::vector<Prediction> predict(const GemmProblem& problem, const DeviceProfile& device,
                                  const GemmVariant* variant = nullptr) const;

  /// How many times as fast as untuned tuning made this very problem, else those about it whose records speak for it:
  /// the nearer, the more they count. 1 where there are none.
  double gain(const GemmProblem& problem) const;

 private:
  struct Sample {
    const GemmRecord* record;
    GroupWork work;
  };
  struct Way {
    const GemmVariant* variant;
    Configuration configuration;
    std::vector<Sample> samples;
  };

  // Of one problem by the records of one source, the user's before the shipped ones.
  struct Gain {
    GemmProblem problem;
    bool same_device;
    const GemmRecord* best;  ///< the one that would be chosen for it

    double value() const { return best->untuned_seconds / best->seconds; }
  };

  /// What a way's records of this device, or those of others, say; nothing where none of them speaks.
  std::optional<Prediction> predict(const Way& way, const GemmProblem& problem, const DeviceProfile& device,
                                    bool same_device) const;

  RecordSet set_;
  std::vector<Way> ways_;
  std::vector<Gain> gains_;  ///< of each problem that has records
};

}  // namespace tilewright::detail
