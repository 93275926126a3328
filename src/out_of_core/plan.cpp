#include <utility>

#include "out_of_core/schedule.hpp"
#include "out_of_core/speeds.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/system/patience.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright {

using detail::translated;

class OutOfCorePlan::State {
 public:
  State(const Engine& used, const GemmProblem& problem, const OutOfCoreOptions& options)
      : engine(used),
        asked(problem),
        form(detail::tile_form(problem)),
        schedule(detail::choose_schedule(used, form, options)),
        schedule_of_caller(detail::turned(form, schedule)),
        copy_threads(options.copy_threads),
        relies_on_speeds(!options.speeds),
        plans(std::make_shared<detail::TilePlans>(used, form, schedule)) {}

  OutOfCoreReport run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks);
  bool shows_low_speeds(const detail::TileWorkerBase& used, const OutOfCoreReport& report) const;

  Engine engine;
  GemmProblem asked;
  detail::TileForm form;
  TileSchedule schedule, schedule_of_caller;
  unsigned copy_threads;
  bool relies_on_speeds;
  std::shared_ptr<detail::TilePlans> plans;
  std::unique_ptr<detail::TileWorkerBase> worker;  // with its memory, between calls
};

namespace {

// One call of run().
class Run {
 public:
  Run(const GemmProblem& asked, const TileSchedule& schedule, const detail::TileCall& call,
      detail::TileWorkerBase& worker, const OutOfCoreCallbacks& callbacks)
      : asked_(asked), schedule_(schedule), call_(call), worker_(worker), callbacks_(callbacks) {
    report_.progress.tiles = call.schedule.tiles();
  }

  OutOfCoreReport operator()() {
    try {
      while (has_more() || !worker_.idle()) step();
    } catch (...) {
      drain();
      throw;
    }
    note_progress();
    return report_;
  }

 private:
  bool has_more() const { return next_ < call_.schedule.tiles(); }

  void step() {
    const bool started = start_tiles(), moved = worker_.poll();
    for (const ResultTile& tile : worker_.take_finished()) {
      ++report_.progress.tiles_done;
      if (callbacks_.tile_done) callbacks_.tile_done(tile);
    }
    if (callbacks_.keep_going && !report_.cancelled) {
      note_progress();
      if (!callbacks_.keep_going(report_.progress)) cancel();
    }
    patience_.rest_unless(started || moved);
  }

  bool start_tiles() {
    bool started = false;
    while (has_more() && worker_.takes_tile()) {
      const ResultTile tile = tile_of(asked_, schedule_, next_++);
      if (callbacks_.has_tile && callbacks_.has_tile(tile)) {
        ++report_.progress.tiles_done;
        area_left_out_ += static_cast<double>(tile.rows) * static_cast<double>(tile.columns);
        continue;
      }
      worker_.start(tile);
      started = true;
    }
    return started;
  }

  void cancel() {
    report_.cancelled = true;
    next_ = call_.schedule.tiles();
    worker_.abandon();
  }

  // No tile of C is left in pieces.
  void drain() noexcept try {
    cancel();
    while (!worker_.idle()) patience_.rest_unless(worker_.poll());
  } catch (...) {
    // The device failed, which is what is told already.
  }

  void note_progress() {
    const GemmProblem& p = call_.form.problem;
    const double area = static_cast<double>(p.m) * static_cast<double>(p.n);
    const double depth = call_.reads_inputs() ? static_cast<double>(p.k) : 1;
    OutOfCoreProgress& progress = report_.progress;
    const TileWorker::Statistics& statistics = worker_.statistics();
    progress.bytes_up = statistics.bytes_up;
    progress.bytes_down = statistics.bytes_down;
    progress.work_done = (statistics.work / depth + area_left_out_) / area;
    progress.seconds = watch_.seconds();
  }

  const GemmProblem& asked_;
  const TileSchedule& schedule_;  // of the caller, as the problem
  const detail::TileCall& call_;
  detail::TileWorkerBase& worker_;
  const OutOfCoreCallbacks& callbacks_;
  detail::Stopwatch watch_;
  detail::Patience patience_;
  OutOfCoreReport report_;
  std::uint64_t next_ = 0;
  double area_left_out_ = 0;
};

}  // namespace

// Whether all of the product was done, in less than half of an expected time that is long enough to judge by.
bool OutOfCorePlan::State::shows_low_speeds(const detail::TileWorkerBase& used, const OutOfCoreReport& report) const {
  constexpr double long_enough = 1;
  const GemmProblem& p = form.problem;
  const double all = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  return used.statistics().work >= 0.999 * all && schedule.seconds >= long_enough &&
         report.progress.seconds < schedule.seconds / 2;
}

OutOfCoreReport OutOfCorePlan::State::run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks) {
  engine.state().process().check();
  const detail::TileCall call{engine.state().context(), engine.state().device(), form, schedule,
                              detail::checked_operands(form, operands)};
  if (form.is_empty()) return {};
  // After an exception nobody knows what a worker is at.
  std::unique_ptr<detail::TileWorkerBase> used = std::move(worker);
  if (used)
    used->restart(call);
  else
    used = detail::make_worker(call, plans, copy_threads);
  const OutOfCoreReport report = Run(asked, schedule_of_caller, call, *used, callbacks)();
  if (relies_on_speeds && shows_low_speeds(*used, report)) detail::doubt_speeds(engine, form.problem.type);
  used->rest();
  worker = std::move(used);
  return report;
}

OutOfCorePlan::OutOfCorePlan(const Engine& engine, const GemmProblem& problem, const OutOfCoreOptions& options)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, options); })) {}
OutOfCorePlan::~OutOfCorePlan() {
  if (state_) detail::DriverDelete{state_->engine.state().process()}(state_.release());
}
OutOfCorePlan::OutOfCorePlan(OutOfCorePlan&&) noexcept = default;
OutOfCorePlan& OutOfCorePlan::operator=(OutOfCorePlan&& other) noexcept {
  OutOfCorePlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

OutOfCoreReport OutOfCorePlan::run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks) const {
  return translated([&] { return state_->run(operands, callbacks); });
}

const GemmProblem& OutOfCorePlan::problem() const { return state_->asked; }
const TileSchedule& OutOfCorePlan::schedule() const { return state_->schedule_of_caller; }

OutOfCoreReport gemm_out_of_core(const Engine& engine, const GemmProblem& problem, const HostOperands& operands,
                                 const OutOfCoreOptions& options, const OutOfCoreCallbacks& callbacks) {
  return OutOfCorePlan(engine, problem, options).run(operands, callbacks);
}

}  // namespace tilewright
