#include "verification/vector/vector_trial.hpp"

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/vector/vector_reference.hpp"

namespace tilewright::verification {
namespace {

template <class T>
LongNumber wide(const T& x) {
  if constexpr (detail::is_complex_host_type<T>)
    return {x.real(), x.imag()};
  else
    return static_cast<long double>(static_cast<double>(x));
}

// Shape of x, y or z: a matrix with n lines of one element.
StoredShape shape_of(const VectorCase& test, std::size_t operand) {
  return {test.n, 1, static_cast<std::uint64_t>(std::abs(test.increments[operand]))};
}

std::uint64_t stride_of(const VectorCase& test, std::size_t operand) {
  return test.count == 1 ? 0 : shape_of(test, operand).span() + test.gap;
}

using Words = GuardedMatrix<Bits<4>>;  // results have one, two or four words each

template <class T>
class Run {
 public:
  Run(const Engine& engine, const VectorCase& test)
      : engine_(engine), test_(test), queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)) {
    for (std::size_t i = 0; i < vectors_of(test.call); ++i) {
      vectors_.emplace_back(engine, shape_of(test, i), test.offsets[i], test.memory, test.count, stride_of(test, i));
      fill(i);
    }
    constexpr std::uint64_t result_stride = 3;
    if (test.call == VectorCall::iamax)
      words_ = 2;
    else if (test.call == VectorCall::nrm2 || test.call == VectorCall::asum)
      words_ = sizeof(Part) / 4;
    result_.emplace(engine, StoredShape{test.count, words_, result_stride * words_}, words_, Memory::banded);
    problem_ = {.type = test.type,
                .n = test.n,
                .incx = test.increments[0],
                .incy = test.increments[1],
                .incz = test.increments[2],
                .batch = {.count = test.count,
                          .stride_x = stride_of(test, 0),
                          .stride_y = stride_of(test, 1),
                          .stride_z = stride_of(test, 2),
                          .stride_result = result_stride}};
  }

  std::string verify() {
    execute();
    for (std::uint64_t b = 0; b < test_.count; ++b)
      if (std::string wrong = compare(b); !wrong.empty()) return "batch entry " + std::to_string(b) + ": " + wrong;
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const bool may_change = i == written_by(test_.call) || test_.call == VectorCall::swap;
      if (std::string wrong = vectors_[i].damage(may_change); !wrong.empty())
        return std::string(1, "xyz"[i]) + ": " + wrong;
    }
    if (std::string wrong = result_->damage(written_by(test_.call) == 3); !wrong.empty()) return "result: " + wrong;
    return repeat();
  }

 private:
  using Part = detail::Part<detail::Accumulator<T>>;

  // Runs the call again and compares the bits.
  std::string repeat() {
    std::vector<std::vector<T>> first;
    for (const auto& vector : vectors_) first.push_back(vector.received());
    const auto first_result = result_->received();
    execute();
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      if (std::memcmp(first[i].data(), vectors_[i].received().data(), first[i].size() * sizeof(T)) != 0)
        return "the second run gave different bits";
    return first_result == result_->received() ? "" : "the second run gave a different result";
  }

  void fill(std::size_t operand) {
    GuardedMatrix<T>& vector = vectors_[operand];
    auto values = random_data<T>(test_.count * test_.n, test_.data, test_.seed + operand);
    if constexpr (std::is_same_v<T, detail::Accumulator<T>> && !std::is_integral_v<T>)
      for (T& value : values) value *= std::ldexp(Part(1), static_cast<int>(test_.exponent));
    for (std::uint64_t b = 0; b < test_.count; ++b)
      for (std::uint64_t i = 0; i < test_.n; ++i) vector.data(b)[place(operand, i)] = values[b * test_.n + i];
    if (!is_read(operand)) vector.poison();
  }

  // Returns true if the kernels may read an operand.
  bool is_read(std::size_t operand) const {
    const bool written = operand == written_by(test_.call);
    switch (test_.call) {
      case VectorCall::axpby:
      case VectorCall::hadamard:
        return (written ? test_.beta : test_.alpha) != 0.0;
      case VectorCall::scal:
        return test_.alpha != 0.0;
      case VectorCall::copy:
        return !written;
      default:
        return true;
    }
  }

  // Returns the index of element i in memory.
  std::uint64_t place(std::size_t operand, std::uint64_t i) const {
    const std::int64_t inc = test_.increments[operand];
    return inc > 0 ? i * static_cast<std::uint64_t>(inc) : (test_.n - 1 - i) * static_cast<std::uint64_t>(-inc);
  }

  const T& sent(std::size_t operand, std::uint64_t b, std::uint64_t i) const {
    return vectors_[operand].data(b)[place(operand, i)];
  }
  const T& received(std::size_t operand, std::uint64_t b, std::uint64_t i) const {
    return vectors_[operand].result(b)[place(operand, i)];
  }

  void execute() {
    for (const auto& vector : vectors_) vector.upload(queue_);
    result_->upload(queue_);
    call().wait();
    for (auto& vector : vectors_) vector.download(queue_);
    result_->download(queue_);
  }

  Event call() const {
    const auto ref = [&](std::size_t i) { return i < vectors_.size() ? vectors_[i].ref() : MatrixRef{}; };
    return enqueue(engine_, queue_(), test_.call, problem_,
                   {.alpha = test_.alpha,
                    .x = ref(0),
                    .beta = test_.beta,
                    .y = ref(1),
                    .z = ref(2),
                    .result = {result_->ref().buffer, result_->ref().offset / words_}});
  }

  std::string compare(std::uint64_t b) const {
    if (test_.call == VectorCall::copy || test_.call == VectorCall::swap) return compare_bits(b);
    if (test_.call == VectorCall::iamax) return compare_index(b);
    if (written_by(test_.call) == 3) return compare_result(b);
    for (std::uint64_t i = 0; i < test_.n; ++i) {
      const std::size_t out = written_by(test_.call);
      if (std::string wrong = difference(expected_element(b, i), wide(received(out, b, i))); !wrong.empty())
        return "element " + std::to_string(i) + wrong;
    }
    return {};
  }

  std::string compare_bits(std::uint64_t b) const {
    const auto differ = [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) != 0; };
    for (std::uint64_t i = 0; i < test_.n; ++i)
      if (differ(received(1, b, i), sent(0, b, i)) ||
          (test_.call == VectorCall::swap && differ(received(0, b, i), sent(1, b, i))))
        return "element " + std::to_string(i) + " is wrong";
    return {};
  }

  template <class R>
  R result_of(std::uint64_t b) const {
    R value;
    std::memcpy(static_cast<void*>(&value), result_->result() + b * result_->shape().leading, sizeof(R));
    return value;
  }

  std::string compare_index(std::uint64_t b) const {
    std::int64_t expected = test_.n == 0 ? -1 : 0;
    const auto size = [&](std::uint64_t i) { return size_of_number(wide(sent(0, b, i))); };
    for (std::uint64_t i = 1; i < test_.n; ++i)
      if (rounded_size(size(i)) > rounded_size(size(static_cast<std::uint64_t>(expected))))
        expected = static_cast<std::int64_t>(i);
    const auto found = result_of<std::int64_t>(b);
    return found == expected ? "" : "the index is " + std::to_string(found) + ", expected " + std::to_string(expected);
  }

  // Returns |re| + |im|, rounded like in the kernels.
  static Part rounded_size(long double size) { return static_cast<Part>(size); }

  std::string compare_result(std::uint64_t b) const {
    VectorSums sums(test_.call, test_.type);
    for (std::uint64_t i = 0; i < test_.n; ++i)
      sums.add(wide(sent(0, b, i)), vectors_.size() > 1 ? wide(sent(1, b, i)) : LongNumber{});
    const bool is_real = test_.call == VectorCall::nrm2 || test_.call == VectorCall::asum;
    const LongNumber found = is_real ? LongNumber(result_of<Part>(b)) : wide(result_of<detail::Accumulator<T>>(b));
    ExpectedNumber expected = sums.result();
    if (test_.data == DataKind::integers && test_.call != VectorCall::nrm2) expected.bound = 0;
    return difference(expected, found);
  }

  ExpectedNumber expected_element(std::uint64_t b, std::uint64_t i) const {
    const LongNumber alpha = rounded(test_.alpha), beta = rounded(test_.beta);
    LongNumber value{};
    long double size = 0;
    if (alpha != LongNumber{}) {
      const LongNumber x = wide(sent(0, b, i));
      const LongNumber y = test_.call == VectorCall::hadamard ? wide(sent(1, b, i)) : 1;
      value = plain_product(alpha, plain_product(x, y));
      size = size_of_number(alpha) * product_size(x, y);
    }
    if (test_.call != VectorCall::scal && beta != LongNumber{}) {
      const LongNumber old = wide(sent(written_by(test_.call), b, i));
      value += plain_product(beta, old);
      size += product_size(beta, old);
    }
    return VectorRounding(test_.type).element(value, size);
  }

  static LongNumber rounded(std::complex<double> scalar) {
    const auto part = [](double x) { return static_cast<long double>(static_cast<Part>(x)); };
    return {part(scalar.real()), part(scalar.imag())};
  }

  static std::string difference(const ExpectedNumber& expected, LongNumber found) {
    const auto is_right = [&](long double wanted, long double part) {
      return std::abs(part - wanted) <= expected.bound;
    };
    if (is_right(expected.value.real(), found.real()) && is_right(expected.value.imag(), found.imag())) return {};
    const auto part = [](long double x) { return detail::general_text(static_cast<double>(x), 17); };
    const auto text = [&](LongNumber x) { return part(x.real()) + "," + part(x.imag()); };
    return " is " + text(found) + ", expected " + text(expected.value);
  }

  const Engine& engine_;
  const VectorCase& test_;
  cl::CommandQueue queue_;
  VectorProblem problem_;
  std::deque<GuardedMatrix<T>> vectors_;  // a deque, because elements cannot be moved
  std::optional<Words> result_;
  std::uint64_t words_ = sizeof(detail::Accumulator<T>) / 4;
};

}  // namespace

std::string try_vector_case(const Engine& engine, const VectorCase& test) {
  return detail::with_host_type(test.type, [&]<class T>(std::type_identity<T>) {
    const auto run = std::make_shared<Run<T>>(engine, test);
    keep_on_oclgrind(engine, run);
    return run->verify();
  });
}

}  // namespace tilewright::verification
