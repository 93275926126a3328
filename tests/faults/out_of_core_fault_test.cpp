// Products of host matrices in which an OpenCL call fails, a command fails, or a callback throws. Reported tiles are
// right, tiles that the error names may be partly written, all others are unchanged, and the rest can be resumed.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {
using faults::Failure;

struct Form {
  TileTransfer transfer = TileTransfer::staged;
  double beta = 0;
  bool has_c_in = false;
  Layout layout = Layout::row_major;
  std::uint64_t scale = 1;  // larger tiles are written in several chunks
};

std::vector<TileTransfer> tested_transfers() {
  const DeviceProfile& device = shared_engine().profile();
  if (device.type != DeviceType::cpu || device.vendor == Vendor::oclgrind) return {TileTransfer::staged};
  return {TileTransfer::staged, TileTransfer::in_place};
}

// A product in 6 tiles and 2 slabs along k, with one plan for all runs.
class Tiles {
 public:
  explicit Tiles(const Form& form)
      : product_({.layout = form.layout, .m = 20 * form.scale, .n = 27 * form.scale, .k = 15}, 2, form.beta) {
    const OutOfCoreOptions options{
        .memory = 1 << 17,
        .transfer = form.transfer,
        .tile = {10 * form.scale, 9 * form.scale, 8},
        .speeds = TransferSpeeds{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5},
        .choice = {"naive", {}}};
    plan_ = std::make_unique<OutOfCorePlan>(shared_engine(), product_.problem, options);
    REQUIRE(plan_->schedule().tiles() == 6);
    REQUIRE(plan_->schedule().tiles_k == 2);
    if (!form.has_c_in) return;
    original_ = product_.before;
    product_.operands.c_in = original_.data() + product_.band;
    for (std::uint64_t i = 0; i < product_.problem.m; ++i)
      for (std::uint64_t j = 0; j < product_.problem.n; ++j) product_.at(product_.before, i, j) = -1;
  }

  // Runs the product after `arm`. Returns the error's text; empty if none was thrown.
  std::string run(const std::function<void()>& arm, OutOfCoreCallbacks callbacks = {}) {
    product_.reset();
    reported_.clear();
    partial_.clear();
    callbacks.tile_done = [this, inner = callbacks.tile_done](const ResultTile& tile) {
      reported_.push_back(tile);
      if (inner) inner(tile);
    };
    std::string text;
    arm();
    try {
      const OutOfCoreReport report = plan_->run(product_.operands, callbacks);
      faults::disarm();
      if (!report.cancelled) CHECK(reported_.size() == plan_->schedule().tiles());
      CHECK(report.progress.tiles_done == reported_.size());
    } catch (const std::exception& error) {
      faults::disarm();
      text = error.what();
      CHECK_FALSE(text.empty());
      if (const auto* const partly = dynamic_cast<const PartlyWritten*>(&error)) partial_ = partly->tiles();
    }
    return text;
  }

  // Checks the state after run(), given its text.
  void check(const std::string& text) {
    std::uint64_t named = 0;
    std::vector<float> wanted = product_.before;
    for (std::uint64_t number = 0; number < plan_->schedule().tiles(); ++number) {
      const ResultTile tile = tile_of(product_.problem, plan_->schedule(), number);
      const auto times = std::count_if(reported_.begin(), reported_.end(),
                                       [&](const ResultTile& one) { return one.number == number; });
      CHECK(times <= 1);
      const bool is_named = mentions(text + ",", "the tile of C at row " + std::to_string(tile.row) + ", column " +
                                                     std::to_string(tile.column) + ",");
      CHECK_FALSE((is_named && times > 0));
      named += is_named;
      for (std::uint64_t i = tile.row; i < tile.row + tile.rows; ++i)
        for (std::uint64_t j = tile.column; j < tile.column + tile.columns; ++j)
          product_.at(wanted, i, j) = product_.at(is_named ? product_.c : times > 0 ? product_.expected : wanted, i, j);
      if (is_named) named_.push_back(tile);
    }
    CHECK(mentions(text, "partly written") == (named > 0));
    CHECK(mentions(text, "unspecified") == (named > 0 && plan_->schedule().transfer == TileTransfer::in_place));
    CHECK(partial_.size() == named);
    for (const PartialTile& partial : partial_) check(partial);
    CHECK(product_.differences(product_.c, wanted) == 0);
  }

  void check(const PartialTile& partial) {
    const ResultTile& tile = partial.tile;
    CHECK(partial.is_rest_unchanged == (plan_->schedule().transfer == TileTransfer::staged));
    if (!partial.is_rest_unchanged) return;  // unspecified
    CHECK(partial.complete.rows * partial.complete.columns < tile.rows * tile.columns);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = tile.row; i < tile.row + tile.rows; ++i)
      for (std::uint64_t j = tile.column; j < tile.column + tile.columns; ++j) {
        const bool is_complete = i < tile.row + partial.complete.rows && j < tile.column + partial.complete.columns;
        const float wanted = product_.at(is_complete ? product_.expected : product_.before, i, j);
        const float got = product_.at(product_.c, i, j);
        wrong += got != wanted && !(std::isnan(got) && std::isnan(wanted));
      }
    CHECK(wrong == 0);
  }

  // Computes the tiles that were not reported. Named tiles are restored first.
  void check_resumed() {
    for (const ResultTile& tile : named_)
      for (std::uint64_t i = tile.row; i < tile.row + tile.rows; ++i)
        for (std::uint64_t j = tile.column; j < tile.column + tile.columns; ++j)
          product_.at(product_.c, i, j) = product_.at(product_.before, i, j);
    named_.clear();
    plan_->run(product_.operands, {.has_tile = [this](const ResultTile& tile) {
                 return std::any_of(reported_.begin(), reported_.end(),
                                    [&](const ResultTile& one) { return one.number == tile.number; });
               }});
    product_.check_right();
  }

  std::uint64_t reported() const { return reported_.size(); }
  std::uint64_t count() const { return plan_->schedule().tiles(); }

 private:
  HostProduct<float> product_;
  std::vector<float> original_;
  std::unique_ptr<OutOfCorePlan> plan_;
  std::vector<ResultTile> reported_, named_;
  std::vector<PartialTile> partial_;
};

template <class Function>
void for_each_form(const Function& function) {
  for (const TileTransfer transfer : tested_transfers())
    for (const Form& form :
         {Form{transfer, 0, false}, Form{transfer, 3, false, Layout::column_major}, Form{transfer, 3, true}}) {
      CAPTURE(to_string(form.transfer));
      CAPTURE(form.beta);
      CAPTURE(form.has_c_in);
      function(form);
    }
}

// The calls to try out of `count`: all in a full test, otherwise at most `most`, spread evenly.
template <class Function>
void for_some_calls(unsigned count, unsigned most, const Function& function) {
  const unsigned step = test_level() == TestLevel::full ? 1 : 1 + count / most;
  for (unsigned call = 1; call <= count; call += step) function(call);
}

void inject_all(Failure kind, const std::vector<std::string>& functions, unsigned most) {
  unsigned failed = 0;
  for_each_form([&](const Form& form) {
    Tiles tiles(form);
    // The first run makes a worker, as does the first run after a failure.
    const std::string clean = tiles.run([] { faults::arm({}); });
    REQUIRE_MESSAGE(clean.empty(), clean);
    for (const auto& [function, count] : faults::calls()) {
      if (!functions.empty() && std::find(functions.begin(), functions.end(), function) == functions.end()) continue;
      for_some_calls(count, most, [&, &function = function](unsigned call) {
        CAPTURE(function);
        CAPTURE(call);
        const std::string text = tiles.run(
            [&] { faults::arm({.function = function, .call = call, .status = CL_OUT_OF_RESOURCES, .failure = kind}); });
        CAPTURE(text);
        tiles.check(text);
        failed += !text.empty();
        tiles.check_resumed();
        count_cases();
      });
    }
  });
  CHECK(failed > 20);
  count_kernel_of("out of core with failures");
}

}  // namespace

TEST_SUITE("out of core faults") {
  TEST_CASE("every OpenCL call fails once") { inject_all(Failure::returned, {}, 40); }

  TEST_CASE("a function fails from one call on") {
    inject_all(Failure::lasting,
               {"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueMapBuffer",
                "clEnqueueUnmapMemObject", "clGetEventInfo", "clFlush", "clFinish"},
               15);
  }

  TEST_CASE("a command fails after it was enqueued") {
    inject_all(Failure::command, {"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer"}, 20);
  }

  TEST_CASE("staged tiles that are partly written are complete up to a row, and unchanged from there on") {
    unsigned partial = 0;
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      Tiles tiles({TileTransfer::staged, 3, false, layout, 5});
      for (unsigned call = 1; call < 30; ++call) {
        CAPTURE(call);
        const faults::Fault fault{.function = "clEnqueueReadBuffer",
                                  .call = call,
                                  .status = CL_OUT_OF_RESOURCES,
                                  .failure = Failure::lasting};
        const std::string text = tiles.run([&] { faults::arm(fault); });
        CAPTURE(text);
        tiles.check(text);
        partial += mentions(text, "partly written");
        tiles.check_resumed();
        count_cases();
      }
    }
    CHECK(partial > 5);
  }

  TEST_CASE("a callback throws: all finished tiles are reported exactly once, and the rest can be resumed") {
    enum Callback { keep_going, tile_done, has_tile };
    for_each_form([&](const Form& form) {
      Tiles tiles(form);
      for (const Callback thrower : {keep_going, tile_done, has_tile})
        for (unsigned throw_at = 0; throw_at < 12; ++throw_at)
          for (const bool throws_again : {false, true}) {
            CAPTURE(thrower);
            CAPTURE(throw_at);
            unsigned calls = 0;
            const auto may_throw = [&](Callback callback) {
              if (callback != thrower) return;
              const unsigned call = calls++;
              if (call == throw_at) throw std::runtime_error("the first one");
              if (call > throw_at && throws_again) throw std::runtime_error("a later one");
            };
            const std::string text = tiles.run([] {}, {.keep_going =
                                                           [&](const OutOfCoreProgress&) {
                                                             may_throw(keep_going);
                                                             return true;
                                                           },
                                                       .tile_done = [&](const ResultTile&) { may_throw(tile_done); },
                                                       .has_tile =
                                                           [&](const ResultTile&) {
                                                             may_throw(has_tile);
                                                             return false;
                                                           }});
            CHECK(text == (calls > throw_at ? "the first one" : ""));
            tiles.check(text);
            tiles.check_resumed();
            count_cases();
          }
    });
  }

  TEST_CASE("exceptions of callbacks keep their type") {
    for (const TileTransfer transfer : tested_transfers()) {
      HostProduct<float> product({.m = 8, .n = 8, .k = 8}, 1, 0);
      const OutOfCorePlan plan(
          shared_engine(), product.problem,
          {.memory = 1 << 16, .transfer = transfer, .speeds = TransferSpeeds{.flops = 1e10}, .choice = {"naive", {}}});
      CHECK_THROWS_AS(plan.run(product.operands, {.tile_done = [](const ResultTile&) { throw std::bad_alloc(); }}),
                      std::bad_alloc);
      CHECK_THROWS_AS(plan.run(product.operands, {.tile_done = [](const ResultTile&) { throw 7; }}), int);
      product.check_right();
    }
  }

  TEST_CASE("the device fails after a callback threw: the error names the unfinished tiles and holds the exception") {
    unsigned named = 0;
    for (const TileTransfer transfer : tested_transfers()) {
      Tiles tiles({transfer, 3, false});
      for (unsigned call = 1; call < 40; ++call) {
        CAPTURE(call);
        const std::string text = tiles.run([] {}, {.keep_going = [&](const OutOfCoreProgress&) -> bool {
                                             faults::arm({.function = "clGetEventInfo",
                                                          .call = call,
                                                          .status = CL_OUT_OF_RESOURCES,
                                                          .failure = Failure::lasting});
                                             throw std::runtime_error("the caller's");
                                           }});
        CAPTURE(text);
        tiles.check(text);
        const bool names_tiles = mentions(text, "partly written");
        CHECK((names_tiles || text == "the caller's"));
        named += names_tiles;
        tiles.check_resumed();
      }
    }
    if (tested_transfers().size() > 1) CHECK(named > 0);
  }

  TEST_CASE("a callback throws after the device failed: the device's error comes first") {
    unsigned thrown = 0;
    for_each_form([&](const Form& form) {
      Tiles tiles(form);
      for (unsigned call = 1; call < 30; ++call) {
        CAPTURE(call);
        unsigned reported = 0;
        const std::string text =
            tiles.run([&] { faults::arm({.function = "clFlush", .call = call, .status = CL_OUT_OF_RESOURCES}); },
                      {.tile_done = [&](const ResultTile&) {
                        // Armed calls are counted until one fails.
                        const bool has_failed = faults::calls()["clFlush"] >= call;
                        reported += has_failed;
                        if (has_failed) throw std::runtime_error("the caller's");
                      }});
        CAPTURE(text);
        tiles.check(text);
        if (reported > 0) CHECK(mentions(text, "CL_OUT_OF_RESOURCES"));
        thrown += reported;
        tiles.check_resumed();
        count_cases();
      }
    });
    CHECK(thrown > 0);
  }

  TEST_CASE("operands whose interleaved span exceeds a buffer are staged, unless they must be used in place") {
    if (tested_transfers().size() < 2) return;
    constexpr std::uint64_t size = 30, ld = 96;
    const GemmProblem problem{
        .layout = Layout::column_major, .m = size, .n = size, .k = size, .lda = ld, .ldb = ld, .ldc = ld};
    for (const TileTransfer transfer : {TileTransfer::automatic, TileTransfer::in_place}) {
      const OutOfCorePlan plan(shared_engine(), problem,
                               {.memory = 1 << 17,
                                .transfer = transfer,
                                .tile = {10, 20, 15},
                                .speeds = TransferSpeeds{.flops = 1e10},
                                .choice = {"naive", {}}});
      REQUIRE(plan.schedule().transfer == TileTransfer::in_place);
      std::vector<float> matrix(size * ld, 2), expected = matrix;
      for (std::uint64_t j = 0; j < size; ++j)
        for (std::uint64_t i = 0; i < size; ++i) expected[j * ld + 64 + i] = 4.0F * size + 2;
      std::vector<std::uint64_t> order;
      const auto run = [&] {
        plan.run({.a = matrix.data(), .b = matrix.data() + 32, .beta = 1, .c = matrix.data() + 64},
                 {.tile_done = [&](const ResultTile& tile) {
                   const ResultTile same = tile_of(problem, plan.schedule(), tile.number);
                   CHECK((same.row == tile.row && same.column == tile.column));
                   order.push_back(tile.number);
                 }});
      };
      faults::limit_allocation(8 * ld * sizeof(float));
      if (transfer == TileTransfer::automatic)
        run();
      else
        expect_error(ErrorCode::out_of_memory, run);
      faults::limit_allocation(0);
      if (transfer == TileTransfer::in_place) run();
      CHECK(order == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
      CHECK(matrix == expected);
      count_cases();
    }
  }

  TEST_CASE("run() returns only after all commands of a cancelled product have ended") {
    for (unsigned call = 1; call < 6; ++call) {
      CAPTURE(call);
      Tiles tiles({TileTransfer::staged, 3, false});
      std::atomic<bool> is_released{false};
      std::thread opener;
      const std::string text =
          tiles.run([&] { faults::arm({.function = "clEnqueueWriteBuffer", .call = call, .failure = Failure::held}); },
                    {.keep_going = [&](const OutOfCoreProgress&) {
                      if (!faults::holds_command()) return true;
                      opener = std::thread([&] {
                        std::this_thread::sleep_for(std::chrono::milliseconds(30));
                        is_released = true;
                        faults::release_held();
                      });
                      return false;
                    }});
      CHECK(text.empty());
      CHECK(is_released);
      REQUIRE(opener.joinable());
      opener.join();
      tiles.check(text);
      CHECK(tiles.reported() < tiles.count());
      tiles.check_resumed();
      count_cases();
    }
  }
}

}  // namespace tilewright::test
