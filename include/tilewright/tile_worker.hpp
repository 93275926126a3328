// One device that does tiles of a product of matrices in host memory, as somebody hands them out: gemm_out_of_core()
// does, and whoever shares a product between devices can.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright {

/// The tile of a schedule with this number, from 0 to tiles() - 1: each has a side in common with the one before.
TILEWRIGHT_API ResultTile tile_of(const GemmProblem& problem, const TileSchedule& schedule, std::uint64_t number);

/// Does tiles of C on one device. No call waits for the device but wait() and the destructor, so that one thread can
/// drive the workers of several devices:
///
///   while (work is left or a worker is not idle) {
///     bool moved = false;
///     for (each worker) {
///       if (worker.takes_tile() and work is left) worker.start(next tile);
///       moved |= worker.poll();
///       for (tile : worker.take_finished()) that tile is whole in C;
///     }
///     if (!moved) sleep: 50 microseconds, then longer the longer nothing has moved;
///   }
///
/// Workers of one product may have different schedules, but must cut C alike (TileSizes::m and n, by_columns) where
/// they share out its tiles by number. For one thread at a time.
class TileWorker {
 public:
  struct Statistics {
    std::uint64_t bytes_up = 0, bytes_down = 0;  ///< enqueued
    double work = 0;                             ///< products of elements that were enqueued
  };

  /// Compiles, and allocates what the schedule says. The operands must stay as they are until the worker rests or is
  /// gone. Throws what OutOfCorePlan's constructor and run() throw.
  TILEWRIGHT_API TileWorker(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule,
                            const HostOperands& operands, unsigned copy_threads = 1);
  /// Waits for what is enqueued. Tiles that are not finished are as they were in C, but for one that is being copied.
  TILEWRIGHT_API ~TileWorker();
  TileWorker(const TileWorker&) = delete;
  TileWorker& operator=(const TileWorker&) = delete;

  /// Whether start() may be called: a place for a tile is free.
  TILEWRIGHT_API bool takes_tile() const;

  /// Begins a tile. Neighbours in a row are best given one after another: what they share is not uploaded again.
  TILEWRIGHT_API void start(const ResultTile& tile);

  /// Enqueues what can be, and copies at most one chunk of pinned memory in each direction. Returns whether there was
  /// anything to do. Throws Error where a command failed; of the worker's tiles none is finished after that.
  TILEWRIGHT_API bool poll();

  /// The tiles that have become whole in C since the last call.
  TILEWRIGHT_API std::vector<ResultTile> take_finished();

  /// Forgets the tiles that were started and whose last product is not enqueued yet; C has them as they were.
  TILEWRIGHT_API void abandon();

  /// Tiles that were begun and that C may hold in part: after an Error what has become of them is unknown. All others
  /// that are not finished C holds as they were.
  TILEWRIGHT_API std::vector<ResultTile> partly_written() const;

  /// No tile is begun and not finished.
  TILEWRIGHT_API bool idle() const;

  /// Begins anew with other operands of the same problem, without allocating device or pinned memory. The worker must
  /// be idle. Throws what the constructor throws for operands; the worker is then as it was.
  TILEWRIGHT_API void restart(const HostOperands& operands);

  /// Ends the threads that copy and lets the operands go, until restart(). The worker must be idle.
  TILEWRIGHT_API void rest();

  TILEWRIGHT_API Statistics statistics() const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
