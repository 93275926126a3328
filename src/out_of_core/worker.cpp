#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "out_of_core/tile_memory.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {
namespace {

bool rounds_to_zero(double scalar, DataType type) {
  return type == DataType::f64 ? scalar == 0 : static_cast<float>(scalar) == 0;
}

bool overlap(const void* one, std::uint64_t bytes_of_one, const void* other, std::uint64_t bytes_of_other) {
  const auto first = reinterpret_cast<std::uintptr_t>(one), second = reinterpret_cast<std::uintptr_t>(other);
  return first < second + bytes_of_other && second < first + bytes_of_one;
}

void check_pointer(const void* data, const OperandLabel& label, std::size_t element) {
  if (data == nullptr)
    throw Error(ErrorCode::null_object, label.operand, std::string(label.name) + " is null, but is needed here");
  if (reinterpret_cast<std::uintptr_t>(data) % element != 0)
    throw Error(ErrorCode::invalid_offset, label.operand,
                std::string(label.name) + " does not begin at a multiple of " + std::to_string(element) +
                    " bytes, as its elements do");
}

// Sizes that tiles have along a dimension.
std::set<std::uint64_t> sizes_along(std::uint64_t all, std::uint64_t size, std::uint64_t count) {
  if (count == 0) return {0};
  return {tile_range(all, size, 0).size, tile_range(all, size, count - 1).size};
}

}  // namespace

bool TileCall::reads_inputs() const { return form.problem.k > 0 && !rounds_to_zero(operands.alpha, form.problem.type); }
bool TileCall::reads_c() const { return !rounds_to_zero(operands.beta, form.problem.type); }
const std::byte* TileCall::c_in() const {
  return static_cast<const std::byte*>(operands.c_in != nullptr ? operands.c_in : operands.c);
}

TilePlans::TilePlans(const Engine& engine, const TileForm& form, const TileSchedule& schedule)
    : engine_(engine), form_(form), schedule_(schedule) {
  const GemmProblem& p = form.problem;
  if (form.is_empty()) return;
  for (const std::uint64_t m : sizes_along(p.m, schedule.tile.m, schedule.tiles_m))
    for (const std::uint64_t n : sizes_along(p.n, schedule.tile.n, schedule.tiles_n))
      for (const std::uint64_t k : sizes_along(p.k, schedule.tile.k, schedule.tiles_k)) get(m, n, k);
}

const GemmPlan& TilePlans::get(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  std::unique_ptr<GemmPlan>& plan = plans_[{m, n, k}];
  if (!plan) plan = std::make_unique<GemmPlan>(engine_, tile_problem(form_, schedule_, m, n, k), schedule_.choice);
  return *plan;
}

std::uint64_t TilePlans::workspace_bytes() const {
  std::uint64_t most = 0;
  for (const auto& entry : plans_) most = std::max(most, entry.second->workspace_bytes());
  return most;
}

HostOperands checked_operands(const TileForm& form, const HostOperands& operands) {
  HostOperands ours = operands;
  OperandLabel first{"A", OperandName::a}, second{"B", OperandName::b};
  if (form.is_swapped) {
    std::swap(ours.a, ours.b);
    std::swap(first, second);
  }
  if (form.is_empty()) return ours;
  const std::size_t element = form.element();
  const std::uint64_t c_bytes = form.c().extent() * element;
  const TileCall call{{}, {}, form, {}, ours};
  const auto check_input = [&](const void* data, const OperandLabel& label, const StoredMatrix& matrix) {
    check_pointer(data, label, element);
    if (overlap(ours.c, c_bytes, data, matrix.extent() * element))
      throw Error(ErrorCode::overlapping_operands, label.operand,
                  std::string("C shares memory with ") + label.name + ", which is read while C is written");
  };
  if (call.reads_inputs() && !form.is_swapped) check_input(ours.a, first, form.a());
  if (call.reads_inputs()) check_input(ours.b, second, form.b());
  if (call.reads_inputs() && form.is_swapped) check_input(ours.a, first, form.a());
  check_pointer(ours.c, {"C", OperandName::c}, element);
  if (call.reads_c() && ours.c_in != nullptr && ours.c_in != ours.c) {
    check_pointer(ours.c_in, {"the C that is read", OperandName::c}, element);
    if (overlap(ours.c, c_bytes, ours.c_in, c_bytes))
      throw Error(ErrorCode::overlapping_operands, OperandName::c,
                  "the C that is read shares memory with the one that is written, but is not the same");
  }
  return ours;
}

std::unique_ptr<TileWorkerBase> make_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                            unsigned copy_threads) {
  return call.schedule.transfer == TileTransfer::in_place ? make_in_place_worker(call, std::move(plans), copy_threads)
                                                          : make_staged_worker(call, std::move(plans), copy_threads);
}

}  // namespace tilewright::detail

namespace tilewright {

using detail::translated;

class TileWorker::State {
 public:
  State(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule, const HostOperands& operands,
        unsigned copy_threads)
      : process(engine.state().process()) {
    const detail::TileForm form = detail::tile_form(problem);
    call = {engine.state().context(), engine.state().device(), form, detail::turned(form, schedule),
            detail::checked_operands(form, operands)};
    worker = detail::make_worker(call, std::make_shared<detail::TilePlans>(engine, form, call.schedule), copy_threads);
  }

  void restart(const HostOperands& operands) {
    call.operands = detail::checked_operands(call.form, operands);
    worker->restart(call);
  }

  detail::OwnProcess process;
  detail::TileCall call;
  std::unique_ptr<detail::TileWorkerBase> worker;
};

TileWorker::TileWorker(const Engine& engine, const GemmProblem& problem, const TileSchedule& schedule,
                       const HostOperands& operands, unsigned copy_threads)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, schedule, operands, copy_threads); })) {}
TileWorker::~TileWorker() { detail::DriverDelete{state_->process}(state_.release()); }

bool TileWorker::takes_tile() const { return state_->worker->takes_tile(); }
void TileWorker::start(const ResultTile& tile) {
  translated([&] { state_->worker->start(tile); });
}
bool TileWorker::poll() {
  return translated([&] { return state_->worker->poll(); });
}
std::vector<ResultTile> TileWorker::take_finished() { return state_->worker->take_finished(); }
void TileWorker::abandon() { state_->worker->abandon(); }
std::vector<ResultTile> TileWorker::partly_written() const { return state_->worker->partly_written(); }
bool TileWorker::idle() const { return state_->worker->idle(); }
void TileWorker::restart(const HostOperands& operands) {
  translated([&] { state_->restart(operands); });
}
void TileWorker::rest() { state_->worker->rest(); }
TileWorker::Statistics TileWorker::statistics() const { return state_->worker->statistics(); }

}  // namespace tilewright
