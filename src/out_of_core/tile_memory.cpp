#include "out_of_core/tile_memory.hpp"

#include <algorithm>
#include <set>

#include "tilewright/gemm_memory.hpp"

namespace tilewright::detail {
namespace {

// Enough for a link to run at full speed. Pinning memory takes 0.3 ms per MiB, so more of it costs more than it gains.
constexpr std::uint64_t max_chunk_bytes = 8 << 20;

// Pinned memory may take an eighth of the budget, and one chunk a 64th.
constexpr std::uint64_t staging_part = 8, chunk_part = 64;

// Sizes of the tiles along a dimension.
std::set<std::uint64_t> sizes_along(std::uint64_t all, std::uint64_t size) {
  if (all == 0) return {0};
  return {std::min(all, size), all - (tile_count(all, size) - 1) * size};
}

// Bytes of the largest block of whole rows that becomes a buffer if the transfer is in place.
std::uint64_t largest_block(const TileForm& form, const TileSchedule& schedule) {
  const GemmProblem& p = form.problem;
  const auto bytes = [&](const StoredMatrix& matrix, std::uint64_t rows) {
    return StoredMatrix{std::min(matrix.rows, rows), matrix.columns, matrix.ld}.extent() * form.element();
  };
  const TileSizes& tile = schedule.tile;
  return std::max({bytes(form.a(), p.trans_a == Transpose::no ? tile.m : tile.k),
                   bytes(form.b(), p.trans_b == Transpose::no ? tile.k : tile.n), bytes(form.c(), tile.m)});
}

}  // namespace

std::uint64_t TileBytes::largest() const { return std::max({a, b, c}); }

TileBytes tile_bytes(const TileForm& form, const TileSchedule& schedule) {
  const GemmProblem& p = form.problem;
  const TileRange m{0, std::min(schedule.tile.m, p.m)}, n{0, std::min(schedule.tile.n, p.n)},
      k{0, std::min(schedule.tile.k, p.k)};
  const TileRect a = rect_of_a(form, m, k), b = rect_of_b(form, k, n), c{0, 0, m.size, n.size};
  const std::uint64_t longest = std::max({tile_pitch(a.columns), tile_pitch(b.columns), tile_pitch(c.columns)});
  const std::size_t element = form.element();
  return {tile_area(a) * element, tile_area(b) * element, tile_area(c) * element, longest * element};
}

bool can_be_allocated(const TileForm& form, const TileDevice& device, const TileSchedule& schedule) {
  const std::uint64_t largest = schedule.transfer == TileTransfer::in_place ? largest_block(form, schedule)
                                                                            : tile_bytes(form, schedule).largest();
  return largest <= device.max_allocation;
}

void set_staging(const TileForm& form, const TileDevice& device, TileSchedule& schedule) {
  schedule.chunk_bytes = schedule.staging_bytes = 0;
  schedule.chunks_up = schedule.chunks_down = 0;
  if (schedule.transfer == TileTransfer::in_place) return;
  const TileBytes bytes = tile_bytes(form, schedule);
  const std::uint64_t wanted = std::min({max_chunk_bytes, device.memory / chunk_part, bytes.largest()});
  schedule.chunk_bytes = std::max(bytes.row, wanted);
  unsigned chunks = 4;
  while (chunks > 1 && 2 * chunks * schedule.chunk_bytes > device.memory / staging_part) chunks /= 2;
  schedule.chunks_up = schedule.chunks_down = chunks;
  schedule.staging_bytes = 2 * chunks * schedule.chunk_bytes;
}

bool set_slots(const TileForm& form, const TileDevice& device, std::uint64_t memory, TileSchedule& schedule) {
  schedule.slots_a = schedule.slots_b = schedule.tile_bytes = 0;
  if (!can_be_allocated(form, device, schedule)) return false;
  if (schedule.transfer == TileTransfer::in_place) {
    schedule.slots_c = 1;
    return true;
  }
  const TileBytes bytes = tile_bytes(form, schedule);
  const std::uint64_t of_c = schedule.slots_c * bytes.c, of_pair = bytes.a + bytes.b;
  if (of_c > memory) return false;
  std::uint64_t left = memory - of_c, pairs = 0;
  if (schedule.tiles_k > 0) {
    const std::uint64_t all_a = schedule.tiles_m * schedule.tiles_k, all_b = schedule.tiles_n * schedule.tiles_k;
    pairs = std::min<std::uint64_t>(3, left / of_pair);
    if (pairs == 0) return false;
    left -= pairs * of_pair;
    const auto extend = [&](std::uint64_t& slots, std::uint64_t of_slab, std::uint64_t useful) {
      const std::uint64_t more = std::min(useful > slots ? useful - slots : 0, left / of_slab);
      slots += more;
      left -= more * of_slab;
    };
    schedule.slots_a = std::min(pairs, all_a);
    schedule.slots_b = std::min(pairs, all_b);
    // All slabs of one line, and two of the next line, which are uploaded ahead.
    const std::uint64_t line = schedule.tiles_k + 2;
    if (schedule.by_columns) {
      extend(schedule.slots_b, bytes.b, std::min(line, all_b));
      extend(schedule.slots_a, bytes.a, all_a);
    } else {
      extend(schedule.slots_a, bytes.a, std::min(line, all_a));
      extend(schedule.slots_b, bytes.b, all_b);
    }
  }
  schedule.tile_bytes = of_c + schedule.slots_a * bytes.a + schedule.slots_b * bytes.b;
  return true;
}

namespace {

GemmProblem tile_problem(const TileForm& form, const TileSchedule& schedule, const TileSizes& sizes) {
  GemmProblem problem = form.problem;
  problem.m = sizes.m;
  problem.n = sizes.n;
  problem.k = sizes.k;
  if (schedule.transfer == TileTransfer::in_place) {
    // Offsets at which tiles begin in their rows.
    std::uint64_t offsets = 0;
    if (schedule.tiles_m > 1) offsets |= schedule.tile.m;
    if (schedule.tiles_n > 1) offsets |= schedule.tile.n;
    if (schedule.tiles_k > 1) offsets |= schedule.tile.k;
    problem.offset_alignment = aligned_as_promised(tile_alignment, offsets);
    return problem;
  }
  problem.lda = tile_pitch(rect_of_a(form, {0, sizes.m}, {0, sizes.k}).columns);
  problem.ldb = tile_pitch(rect_of_b(form, {0, sizes.k}, {0, sizes.n}).columns);
  problem.ldc = tile_pitch(sizes.n);
  problem.offset_alignment = tile_alignment;
  return problem;
}

}  // namespace

void for_each_tile_problem(const TileForm& form, const TileSchedule& schedule,
                           const std::function<void(const GemmProblem&)>& function) {
  const GemmProblem& p = form.problem;
  for (const std::uint64_t m : sizes_along(p.m, schedule.tile.m))
    for (const std::uint64_t n : sizes_along(p.n, schedule.tile.n))
      for (const std::uint64_t k : sizes_along(p.k, schedule.tile.k)) function(tile_problem(form, schedule, {m, n, k}));
}

GemmMemory memory_together(const GemmMemory& one, const GemmMemory& other) {
  return {std::max(one.shared, other.shared), std::max(one.zeros, other.zeros), one.own + other.own};
}

std::uint64_t tile_workspace(const Engine& engine, const TileForm& form, const TileSchedule& schedule) {
  GemmMemory all;
  for_each_tile_problem(form, schedule, [&](const GemmProblem& problem) {
    all = memory_together(all, gemm_memory(engine, problem, schedule.choice));
  });
  // In place, TilePlans::unaligned() may make a second set of plans.
  return all.shared + all.zeros + (schedule.transfer == TileTransfer::in_place ? 2 : 1) * all.own;
}

}  // namespace tilewright::detail
