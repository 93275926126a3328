#pragma once

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/partly_enqueued.hpp"
#include "out_of_core/tile_form.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// One call, as workers of every kind of transfer see it.
struct TileCall {
  cl::Context context;
  cl::Device device;
  TileForm form;
  TileSchedule schedule;
  HostOperands operands;  ///< those of the form: A and B are exchanged if the form is swapped

  bool reads_inputs() const;
  bool reads_c() const;
  const std::byte* c_in() const;
  /// Steps along k of each tile.
  std::uint64_t steps() const { return reads_inputs() ? schedule.tiles_k : 1; }
};

/// The sizes of the product that is step `step` of the tile of this number.
TileSizes product_sizes(const TileCall& call, TileRange m, TileRange n, std::uint64_t number, std::uint64_t step);

/// Products of elements that count as done with that product.
double product_work(const TileCall& call, const TileSizes& sizes);

/// Calls enqueue(). If a wait failed, throws Error(opencl_failure) instead of failed_wait: the events belong to the
/// worker, not to the caller. Keeps the type PartlyEnqueued.
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

/// Enqueues a product after events of the worker's own, and returns its event.
/// Throws PartlyEnqueued if commands that may write C were enqueued before the failure.
cl::Event enqueue_product(const GemmPlan& plan, cl_command_queue queue, const GemmOperands& operands,
                          std::span<const cl_event> waits);

/// The compiled products of all sizes that the tiles of a schedule have.
class TilePlans {
 public:
  TilePlans(const Engine& engine, const TileForm& form, const TileSchedule& schedule);

  /// Enqueues the product of a tile, of a size that the schedule has, and returns its event.
  /// Throws PartlyEnqueued if commands that may write C were enqueued before the failure.
  cl::Event enqueue(const TileSizes& sizes, const cl::CommandQueue& queue, const GemmOperands& operands,
                    std::span<const cl_event> waits);

  /// The same products, by the same kernels, of matrices that begin anywhere in their buffers: at no multiple of
  /// tile_alignment. Compiled when first asked for.
  TilePlans& unaligned();

 private:
  explicit TilePlans(const Engine& engine) : engine_(engine) {}

  Engine engine_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::unique_ptr<GemmPlan>> plans_;
  std::unique_ptr<TilePlans> unaligned_;
};

/// Work that a worker enqueued in a call.
struct TileStatistics {
  std::uint64_t bytes_up = 0, bytes_down = 0;
  double work = 0;  ///< multiply-adds; elements of C if the call reads neither A nor B
};

/// One way of doing tiles. start() and poll() throw Error if the device fails. Then only settle(), take_finished(),
/// partly_written(), statistics() and the destructor may be called.
class TileWorkerBase {
 public:
  /// Waits for all commands.
  virtual ~TileWorkerBase() = default;
  virtual bool takes_tile() const = 0;
  virtual void start(const ResultTile& tile) = 0;
  virtual bool poll() = 0;
  /// Forgets the tiles of which C holds nothing yet and whose products are not all enqueued.
  virtual void abandon() = 0;
  /// No tile is begun, and no command is enqueued that is not complete.
  virtual bool idle() const = 0;
  /// After a failure: waits for all commands and finishes the tiles that the device still can finish.
  virtual void settle() noexcept = 0;
  /// The tiles that C holds in part. After settle() these are all whose content is unspecified.
  virtual std::vector<ResultTile> partly_written() const = 0;
  /// Begins a call with other operands of the same problem in the memory of the worker, which must be idle.
  virtual void restart(const TileCall& call) = 0;
  /// Ends the threads that copy; restart() begins them again.
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

/// Checks the operands of a call and makes them those of the form. Throws Error(null_object, overlapping_operands).
HostOperands checked_operands(const TileForm& form, const HostOperands& operands);

/// Makes the worker of the schedule's kind of transfer.
std::unique_ptr<TileWorkerBase> make_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                            unsigned copy_threads);

}  // namespace tilewright::detail
