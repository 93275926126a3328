#include "kernels/plans/plan.hpp"

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "out_of_core/host_blocks.hpp"
#include "out_of_core/schedule.hpp"
#include "out_of_core/speeds.hpp"
#include "out_of_core/tile_plans.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/system/backoff.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright {

using detail::translated;

class OutOfCorePlan::State {
 public:
  State(const Engine& used, const GemmProblem& problem, const OutOfCoreOptions& given)
      : State(used, problem, given, detail::choose_schedule(used, detail::tile_form(problem), given)) {}

  State(const Engine& used, const GemmProblem& problem, const OutOfCoreOptions& given, const TileSchedule& of_form)
      : engine(used),
        asked(problem),
        form(detail::tile_form(problem)),
        schedule(of_form),
        schedule_of_caller(detail::swapped_like(form, schedule)),
        options(given),
        explanation(detail::explain_tiles(used.profile(), form, schedule)),
        plans(std::make_shared<detail::TilePlans>(used, form, schedule)) {}

  OutOfCoreReport run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks,
                      std::exception_ptr& of_callback);
  const detail::OwnProcess& process() const { return state_of(engine).process(); }
  bool shows_low_speeds(const detail::TileWorkerBase& used, const OutOfCoreReport& report) const;
  State& staged_plan();

  Engine engine;
  GemmProblem asked;
  detail::TileForm form;
  TileSchedule schedule, schedule_of_caller;
  OutOfCoreOptions options;
  Explanation explanation;
  std::shared_ptr<detail::TilePlans> plans;
  std::unique_ptr<detail::TileWorkerBase> worker;  // kept with its memory between calls
  std::unique_ptr<State> staged;                   // for operands that cannot be used in place
};

namespace {

// One call of OutOfCorePlan::run().
class Run {
 public:
  Run(const GemmProblem& asked, const TileSchedule& schedule, const detail::TileCall& call,
      detail::TileWorkerBase& worker, const OutOfCoreCallbacks& callbacks)
      : asked_(asked), schedule_(schedule), call_(call), worker_(worker), callbacks_(callbacks) {
    report_.progress.tiles = call.schedule.tiles();
    unfinished_.reserve(detail::TileWorkerBase::max_partly_written);
    partial_->reserve(detail::TileWorkerBase::max_partly_written);
  }

  // A callback that throws cancels the product.
  OutOfCoreReport operator()() {
    try {
      while (has_more() || !worker_.idle()) step();
    } catch (...) {
      end_after_failure(std::current_exception());
    }
    note_progress();
    return report_;
  }

  // The first exception of a callback; null if there was none.
  const std::exception_ptr& of_callback() const { return of_callback_; }
  bool has_failed() const { return has_failed_; }

 private:
  bool has_more() const { return next_ < call_.schedule.tiles(); }

  void step() {
    const bool started = start_tiles(), moved = worker_.poll();
    report_finished();
    if (callbacks_.keep_going && !report_.cancelled) {
      note_progress();
      bool goes_on = false;
      call_back([&] { goes_on = callbacks_.keep_going(report_.progress); });
      if (!goes_on) cancel();
    }
    // keep_going() is called while tiles are computed, too.
    if (!started && !moved && !callbacks_.keep_going && worker_.wait()) return;
    backoff_.sleep_unless(started || moved);
  }

  bool start_tiles() {
    bool started = false;
    while (has_more() && worker_.takes_tile()) {
      const ResultTile tile = tile_of(asked_, schedule_, next_++);
      bool has_tile = false;
      if (callbacks_.has_tile) call_back([&] { has_tile = callbacks_.has_tile(tile); });
      if (report_.cancelled) break;
      if (has_tile) {
        ++report_.progress.tiles_done;
        area_left_out_ += static_cast<double>(tile.rows) * static_cast<double>(tile.columns);
        continue;
      }
      worker_.start(tile);
      started = true;
    }
    return started;
  }

  // Reports each tile once, even if tile_done() throws.
  void report_finished() {
    for (const ResultTile& tile : worker_.take_finished()) {
      ++report_.progress.tiles_done;
      if (callbacks_.tile_done) call_back([&] { callbacks_.tile_done(tile); });
    }
  }

  template <class Function>
  void call_back(const Function& function) {
    try {
      function();
    } catch (...) {
      if (!of_callback_) of_callback_ = std::current_exception();
      cancel();
    }
  }

  void cancel() {
    report_.cancelled = true;
    next_ = call_.schedule.tiles();
    worker_.abandon();
  }

  // Throws the device's failure, unless a callback threw before and no tile is partly written. run() then throws the
  // callback's exception. Needs no memory, which may be short.
  void end_after_failure(const std::exception_ptr& failure) {
    has_failed_ = true;
    const std::exception_ptr before = of_callback_;
    report_.cancelled = true;
    worker_.settle();
    report_finished();
    worker_.add_partly_written(unfinished_);
    if (unfinished_.empty() && before) return;
    if (unfinished_.empty()) std::rethrow_exception(failure);
    for (const ResultTile& tile : unfinished_) partial_->push_back(partial_tile(tile));
    const PartlyWritten error(error_of(failure), partial_);
    if (!before) throw PartlyWritten(error);
    try {
      std::rethrow_exception(before);
    } catch (...) {
      std::throw_with_nested(error);
    }
  }

  PartialTile partial_tile(const ResultTile& tile) const {
    const std::optional<std::uint64_t> rows = worker_.rows_written();
    PartialTile partial{.tile = tile, .complete = tile, .is_rest_unchanged = rows.has_value()};
    (call_.form.is_swapped ? partial.complete.columns : partial.complete.rows) = rows.value_or(0);
    return partial;
  }

  // The failure as an Error. Its message also names the partly written tiles if there is memory for that.
  Error error_of(const std::exception_ptr& failure) const {
    try {
      return naming_tiles(failure);
    } catch (const std::bad_alloc&) {
    }
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      return error;
    } catch (...) {
      return out_of_memory_;
    }
  }

  Error naming_tiles(const std::exception_ptr& failure) const {
    std::string text = partial_->front().is_rest_unchanged ? "; partly written, and otherwise unchanged:"
                                                           : "; partly written and unspecified:";
    for (const ResultTile& tile : unfinished_)
      text += std::string(&tile == unfinished_.data() ? "" : ",") + " the tile of C at row " +
              std::to_string(tile.row) + ", column " + std::to_string(tile.column);
    try {
      translated([&] { std::rethrow_exception(failure); });
    } catch (const Error& error) {
      return {error.code(), error.operand(), error.what() + text, error.opencl_status()};
    } catch (const std::exception& error) {
      return {ErrorCode::opencl_failure, error.what() + text};
    }
    return {ErrorCode::opencl_failure, "the product failed" + text};
  }

  void note_progress() {
    const GemmProblem& p = call_.form.problem;
    const double area = static_cast<double>(p.m) * static_cast<double>(p.n);
    const double depth = call_.reads_inputs() ? static_cast<double>(p.k) : 1;
    OutOfCoreProgress& progress = report_.progress;
    const detail::TileStatistics& statistics = worker_.statistics();
    progress.bytes_up = statistics.bytes_up;
    progress.bytes_down = statistics.bytes_down;
    progress.work_done = (statistics.work / depth + area_left_out_) / area;
    progress.seconds = watch_.seconds();
  }

  const GemmProblem& asked_;
  const TileSchedule& schedule_;  // of the caller's problem
  const detail::TileCall& call_;
  detail::TileWorkerBase& worker_;
  const OutOfCoreCallbacks& callbacks_;
  detail::Stopwatch watch_;
  detail::Backoff backoff_;
  OutOfCoreReport report_;
  std::uint64_t next_ = 0;
  double area_left_out_ = 0;
  std::exception_ptr of_callback_;
  bool has_failed_ = false;
  // Made in advance, for a failure.
  std::vector<ResultTile> unfinished_;
  std::shared_ptr<std::vector<PartialTile>> partial_ = std::make_shared<std::vector<PartialTile>>();
  Error out_of_memory_{ErrorCode::out_of_memory, "the host ran out of memory, and tiles of C are partly written"};
};

}  // namespace

// Whether the whole product took less than half of the predicted time, and that was long enough to judge by.
bool OutOfCorePlan::State::shows_low_speeds(const detail::TileWorkerBase& used, const OutOfCoreReport& report) const {
  constexpr double long_enough = 1;
  const GemmProblem& p = form.problem;
  const double all = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  return used.statistics().work >= 0.999 * all && schedule.seconds >= long_enough &&
         report.progress.seconds < schedule.seconds / 2;
}

OutOfCorePlan::State& OutOfCorePlan::State::staged_plan() {
  if (!staged)
    staged = std::make_unique<State>(engine, asked, options, detail::staged_instead(engine, form, options, schedule));
  return *staged;
}

OutOfCoreReport OutOfCorePlan::State::run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks,
                                          std::exception_ptr& of_callback) {
  process().check();
  const detail::TileCall call{state_of(engine).context(), state_of(engine).device(), form, schedule,
                              detail::checked_operands(form, operands)};
  if (form.is_empty()) return {};
  // A worker that threw cannot be used again. Its destructor waits, and the next call makes another worker.
  std::unique_ptr<detail::TileWorkerBase> used = std::move(worker);
  try {
    if (used)
      used->restart(call);
    else
      used = detail::make_worker(call, plans, options.copy_threads);
  } catch (const detail::InterleavedTooFar&) {
    if (options.transfer != TileTransfer::automatic) throw;
    return staged_plan().run(operands, callbacks, of_callback);
  }
  Run all(asked, schedule_of_caller, call, *used, callbacks);
  const OutOfCoreReport report = all();
  of_callback = all.of_callback();
  if (all.has_failed()) return report;
  if (!options.speeds && shows_low_speeds(*used, report)) detail::discard_speeds(engine, form.problem.type);
  used->rest();
  worker = std::move(used);
  return report;
}

OutOfCorePlan::OutOfCorePlan(const Engine& engine, const GemmProblem& problem, const OutOfCoreOptions& options)
    : state_(detail::new_state<decltype(state_)>(engine, problem, options)) {}
TILEWRIGHT_DEFINE_MOVES(OutOfCorePlan)

OutOfCoreReport OutOfCorePlan::run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks) const {
  std::exception_ptr of_callback;  // thrown as it is, not translated
  const OutOfCoreReport report = translated([&] { return state_->run(operands, callbacks, of_callback); });
  if (of_callback) std::rethrow_exception(of_callback);
  return report;
}

const GemmProblem& OutOfCorePlan::problem() const { return state_->asked; }
const TileSchedule& OutOfCorePlan::schedule() const { return state_->schedule_of_caller; }
const Explanation& OutOfCorePlan::explanation() const { return state_->explanation; }

OutOfCoreReport gemm_out_of_core(const Engine& engine, const GemmProblem& problem, const HostOperands& operands,
                                 const OutOfCoreOptions& options, const OutOfCoreCallbacks& callbacks) {
  return OutOfCorePlan(engine, problem, options).run(operands, callbacks);
}

}  // namespace tilewright
