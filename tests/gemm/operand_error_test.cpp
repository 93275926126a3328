// Operands that a call must refuse: each has its own error, reported before anything is enqueued, and C is unchanged.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

constexpr MatrixRef GemmOperands::*matrices[] = {&GemmOperands::a, &GemmOperands::b, &GemmOperands::c};
constexpr const char* names[] = {"A", "B", "C"};

std::size_t bytes_of(cl_mem buffer) { return cl::Buffer(buffer, true).getInfo<CL_MEM_SIZE>(); }

}  // namespace

TEST_SUITE("operand errors") {
  TEST_CASE("the valid call that the other tests alter succeeds") {
    SmallProduct().expect_right();
    for (const VariantInfo& variant : gemm_variants()) {
      CAPTURE(variant.name);
      if (gemm_support(shared_engine().profile(), variant.name, SmallProduct().problem).supported)
        SmallProduct().expect_right({variant.name, {}});
    }
  }

  TEST_CASE("null buffers are refused by name") {
    for (int i = 0; i < 3; ++i) {
      SmallProduct product;
      (product.operands.*matrices[i]).buffer = nullptr;
      CHECK(mentions(product.expect_refused(ErrorCode::null_object), names[i]));
    }
  }

  TEST_CASE("column-major products name the operands correctly, too") {
    for (int i = 0; i < 3; ++i) {
      SmallProduct product;
      product.problem.layout = Layout::column_major;
      (product.operands.*matrices[i]).buffer = nullptr;
      CHECK(mentions(product.expect_refused(ErrorCode::null_object), std::string("of ") + names[i]));
    }
  }

  TEST_CASE("a null queue is refused") {
    SmallProduct product;
    expect_error(ErrorCode::null_object, [&] { gemm(product.engine, nullptr, product.problem, product.operands); });
    const GemmPlan plan(product.engine, product.problem);
    expect_error(ErrorCode::null_object, [&] { plan.enqueue(nullptr, product.operands); });
    CHECK(product.read(product.c) == product.before());
  }

  TEST_CASE("a buffer one element too small is refused, with both sizes") {
    for (int i = 0; i < 3; ++i) {
      CAPTURE(names[i]);
      SmallProduct product;
      MatrixRef& matrix = product.operands.*matrices[i];
      const std::size_t elements = bytes_of(matrix.buffer) / sizeof(float);
      matrix.offset = 16;  // makes the buffer this many elements too small
      const auto message = product.expect_refused(ErrorCode::buffer_too_small);
      CHECK(mentions(message, names[i]));
      CHECK(mentions(message, std::to_string(elements)));
      const cl::Buffer small(product.context, CL_MEM_READ_WRITE, (elements - 1) * sizeof(float));
      matrix = {small(), 0};
      product.expect_refused(ErrorCode::buffer_too_small);
    }
  }

  TEST_CASE("leading dimensions count towards the extent, except after the last row") {
    SmallProduct product;
    product.problem.lda = 4;
    product.expect_refused(ErrorCode::buffer_too_small);
    const cl::Buffer exact(product.context, CL_MEM_READ_WRITE, (4 * 4 + 3) * sizeof(float));
    product.operands.a = {exact(), 0};
    CHECK_NOTHROW(product.run().wait());
    product.reset_c();
    product.problem.lda = 5;
    product.expect_refused(ErrorCode::buffer_too_small);
  }

  TEST_CASE("an offset that overflows when the extent is added is refused") {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t offset : {most - 15, most - 3, most, most / sizeof(float) + 1, most / 2 + 1})
      for (const auto matrix : matrices) {
        SmallProduct product;
        (product.operands.*matrix).offset = offset;
        product.expect_refused(ErrorCode::buffer_too_small);
      }
  }

  TEST_CASE("objects of another context are refused") {
    const Engine other(device_under_test());
    const SmallProduct foreign(other);
    for (int i = 0; i < 3; ++i) {
      SmallProduct product;
      product.operands.*matrices[i] = foreign.operands.*matrices[i];
      CHECK(mentions(product.expect_refused(ErrorCode::foreign_object), names[i]));
    }
    SmallProduct product;
    product.queue = foreign.queue;
    expect_error(ErrorCode::foreign_object, [&] { product.run(); });
    CHECK(SmallProduct().read(product.c) == product.before());
  }

  TEST_CASE("a queue of another device is refused") {
    const cl::Device device(device_under_test().id, true);
    const auto partitions = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
    if (std::count(partitions.begin(), partitions.end(), CL_DEVICE_PARTITION_EQUALLY) == 0 ||
        device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() < 2)
      return count_skip("a queue of another device", "the device cannot be partitioned");
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    std::vector<cl::Device> parts;
    cl::Device(device).createSubDevices(equally, &parts);
    REQUIRE(parts.size() >= 2);
    const cl::Context context(std::vector<cl::Device>{parts[0], parts[1]});
    const SmallProduct product(Engine::from_queue(cl::CommandQueue(context, parts[0])()));
    product.expect_right();
    const cl::CommandQueue queue(context, parts[1]);
    expect_error(ErrorCode::foreign_object, [&] { gemm(product.engine, queue(), product.problem, product.operands); });
  }

  TEST_CASE("an image is refused as a buffer") {
    if (!shared_engine().profile().images) return count_skip("images as operands", "the device has no images");
    for (const auto matrix : matrices) {
      SmallProduct product;
      const cl::Image2D image(product.context, CL_MEM_READ_WRITE, cl::ImageFormat(CL_RGBA, CL_FLOAT), 16, 16);
      product.operands.*matrix = {image(), 0};
      product.expect_refused(ErrorCode::invalid_buffer);
    }
  }

  TEST_CASE("buffers that kernels cannot write or read are refused") {
    SmallProduct product;
    const cl::Buffer read_only(product.context, CL_MEM_READ_ONLY, 1024);
    const cl::Buffer write_only(product.context, CL_MEM_WRITE_ONLY, 1024);
    SmallProduct written = product;
    written.operands.c = {read_only(), 0};
    written.expect_refused(ErrorCode::invalid_buffer);
    SmallProduct read = product;
    read.operands.a = {write_only(), 0};
    read.expect_refused(ErrorCode::invalid_buffer);
    read.operands.a = {read_only(), 0};
    CHECK_NOTHROW(read.run().wait());

    SmallProduct added = product;
    added.operands.c = {write_only(), 0};
    CHECK(mentions(added.expect_refused(ErrorCode::invalid_buffer), "as beta is not 0"));
    added.operands.beta = 1e-60;  // 0 as a float
    CHECK_NOTHROW(added.run().wait());
  }

  TEST_CASE("an offset that breaks the plan's alignment is refused; gemm() adapts to it") {
    for (int i = 0; i < 3; ++i) {
      SmallProduct product;
      const cl::Buffer large(product.context, CL_MEM_READ_WRITE, 4096);
      product.operands.*matrices[i] = {large(), 4};
      GemmProblem problem = product.problem;
      const GemmPlan strict(product.engine, problem);
      const auto message =
          expect_error(ErrorCode::invalid_offset, [&] { strict.enqueue(product.queue(), product.operands); });
      CHECK(mentions(message, "16"));
      CHECK(product.read(product.c) == product.before());
      problem.offset_alignment = 4;
      CHECK_NOTHROW(GemmPlan(product.engine, problem).enqueue(product.queue(), product.operands).wait());
      (product.operands.*matrices[i]).offset = 3;
      CHECK_NOTHROW(product.run().wait());
    }
  }

  TEST_CASE("operands are checked in the caller's order, and the error names the wrong one") {
    constexpr OperandName operands[] = {OperandName::a, OperandName::b, OperandName::c};
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (int first = 0; first < 3; ++first) {
        SmallProduct product;
        product.problem.layout = layout;
        for (int i = first; i < 3; ++i) (product.operands.*matrices[i]).buffer = nullptr;
        expect_error(ErrorCode::null_object, operands[first], [&] { product.run(); });
        SmallProduct small;
        small.problem.layout = layout;
        for (int i = first; i < 3; ++i) (small.operands.*matrices[i]).offset = 16;
        const std::string message = expect_error(ErrorCode::buffer_too_small, operands[first], [&] { small.run(); });
        CHECK(mentions(message, layout == Layout::row_major ? " rows of " : " columns of "));
      }
  }

  TEST_CASE("invalid events are refused") {
    SmallProduct product;
    const cl_event null_event = nullptr;
    expect_error(ErrorCode::null_object, [&] { product.run({&null_event, 1}); });
    cl::UserEvent foreign(SmallProduct(Engine(device_under_test())).context);
    const cl_event foreign_event = foreign();
    expect_error(ErrorCode::foreign_object, [&] { product.run({&foreign_event, 1}); });
    foreign.setStatus(CL_COMPLETE);
    product.queue.finish();
    CHECK(product.read(product.c) == product.before());
    product.expect_right();
  }
}

}  // namespace tilewright::test
