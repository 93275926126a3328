#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/operands/host_operands.hpp"
#include "kernels/scalars.hpp"
#include "out_of_core/tile_memory.hpp"
#include "out_of_core/worker_base.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {
bool TileCall::reads_inputs() const { return form.problem.k > 0 && !rounds_to_zero(form.problem.type, operands.alpha); }
bool TileCall::reads_c() const { return !rounds_to_zero(form.problem.type, operands.beta); }
const std::byte* TileCall::c_in() const {
  return static_cast<const std::byte*>(operands.c_in != nullptr ? operands.c_in : operands.c);
}

// If A and B are not read, the plan of a whole slab scales C.
TileSizes product_sizes(const TileCall& call, TileRange m, TileRange n, std::uint64_t number, std::uint64_t step) {
  const std::uint64_t all = call.form.problem.k, size = call.schedule.tile.k;
  const std::uint64_t slab = call.reads_inputs() ? tile_slab(call.schedule.tiles_k, number, step) : 0;
  return {m.size, n.size, tile_range(all, size, slab).size};
}

double product_work(const TileCall& call, const TileSizes& sizes) {
  const double area = static_cast<double>(sizes.m) * static_cast<double>(sizes.n);
  return call.reads_inputs() ? area * static_cast<double>(sizes.k) : area;
}

HostOperands checked_operands(const TileForm& form, const HostOperands& operands) {
  check_scalar(form.problem.type, "alpha", operands.alpha);
  check_scalar(form.problem.type, "beta", operands.beta);
  HostOperands ours = operands;
  OperandLabel first{"A", OperandName::a}, second{"B", OperandName::b};
  if (form.is_swapped) {
    std::swap(ours.a, ours.b);
    std::swap(first, second);
  }
  if (form.is_empty()) return ours;
  const auto host = [&](const OperandLabel& label, const StoredMatrix& matrix, const void* data) {
    return HostOperand{label, matrix, BatchOffsets(1, 0), form.element(), data};
  };
  const TileCall call{{}, {}, form, {}, ours};
  const HostOperand c = host({"C", OperandName::c}, form.c(), ours.c);
  std::vector<HostOperand> read;
  if (call.reads_inputs()) read = {host(first, form.a(), ours.a), host(second, form.b(), ours.b)};
  if (form.is_swapped) std::reverse(read.begin(), read.end());  // the caller's A first
  if (call.reads_c() && ours.c_in != nullptr && ours.c_in != ours.c)
    read.push_back(host({"c_in", OperandName::c}, form.c(), ours.c_in));
  for (const HostOperand& operand : read) check_pointer(operand);
  check_pointer(c);
  for (const HostOperand& operand : read) check_apart(c, operand);
  return ours;
}

std::unique_ptr<TileWorkerBase> make_worker(const TileCall& call, std::shared_ptr<TilePlans> plans,
                                            unsigned copy_threads) {
  return call.schedule.transfer == TileTransfer::in_place ? make_in_place_worker(call, std::move(plans), copy_threads)
                                                          : make_staged_worker(call, std::move(plans), copy_threads);
}

}  // namespace tilewright::detail
