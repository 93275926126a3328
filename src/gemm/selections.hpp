#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "gemm/selector.hpp"

namespace tilewright::detail {

/// An engine's records and what was selected by them, so that a problem that comes again costs a look-up.
/// Safe to use from many threads.
class GemmSelections {
 public:
  /// What select_gemm() selects. Reads the device's records when first called.
  std::shared_ptr<const GemmSelection> get(const DeviceProfile& device, const GemmProblem& problem,
                                           const GemmChoice& choice);

 private:
  struct Hash {
    std::size_t operator()(const GemmProblem& problem) const;
  };

  std::mutex mutex_;
  std::unique_ptr<const RecordBook> book_;
  std::unordered_map<GemmProblem, std::shared_ptr<const GemmSelection>, Hash> known_;
};

/// The records of a device as a book; what was wrong with them goes to the log.
RecordBook open_record_book(const DeviceProfile& device);

}  // namespace tilewright::detail
