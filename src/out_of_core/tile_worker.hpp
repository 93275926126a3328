// Computes tiles of a product of matrices in host memory on one device, as they are handed out.
#pragma once

#include <memory>
#include <vector>

#include "out_of_core/worker_base.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// Computes tiles of C on one device without blocking, so that one thread can drive the workers of several devices.
/// Only rest(), the destructor, and start() and poll() after a failure wait for the device. Call start() while
/// takes_tile() holds and tiles are left, then poll() and take_finished() until the worker is idle.
///
/// Workers of one product may have different schedules. If they share its tiles by number, the schedules must cut C
/// alike: the same TileSizes::m, TileSizes::n and by_columns. For one thread at a time.
class TileWorker {
 public:
  /// Compiles the schedule's products and allocates its memory. The operands must stay valid until rest() or the
  /// destructor. With `shared`, A and B are copied to pinned memory that workers of other devices use, too.
  /// Throws what OutOfCorePlan's constructor and run() throw.
  TileWorker(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule,
             const HostOperands& operands, unsigned copy_threads = 1, std::shared_ptr<SharedChunks> shared = nullptr);

  /// Whether start() may be called: a slot for a tile is free.
  bool takes_tile() const { return worker_->takes_tile(); }

  /// Begins a tile. Start neighbours in a row one after another: slabs that they share are uploaded once.
  /// Throws Error if the device fails, as poll() does.
  void start(const ResultTile& tile);

  /// Enqueues the commands that can be enqueued, and copies at most one chunk of pinned memory in each direction.
  /// Returns whether there was anything to do.
  /// Throws Error if the device fails. Before that, it waits for all commands and finishes the tiles that can still be
  /// finished. take_finished() returns these, partly_written() the unspecified ones, and all others are unchanged in C.
  /// Then only take_finished(), partly_written(), statistics() and the destructor may be called.
  bool poll();

  /// Returns the tiles that were completed in C since the last call.
  std::vector<ResultTile> take_finished() { return worker_->take_finished(); }

  /// Tiles that C may hold in part. After an Error of start() or poll(), their content is unspecified; all other tiles
  /// are finished or unchanged.
  std::vector<ResultTile> partly_written() const {
    std::vector<ResultTile> tiles;
    worker_->add_partly_written(tiles);
    return tiles;
  }

  /// Whether every tile that was started is finished, and every command is complete.
  bool idle() const { return worker_->idle(); }

  /// Begins another call with operands of the same problem, without allocating device or pinned memory. The worker must
  /// be idle. Throws what the constructor throws for operands; the worker then keeps its former operands.
  void restart(const HostOperands& operands);

  /// Ends the copying threads and releases the operands, until restart(). The worker must be idle.
  void rest() { worker_->rest(); }

  const TileStatistics& statistics() const { return worker_->statistics(); }

 private:
  TileCall call_;
  std::unique_ptr<TileWorkerBase> worker_;
};

}  // namespace tilewright::detail
