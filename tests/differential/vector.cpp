// Operations on vectors.
#include "tilewright/vector.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "differential/call.hpp"
#include "differential/product_check.hpp"
#include "kernels/host_type.hpp"
#include "support/run_report.hpp"
#include "verification/vector/vector_case.hpp"
#include "verification/vector/vector_cases.hpp"
#include "verification/vector/vector_reference.hpp"

namespace tilewright::test::differential {
namespace {

using verification::ExpectedNumber;
using verification::LongNumber;
using verification::VectorCall;

struct VectorForm {
  VectorCall call = VectorCall::axpby;
  DataType type = DataType::f32;
  std::uint64_t n = 0, count = 1;
  std::array<std::int64_t, 3> increments{};
  std::complex<double> alpha, beta;
  Values values = Values::uniform;
  bool is_alias = false;  ///< the output is one of the inputs

  std::size_t vectors() const { return verification::vectors_of(call); }
  std::size_t written() const { return verification::written_by(call); }
  bool is_written(std::size_t i) const { return i == written() || call == VectorCall::swap; }
  bool is_exact() const { return values == Values::integers; }
  // Sums of magnitudes are real.
  bool is_real() const { return call == VectorCall::nrm2 || call == VectorCall::asum; }
  std::size_t result_bytes() const {
    if (call == VectorCall::iamax) return 8;
    return is_real() ? size_of(detail::part_of(accumulator_of(type))) : size_of(accumulator_of(type));
  }
  bool reads(std::size_t i) const {
    switch (call) {
      case VectorCall::axpby:
      case VectorCall::hadamard:
        return (i == written() ? beta : alpha) != 0.0;
      case VectorCall::scal:
        return alpha != 0.0;
      case VectorCall::copy:
        return i == 0;
      default:
        return true;
    }
  }
};

template <class T>
LongNumber wide_number(const T& x) {
  if constexpr (detail::is_complex_host_type<T>)
    return {x.real(), x.imag()};
  else
    return static_cast<long double>(static_cast<double>(x));
}

template <class T>
class VectorRun : public Call {
 public:
  VectorRun(const Engine& engine, Random& random, const VectorForm& form) : Call(random), engine_(engine), form_(form) {
    const std::size_t alias = form.is_alias ? form.written() : 3;
    for (std::size_t i = 0; i < form.vectors(); ++i) {
      vectors_[i] = draw_strided(random_, form.n, form.increments[i], form.count, !form.is_written(i), 1);
      if (i == alias) {
        vectors_[i] = vectors_[0];
        vectors_[i].stride = vectors_[0].stride = form.count <= 1 ? 0 : vectors_[i].span() + 1;
      }
    }
    for (std::size_t i = 0; i < form.vectors(); ++i) {
      operands_[i] = i == alias ? operands_[0] : reserve(vectors_[i].end(), sizeof(T));
      if (form.reads(i) && i != alias) fill(operands_[i], vectors_[i], form.type, form.values, random_);
      if (form.is_written(i)) allow(operands_[i], vectors_[i]);
    }
    if (form.written() == 3) {
      results_ = {form.count, 1, 1, 0, random_.below(5)};
      results_.increment = static_cast<std::int64_t>(1 + random_.below(3));
      result_ = reserve(results_.end(), form.result_bytes());
      allow(result_, results_);
    }
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const VectorProblem p{.type = form_.type,
                          .n = form_.n,
                          .incx = vectors_[0].increment,
                          .incy = vectors_[1].increment,
                          .incz = vectors_[2].increment,
                          .batch = {.count = form_.count,
                                    .stride_x = vectors_[0].stride,
                                    .stride_y = vectors_[1].stride,
                                    .stride_z = vectors_[2].stride,
                                    .stride_result = static_cast<std::uint64_t>(results_.increment)}};
    const auto ref = [&](std::size_t i) {
      const bool is_used = i < form_.vectors() && (form_.reads(i) || form_.is_written(i));
      return is_used ? operands_[i].ref(vectors_[i].offset) : MatrixRef{};
    };
    const VectorOperands operands{.alpha = form_.alpha,
                                  .x = ref(0),
                                  .beta = form_.beta,
                                  .y = ref(1),
                                  .z = ref(2),
                                  .result = result_.ref(results_.offset),
                                  .event = event};
    if (form_.call == VectorCall::axpby && form_.beta == 1.0) return axpy(engine_, queue, p, operands, waits);
    return verification::enqueue(engine_, queue, form_.call, p, operands, waits);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.count; ++x)
      if (std::string wrong = check(x); !wrong.empty()) return "vector " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  const T& sent(std::size_t v, std::uint64_t x, std::uint64_t i) const {
    return *operands_[v].template sent<T>(vectors_[v].at(x, i));
  }
  const T& received(std::size_t v, std::uint64_t x, std::uint64_t i) const {
    return *operands_[v].template received<T>(vectors_[v].at(x, i));
  }

  std::string check(std::uint64_t x) const {
    if (form_.call == VectorCall::copy || form_.call == VectorCall::swap) return check_bits(x);
    if (form_.call == VectorCall::iamax) return check_index(x);
    if (form_.written() == 3) return check_sum(x);
    for (std::uint64_t i = 0; i < form_.n; ++i)
      if (std::string wrong = difference(expected_element(x, i), wide_number(received(form_.written(), x, i)));
          !wrong.empty())
        return "element " + std::to_string(i) + wrong;
    return {};
  }

  std::string check_bits(std::uint64_t x) const {
    for (std::uint64_t i = 0; i < form_.n; ++i)
      if (std::memcmp(&received(1, x, i), &sent(0, x, i), sizeof(T)) != 0 ||
          (form_.call == VectorCall::swap && std::memcmp(&received(0, x, i), &sent(1, x, i), sizeof(T)) != 0))
        return "element " + std::to_string(i) + " has other bits";
    return {};
  }

  std::string check_index(std::uint64_t x) const {
    using Part = detail::Part<detail::Accumulator<T>>;
    std::int64_t expected = form_.n == 0 ? -1 : 0;
    Part largest = 0;
    for (std::uint64_t i = 0; i < form_.n; ++i) {
      const auto size = static_cast<Part>(verification::size_of_number(wide_number(sent(0, x, i))));
      if (!(size <= largest)) expected = static_cast<std::int64_t>(i), largest = size;
      if (size != size) break;
    }
    const auto found = *result_.received<std::int64_t>(results_.at(0, x));
    return found == expected ? "" : "the index is " + std::to_string(found) + ", expected " + std::to_string(expected);
  }

  std::string check_sum(std::uint64_t x) const {
    using Accumulator = detail::Accumulator<T>;
    verification::VectorSums sums(form_.call, form_.type);
    for (std::uint64_t i = 0; i < form_.n; ++i)
      sums.add(wide_number(sent(0, x, i)), form_.vectors() > 1 ? wide_number(sent(1, x, i)) : LongNumber{});
    const std::uint64_t place = results_.at(0, x);
    const LongNumber found = form_.is_real() ? LongNumber(*result_.received<detail::Part<Accumulator>>(place))
                                             : wide_number(*result_.received<Accumulator>(place));
    ExpectedNumber expected = sums.result();
    if (form_.is_exact() && form_.call != VectorCall::nrm2) expected.bound = 0;
    // The bound of nrm2 and asum is relative only; this margin is far below the smallest number.
    if (form_.is_real()) expected.bound += verification::VectorRounding(form_.type).smallest * 0x1p-20L;
    return difference(expected, found);
  }

  ExpectedNumber expected_element(std::uint64_t x, std::uint64_t i) const {
    const LongNumber alpha = rounded(form_.alpha), beta = rounded(form_.beta);
    LongNumber value{};
    long double size = 0;
    if (alpha != LongNumber{}) {
      const LongNumber left = wide_number(sent(0, x, i));
      const LongNumber right = form_.call == VectorCall::hadamard ? wide_number(sent(1, x, i)) : 1;
      value = verification::plain_product(alpha, verification::plain_product(left, right));
      size = verification::size_of_number(alpha) * verification::product_size(left, right);
    }
    if (form_.call != VectorCall::scal && beta != LongNumber{}) {
      const LongNumber old = wide_number(sent(form_.written(), x, i));
      value += verification::plain_product(beta, old);
      size += verification::product_size(beta, old);
    }
    return verification::VectorRounding(form_.type).element(value, size);
  }

  static LongNumber rounded(std::complex<double> scalar) {
    using Part = detail::Part<detail::Accumulator<T>>;
    const auto part = [](double x) { return static_cast<long double>(static_cast<Part>(x)); };
    return {part(scalar.real()), part(scalar.imag())};
  }

  static std::string difference(const ExpectedNumber& expected, LongNumber found) {
    if (agrees(expected.value.real(), found.real(), expected.bound) &&
        agrees(expected.value.imag(), found.imag(), expected.bound))
      return {};
    std::ostringstream text;
    text.precision(17);
    text << " is " << found << ", expected " << expected.value << " within " << expected.bound;
    return text.str();
  }

  const Engine& engine_;
  VectorForm form_;
  std::array<Strided, 3> vectors_{};
  std::array<Operand, 3> operands_{};
  Strided results_{};
  Operand result_;
};

class VectorCase : public Problem {
 public:
  explicit VectorCase(const VectorForm& form) : form_(form) {}

  std::string text() const override {
    std::ostringstream text;
    text << verification::to_string(form_.call) << ' ' << tilewright::to_string(form_.type) << " n=" << form_.n
         << " count=" << form_.count << " inc=" << form_.increments[0] << ',' << form_.increments[1] << ','
         << form_.increments[2] << " alpha=" << form_.alpha << " beta=" << form_.beta
         << " values=" << to_string(form_.values) << (form_.is_alias ? " in place" : "");
    return text.str();
  }
  bool has_plan() const override { return false; }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool) override {
    return detail::with_host_type(form_.type, [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      count_kernel_of("vector " + std::string(verification::to_string(form_.call)) + ' ' +
                      std::string(tilewright::to_string(form_.type)));
      if constexpr (std::is_integral_v<T>)
        return nullptr;
      else
        return std::make_unique<VectorRun<T>>(engine, random, form_);
    });
  }

 private:
  VectorForm form_;
};

}  // namespace

std::unique_ptr<Problem> draw_vector(Draw& draw) {
  VectorForm form;
  form.type =
      draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16, DataType::c64, DataType::c128});
  do {
    form.call = verification::vector_calls[draw.form.below(verification::vector_calls.size())];
  } while (!verification::why_unsupported(form.call, form.type, draw.device).empty());
  Random& random = draw.random;
  form.count = draw_count(random);
  form.n = draw_size(random, largest_size(form.count, form.count <= 1 && random.chance(5) ? 100'000 : 3000));
  for (std::int64_t& increment : form.increments) increment = draw_increment(random);
  form.values = draw_values(draw, form.type, !is_complex(form.type));
  form.alpha = draw_scalar(random, form.type, form.is_exact());
  form.beta = draw_scalar(random, form.type, form.is_exact());
  form.is_alias = (form.call == VectorCall::axpby || form.call == VectorCall::hadamard) && form.alpha != 0.0 &&
                  form.beta != 0.0 && random.chance(15);
  return std::make_unique<VectorCase>(form);
}

}  // namespace tilewright::test::differential
