// C must not share elements with A or B; all other operands may share a buffer.
#include <doctest/doctest.h>

#include <vector>

#include "support/small_product.hpp"

namespace tilewright::test {
namespace {

cl::Buffer part_of(cl::Buffer& buffer, std::size_t first_element, std::size_t elements) {
  const cl_buffer_region region{first_element * sizeof(float), elements * sizeof(float)};
  return buffer.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
}

// Writes the matrices of a product to one buffer, with the rows of A and C side by side.
void write_rows(const SmallProduct& product, const cl::Buffer& buffer, const std::vector<float>& values,
                std::size_t columns, MatrixRef at, std::size_t leading) {
  for (std::size_t row = 0; row < values.size() / columns; ++row)
    product.queue.enqueueWriteBuffer(buffer, CL_TRUE, (at.offset + row * leading) * sizeof(float),
                                     columns * sizeof(float), values.data() + row * columns);
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("C that overlaps A or B is refused") {
    SmallProduct product;
    const cl::Buffer shared(product.context, CL_MEM_READ_WRITE, 4096);
    product.operands.c = {shared(), 0};
    for (const std::uint64_t offset : {0U, 16U, 32U}) {
      SmallProduct on_a = product;
      on_a.operands.a = {shared(), offset};
      const auto message = on_a.expect_refused(ErrorCode::overlapping_operands);
      CHECK(mentions(message, "C shares elements with A"));
      SmallProduct on_b = product;
      on_b.operands.b = {shared(), offset};
      on_b.problem.layout = Layout::column_major;
      CHECK(mentions(on_b.expect_refused(ErrorCode::overlapping_operands), "C shares elements with B"));
    }
  }

  TEST_CASE("one shared element is refused, adjacent matrices are accepted") {
    SmallProduct product;
    const cl::Buffer shared(product.context, CL_MEM_READ_WRITE, 4096);
    product.operands.c = {shared(), 15};  // elements 15 to 49
    product.operands.a = {shared(), 1};   // elements 1 to 15
    product.expect_refused(ErrorCode::overlapping_operands);
    product.operands.a.offset = 0;
    CHECK_NOTHROW(product.run().wait());
    product.operands.a.offset = 49;
    product.reset_c();
    product.expect_refused(ErrorCode::overlapping_operands);
    product.operands.a.offset = 50;
    CHECK_NOTHROW(product.run().wait());
  }

  TEST_CASE("overlaps through sub-buffers are found") {
    SmallProduct product;
    cl::Buffer whole(product.context, CL_MEM_READ_WRITE, 1 << 20);
    // A multiple of the sub-buffer alignment of any device.
    const cl::Buffer first = part_of(whole, 0, 8192), second = part_of(whole, 4096, 8192);
    SmallProduct both = product;
    both.operands.c = {first(), 4096 + 32};
    both.operands.a = {second(), 32};
    both.expect_refused(ErrorCode::overlapping_operands);
    both.operands.a.offset = 0;
    both.operands.b = {whole(), 4096 + 48};
    both.expect_refused(ErrorCode::overlapping_operands);
    both.operands.b.offset = 0;
    CHECK_NOTHROW(both.run().wait());

    SmallProduct on_whole = product;
    on_whole.operands.c = {second(), 16};
    on_whole.operands.a = {whole(), 16};
    CHECK_NOTHROW(on_whole.run().wait());
    on_whole.operands.a.offset = 4096 + 16;
    on_whole.expect_refused(ErrorCode::overlapping_operands);
  }

  TEST_CASE("interleaved views without a common element are accepted") {
    SmallProduct product;
    const cl::Buffer shared(product.context, CL_MEM_READ_WRITE, 4096);
    product.problem.lda = product.problem.ldc = 16;
    product.operands.a = {shared(), 0};  // columns 0 to 2
    product.operands.c = {shared(), 4};  // columns 4 to 10
    write_rows(product, shared, product.a_values(), 3, product.operands.a, 16);
    write_rows(product, shared, product.before(), 7, product.operands.c, 16);
    product.run().wait();
    const std::vector<float> result = product.read(shared);
    for (std::size_t row = 0; row < 5; ++row)
      for (std::size_t column = 0; column < 7; ++column)
        CHECK(result[4 + row * 16 + column] == product.after()[row * 7 + column]);
    product.operands.c.offset = 2;
    product.expect_refused(ErrorCode::overlapping_operands);
  }

  TEST_CASE("A and B may be the same matrix") {
    SmallProduct product(shared_engine(), 6, 6, 4);
    product.problem.trans_b = Transpose::yes;
    product.operands.b = product.operands.a;
    product.run().wait();
    const std::vector<float> result = product.read(product.c);
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) {
        float sum = 0;
        for (std::size_t p = 0; p < 4; ++p) sum += product.a_values()[i * 4 + p] * product.a_values()[j * 4 + p];
        CHECK(result[i * 6 + j] == 2 * sum + 3 * product.before()[i * 6 + j]);
      }
  }
}

}  // namespace tilewright::test
