// Products and batches in host memory, divided between engines of the device under test and between its sub-devices.
#include "tilewright/device_group.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "device_group/engine_groups.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

// Assumed speeds, so that nothing is measured.
TransferSpeeds speeds_of(double flops) { return {.upload = 1e9, .download = 2e9, .flops = flops, .launch = 1e-5}; }

DeviceGroupOptions small_tiles(TileTransfer transfer = TileTransfer::automatic) {
  return {.memory = 1 << 22, .transfer = transfer, .tile = {24, 32, 40}, .speeds = {speeds_of(1e10), speeds_of(3e10)}};
}

void check_report(const DeviceGroupReport& report, std::size_t devices) {
  REQUIRE(report.devices.size() == devices);
  std::uint64_t tiles = 0;
  double work = 0;
  for (const DeviceShare& share : report.devices) {
    tiles += share.tiles;
    work += share.work;
    CHECK(share.error.empty());
  }
  CHECK(tiles == report.tiles);
  CHECK(work == doctest::Approx(1));
  CHECK(mentions(to_string(report), report.devices.front().device));
}

template <class T>
void check_product(const DeviceGroup& group, const GemmProblem& problem, double alpha, double beta,
                   const DeviceGroupOptions& options) {
  HostProduct<T> product(problem, alpha, beta);
  check_report(group.gemm(product.problem, product.operands, options), group.engines().size());
  product.check_right();
  count_kernel_of("device group");
  count_cases();
}

// A batch of small integers. The gaps after rows and between matrices hold 77.
struct HostBatch {
  static constexpr std::uint64_t count = 21;

  HostBatch(const GemmProblem& wanted, std::uint64_t gap_of_rows, std::uint64_t gap, bool one_b, double beta_of_c)
      : problem(wanted), beta(beta_of_c) {
    const bool rows = problem.layout == Layout::row_major;
    const auto shape = [&](Transpose trans, std::uint64_t m, std::uint64_t n) {
      if (rows != (trans == Transpose::no)) std::swap(m, n);
      return std::array{m, n, n + gap_of_rows};
    };
    a_shape = shape(problem.trans_a, problem.m, problem.k);
    b_shape = shape(problem.trans_b, problem.k, problem.n);
    c_shape = shape(Transpose::no, problem.m, problem.n);
    problem.lda = a_shape[2];
    problem.ldb = b_shape[2];
    problem.ldc = c_shape[2];
    const auto stride = [&](const auto& s) { return s[0] * s[2] + gap; };
    problem.batch = {count, stride(a_shape), one_b ? 0 : stride(b_shape), stride(c_shape)};
    a = filled(a_shape, problem.batch.stride_a, 1);
    b = filled(b_shape, stride(b_shape), 2);
    c = before = filled(c_shape, problem.batch.stride_c, 3);
  }

  static std::vector<float> filled(const std::array<std::uint64_t, 3>& s, std::uint64_t stride, std::uint64_t seed) {
    std::vector<float> all(stride * count, 77);
    const auto values = verification::random_data<float>(all.size(), verification::DataKind::integers, seed);
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < s[0]; ++i)
        for (std::uint64_t j = 0; j < s[1]; ++j) {
          const std::uint64_t at = x * stride + i * s[2] + j;
          all[at] = values[at];
        }
    return all;
  }

  float at(const std::vector<float>& all, std::uint64_t begin, std::uint64_t ld, Transpose trans, std::uint64_t i,
           std::uint64_t j) const {
    const bool by_rows = (problem.layout == Layout::row_major) == (trans == Transpose::no);
    return all[begin + (by_rows ? i * ld + j : j * ld + i)];
  }

  void check_right() const {
    std::vector<float> expected = before;
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < problem.m; ++i)
        for (std::uint64_t j = 0; j < problem.n; ++j) {
          float sum = 0;
          for (std::uint64_t l = 0; l < problem.k; ++l)
            sum += at(a, x * problem.batch.stride_a, problem.lda, problem.trans_a, i, l) *
                   at(b, x * problem.batch.stride_b, problem.ldb, problem.trans_b, l, j);
          float& result = expected[x * problem.batch.stride_c +
                                   (problem.layout == Layout::row_major ? i * problem.ldc + j : j * problem.ldc + i)];
          result = 2 * sum + static_cast<float>(beta) * result;
        }
    CHECK(c == expected);
  }

  GemmProblem problem;
  double beta;
  std::array<std::uint64_t, 3> a_shape{}, b_shape{}, c_shape{};
  std::vector<float> a, b, c, before;
};

}  // namespace

TEST_SUITE("device group") {
  TEST_CASE("one product on two engines: layouts, transposes, scalars and transfers") {
    const DeviceGroup group = two_engines();
    const bool in_place = group.engines().front().profile().type == DeviceType::cpu &&
                          group.engines().front().profile().vendor != Vendor::oclgrind;
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::in_place}) {
      if (transfer == TileTransfer::in_place && !in_place) continue;
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans : {Transpose::no, Transpose::yes})
          for (const double beta : {0.0, 3.0})
            check_product<float>(group,
                                 {.layout = layout, .trans_a = trans, .trans_b = trans, .m = 90, .n = 70, .k = 50}, 2,
                                 beta, small_tiles(transfer));
      check_product<float>(group, {.m = 60, .n = 70, .k = 50}, 0, 3, small_tiles(transfer));
      check_product<float>(group, {.m = 1, .n = 1, .k = 1}, 1, 1, small_tiles(transfer));
      for (const double beta : {0.0, 3.0})
        check_product<float>(group, {.m = 60, .n = 70, .k = 0}, 2, beta, small_tiles(transfer));
    }
    if (group.engines().front().profile().fp64)
      check_product<double>(group, {.m = 90, .n = 70, .k = 50}, 2, 3, small_tiles());
  }

  TEST_CASE("a thread for each device, and tiles that the model chooses") {
    DeviceGroupOptions options = small_tiles();
    options.driver_threads = 2;
    check_product<float>(two_engines(), {.m = 190, .n = 170, .k = 50}, 2, 0, options);
    options.tile = {};
    check_product<float>(two_engines(), {.m = 190, .n = 170, .k = 50}, 2, 0, options);
  }

  TEST_CASE("a product of the same form reuses the memory of the last one, with other matrices and scalars") {
    const DeviceGroup group = two_engines();
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::automatic})
      for (const double alpha : {2.0, 0.0, 3.0})
        for (const double beta : {0.0, 1.0}) {
          check_product<float>(group, {.m = 90, .n = 70, .k = 50}, alpha, beta, small_tiles(transfer));
          check_product<float>(group, {.m = 90, .n = 70, .k = 50}, alpha, beta, small_tiles(transfer));
        }
    group.release_memory();
    check_product<float>(group, {.m = 90, .n = 70, .k = 50}, 2, 0, small_tiles());
  }

  TEST_CASE("a device that would not save time is not used, and the report says so") {
    DeviceGroupOptions options = small_tiles(TileTransfer::staged);
    for (TransferSpeeds& speeds : options.speeds) speeds.host_copy = 1e6;
    HostProduct<float> product({.m = 90, .n = 70, .k = 50}, 2, 3);
    const DeviceGroup group = two_engines();
    for (int call = 0; call < 2; ++call) {
      product.reset();
      const DeviceGroupReport report = group.gemm(product.problem, product.operands, options);
      product.check_right();
      CHECK(report.devices[0].is_reserve);  // the slower one
      CHECK(report.devices[0].tiles == 0);
      CHECK_FALSE(report.devices[1].is_reserve);
      CHECK(mentions(to_string(report), "not used: expected "));
      CHECK(mentions(report.devices[0].reason, "limited by copies in host memory"));
      CHECK(report.devices[1].reason.empty());
    }
    for (TransferSpeeds& speeds : options.speeds) speeds.host_copy = 0;  // unknown
    product.reset();
    for (const DeviceShare& share : group.gemm(product.problem, product.operands, options).devices)
      CHECK_FALSE(share.is_reserve);
  }

  TEST_CASE("devices share copies of A and B in host memory") {
    const DeviceGroup group = two_engines();
    DeviceGroupOptions options = small_tiles(TileTransfer::staged);
    options.memory = 1 << 24;
    options.speeds[1] = options.speeds[0];
    HostProduct<float> product({.m = 480, .n = 480, .k = 400}, 2, 0);
    for (int call = 0; call < 3; ++call) {
      product.reset();
      const DeviceGroupReport report = group.gemm(product.problem, product.operands, options);
      product.check_right();
      std::uint64_t copied = 0, transferred = 0;
      for (const DeviceShare& share : report.devices) {
        copied += share.bytes_copied;
        transferred += share.bytes_up + share.bytes_down;
      }
      const std::uint64_t of_all = (std::uint64_t{2} * 480 * 400 + 480 * 480) * sizeof(float);
      CHECK(copied >= of_all);
      CHECK(copied < transferred);  // pitches are multiples of 16 elements, as these sizes are
    }
  }

  TEST_CASE("eight engines, each with a thread, also with fewer tiles than engines") {
    std::vector<Engine> engines;
    for (int i = 0; i < 8; ++i) engines.emplace_back(device_under_test());
    const DeviceGroup group(engines);
    for (const TileTransfer transfer : {TileTransfer::staged, TileTransfer::automatic})
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        DeviceGroupOptions options = small_tiles(transfer);
        options.driver_threads = 0;
        options.speeds.assign(engines.size(), speeds_of(1e10));
        options.speeds[3].flops = 1e9;
        for (const std::uint64_t m : {40U, 250U})
          check_product<float>(group, {.layout = layout, .trans_b = Transpose::yes, .m = m, .n = 190, .k = 130}, 2, 3,
                               options);
      }
  }

  TEST_CASE("any number of threads") {
    const DeviceGroup group = two_engines();
    for (const unsigned threads : {0U, 3U, std::numeric_limits<unsigned>::max()}) {
      DeviceGroupOptions options = small_tiles(TileTransfer::staged);
      options.driver_threads = options.copy_threads = threads;
      check_product<float>(group, {.m = 90, .n = 70, .k = 50}, 2, 3, options);
    }
  }

  TEST_CASE("functions of the user may call the group during a call, in any thread") {
    for (const unsigned threads : {1U, 2U}) {
      std::vector<Engine> engines{Engine(device_under_test()), Engine(device_under_test())};
      const DeviceGroup* of_callback = nullptr;
      std::atomic<unsigned> nested{0};
      for (Engine& engine : engines)
        engine.set_cache({.mode = CacheMode::read_write, .load = [&](std::string_view) -> std::optional<std::string> {
                            if (of_callback == nullptr || nested++ > 0) return std::nullopt;
                            of_callback->release_memory();
                            check_product<float>(*of_callback, {.m = 50, .n = 40, .k = 30}, 2, 3, small_tiles());
                            return std::nullopt;
                          }});
      const DeviceGroup group(engines);
      of_callback = &group;
      DeviceGroupOptions options = small_tiles();
      options.driver_threads = threads;
      check_product<float>(group, {.m = 90, .n = 70, .k = 50}, 2, 0, options);
      CHECK(nested > 0);
      check_product<float>(group, {.m = 90, .n = 70, .k = 50}, 2, 0, options);
    }
  }

  TEST_CASE("calls of several threads run one after another") {
    const DeviceGroup group = two_engines();
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back([&group, i] {
        for (unsigned repetition = 0; repetition < 3; ++repetition) {
          HostProduct<float> product({.m = 50 + i, .n = 40, .k = 30}, 2, 3);
          group.gemm(product.problem, product.operands, small_tiles());
          product.check_right();
        }
        group.release_memory();
      });
    for (std::thread& thread : threads) thread.join();
    count_cases(threads.size());
  }

  TEST_CASE("all devices of the host") {
    std::vector<Engine> engines;
    for (const Device& device : list_devices()) engines.emplace_back(device);
    const DeviceGroup group(engines);
    DeviceGroupOptions options = small_tiles();
    options.speeds.assign(engines.size(), speeds_of(1e10));
    check_product<float>(group, {.m = 200, .n = 150, .k = 50}, 2, 3, options);
  }

  TEST_CASE("sub-devices") {
    const std::vector<Engine> engines = engines_of_parts();
    if (engines.size() < 2) return count_skip("a group of parts of a device", "the device cannot be parted");
    const DeviceGroup group(engines);
    DeviceGroupOptions options = small_tiles();
    options.speeds.assign(engines.size(), speeds_of(1e10));
    check_product<float>(group, {.m = 200, .n = 150, .k = 50}, 2, 3, options);
  }

  TEST_CASE("batches are divided into pieces; gaps stay unchanged") {
    const DeviceGroup group = two_engines();
    struct Form {
      std::uint64_t gap_of_rows, gap;
      bool one_b;
    };
    // No gaps; matrices apart by whole rows; matrices apart by any number of elements.
    for (const Form& form : {Form{0, 0, false}, Form{4, 0, true}, Form{3, 5, false}})
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const auto& [transfer, beta] : {std::pair{TileTransfer::automatic, 0.0},
                                             {TileTransfer::automatic, -1.0},
                                             {TileTransfer::staged, 0.0},
                                             {TileTransfer::staged, -1.0}}) {
          HostBatch batch({.layout = layout, .trans_b = Transpose::yes, .m = 7, .n = 9, .k = 5}, form.gap_of_rows,
                          form.gap, form.one_b, beta);
          const DeviceGroupReport report = group.gemm(
              batch.problem, {.alpha = 2, .a = batch.a.data(), .b = batch.b.data(), .beta = beta, .c = batch.c.data()},
              small_tiles(transfer));
          check_report(report, 2);
          CHECK(report.tiles > 2);
          batch.check_right();
          count_cases();
        }
  }

  TEST_CASE("offset_alignment is ignored: pieces of a batch start at offset 0 on the device") {
    for (const std::uint64_t promise : {0U, 1U, 3U, 1024U}) {
      HostBatch batch({.m = 7, .n = 9, .k = 5}, 3, 5, false, -1);
      batch.problem.offset_alignment = promise;
      two_engines().gemm(batch.problem,
                         {.alpha = 2, .a = batch.a.data(), .b = batch.b.data(), .beta = -1, .c = batch.c.data()},
                         small_tiles());
      batch.check_right();
      count_cases();
    }
  }

  TEST_CASE("invalid calls are refused") {
    expect_error(ErrorCode::no_device, [] { DeviceGroup({}); });
    const Engine one(device_under_test());
    expect_error(ErrorCode::invalid_configuration, [&] { DeviceGroup({one, one}); });
    const DeviceGroup group = two_engines();
    HostProduct<float> product({.m = 20, .n = 20, .k = 20}, 1, 1);
    const auto refused = [&](ErrorCode code, const GemmProblem& problem, const HostOperands& operands,
                             const DeviceGroupOptions& options) {
      return expect_error(code, [&] { group.gemm(problem, operands, options); });
    };
    GemmProblem problem = product.problem;
    problem.type = DataType::f16;
    refused(ErrorCode::unsupported_type, problem, product.operands, small_tiles());
    problem = product.problem;
    problem.batch = {.count = 2, .by_offsets = true};
    refused(ErrorCode::invalid_batch, problem, product.operands, small_tiles());
    problem.batch = {.count = 2, .stride_c = 1};
    refused(ErrorCode::overlapping_operands, problem, product.operands, small_tiles());
    HostOperands operands = product.operands;
    operands.b = nullptr;
    CHECK(mentions(refused(ErrorCode::null_object, product.problem, operands, small_tiles()), "B is null"));
    DeviceGroupOptions options = small_tiles();
    options.speeds.pop_back();
    refused(ErrorCode::invalid_configuration, product.problem, product.operands, options);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -1.0, 0.0})
      for (double TransferSpeeds::*const member :
           {&TransferSpeeds::upload, &TransferSpeeds::download, &TransferSpeeds::host_copy, &TransferSpeeds::flops,
            &TransferSpeeds::tile_update, &TransferSpeeds::launch}) {
        options = small_tiles();
        options.speeds[1].*member = bad;
        if (bad == 0 && member != &TransferSpeeds::flops) {
          check_product<float>(group, {.m = 50, .n = 40, .k = 30}, 2, 3, options);
          continue;
        }
        CHECK(mentions(refused(ErrorCode::invalid_configuration, product.problem, product.operands, options),
                       "options.speeds[1]."));
      }
    options = small_tiles();
    options.speeds = {speeds_of(1e308), speeds_of(1e-300)};
    check_product<float>(group, {.m = 50, .n = 40, .k = 30}, 2, 3, options);
    options = small_tiles();
    options.memory = 1000;
    problem = product.problem;
    problem.trans_b = Transpose::yes;  // B is packed even if the transfer is in place
    refused(ErrorCode::out_of_memory, problem, product.operands, options);
    CHECK(group.gemm({.m = 0, .n = 3, .k = 3}, {}, small_tiles()).tiles == 0);
    CHECK_FALSE(DeviceGroup::all().engines().empty());
  }
}

}  // namespace tilewright::test
