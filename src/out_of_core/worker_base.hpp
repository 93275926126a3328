#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "out_of_core/tile_form.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/tile_worker.hpp"

namespace tilewright::detail {

/// What the worker of every kind of transfer has.
struct TileCall {
  cl::Context context;
  cl::Device device;
  TileForm form;
  TileSchedule schedule;
  HostOperands operands;  ///< of the form: A and B change places where that is swapped

  bool reads_inputs() const;
  bool reads_c() const;
  const std::byte* c_in() const;
  /// Steps along k of each tile.
  std::uint64_t steps() const { return reads_inputs() ? schedule.tiles_k : 1; }
};

/// The compiled products of the tiles of a schedule: those of all slabs, and what scales C alone when it is asked for.
class TilePlans {
 public:
  TilePlans(const Engine& engine, const TileForm& form, const TileSchedule& schedule);

  const GemmPlan& get(std::uint64_t m, std::uint64_t n, std::uint64_t k);
  std::uint64_t workspace_bytes() const;

 private:
  Engine engine_;
  TileForm form_;
  TileSchedule schedule_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::unique_ptr<GemmPlan>> plans_;
};

/// One way of doing tiles.
class TileWorkerBase {
 public:
  virtual ~TileWorkerBase() = default;
  virtual bool takes_tile() const = 0;
  virtual void start(const ResultTile& tile) = 0;
  virtual bool poll() = 0;
  virtual void abandon() = 0;
  virtual bool idle() const = 0;
  virtual std::vector<ResultTile> partly_written() const = 0;
  /// Begins anew with other operands of the same problem, with the memory that it has. Idle workers only.
  virtual void restart(const TileCall& call) = 0;
  /// Ends the threads that copy; restart() begins them again.
  virtual void rest() = 0;

  std::vector<ResultTile> take_finished() { return std::exchange(finished_, {}); }
  const TileWorker::Statistics& statistics() const { return statistics_; }

 protected:
  std::vector<ResultTile> finished_;
  TileWorker::Statistics statistics_;
};

std::unique_ptr<TileWorkerBase> make_staged_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                   unsigned copy_threads);
std::unique_ptr<TileWorkerBase> make_in_place_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                                     unsigned copy_threads);

/// Checks the operands of a call and makes them those of the form. Throws Error(null_object, overlapping_operands).
HostOperands checked_operands(const TileForm& form, const HostOperands& operands);

/// What drives one device, with plans that were made before.
std::unique_ptr<TileWorkerBase> make_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                            unsigned copy_threads);

}  // namespace tilewright::detail
