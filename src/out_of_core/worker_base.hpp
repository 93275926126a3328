// Parts that workers of all transfers share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/partly_enqueued.hpp"
#include "out_of_core/tile_form.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

class SharedChunks;

/// One call, as workers of all transfers see it.
struct TileCall {
  cl::Context context;
  cl::Device device;
  TileForm form;
  TileSchedule schedule;
  HostOperands operands;                   ///< operands of the form: A and B are swapped if the form is
  std::shared_ptr<SharedChunks> shared{};  ///< pinned memory that several workers share; null: none

  bool reads_inputs() const;
  bool reads_c() const;
  const std::byte* c_in() const;
  /// Products that each tile is the sum of.
  std::uint64_t steps() const { return reads_inputs() ? schedule.tiles_k : 1; }
};

/// Returns the sizes of the product in step `step` of the tile with this number.
TileSizes product_sizes(const TileCall& call, TileRange m, TileRange n, std::uint64_t number, std::uint64_t step);

/// Returns the multiply-adds of a product; elements of C if the call reads neither A nor B.
double product_work(const TileCall& call, const TileSizes& sizes);

/// Returns enqueue(). If a wait failed, throws Error(opencl_failure) instead of failed_wait, because the events belong
/// to the worker and not to the caller. Keeps the type PartlyEnqueued.
template <class Enqueue>
auto with_own_waits(const Enqueue& enqueue) {
  constexpr const char* message = "a command of a product of matrices in host memory failed";
  try {
    return enqueue();
  } catch (const PartlyEnqueued& error) {
    if (error.code() != ErrorCode::failed_wait) throw;
    throw PartlyEnqueued(ErrorCode::opencl_failure, message, error.opencl_status());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::failed_wait) throw;
    throw Error(ErrorCode::opencl_failure, message, error.opencl_status());
  }
}

/// Work that a worker enqueued in a call.
struct TileStatistics {
  std::uint64_t bytes_up = 0, bytes_down = 0;
  std::uint64_t bytes_copied = 0;  ///< between the matrices and pinned memory
  double work = 0;                 ///< multiply-adds; elements of C if the call reads neither A nor B
};

class TilePlans;

/// Computes tiles with one kind of transfer. start() and poll() throw Error if the device fails. Then only settle(),
/// take_finished(), add_partly_written(), rows_written(), statistics() and the destructor may be called.
class TileWorkerBase {
 public:
  static constexpr std::size_t max_partly_written = 2;

  /// Waits for all commands.
  virtual ~TileWorkerBase() = default;
  virtual bool takes_tile() const = 0;
  virtual void start(const ResultTile& tile) = 0;
  virtual bool poll() = 0;
  /// Waits until poll() finishes a tile. Returns false at once if the worker cannot wait, because the host has work to
  /// do before.
  virtual bool wait() const noexcept { return false; }
  /// Drops the tiles of which C holds nothing yet and whose products are not all enqueued.
  virtual void abandon() = 0;
  /// Whether no tile is in progress, and every command is complete.
  virtual bool idle() const = 0;
  /// After a failure: waits for all commands and finishes the tiles that can still be finished.
  virtual void settle() noexcept = 0;
  /// Appends the tiles that C may hold in part, at most `max_partly_written`. After settle(), the content of exactly
  /// these tiles is unspecified. Allocates nothing if the vector has room for them.
  virtual void add_partly_written(std::vector<ResultTile>& tiles) const = 0;
  /// After settle(): the rows of each partly written tile, from its first row on, that are complete in C while the
  /// others are unchanged. Rows are those of the form. Empty: the content of these tiles is unspecified.
  virtual std::optional<std::uint64_t> rows_written() const { return {}; }
  /// Begins a call with other operands of the same problem. Reuses the worker's memory. The worker must be idle.
  virtual void restart(const TileCall& call) = 0;
  /// Ends the copying threads; restart() starts them again.
  virtual void rest() = 0;

  std::vector<ResultTile> take_finished() { return std::exchange(finished_, {}); }
  const TileStatistics& statistics() const { return statistics_; }

 protected:
  std::vector<ResultTile> finished_;
  TileStatistics statistics_;
};

std::unique_ptr<TileWorkerBase> make_staged_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                   unsigned copy_threads);
std::unique_ptr<TileWorkerBase> make_in_place_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                     unsigned copy_threads);

/// Checks the caller's operands and returns the operands of the form.
/// Throws Error(null_object, invalid_offset, overlapping_operands).
HostOperands checked_operands(const TileForm& form, const HostOperands& operands);

/// Makes the worker for the schedule's transfer.
std::unique_ptr<TileWorkerBase> make_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                            unsigned copy_threads);

}  // namespace tilewright::detail
