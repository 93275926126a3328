// Products of matrices in host memory with small budgets of device memory.
#include "tilewright/out_of_core.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "host_product.hpp"
#include "out_of_core/kept_speeds.hpp"
#include "out_of_core/speeds.hpp"
#include "out_of_core/tile_worker.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {
namespace {

using verification::random_bits;

// Assumed speeds, so that nothing is measured.
constexpr TransferSpeeds made_up{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};

OutOfCoreOptions options_with(std::uint64_t memory, TileTransfer transfer) {
  // The naive kernel needs only one small program for each pair of transposes.
  return {.memory = memory, .transfer = transfer, .speeds = made_up, .choice = {"naive", {}}};
}

std::vector<TileTransfer> transfers() {
  const DeviceProfile& device = shared_engine().profile();
  const bool in_place = device.type == DeviceType::cpu && device.vendor != Vendor::oclgrind;
  if (in_place) return {TileTransfer::staged, TileTransfer::in_place};
  return {TileTransfer::staged};
}

GemmProblem small_problem(std::uint64_t m = 100, std::uint64_t n = 90, std::uint64_t k = 80) {
  return {.m = m, .n = n, .k = k};
}

template <class T>
void run_and_check(const GemmProblem& problem, double alpha, double beta, const OutOfCoreOptions& options) {
  HostProduct<T> product(problem, alpha, beta);
  const OutOfCorePlan plan(shared_engine(), product.problem, options);
  const TileSchedule& schedule = plan.schedule();
  CAPTURE(to_string(schedule));
  CHECK(schedule.memory() <= options.memory);
  std::vector<bool> seen(schedule.tiles());
  const OutOfCoreReport report = plan.run(product.operands, {.tile_done = [&](const ResultTile& tile) {
                                            CHECK_FALSE(seen[tile.number]);
                                            seen[tile.number] = true;
                                          }});
  CHECK_FALSE(report.cancelled);
  CHECK(report.progress.tiles_done == schedule.tiles());
  CHECK(std::all_of(seen.begin(), seen.end(), [](bool tile) { return tile; }));
  if (alpha != 0 && beta == 0 && schedule.transfer == TileTransfer::staged)
    CHECK(report.progress.bytes_up <= schedule.bytes_up);  // gaps between rows are not uploaded
  product.check_right();
  count_kernel_of("out of core, " + std::string(to_string(schedule.transfer)));
  count_cases();
}

TEST_SUITE("out of core") {
  TEST_CASE("stored speeds are measured again, once, if a product shows that they were too low") {
    const TemporaryDirectory place;
    const ScopedEnvironment directory("TILEWRIGHT_DATA_DIR", place.file("data")),
        on("TILEWRIGHT_RECORDS", std::nullopt);
    TransferSpeeds slow = made_up;
    slow.flops = 1e3;
    detail::keep_speeds(shared_engine().profile(), DataType::f32, slow);
    detail::keep_speeds(shared_engine().profile(), DataType::f64, made_up);
    const auto run = [](const Engine& engine, bool (*has_tile)(const ResultTile&)) {
      HostProduct<float> product(small_problem(), 1, 0);
      OutOfCorePlan(engine, product.problem, {.memory = 1 << 22, .choice = {"naive", {}}})
          .run(product.operands, {.has_tile = has_tile});
    };
    const Engine engine(device_under_test());
    REQUIRE(transfer_speeds(engine, DataType::f32) == slow);
    run(engine, [](const ResultTile&) { return true; });  // computes nothing, so that it shows nothing
    CHECK(transfer_speeds(engine, DataType::f32) == slow);
    run(engine, nullptr);
    CHECK_FALSE(detail::read_speeds(engine.profile(), DataType::f32).has_value());
    const TransferSpeeds measured = transfer_speeds(engine, DataType::f32);
    CHECK(measured.flops > slow.flops);
    CHECK(detail::read_speeds(engine.profile(), DataType::f32) == measured);
    CHECK(detail::read_speeds(engine.profile(), DataType::f64) == made_up);
    // Only once: if they are low again, they count as right.
    detail::keep_speeds(engine.profile(), DataType::f32, slow);
    const Engine other(device_under_test());
    REQUIRE(transfer_speeds(other, DataType::f32) == slow);
    run(other, nullptr);
    CHECK(transfer_speeds(other, DataType::f32) == slow);
  }

  TEST_CASE("every layout, transpose and scalar, with budgets from the smallest possible one") {
    std::uint64_t draw = 0;
    for (const TileTransfer transfer : transfers())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans_a : {Transpose::no, Transpose::yes})
          for (const Transpose trans_b : {Transpose::no, Transpose::yes})
            for (const double beta : {0.0, 3.0}) {
              GemmProblem problem = small_problem();
              const auto size = [&] { return 40 + random_bits(7, draw++) % 90; };
              problem.m = size();
              problem.n = size();
              problem.k = size();
              problem.layout = layout;
              problem.trans_a = trans_a;
              problem.trans_b = trans_b;
              CAPTURE(to_string(transfer));
              CAPTURE(problem.m);
              CAPTURE(problem.n);
              CAPTURE(problem.k);
              OutOfCoreOptions options = options_with(0, transfer);
              const std::uint64_t least = min_memory_out_of_core(shared_engine(), problem, options);
              // The smallest budget transfers single rows, which takes long.
              for (const std::uint64_t memory : {beta == 0 && trans_a == trans_b ? least : 2 * least, 6 * least}) {
                options.memory = std::max<std::uint64_t>(1, memory);
                options.copy_threads = memory == least ? 1 : 2;
                run_and_check<float>(problem, 2, beta, options);
              }
              options.memory = least > 0 ? least - 1 : 0;
              if (options.memory > 0)
                CHECK(mentions(expect_error(ErrorCode::out_of_memory,
                                            [&] { return schedule_out_of_core(shared_engine(), problem, options); }),
                               std::to_string(least)));
            }
  }

  TEST_CASE("the explanation has a part for each size of a tile's product") {
    OutOfCoreOptions options = options_with(200'000, TileTransfer::staged);
    options.tile = {32, 45, 40};
    const OutOfCorePlan plan(shared_engine(), small_problem(), options);  // 100 x 90 x 80
    CHECK(mentions(plan.explanation().problem, "100x90x80"));
    CHECK(plan.explanation().parts.size() == 2);  // rows of 32 and of 4
    for (const Explanation& part : plan.explanation().parts) CHECK(part.variant == "naive");
    const OutOfCorePlan empty(shared_engine(), small_problem(0), options);
    CHECK(empty.explanation().parts.empty());
  }

  TEST_CASE("double precision") {
    if (!shared_engine().profile().fp64) return;
    for (const TileTransfer transfer : transfers())
      run_and_check<double>(small_problem(), 2, 3, options_with(60'000, transfer));
  }

  TEST_CASE("k = 0 and alpha = 0 scale C and read neither A nor B") {
    for (const TileTransfer transfer : transfers())
      for (const double beta : {0.0, 2.0}) {
        run_and_check<float>(small_problem(50, 60, 0), 1, beta, options_with(20'000, transfer));
        HostProduct<float> product(small_problem(), 0, beta);
        product.operands.a = product.operands.b = nullptr;
        gemm_out_of_core(shared_engine(), product.problem, product.operands, options_with(200'000, transfer));
        product.check_right();
      }
  }

  TEST_CASE("empty products do nothing") {
    for (const TileTransfer transfer : transfers())
      for (const GemmProblem& problem : {small_problem(0, 5, 5), small_problem(5, 0, 5)})
        CHECK(gemm_out_of_core(shared_engine(), problem, {}, options_with(20'000, transfer)).progress.tiles == 0);
  }

  TEST_CASE("c_in may be another matrix than C") {
    for (const TileTransfer transfer : transfers()) {
      HostProduct<float> product(small_problem(), 2, 3);
      const std::vector<float> other = product.before;
      product.operands.c_in = other.data() + product.band;
      for (std::uint64_t i = 0; i < product.problem.m; ++i)
        for (std::uint64_t j = 0; j < product.problem.n; ++j) product.at(product.c, i, j) = -1;
      gemm_out_of_core(shared_engine(), product.problem, product.operands, options_with(100'000, transfer));
      product.check_right();
    }
  }

  TEST_CASE("a cancelled product leaves complete tiles, and another call computes the others") {
    for (const TileTransfer transfer : transfers()) {
      OutOfCoreOptions options = options_with(200'000, transfer);
      options.tile = {32, 32, 32};
      HostProduct<float> product(small_problem(), 2, 3);
      const OutOfCorePlan plan(shared_engine(), product.problem, options);
      REQUIRE(plan.schedule().tiles() == 12);
      const std::vector<float> original = product.before;
      for (std::uint64_t stop = 0; stop <= 12; ++stop) {
        product.reset();
        std::vector<ResultTile> tiles;
        OutOfCoreCallbacks callbacks{.keep_going = [&](const OutOfCoreProgress&) { return tiles.size() < stop; },
                                     .tile_done = [&](const ResultTile& tile) { tiles.push_back(tile); }};
        const OutOfCoreReport report = plan.run(product.operands, callbacks);
        CHECK(report.cancelled == (stop < 12 || tiles.size() == 12));
        CHECK(tiles.size() >= stop);
        CHECK(report.progress.tiles_done == tiles.size());
        product.check_tiles(tiles);
        // The other tiles, from the original C.
        callbacks.keep_going = {};
        callbacks.has_tile = [done = tiles](const ResultTile& tile) {
          return std::any_of(done.begin(), done.end(), [&](const ResultTile& t) { return t.number == tile.number; });
        };
        product.operands.c_in = original.data() + product.band;
        CHECK(plan.run(product.operands, callbacks).progress.tiles_done == 12);
        product.check_right();
        product.operands.c_in = nullptr;
      }
    }
  }

  TEST_CASE("an exception of a callback reaches the caller, tiles are complete or unchanged, and the next call works") {
    for (const TileTransfer transfer : transfers()) {
      OutOfCoreOptions options = options_with(200'000, transfer);
      options.tile = {32, 32, 32};
      HostProduct<float> product(small_problem(), 2, 0);
      const OutOfCorePlan plan(shared_engine(), product.problem, options);
      unsigned calls = 0;
      const OutOfCoreCallbacks callbacks{.tile_done = [&](const ResultTile&) {
        if (++calls == 3) throw std::runtime_error("enough");
      }};
      CHECK_THROWS_AS(plan.run(product.operands, callbacks), std::runtime_error);
      for (std::uint64_t number = 0; number < plan.schedule().tiles(); ++number) {
        const ResultTile tile = tile_of(product.problem, plan.schedule(), number);
        const bool done = product.same(product.at(product.c, tile.row, tile.column),
                                       product.at(product.expected, tile.row, tile.column));
        bool whole = true;
        for (std::uint64_t i = tile.row; i < tile.row + tile.rows; ++i)
          for (std::uint64_t j = tile.column; j < tile.column + tile.columns; ++j)
            whole = whole && product.same(product.at(product.c, i, j),
                                          product.at(done ? product.expected : product.before, i, j));
        CHECK(whole);
      }
      plan.run(product.operands);
      product.check_right();
    }
  }

  TEST_CASE("one thread drives two workers that divide the tiles") {
    for (const TileTransfer transfer : transfers()) {
      OutOfCoreOptions options = options_with(200'000, transfer);
      options.tile = {32, 32, 0};
      HostProduct<float> product(small_problem(), 2, 3);
      const TileSchedule schedule = schedule_out_of_core(shared_engine(), product.problem, options);
      detail::TileWorker first(shared_engine(), product.problem, schedule, product.operands);
      detail::TileWorker second(shared_engine(), product.problem, schedule, product.operands);
      std::uint64_t next = 0, finished = 0;
      while (finished < schedule.tiles())
        for (detail::TileWorker* const worker : {&first, &second}) {
          if (next < schedule.tiles() && worker->takes_tile())
            worker->start(tile_of(product.problem, schedule, next++));
          worker->poll();
          finished += worker->take_finished().size();
        }
      CHECK(first.idle());
      CHECK(second.idle());
      product.check_right();
    }
  }

  TEST_CASE("speeds must be finite and at least 0; extreme speeds are limited") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [name, member] : detail::speed_fields) {
      HostProduct<float> product(small_problem(), 2, 3);
      OutOfCoreOptions options = options_with(200'000, TileTransfer::automatic);
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -1.0}) {
        options.speeds.emplace(made_up).*member = bad;
        const auto plan = [&] { OutOfCorePlan(shared_engine(), product.problem, options); };
        CHECK(mentions(expect_error(ErrorCode::invalid_configuration, plan), std::string("options.speeds.") + name));
        expect_error(ErrorCode::invalid_configuration,
                     [&] { return min_memory_out_of_core(shared_engine(), product.problem, options); });
      }
      for (const double good : {0.0, std::numeric_limits<double>::denorm_min(), 1e-300, 1e308}) {
        options.speeds.emplace(made_up).*member = good;
        product.reset();
        const OutOfCorePlan plan(shared_engine(), product.problem, options);
        CHECK(std::isfinite(plan.schedule().seconds));
        plan.run(product.operands);
        product.check_right();
        count_cases();
      }
    }
  }

  TEST_CASE("invalid calls are refused before anything is enqueued") {
    HostProduct<float> product(small_problem(), 1, 0);
    const OutOfCoreOptions options = options_with(200'000, TileTransfer::automatic);
    const auto refused = [&](ErrorCode code, OperandName operand, const auto& spoil) {
      GemmProblem problem = product.problem;
      HostOperands operands = product.operands;
      spoil(problem, operands);
      expect_error(code, operand, [&] { gemm_out_of_core(shared_engine(), problem, operands, options); });
    };
    using enum ErrorCode;
    using enum OperandName;
    refused(null_object, a, [](GemmProblem&, HostOperands& o) { o.a = nullptr; });
    refused(null_object, b, [](GemmProblem&, HostOperands& o) { o.b = nullptr; });
    refused(null_object, c, [](GemmProblem&, HostOperands& o) { o.c = nullptr; });
    refused(overlapping_operands, a, [](GemmProblem&, HostOperands& o) { o.a = o.c; });
    refused(invalid_offset, b, [](GemmProblem&, HostOperands& o) { o.b = static_cast<const char*>(o.b) + 1; });
    refused(overlapping_operands, c, [](GemmProblem&, HostOperands& o) {
      o.beta = 1;
      o.c_in = static_cast<const float*>(o.c) + 1;
    });
    refused(invalid_leading_dimension, a, [](GemmProblem& p, HostOperands&) { p.lda = 79; });
    refused(size_overflow, b, [](GemmProblem& p, HostOperands&) { p.ldb = std::uint64_t{1} << 62U; });
    refused(unsupported_type, none, [](GemmProblem& p, HostOperands&) { p.type = DataType::f16; });
    refused(unsupported_type, none,
            [](GemmProblem& p, HostOperands&) { p.epilogue.bias = EpilogueVector::per_column; });
    refused(invalid_batch, none, [](GemmProblem& p, HostOperands&) { p.batch.count = 2; });
    product.check_tiles({});
  }
}

}  // namespace
}  // namespace tilewright::test
