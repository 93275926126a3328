#include "verification/transpose/transpose_trial.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "verification/common/guarded_matrix.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/random_data.hpp"
#include "verification/transpose/host_transpose.hpp"

namespace tilewright::verification {
namespace {

// In place, A and B share one matrix with the larger of their spans.
StoredShape span_of_both(const TransposeCase& test) {
  const std::uint64_t span = std::max(shape_of_a(test).span(), shape_of_b(test).span());
  return {span == 0 ? 0U : 1U, span, span};
}

template <std::size_t size>
class Run {
 public:
  using Matrix = GuardedMatrix<Bits<size>>;

  Run(const Engine& engine, const TransposeCase& test, const TransposePlanObserver& ran)
      : engine_(engine),
        test_(test),
        problem_(problem_of(test)),
        ran_(ran),
        a_(engine, test.in_place ? span_of_both(test) : shape_of_a(test), test.offsets[0], test.memory,
           test.shared ? 1 : test.matrices, stride_of(test)),
        queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)) {
    if (!test.in_place)
      b_.emplace(engine, shape_of_b(test), test.offsets[1], test.memory, test.matrices, stride_of(test));
    fill();
  }

  std::string verify() {
    const auto plan =
        std::make_shared<const TransposePlan>(engine_, problem_, Choice{test_.variant, test_.configuration});
    keep_on_oclgrind(engine_, plan);
    execute(*plan);
    for (std::uint64_t x = 0; x < test_.matrices; ++x)
      if (std::string wrong = compare(x); !wrong.empty())
        return test_.matrices == 1 ? wrong : "matrix " + std::to_string(x) + ": " + wrong;
    if (std::string wrong = result().damage(true); !wrong.empty()) return "B: " + wrong;
    if (b_)
      if (std::string wrong = a_.damage(false); !wrong.empty()) return "A: " + wrong;
    const auto first = result().received();
    execute(*plan);
    if (first != result().received()) return "the second run of the same plan gave different bits";
    return {};
  }

 private:
  Matrix& result() { return b_ ? *b_ : a_; }

  // Fills A with random bits, including NaN, if they are copied, otherwise with numbers.
  void fill() {
    for (std::uint64_t x = 0; x < a_.count(); ++x)
      for (std::uint64_t line = 0; line < a_.shape().lines; ++line)
        for (std::uint64_t i = 0; i < a_.shape().length; ++i)
          a_.data(x)[line * a_.shape().leading + i] = value((x * a_.shape().lines + line) * a_.shape().length + i);
    if (test_.alpha == 0 && b_) a_.poison();
  }

  Bits<size> value(std::uint64_t index) const {
    Bits<size> bits{};
    const std::uint64_t random[] = {random_bits(test_.seed, 2 * index), random_bits(test_.seed, 2 * index + 1)};
    std::memcpy(bits.data(), random, size);
    if (test_.alpha == 1 || !test_.element.number() || random[1] % 16 == 0) return bits;
    const double number = static_cast<double>(random[0] >> 11) * 0x1p-52 - 1;
    detail::with_real_host_type(*test_.element.number(), [&]<class T>(std::type_identity<T>) {
      if constexpr (sizeof(T) == size) bits = std::bit_cast<Bits<size>>(static_cast<T>(number));
    });
    return bits;
  }

  void execute(const TransposePlan& plan) {
    a_.upload(queue_);
    if (b_) b_->upload(queue_);
    plan.enqueue(queue_(), {.alpha = test_.alpha, .a = a_.ref(), .b = b_ ? b_->ref() : MatrixRef{}}).wait();
    if (test_.m > 0 && test_.n > 0 && ran_) ran_(plan);
    a_.download(queue_);
    if (b_) b_->download(queue_);
  }

  std::string compare(std::uint64_t x) {
    // Elements between B's lines must not change.
    std::vector<Bits<size>> expected(result().data(x), result().data(x) + result().shape().span());
    const Bits<size>* const a = a_.data(test_.shared ? 0 : x);
    host_transpose(problem_, test_.alpha, a, expected.data());
    const StoredShape shape = shape_of_b(test_);
    for (std::uint64_t i = 0; i < expected.size(); ++i) {
      const bool is_element = i % shape.leading < shape.length && i < shape.span();
      const Bits<size>& found = result().result(x)[i];
      if (is_element ? is_right(test_.element, test_.alpha, expected[i], found) : expected[i] == found) continue;
      return (is_element
                  ? "B(line " + std::to_string(i / shape.leading) + ", " + std::to_string(i % shape.leading) + ")"
                  : "the gap " + std::to_string(i) + " elements after B's first element") +
             " is " + hexadecimal(found) + ", expected " + hexadecimal(expected[i]);
    }
    return {};
  }

  const Engine& engine_;
  const TransposeCase& test_;
  TransposeProblem problem_;
  const TransposePlanObserver& ran_;
  Matrix a_;
  std::optional<Matrix> b_;  // empty in place
  cl::CommandQueue queue_;
};

}  // namespace

std::string try_transpose_case(const Engine& engine, const TransposeCase& test, const TransposePlanObserver& ran) {
  switch (test.element.bytes()) {
    case 1:
      return Run<1>(engine, test, ran).verify();
    case 2:
      return Run<2>(engine, test, ran).verify();
    case 4:
      return Run<4>(engine, test, ran).verify();
    case 8:
      return Run<8>(engine, test, ran).verify();
    case 16:
      return Run<16>(engine, test, ran).verify();
    default:
      throw std::invalid_argument("the element size is not 1, 2, 4, 8 or 16 bytes");
  }
}

}  // namespace tilewright::verification
