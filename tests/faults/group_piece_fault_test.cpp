// Batches and products of a group: commands that fail in the middle of a piece, memory against the budget, memory that
// is released during a call, and operands that cannot be used in place.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "device_group/group_worker.hpp"
#include "faults/fault_shim.hpp"
#include "support/device_under_test.hpp"
#include "support/draws.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

using faults::Failure;

constexpr TransferSpeeds assumed_speeds{
    .upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};

// C = 2 A B + 3 C, with matrices of ones that are stored without gaps.
struct OnesBatch {
  OnesBatch(std::uint64_t count, std::uint64_t m, std::uint64_t n, std::uint64_t k)
      : problem{.trans_b = Transpose::yes,  // needs a workspace on the host's processor
                .m = m,
                .n = n,
                .k = k,
                .batch = {.count = count, .stride_a = m * k, .stride_b = k * n, .stride_c = m * n}},
        a(count * m * k, 1),
        b(count * k * n, 1),
        c(count * m * n, 1),
        operands{.alpha = 2, .a = a.data(), .b = b.data(), .beta = 3, .c = c.data()} {}

  // Whether products `begin` to end - 1 have this value in all elements of C.
  bool are(std::uint64_t begin, std::uint64_t end, float value) const {
    const std::uint64_t area = problem.batch.stride_c;
    const auto* const first = c.data();
    return std::all_of(first + begin * area, first + end * area, [&](float x) { return x == value; });
  }
  float right() const { return 2 * static_cast<float>(problem.k) + 3; }

  GemmProblem problem;
  std::vector<float> a, b, c;
  HostOperands operands;
};

// Starts two pieces of a batch, and polls until a failure. Returns the finished pieces.
struct TwoPieces {
  std::vector<std::uint64_t> finished, partly_written;
  std::string error;
};

// Pieces of a batch reach the device through pinned memory, or commands use the matrices themselves. Every device can
// do both.
constexpr TileTransfer transfers[]{TileTransfer::staged, TileTransfer::in_place};

TwoPieces run_two_pieces(detail::GroupWorker& worker) {
  TwoPieces result;
  const auto take = [&] {
    for (const std::uint64_t part : worker.take_finished()) result.finished.push_back(part);
  };
  try {
    worker.start(0);
    worker.start(1);
    while (result.finished.size() < 2) {
      worker.poll();
      take();
    }
  } catch (const Error& error) {
    result.error = error.what();
  }
  take();
  result.partly_written = worker.partly_written();
  return result;
}

// Fails each command of the second of two pieces.
void fail_second_piece(TileTransfer transfer) {
  using Parts = std::vector<std::uint64_t>;
  const Engine engine(device_under_test());
  const DeviceGroupOptions options{.transfer = transfer, .speeds = {assumed_speeds}};
  OnesBatch batch(24, 9, 10, 11);  // pieces of two products
  const auto parts = detail::pieces_of_batch({engine}, batch.problem, batch.operands, options);
  REQUIRE(parts->count() == 12);
  // The first run may do what later ones need not.
  CHECK(run_two_pieces(*parts->make_worker(0)).finished.size() == 2);
  const auto calls_of = [&](const auto& run) {
    const auto worker = parts->make_worker(0);
    faults::arm({});
    run(*worker);
    faults::disarm();
    return faults::calls();
  };
  auto of_first = calls_of([](detail::GroupWorker& worker) { worker.start(0); });
  auto of_both = calls_of(run_two_pieces);
  for (const std::string function : {"clEnqueueWriteBuffer", "clEnqueueNDRangeKernel", "clEnqueueReadBuffer"}) {
    CAPTURE(function);
    REQUIRE(of_first[function] > 0);
    REQUIRE(of_both[function] > of_first[function]);
    // Only a download to C itself may have written a part of it; pinned memory is copied when all is complete.
    const bool may_have_written = function == "clEnqueueReadBuffer" && transfer == TileTransfer::in_place;
    for (unsigned call = of_first[function] + 1; call <= of_both[function]; ++call) {
      CAPTURE(call);
      std::fill(batch.c.begin(), batch.c.end(), 1.0F);
      const auto worker = parts->make_worker(0);
      faults::arm({.function = function, .call = call, .status = CL_OUT_OF_RESOURCES, .failure = Failure::command});
      const TwoPieces result = run_two_pieces(*worker);
      CHECK(faults::disarm());
      CHECK_FALSE(result.error.empty());
      CAPTURE(result.error);
      CHECK(result.finished == Parts{0});
      CHECK(result.partly_written == (may_have_written ? Parts{1} : Parts{}));
      CHECK(batch.are(0, 2, batch.right()));
      CHECK(batch.are(2, 24, 1));
      count_cases();
    }
  }
}

// In a call of two devices, the second of which fails in its first download, memory is released. Returns what the call
// threw, or nothing.
std::optional<Error> release_in_failing_call(TileTransfer transfer, OnesBatch& batch) {
  std::vector<Engine> engines{Engine(device_under_test()), Engine(device_under_test())};
  const DeviceGroup* group_of_callback = nullptr;
  unsigned released = 0;
  engines.front().set_cache(
      {.mode = CacheMode::read_write, .load = [&](std::string_view) -> std::optional<std::string> {
         if (group_of_callback != nullptr) group_of_callback->release_memory();
         released += group_of_callback != nullptr;
         return std::nullopt;
       }});
  const DeviceGroup group(engines);
  group_of_callback = &group;
  faults::arm({.function = "clEnqueueReadBuffer",
               .call = 1,
               .status = CL_OUT_OF_RESOURCES,
               .context = engines.back().context(),
               .failure = Failure::command});
  std::optional<Error> thrown;
  try {
    group.gemm(batch.problem, batch.operands, {.transfer = transfer, .speeds = {assumed_speeds, assumed_speeds}});
  } catch (const Error& error) {
    thrown = error;
  }
  CHECK(faults::disarm());
  CHECK(released > 0);
  const auto left = faults::live_objects();
  group.release_memory();
  CHECK(left == faults::live_objects());
  count_cases();
  return thrown;
}

}  // namespace

TEST_SUITE("group faults") {
  TEST_CASE("a command in the middle of a piece fails: the piece is not done, and other pieces are") {
    for (const TileTransfer transfer : transfers) {
      CAPTURE(to_string(transfer));
      fail_second_piece(transfer);
    }
    count_kernel_of("device group");
  }

  TEST_CASE("a batch never allocates more than its budget") {
    const unsigned count = test_level() == TestLevel::full ? 100 : 12;
    unsigned accepted = 0;
    for (unsigned seed = 0; seed < count; ++seed) {
      CAPTURE(seed);
      Draws draws(seed);
      OnesBatch batch(2 + draws.below(40), 8 + draws.below(40), 8 + draws.below(40), 8 + draws.below(40));
      const GemmProblem& p = batch.problem;
      const std::uint64_t bytes = (p.m * p.k + p.k * p.n + p.m * p.n) * sizeof(float);
      DeviceGroupOptions options{.speeds = {assumed_speeds}};
      options.transfer = seed % 2 == 0 ? TileTransfer::automatic : TileTransfer::staged;
      options.memory = 2 * bytes * (1 + draws.below(4)) + draws.below(2 * bytes);
      const DeviceGroup group({Engine(device_under_test())});  // the engine's workspace counts
      faults::measure_memory();
      try {
        group.gemm(p, batch.operands, options);
        ++accepted;
        CHECK(batch.are(0, p.batch.count, batch.right()));
      } catch (const Error& error) {
        CHECK_MESSAGE(mentions(error.what(), "no room for two products"), error.what());
        CHECK(batch.are(0, p.batch.count, 1));
      }
      CHECK(faults::max_memory() <= options.memory);
      count_cases();
    }
    CHECK(accepted > count / 4);
    count_kernel_of("device group in a budget");
  }

  TEST_CASE("memory that is released during a call is free after it, whether the call throws or another device helps") {
    // C that a device has partly written cannot be computed again, because beta is not 0.
    OnesBatch unspecified(48, 9, 10, 11), completed(48, 9, 10, 11);
    const std::optional<Error> error = release_in_failing_call(TileTransfer::in_place, unspecified);
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::out_of_memory);
    CHECK(mentions(error->what(), "unspecified"));
    CHECK_FALSE(release_in_failing_call(TileTransfer::staged, completed).has_value());
    CHECK(completed.are(0, 48, completed.right()));
  }

  TEST_CASE("operands that interleave over more than a buffer holds are staged, also in a group") {
    const DeviceProfile& profile = device_under_test().profile;
    if (profile.type != DeviceType::cpu || profile.vendor == Vendor::oclgrind) return;
    const DeviceGroup group({Engine(device_under_test()), Engine(device_under_test())});
    constexpr std::uint64_t size = 30, ld = 96;
    const GemmProblem problem{
        .layout = Layout::column_major, .m = size, .n = size, .k = size, .lda = ld, .ldb = ld, .ldc = ld};
    std::vector<float> matrix(size * ld, 2), expected = matrix;
    for (std::uint64_t j = 0; j < size; ++j)
      for (std::uint64_t i = 0; i < size; ++i) expected[j * ld + 64 + i] = 4.0F * size + 2;
    const auto run = [&](TileTransfer transfer) {
      std::fill(matrix.begin(), matrix.end(), 2.0F);
      return group.gemm(
          problem, {.a = matrix.data(), .b = matrix.data() + 32, .beta = 1, .c = matrix.data() + 64},
          {.memory = 1 << 20, .transfer = transfer, .tile = {10, 20, 15}, .speeds = {assumed_speeds, assumed_speeds}});
    };
    for (const bool is_limited : {false, true, true, false}) {
      CAPTURE(is_limited);
      if (is_limited) faults::limit_allocation(8 * ld * sizeof(float));
      const DeviceGroupReport report = run(TileTransfer::automatic);
      faults::limit_allocation(0);
      std::uint64_t bytes_down = 0;
      for (const DeviceShare& share : report.devices) {
        CHECK_MESSAGE(share.error.empty(), share.error);
        bytes_down += share.bytes_down;
      }
      CHECK((bytes_down > 0) == is_limited);  // only staged tiles are downloaded
      CHECK(matrix == expected);
      count_cases();
    }
    faults::limit_allocation(8 * ld * sizeof(float));
    expect_error(ErrorCode::out_of_memory, [&] { run(TileTransfer::in_place); });
    faults::limit_allocation(0);
  }
}

}  // namespace tilewright::test
