// Schedules without a device: the order of tiles, the uploads, and the predicted times.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "out_of_core/cost_model.hpp"
#include "out_of_core/slab_slots.hpp"
#include "out_of_core/tile_memory.hpp"

namespace tilewright::detail {
namespace {

GemmProblem cube(std::uint64_t size) { return {.m = size, .n = size, .k = size}; }

TileSchedule schedule_of(const GemmProblem& problem, TileSizes tile, bool by_columns = false) {
  TileSchedule schedule{.tile = tile, .by_columns = by_columns};
  schedule.tiles_m = tile_count(problem.m, tile.m);
  schedule.tiles_n = tile_count(problem.n, tile.n);
  schedule.tiles_k = tile_count(problem.k, tile.k);
  schedule.slots_a = schedule.slots_b = 3;
  schedule.slots_c = 2;
  schedule.chunk_bytes = 1 << 20;
  schedule.chunks_up = schedule.chunks_down = 4;
  return schedule;
}

constexpr TransferSpeeds speeds{.upload = 5e10, .download = 5e10, .host_copy = 1e11, .flops = 5e13, .launch = 1e-5};

TEST_SUITE("out of core schedules") {
  TEST_CASE("each tile comes once, and shares a row or column with the one before") {
    for (const bool by_columns : {false, true}) {
      const GemmProblem problem{.m = 500, .n = 300, .k = 100};
      const TileSchedule schedule = schedule_of(problem, {100, 100, 100}, by_columns);
      std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
      ResultTile before;
      for (std::uint64_t number = 0; number < schedule.tiles(); ++number) {
        const ResultTile tile = tile_of(problem, schedule, number);
        CHECK(seen.emplace(tile.row, tile.column).second);
        if (number > 0) CHECK((tile.row == before.row || tile.column == before.column));
        before = tile;
      }
      CHECK(seen.size() == 15);
    }
  }

  TEST_CASE("with s slots, s slabs are reused at each turn") {
    for (const std::uint64_t places : {1U, 2U, 3U, 5U, 8U}) {
      SlabSlots slots(places);
      std::uint64_t there = 0;
      for (std::uint64_t turn = 0; turn < 4; ++turn)
        for (std::uint64_t step = 0; step < 5; ++step) there += slots.take(tile_slab(5, turn, step)).is_there ? 1U : 0U;
      CHECK(there == 3 * std::min<std::uint64_t>(places, 5));
    }
  }

  TEST_CASE("a slab that was never uploaded is uploaded later") {
    SlabSlots slots(2);
    slots.forget(slots.take(7).slot);
    CHECK_FALSE(slots.take(7).is_there);
    CHECK(slots.take(7).is_there);
  }

  TEST_CASE("uploads are counted slab by slab") {
    const GemmProblem problem = cube(1024);
    const TileForm form = tile_form(problem);
    TileSchedule schedule = schedule_of(problem, {256, 256, 256});
    predict({form, speeds}, schedule);
    // Four lines of four tiles with four slabs each. Three slabs of A are reused at each of three turns within a line,
    // and three slabs of B at each of three turns between lines.
    const std::uint64_t slab = 256 * 256 * 4, a = 4 * (4 + 3 * (4 - 3)), b = 4 * 4 + 3 * (16 - 3);
    CHECK(schedule.bytes_up == slab * (a + b));
    CHECK(schedule.bytes_down == 1024 * 1024 * 4);
    schedule.slots_a = schedule.slots_b = 16;
    predict({form, speeds}, schedule);
    CHECK(schedule.bytes_up == 2 * 1024 * 1024 * 4);
  }

  TEST_CASE("the longest step determines the time, and the estimate is near the prediction") {
    const GemmProblem problem = cube(32768);
    const TileForm form = tile_form(problem);
    TileSchedule schedule = schedule_of(problem, {8192, 8192, 4096});
    schedule.chunk_bytes = 32 << 20;
    predict({form, speeds}, schedule);
    CHECK(schedule.seconds > schedule.compute_seconds);
    CHECK(schedule.seconds < 1.1 * schedule.compute_seconds);
    CHECK(estimated_seconds({form, speeds}, schedule) == doctest::Approx(schedule.seconds).epsilon(0.1));
    TransferSpeeds slow = speeds;
    slow.upload = 5e9;
    predict({form, slow}, schedule);
    CHECK(schedule.seconds > schedule.upload_seconds);
    CHECK(schedule.seconds < 1.15 * schedule.upload_seconds);
    slow.host_copy = 1e9;
    predict({form, slow}, schedule);
    CHECK(schedule.seconds > schedule.copy_seconds);
  }

  TEST_CASE("slots stay within the memory, and column-major schedules swap rows and columns") {
    GemmProblem problem{.layout = Layout::column_major, .trans_a = Transpose::yes, .m = 3000, .n = 2000, .k = 1000};
    const TileForm form = tile_form(problem);
    CHECK(form.problem.m == 2000);
    TileSchedule schedule = schedule_of(form.problem, {500, 600, 400});
    const TileDevice device{1 << 30, 40 << 20};
    set_staging(form, device, schedule);
    CHECK(schedule.staging_bytes <= device.memory / 8);
    REQUIRE(set_slots(form, device, device.memory - schedule.staging_bytes, schedule));
    CHECK(schedule.memory() <= device.memory);
    CHECK(schedule.slots_a >= 2);
    const TileSchedule swapped = swapped_like(form, schedule);
    CHECK(swapped.tile.m == 600);
    CHECK(swapped.tiles() == schedule.tiles());
    for (std::uint64_t number = 0; number < schedule.tiles(); ++number) {
      const TilePlace ours = tile_place(schedule, number), theirs = tile_place(swapped, number);
      CHECK(ours.i == theirs.j);
      CHECK(ours.j == theirs.i);
    }
    CHECK_FALSE(set_slots(form, {1000, 40 << 20}, 40 << 20, schedule));
  }
}

}  // namespace
}  // namespace tilewright::detail
