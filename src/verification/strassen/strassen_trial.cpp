#include <algorithm>
#include <cmath>

#include "kernels/host_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/system_case.hpp"
#include "verification/strassen/strassen_case.hpp"
#include "verification/strassen/strassen_check.hpp"

namespace tilewright::verification {
namespace {

template <class T>
class StrassenTrial {
 public:
  StrassenTrial(const Engine& engine, const StrassenCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, shape(test, test.trans_a, test.m, test.k, 0), test.offsets[0], test.memory),
        b_(engine, shape(test, test.trans_b, test.k, test.n, 1), test.offsets[1], test.memory),
        c_(engine, shape(test, Transpose::no, test.m, test.n, 2), test.offsets[2], test.memory) {
    if (reads_product()) {
      fill(a_, 0);
      fill(b_, 1);
    }
    if (test.beta != 0) fill(c_, 2);
  }

  std::string verify() {
    const StrassenPlan plan(engine_, problem(), test_.products);
    GuardedCall call(engine_);
    call.add("A", a_, false);
    call.add("B", b_, false);
    call.add("C", c_, true);
    const StrassenOperands operands{
        .alpha = test_.alpha, .a = a_.ref(), .b = b_.ref(), .beta = test_.beta, .c = c_.ref()};
    return call.verify([&](cl_command_queue queue) { return plan.enqueue(queue, operands); },
                       [&] { return wrong_product(plan.levels()); });
  }

 private:
  static StoredShape shape(const StrassenCase& test, Transpose trans, std::uint64_t rows, std::uint64_t columns,
                           std::size_t operand) {
    if (trans != Transpose::no) std::swap(rows, columns);
    return stored_shape(test.layout, rows, columns, test.gaps[operand]);
  }

  bool reads_product() const { return test_.alpha != 0 && test_.k > 0; }

  void fill(GuardedMatrix<T>& matrix, std::uint64_t stream) const {
    const StoredShape& shape = matrix.shape();
    const auto values = random_data<T>(shape.lines * shape.length, test_.data, 3 * test_.seed + stream);
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      std::copy_n(values.data() + line * shape.length, shape.length, matrix.data() + line * shape.leading);
  }

  StrassenProblem problem() const {
    return {.product = {.type = test_.type,
                        .layout = test_.layout,
                        .trans_a = test_.trans_a,
                        .trans_b = test_.trans_b,
                        .m = test_.m,
                        .n = test_.n,
                        .k = test_.k,
                        .lda = a_.shape().leading,
                        .ldb = b_.shape().leading,
                        .ldc = c_.shape().leading,
                        .offset_alignment = alignment()},
            .levels = test_.levels};
  }

  // Returns the promise that all offsets keep.
  std::uint64_t alignment() const {
    std::uint64_t promise = 16;
    for (const MatrixRef& ref : {a_.ref(), b_.ref(), c_.ref()})
      while (ref.offset % promise != 0) promise /= 2;
    return promise;
  }

  bool is_exact() const {
    return test_.data == DataKind::integers && test_.alpha == std::trunc(test_.alpha) &&
           test_.beta == std::trunc(test_.beta);
  }

  std::string wrong_product(unsigned levels) const {
    if (test_.m == 0 || test_.n == 0) return {};
    const HostGemm<T> call{problem().product, test_.alpha, a_.data(), b_.data(), test_.beta, c_.data()};
    // Rounding errors of random data are independent and meet a smaller bound, which a missing sum exceeds.
    const double factor = is_exact()                        ? 0
                          : test_.data == DataKind::uniform ? strassen_random_factor(test_.k, levels)
                                                            : strassen_error_factor(test_.k, levels);
    const Comparison found = StrassenCheck<T>(call, factor, levels)(c_.result());
    if (found.passed()) return {};
    detail::TextStream text;
    text.precision(17);
    text << "C(" << found.row << ", " << found.column << ") is " << found.result << ", expected " << found.expected
         << ", " << detail::general_text(found.error_over_bound, 3) << " times the error bound, by " << levels
         << (levels == 1 ? " level" : " levels");
    return text.str();
  }

  const Engine& engine_;
  const StrassenCase& test_;
  GuardedMatrix<T> a_, b_, c_;
};

}  // namespace

std::string try_strassen_case(const Engine& engine, const StrassenCase& test) {
  return run_trial<StrassenTrial>(engine, test, test.type);
}

}  // namespace tilewright::verification
