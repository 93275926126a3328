#include "gemm/selections.hpp"

#include "runtime/log.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

namespace {

// The profile of a device that turned out not to have what it was expected to have.
DeviceProfile without(DeviceProfile device, Ability ability) {
  if (ability == Ability::fp64_tensor_cores) device.fp64_tensor_cores = false;
  return device;
}

void tell_problems(const RecordSet& set) {
  for (const std::string& problem : set.problems) log("a tuning record was skipped: " + problem);
}

}  // namespace

RecordBook open_record_book(const DeviceProfile& device) {
  RecordBook book(load_records(device), device);
  tell_problems(book.set());
  return book;
}

std::size_t GemmSelections::Hash::operator()(const GemmProblem& p) const {
  std::size_t hash = 0;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  };
  mix(p.m);
  mix(p.n);
  mix(p.k);
  mix(p.lda ^ (p.ldb << 21U) ^ (p.ldc << 42U));
  mix((p.type == DataType::f64 ? 1U : 0U) + (p.trans_a == Transpose::yes ? 2U : 0U) +
      (p.trans_b == Transpose::yes ? 4U : 0U) + 8U * p.offset_alignment);
  mix(p.batch.count ^ (p.batch.stride_c << 32U));
  return hash;
}

std::shared_ptr<const RecordBook> GemmSelections::book(const DeviceProfile& device) {
  {
    const std::lock_guard lock(mutex_);
    if (book_) return book_;
  }
  auto opened = std::make_shared<const RecordBook>(load_records(device), device);
  {
    const std::lock_guard lock(mutex_);
    if (book_) return book_;  // another thread was faster
    book_ = opened;
  }
  tell_problems(opened->set());
  return opened;
}

GemmSelection GemmSelections::select(const DeviceProfile& device, const Trial& trial, const GemmProblem& problem,
                                     const GemmChoice& choice) {
  const auto records = book(device);
  GemmSelection selection = select_gemm(device, *records, problem, choice);
  if (!selection.variant->needs) return selection;
  const Probe probe = trial(*selection.variant->needs);
  if (probe.available) return selection;
  const std::string failure = std::string("variant '") + selection.variant->name +
                              "' cannot run here, which only a trial shows: " + probe.detail;
  if (!choice.variant.empty()) throw Error(ErrorCode::unsupported_variant, failure);
  log(failure);
  return select_gemm(without(device, *selection.variant->needs), *records, problem, choice);
}

std::shared_ptr<const GemmSelection> GemmSelections::get(const DeviceProfile& device, const Trial& trial,
                                                         const GemmProblem& problem, const GemmChoice& choice) {
  const bool free = choice.variant.empty() && choice.configuration.empty();
  if (free) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(problem); found != known_.end()) return found->second;
  }
  // No lock is held here: what is logged goes to the caller's callbacks, which may ask for a selection.
  auto selection = std::make_shared<const GemmSelection>(select(device, trial, problem, choice));
  if (free) {
    const std::lock_guard lock(mutex_);
    constexpr std::size_t most = 4096;
    if (known_.size() == most) known_.clear();
    known_.emplace(problem, selection);
  }
  return selection;
}

}  // namespace tilewright::detail
