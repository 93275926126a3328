// An operand that is packed once serves every plan that it fits, and no other plan.
#include "tilewright/packed_matrix.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

// Ways to read operands: directly, packed, padded, and as images.
std::vector<Choice> choices() {
  std::vector<Choice> result = {{"naive", {}},
                                {"packed_panel", {{"pack_b", 1}, {"item_n", 4}, {"vector_n", 4}}},
                                {"packed_panel", {{"pack_b", 0}, {"item_n", 4}, {"vector_n", 4}}},
                                {"dot_block", {}},
                                {"local_tile", {{"padded", 1}}},
                                {"texel_blocked", {}}};
  std::erase_if(result, [](const Choice& choice) {
    return !gemm_support(shared_engine().profile(), choice.variant, SmallProduct().problem).supported;
  });
  return result;
}

void overwrite(const SmallProduct& product, const cl::Buffer& buffer) {
  const float nothing = 12345;
  product.queue.enqueueFillBuffer(buffer, nothing, 0, buffer.getInfo<CL_MEM_SIZE>());
  product.queue.finish();
}

void check_result(const SmallProduct& product, const GemmPlan& plan, const GemmOperands& operands) {
  product.reset_c();
  plan.enqueue(product.queue(), operands).wait();
  count_kernel(plan);
  count_cases();
  CHECK(product.read(product.c) == product.after());
}

}  // namespace

TEST_SUITE("packed matrix") {
  TEST_CASE("a packed matrix replaces A or B, and its source may change") {
    for (const Choice& choice : choices())
      for (const GemmInput input : {GemmInput::a, GemmInput::b})
        for (const Layout layout : {Layout::row_major, Layout::column_major}) {
          CAPTURE(choice.variant);
          CAPTURE(to_string(choice.configuration));
          SmallProduct product;
          if (layout == Layout::column_major) {  // the same product as the product of the transposes
            std::swap(product.operands.a, product.operands.b);
            std::swap(product.problem.m, product.problem.n);
            product.problem.layout = layout;
          }
          const GemmPlan plan(product.engine, product.problem, choice);
          const bool is_a = input == GemmInput::a;
          MatrixRef& source = is_a ? product.operands.a : product.operands.b;
          const PackedMatrix packed(plan, input, product.queue(), source);
          CHECK(packed.bytes() > 0);
          const cl_event ready = packed.ready();
          clWaitForEvents(1, &ready);
          overwrite(product, cl::Buffer(source.buffer, true));
          GemmOperands operands = product.operands;
          (is_a ? operands.a : operands.b) = {};
          (is_a ? operands.packed_a : operands.packed_b) = &packed;
          check_result(product, plan, operands);
          check_result(product, plan, operands);
        }
  }

  TEST_CASE("calls wait for the packing on other queues, too") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      const SmallProduct product;
      const GemmPlan plan(product.engine, product.problem, choice);
      cl::UserEvent gate(product.context);
      const cl_event open = gate();
      const PackedMatrix packed(plan, GemmInput::b, make_queue()(), product.operands.b, {&open, 1});
      GemmOperands operands = product.operands;
      operands.b = {};
      operands.packed_b = &packed;
      const Event event = plan.enqueue(product.queue(), operands);
      product.queue.flush();
      gate.setStatus(CL_COMPLETE);
      event.wait();
      CHECK(product.read(product.c) == product.after());
    }
  }

  TEST_CASE("plans with another m share packed weights if their configuration is the same") {
    const SmallProduct product, more(shared_engine(), 11);
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      const GemmPlan plan(product.engine, product.problem, choice);
      const GemmPlan other(product.engine, more.problem,
                           {plan.explanation().variant, plan.explanation().configuration});
      const PackedMatrix packed(plan, GemmInput::b, more.queue(), more.operands.b);
      GemmOperands operands = more.operands;
      operands.packed_b = &packed;
      check_result(more, other, operands);
    }
  }

  TEST_CASE("a packed matrix serves all products of a batch") {
    for (const Choice& choice : choices()) {
      CAPTURE(choice.variant);
      SmallProduct product;
      product.problem.batch = {.count = 3, .stride_c = 35};
      const cl::Buffer room(product.context, CL_MEM_READ_WRITE, 3 * 35 * sizeof(float));
      const GemmPlan plan(product.engine, product.problem, choice);
      const PackedMatrix packed(plan, GemmInput::b, product.queue(), product.operands.b);
      GemmOperands operands{2, product.operands.a, {}, 0, {room(), 0}};
      operands.packed_b = &packed;
      plan.enqueue(product.queue(), operands).wait();
      const std::vector<float> found = product.read(room);
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] + 3 * product.before()[i % 35] == product.after()[i % 35]);
      count_cases();
    }
  }

  TEST_CASE("a matrix that was packed for one product works in a batch or is refused") {
    for (const Choice& choice : choices())
      for (const GemmInput input : {GemmInput::a, GemmInput::b}) {
        CAPTURE(choice.variant);
        const SmallProduct product;
        GemmProblem many = product.problem;
        many.batch = {.count = 3, .stride_c = 35};
        const cl::Buffer room(product.context, CL_MEM_READ_WRITE, 3 * 35 * sizeof(float));
        const GemmPlan one(product.engine, product.problem, choice);
        const GemmPlan batch(product.engine, many, {one.explanation().variant, one.explanation().configuration});
        const auto use = [&](const GemmPlan& packer, const GemmPlan& user, const cl::Buffer& c, std::size_t count) {
          const bool is_a = input == GemmInput::a;
          const PackedMatrix packed(packer, input, product.queue(), is_a ? product.operands.a : product.operands.b);
          GemmOperands operands{2, product.operands.a, product.operands.b, 0, {c(), 0}};
          (is_a ? operands.packed_a : operands.packed_b) = &packed;
          try {
            user.enqueue(product.queue(), operands).wait();
          } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::unsuitable_packed_matrix);
            CHECK(error.operand() == (is_a ? OperandName::a : OperandName::b));
            return;
          }
          const std::vector<float> found = product.read(c);
          for (std::size_t i = 0; i < count * 35; ++i)
            CHECK(found[i] + 3 * product.before()[i % 35] == product.after()[i % 35]);
          count_cases();
        };
        use(one, batch, room, 3);
        use(batch, one, room, 1);
      }
  }

  TEST_CASE("a packed matrix is refused after its packing failed") {
    for (const Choice& choice : choices())
      for (const bool early : {true, false}) {
        CAPTURE(choice.variant);
        CAPTURE(early);
        SmallProduct product;
        const GemmPlan plan(product.engine, product.problem, choice);
        cl::UserEvent gate(product.context);
        const cl_event closed = gate();
        const PackedMatrix packed(plan, GemmInput::b, product.queue(), product.operands.b, {&closed, 1});
        GemmOperands operands = product.operands;
        operands.packed_b = &packed;
        Event waiting;
        if (early) {
          waiting = plan.enqueue(product.queue(), operands);  // queue order alone is not enough
          product.queue.flush();
        }
        gate.setStatus(-5);
        clFinish(product.queue());  // fails on NVIDIA, where the queue is then unusable
        product.queue = make_queue();
        CHECK(product.read(product.c) == product.before());
        const std::string message =
            expect_error(ErrorCode::failed_wait, OperandName::b, [&] { plan.enqueue(product.queue(), operands); });
        CHECK(mentions(message, "packing B failed"));
        product.queue.finish();
        CHECK(product.read(product.c) == product.before());

        operands.packed_b = nullptr;
        check_result(product, plan, operands);
        operands.alpha = 0;  // does not read the packed matrix
        operands.packed_b = &packed;
        CHECK_NOTHROW(plan.enqueue(product.queue(), operands).wait());
      }
  }

  TEST_CASE("messages name a matrix as the caller does") {
    SmallProduct product;
    product.problem = {.layout = Layout::column_major, .m = 2, .n = 3, .k = 5};
    const cl::Buffer room(product.context, CL_MEM_READ_WRITE, 1024);
    const GemmPlan plan(product.engine, product.problem, {"naive", {}});
    const PackedMatrix packed(plan, GemmInput::b, product.queue(), {room(), 0});
    GemmProblem deeper = product.problem;
    deeper.k = 6;
    GemmOperands operands{1, {room(), 0}, {}, 0, {product.c(), 0}};
    operands.packed_b = &packed;
    const std::string message = expect_error(ErrorCode::unsuitable_packed_matrix, OperandName::b, [&] {
      GemmPlan(product.engine, deeper, {"naive", {}}).enqueue(product.queue(), operands);
    });
    CHECK(mentions(message, "column-major f32 B, of 5 x 3 elements"));
    CHECK(mentions(message, "of 6 x 3 elements"));
    CHECK(mentions(message, "column to column"));
    const std::string small = expect_error(ErrorCode::buffer_too_small, OperandName::b, [&] {
      PackedMatrix(plan, GemmInput::b, product.queue(), {room(), 256});
    });
    CHECK(mentions(small, "B takes 15"));
    CHECK(mentions(small, "3 columns of 5"));
  }

  TEST_CASE("a moved-from packed matrix is refused") {
    const SmallProduct product;
    const GemmPlan plan(product.engine, product.problem, {"naive", {}});
    PackedMatrix packed(plan, GemmInput::b, product.queue(), product.operands.b);
    const PackedMatrix taken = std::move(packed);
    GemmOperands operands = product.operands;
    operands.packed_b = &packed;  // NOLINT(bugprone-use-after-move): tested here
    expect_error(ErrorCode::null_object, OperandName::b, [&] { plan.enqueue(product.queue(), operands); });
    operands.packed_b = &taken;
    check_result(product, plan, operands);
  }

  TEST_CASE("a packed matrix of another plan, operand or context is refused, and nothing is enqueued") {
    SmallProduct product;
    const Choice narrow{"packed_panel", {{"pack_b", 1}, {"item_n", 4}, {"vector_n", 4}}};
    const Choice wide{"packed_panel", {{"pack_b", 1}, {"item_n", 8}, {"vector_n", 4}}};
    const GemmPlan plan(product.engine, product.problem, narrow);
    const auto refused = [&](const GemmPlan& by, const PackedMatrix& packed, bool as_a, ErrorCode code) {
      GemmOperands operands = product.operands;
      (as_a ? operands.packed_a : operands.packed_b) = &packed;
      const std::string message = expect_error(code, [&] { by.enqueue(product.queue(), operands); });
      CHECK(product.read(product.c) == product.before());
      return message;
    };
    const PackedMatrix packed(plan, GemmInput::b, product.queue(), product.operands.b);
    const std::string message =
        refused(GemmPlan(product.engine, product.problem, wide), packed, false, ErrorCode::unsuitable_packed_matrix);
    CHECK(mentions(message, "panels of 4"));
    CHECK(mentions(message, "panels of 8"));
    refused(GemmPlan(product.engine, product.problem, {"naive", {}}), packed, false,
            ErrorCode::unsuitable_packed_matrix);
    refused(plan, packed, true, ErrorCode::unsuitable_packed_matrix);
    GemmProblem transposed = product.problem;
    transposed.trans_b = Transpose::yes;
    refused(GemmPlan(product.engine, transposed, narrow), packed, false, ErrorCode::unsuitable_packed_matrix);

    const SmallProduct elsewhere{Engine(device_under_test())};
    const GemmPlan foreign(elsewhere.engine, elsewhere.problem, narrow);
    const PackedMatrix of_elsewhere(foreign, GemmInput::b, elsewhere.queue(), elsewhere.operands.b);
    refused(plan, of_elsewhere, false, ErrorCode::foreign_object);
  }

  TEST_CASE("operands that the choice does not pack are refused") {
    const SmallProduct product;
    const GemmPlan plan(product.engine, product.problem);
    const auto refused = [&](const GemmPlan& by, const MatrixRef& source, ErrorCode code) {
      return expect_error(code, [&] { PackedMatrix(by, GemmInput::b, product.queue(), source); });
    };
    CHECK(mentions(refused(plan, {}, ErrorCode::null_object), "the buffer of B"));
    refused(plan, {product.b(), 16}, ErrorCode::buffer_too_small);
    GemmProblem by_offsets = product.problem;
    by_offsets.batch = {.count = 2, .by_offsets = true};
    refused(GemmPlan(product.engine, by_offsets), product.operands.b, ErrorCode::invalid_batch);
    GemmProblem empty = product.problem;
    empty.m = 0;
    refused(GemmPlan(product.engine, empty), product.operands.b, ErrorCode::unsuitable_packed_matrix);
  }
}

}  // namespace tilewright::test
