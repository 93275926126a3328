// Epilogue operands that a call must refuse: each has its own error, reported before anything is enqueued.
#include <doctest/doctest.h>

#include <string>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

constexpr MatrixRef GemmOperands::*refs[] = {&GemmOperands::scale, &GemmOperands::bias, &GemmOperands::residual};
constexpr OperandName operands[] = {OperandName::scale, OperandName::bias, OperandName::residual};
constexpr std::size_t elements[] = {5, 7, 5 * 7};  // of SmallProduct's C, scale per row and bias per column

// A valid call whose epilogue has every operand and changes nothing.
struct FusedProduct : SmallProduct {
  explicit FusedProduct(const Engine& of = shared_engine()) : SmallProduct(of) {
    problem.epilogue = {.scale = EpilogueVector::per_row, .bias = EpilogueVector::per_column, .residual = true};
    for (int i = 0; i < 3; ++i) {
      buffers[i] = cl::Buffer(context, CL_MEM_READ_WRITE, elements[i] * sizeof(float));
      queue.enqueueFillBuffer(buffers[i], i == 0 ? 1.0F : 0.0F, 0, elements[i] * sizeof(float));
      SmallProduct::operands.*refs[i] = {buffers[i](), 0};
    }
    queue.finish();
  }

  MatrixRef& ref(int i) { return SmallProduct::operands.*refs[i]; }

  std::string refused(ErrorCode code, OperandName operand) const {
    expect_error(code, operand, [&] { run(); });
    return expect_refused(code);
  }

  cl::Buffer buffers[3];
};

}  // namespace

TEST_SUITE("epilogue errors") {
  TEST_CASE("the valid call that the other tests alter succeeds") { FusedProduct().expect_right(); }

  TEST_CASE("null buffers and buffers of another context are refused") {
    const Engine other(device_under_test());
    FusedProduct foreign(other);
    for (int i = 0; i < 3; ++i) {
      FusedProduct product;
      product.ref(i) = {};
      CHECK(mentions(product.refused(ErrorCode::null_object, operands[i]), std::string(to_string(operands[i]))));
      product.ref(i) = foreign.ref(i);
      CHECK(mentions(product.refused(ErrorCode::foreign_object, operands[i]), std::string(to_string(operands[i]))));
    }
  }

  TEST_CASE("operands that the epilogue does not use are ignored") {
    FusedProduct product;
    product.problem.epilogue = {.activation = Activation::relu};
    for (int i = 0; i < 3; ++i) product.ref(i) = {};
    CHECK_NOTHROW(product.run().wait());
  }

  TEST_CASE("buffers that are too small are refused") {
    for (int i = 0; i < 3; ++i) {
      FusedProduct product;
      product.ref(i).offset = 1;
      CHECK(mentions(product.refused(ErrorCode::buffer_too_small, operands[i]), std::to_string(elements[i])));
      const cl::Buffer small(product.context, CL_MEM_READ_WRITE, (elements[i] - 1) * sizeof(float));
      product.ref(i) = {small(), 0};
      product.refused(ErrorCode::buffer_too_small, operands[i]);
    }
    FusedProduct product;
    product.problem.epilogue.ldr = 8;
    product.refused(ErrorCode::buffer_too_small, OperandName::residual);
    product.problem.epilogue.ldr = 6;
    product.refused(ErrorCode::invalid_leading_dimension, OperandName::residual);
  }

  TEST_CASE("buffers that kernels cannot read are refused") {
    for (int i = 0; i < 3; ++i) {
      FusedProduct product;
      const cl::Buffer written(product.context, CL_MEM_WRITE_ONLY, 64 * sizeof(float));
      product.ref(i) = {written(), 0};
      product.refused(ErrorCode::invalid_buffer, operands[i]);
    }
  }

  TEST_CASE("C must not overlap them, and for the residual the message suggests beta") {
    for (int i = 0; i < 3; ++i) {
      FusedProduct product;
      product.ref(i) = {product.c(), 0};
      const std::string message = product.refused(ErrorCode::overlapping_operands, OperandName::c);
      CHECK(mentions(message, std::string(to_string(operands[i]))));
      CHECK(mentions(message, "beta") == (i == 2));
    }
  }

  TEST_CASE("a plan's offset alignment applies to the residual, not to scale and bias") {
    FusedProduct product;
    product.problem.offset_alignment = 4;
    const GemmPlan plan(product.engine, product.problem);
    for (int i = 0; i < 3; ++i) {
      const cl::Buffer large(product.context, CL_MEM_READ_WRITE, 64 * sizeof(float));
      const MatrixRef before = product.ref(i);
      product.ref(i) = {large(), 2};
      if (operands[i] == OperandName::residual)
        expect_error(ErrorCode::invalid_offset, operands[i],
                     [&] { plan.enqueue(product.queue(), product.SmallProduct::operands); });
      else
        plan.enqueue(product.queue(), product.SmallProduct::operands).wait();
      product.ref(i) = before;
    }
  }

  TEST_CASE("a lent workspace must not overlap them") {
    for (int i = 0; i < 3; ++i) {
      FusedProduct product;
      const cl::Buffer large(product.context, CL_MEM_READ_WRITE, 1 << 16);
      product.ref(i) = {large(), 0};
      product.SmallProduct::operands.workspace = {large(), 0};
      const GemmPlan plan(product.engine, product.problem, {"local_tile", {{"padded", 1}}});
      CHECK(plan.workspace_bytes() > 0);
      expect_error(ErrorCode::overlapping_workspace, OperandName::workspace,
                   [&] { plan.enqueue(product.queue(), product.SmallProduct::operands); });
    }
  }
}

}  // namespace tilewright::test
