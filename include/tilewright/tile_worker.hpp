// A device that does tiles of a product of matrices in host memory as they are handed out: gemm_out_of_core() hands
// them to one device, and other programs can divide them between several.
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

/// Does tiles of C on one device. Only rest(), the destructor, and start() and poll() after a failure wait for the
/// device, so that one thread can drive the workers of several devices:
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

  /// Compiles the products of the schedule and allocates its memory. The operands must stay valid until rest() or the
  /// destructor. Throws what OutOfCorePlan's constructor and run() throw.
  TILEWRIGHT_API TileWorker(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule,
                            const HostOperands& operands, unsigned copy_threads = 1);
  /// Waits for all commands. Tiles that are not finished are as they were in C, except those of partly_written().
  TILEWRIGHT_API ~TileWorker();
  TileWorker(const TileWorker&) = delete;
  TileWorker& operator=(const TileWorker&) = delete;

  /// Whether start() may be called: a place for a tile is free.
  TILEWRIGHT_API bool takes_tile() const;

  /// Begins a tile. Give neighbours in a row one after another: slabs that they share are not uploaded again.
  /// Throws Error if the device fails, as poll() does.
  TILEWRIGHT_API void start(const ResultTile& tile);

  /// Enqueues what can be enqueued, and copies at most one chunk of pinned memory in each direction. Returns whether
  /// there was anything to do.
  /// Throws Error if the device fails. Before that it waits for all commands and finishes the tiles that can still be
  /// finished: take_finished() returns them, partly_written() the unspecified ones, and all others are as they were.
  /// After that, only take_finished(), partly_written(), statistics() and the destructor may be called.
  TILEWRIGHT_API bool poll();

  /// The tiles that have become whole in C since the last call.
  TILEWRIGHT_API std::vector<ResultTile> take_finished();

  /// Forgets the tiles that were started and whose last product is not enqueued yet; C has them as they were. The
  /// worker is idle when their commands are complete, too.
  TILEWRIGHT_API void abandon();

  /// Tiles that C may hold in part. After an Error of start() or poll(), their content is unspecified; all others are
  /// finished or as they were.
  TILEWRIGHT_API std::vector<ResultTile> partly_written() const;

  /// Whether every tile that was started is finished or abandoned, and every command is complete.
  TILEWRIGHT_API bool idle() const;

  /// Begins another call with operands of the same problem, without allocating device or pinned memory. The worker must
  /// be idle. Throws what the constructor throws for operands; the worker is then as it was.
  TILEWRIGHT_API void restart(const HostOperands& operands);

  /// Ends the threads that copy and releases the operands, until restart(). The worker must be idle.
  TILEWRIGHT_API void rest();

  TILEWRIGHT_API Statistics statistics() const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
