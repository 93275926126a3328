#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "gemm/selector.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// An engine's records and what was selected by them, so that a problem that comes again costs a look-up.
/// Safe to use from many threads, and from callbacks for what it logs.
class GemmSelections {
 public:
  /// Engine::probe().
  using Trial = std::function<Probe(Ability)>;

  /// What select_gemm() selects; where only a trial shows that its variant cannot run here and nobody asked for that
  /// variant, what it selects without it. Reads the device's records when first called.
  /// Throws as select_gemm() does, and Error(unsupported_variant) where the variant that is asked for fails its trial.
  std::shared_ptr<const GemmSelection> get(const DeviceProfile& device, const Trial& trial, const GemmProblem& problem,
                                           const GemmChoice& choice);

 private:
  GemmSelection select(const DeviceProfile& device, const Trial& trial, const GemmProblem& problem,
                       const GemmChoice& choice);
  std::shared_ptr<const RecordBook> book(const DeviceProfile& device);

  struct Hash {
    std::size_t operator()(const GemmProblem& problem) const;
  };

  std::mutex mutex_;
  std::shared_ptr<const RecordBook> book_;
  std::unordered_map<GemmProblem, std::shared_ptr<const GemmSelection>, Hash> known_;
};

/// The records of a device as a book; what was wrong with them goes to the log.
RecordBook open_record_book(const DeviceProfile& device);

}  // namespace tilewright::detail
