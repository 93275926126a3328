#include "out_of_core/tile_worker.hpp"

#include <utility>

#include "out_of_core/tile_plans.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {
namespace {

// Calls function(). If it throws, the worker finishes what the device still can.
template <class Function>
auto finish_on_throw(TileWorkerBase& worker, const Function& function) {
  try {
    return function();
  } catch (...) {
    worker.settle();
    throw;
  }
}

}  // namespace

TileWorker::TileWorker(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule,
                       const HostOperands& operands, unsigned copy_threads, std::shared_ptr<SharedChunks> shared) {
  const TileForm form = tile_form(problem);
  call_ = {state_of(engine).context(),   state_of(engine).device(),        form,
           swapped_like(form, schedule), checked_operands(form, operands), std::move(shared)};
  worker_ = make_worker(call_, std::make_shared<TilePlans>(engine, form, call_.schedule), copy_threads);
}

void TileWorker::start(const ResultTile& tile) {
  finish_on_throw(*worker_, [&] { worker_->start(tile); });
}

bool TileWorker::poll() {
  return finish_on_throw(*worker_, [&] { return worker_->poll(); });
}

void TileWorker::restart(const HostOperands& operands) {
  TileCall call = call_;
  call.operands = checked_operands(call_.form, operands);
  worker_->restart(call);
  call_ = call;
}

}  // namespace tilewright::detail
