#include "bindings/blas/device.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "bindings/blas/lines.hpp"
#include "bindings/blas/placement.hpp"
#include "bindings/blas/shared_placement.hpp"
#include "bindings/blas/small_operands.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "selection/device_identity.hpp"

namespace tilewright::blas {
namespace {

// Several threads copy between the caller's memory and pinned memory, because one is slower than most links.
constexpr unsigned copy_threads = 4;

// Staged tiles that a failed device leaves are complete up to a known row or column.
OutOfCoreOptions tile_options(std::uint64_t memory) {
  return {.memory = memory, .copy_threads = copy_threads, .transfer = TileTransfer::staged};
}

bool is_host_processor(const DeviceProfile& profile) {
  return profile.type == DeviceType::cpu && !detail::quirks_of(profile.vendor).is_simulator;
}

// Bytes that are not ASCII are replaced, so that the text is the same after it was stored.
std::string identity_text(const DeviceProfile& profile) {
  const detail::DeviceIdentity identity = detail::identity_of(profile);
  std::string driver = profile.driver_version;
  for (char& c : driver)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return identity.platform + ", " + identity.device + ", " + driver;
}

// The rows or columns of a tile that are not complete. Staged tiles have their old content there.
ResultTile rest_of(const PartialTile& partial) {
  ResultTile rest = partial.tile;
  if (partial.complete.rows < rest.rows) {
    rest.row += partial.complete.rows;
    rest.rows -= partial.complete.rows;
  } else {
    rest.column += partial.complete.columns;
    rest.columns -= partial.complete.columns;
  }
  return rest;
}

// Ends commands that may still use the caller's memory.
void settle(cl_command_queue queue) noexcept { clFinish(queue); }

}  // namespace

BlasDevice::BlasDevice(const LocalDevice& local, const Settings& settings, KeptMemory& kept)
    : settings_(settings),
      kept_(kept),
      engine_(local.device),
      queue_(make_queue(engine_)),
      identity_(identity_text(local.device.profile)),
      is_host_(is_host_processor(local.device.profile)),
      shared_alignment_(shared_alignment(engine_, queue_.get())),
      memory_(settings.memory > 0 ? settings.memory
                                  : local.device.profile.global_memory_bytes / 10 * 9 / local.processes) {}

bool BlasDevice::is_tiled(const Call& call) const {
  return !works_in_place() && call.routine == Routine::gemm && !is_complex(call.type);
}

double BlasDevice::scheduled_seconds(const GemmProblem& problem) const {
  return schedule_out_of_core(engine_, problem, tile_options(memory_)).seconds;
}

bool BlasDevice::compute(const Call& call, bool wait) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (wait)
    lock.lock();
  else if (!lock.try_lock())
    return false;
  const HostMatrices matrices = matrices_of(call);
  const bool can_release = !plans_.empty() || kept_.has_copies();
  try {
    compute(call, matrices);
  } catch (const Error& error) {
    const bool fits = is_tiled(call) || CopiedPlacement::bytes(call, matrices) <= memory_;
    if (error.code() != ErrorCode::out_of_memory || !can_release || !fits) throw;
    plans_.clear();
    kept_.release();
    compute(call, matrices);
  }
  return true;
}

void BlasDevice::compute(const Call& call, const HostMatrices& matrices) {
  if (is_tiled(call) && !holds_kept(call, matrices))
    compute_tiled(call, matrices);
  else if (works_in_place() && SharedPlacement::largest_buffer(call, matrices, *shared_alignment_) <=
                                   engine_.profile().max_allocation_bytes)
    compute_in_place(call, matrices);
  else
    compute_copied(call, matrices);
}

bool BlasDevice::holds_kept(const Call& call, const HostMatrices& matrices) const {
  return CopiedPlacement::bytes(call, matrices) <= memory_ / 2 &&
         std::any_of(matrices.begin(), matrices.end(), [&](const HostMatrix& matrix) {
           return matrix.exists() && kept_.holds(matrix, extent_bytes(call, matrix));
         });
}

std::size_t BlasDevice::step_bytes() const {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(memory_ / 16, 1, most));
}

void BlasDevice::compute_in_place(const Call& call, const HostMatrices& matrices) {
  const auto divisible = divisible_result(call);
  // Without steps, all results that replace an operand are copied before the call.
  std::vector<ResultTile> steps(1);
  if (divisible && matrices[*divisible].is_read) steps = steps_of(call, step_bytes());
  auto rest = std::make_unique<RestOfCall>(RestOfCall{.call = call, .blocks = {ResultTile{}}});
  DeviceOperands operands{.accuracy = settings_.accuracy};
  std::optional<SharedPlacement> placement(std::in_place, engine_, call, matrices, *shared_alignment_);
  SmallOperands small(engine_, queue_.get(), call, operands);
  for (const ResultTile& step : steps) {
    std::optional<Backup> backup;
    try {
      HostMatrices written = matrices;
      if (steps.size() > 1) written[*divisible] = block_of(call, matrices[*divisible], step);
      backup.emplace(call, written);
      const std::vector<Call> calls = steps.size() > 1 ? calls_of(call, step) : std::vector{call};
      for (const Call& part : calls) {
        placement->place(part, operands);
        enqueue(engine_, queue_.get(), part, operands).wait();
      }
      if (&step == &steps.back()) small.fetch(queue_.get());
      for (const HostMatrix& matrix : written)
        if (matrix.exists() && matrix.is_written) placement->fetch(queue_.get(), call, matrix);
    } catch (...) {
      settle(queue_.get());
      placement.reset();
      if (backup) backup->restore();
      if (step.number == 0) throw;
      rest->blocks[0] = rest_from(call, step);
      throw PartlyComputed(current_error_code(), std::move(rest));
    }
    // LAPACK leaves B unchanged if the factorisation finds no solution.
    if (small.info() != 0) backup->restore(1);
  }
  small.store();
}

void BlasDevice::compute_copied(const Call& call, const HostMatrices& matrices) {
  const std::size_t bytes = CopiedPlacement::bytes(call, matrices);
  if (bytes > memory_)
    throw Error(ErrorCode::out_of_memory, "the operands have " + std::to_string(bytes) + " bytes, but the budget is " +
                                              std::to_string(memory_) + "; TILEWRIGHT_BLAS_MEMORY sets it");
  // Kept copies may take half of the memory.
  if (bytes > memory_ / 2) kept_.release();
  make_room(bytes);
  DeviceOperands operands{.accuracy = settings_.accuracy};
  try {
    const CopiedPlacement placement(engine_, queue_.get(), call, matrices, operands, kept_,
                                    bytes > memory_ / 2 ? 0 : memory_ / 2);
    SmallOperands small(engine_, queue_.get(), call, operands);
    enqueue(engine_, queue_.get(), call, operands).wait();
    small.fetch(queue_.get());
    // LAPACK leaves B unchanged if there is no solution.
    placement.fetch(queue_.get(), small.info() == 0, step_bytes());
    small.store();
  } catch (...) {
    settle(queue_.get());
    kept_.release();  // copies may be incomplete
    throw;
  }
}

void BlasDevice::make_room(std::uint64_t bytes) {
  std::uint64_t taken = bytes + kept_.bytes();
  for (const OutOfCorePlan& plan : plans_) taken += plan.schedule().memory();
  while (!plans_.empty() && taken > memory_) {
    taken -= plans_.front().schedule().memory();
    plans_.erase(plans_.begin());
  }
}

const OutOfCorePlan& BlasDevice::plan_of(const GemmProblem& problem) {
  const auto found =
      std::find_if(plans_.begin(), plans_.end(), [&](const OutOfCorePlan& plan) { return plan.problem() == problem; });
  if (found != plans_.end()) std::rotate(found, found + 1, plans_.end());
  make_room(0);  // copies may have been kept since the last plan was made
  if (!plans_.empty() && plans_.back().problem() == problem) return plans_.back();
  OutOfCorePlan plan(engine_, problem, tile_options(memory_ - kept_.bytes()));
  make_room(plan.schedule().memory());
  constexpr std::size_t max_plans = 8;
  if (plans_.size() >= max_plans) plans_.erase(plans_.begin());
  return plans_.emplace_back(std::move(plan));
}

void BlasDevice::compute_tiled(const Call& call, const HostMatrices& matrices) {
  kept_.note_written(matrices[2], extent_bytes(call, matrices[2]));
  const OutOfCorePlan& plan = plan_of(gemm_problem(call, settings_.accuracy));
  // The parts of C that are not complete. Listed in advance, because memory may be short after a failure.
  auto unfinished = std::make_unique<RestOfCall>(RestOfCall{.call = call});
  std::vector<ResultTile>& rest = unfinished->blocks;
  rest.resize(plan.schedule().tiles());
  for (std::uint64_t i = 0; i < rest.size(); ++i) rest[i] = tile_of(plan.problem(), plan.schedule(), i);
  try {
    plan.run({.alpha = call.alpha, .a = call.a, .b = call.b, .beta = call.beta, .c = call.c},
             {.tile_done = [&](const ResultTile& tile) { rest[tile.number].rows = 0; }});
  } catch (...) {
    bool is_begun = std::any_of(rest.begin(), rest.end(), [](const ResultTile& tile) { return tile.rows == 0; });
    const ErrorCode code = current_error_code();
    try {
      throw;
    } catch (const PartlyWritten& error) {
      is_begun = true;
      for (const PartialTile& tile : error.tiles()) rest[tile.tile.number] = rest_of(tile);
    } catch (...) {
    }
    plans_.clear();
    if (is_begun) throw PartlyComputed(code, std::move(unfinished));
    throw;
  }
}

}  // namespace tilewright::blas
