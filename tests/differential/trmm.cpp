// Products with a triangular matrix.
#include "tilewright/trmm.hpp"

#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "support/run_report.hpp"
#include "verification/common/element_sum.hpp"

namespace tilewright::test::differential {
namespace {

using verification::ElementSum, verification::widened, verification::widened_scalar;

struct TrmmForm {
  TrmmProblem problem{};
  std::complex<double> alpha = 1;
  Values values = Values::uniform;
  Choice products{};
  Stored a, b;

  bool is_left() const { return problem.side == Side::left; }
  bool is_unit() const { return problem.diag == Diag::unit; }
  std::uint64_t order() const { return is_left() ? problem.m : problem.n; }
  std::uint64_t lines() const { return is_left() ? problem.n : problem.m; }
  // Whether T, which multiplies the lines of B, is the transpose of A.
  bool is_swapped() const { return (problem.trans != Transpose::no) == is_left(); }
  bool is_lower() const { return (problem.uplo == Uplo::lower) != is_swapped(); }
  std::uint64_t place_a(std::uint64_t x, std::uint64_t i, std::uint64_t k) const {
    return is_swapped() ? a.at(x, k, i) : a.at(x, i, k);
  }
  std::uint64_t place_b(std::uint64_t x, std::uint64_t i, std::uint64_t line) const {
    return is_left() ? b.at(x, i, line) : b.at(x, line, i);
  }
};

template <class T>
class TrmmCall : public Call {
 public:
  TrmmCall(const Engine& engine, Random& random, const TrmmForm& form, const TrmmPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const std::uint64_t promise = plan == nullptr ? 1 : form.problem.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.b.offset = draw_offset(random_, promise);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    if (reads()) {
      for (std::uint64_t x = 0; x < form_.a.distinct(); ++x) fill_triangle(x);
      fill(of_b_, form_.b, form_.problem.type, form_.values, random_);
    }
    allow(of_b_, form_.b);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const TrmmOperands operands{.alpha = form_.alpha,
                                .a = reads() ? of_a_.ref(form_.a.offset) : MatrixRef{},
                                .b = of_b_.ref(form_.b.offset),
                                .workspace = workspace(lent_),
                                .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : trmm(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      for (std::uint64_t line = 0; line < form_.lines(); ++line)
        for (std::uint64_t i = 0; i < form_.order(); ++i)
          if (std::string wrong = check(x, i, line); !wrong.empty())
            return "product " + std::to_string(x) + ", line " + std::to_string(line) + ", element " +
                   std::to_string(i) + " is " + wrong;
    return {};
  }

 private:
  using Complex = verification::WideComplex<T>;

  bool reads() const { return form_.alpha != 0.0; }

  // Only elements that may be read are not NaN.
  void fill_triangle(std::uint64_t x) {
    for (std::uint64_t i = 0; i < form_.order(); ++i)
      for (std::uint64_t k = 0; k < form_.order(); ++k)
        if (i == k ? !form_.is_unit() : form_.is_lower() == (k < i))
          store(of_a_, form_.place_a(x, i, k), form_.problem.type,
                draw_number(random_, form_.problem.type, form_.values));
  }

  Complex element_of_t(std::uint64_t x, std::uint64_t i, std::uint64_t k) const {
    if (i == k && form_.is_unit()) return 1;
    const Complex value = widened(*of_a_.template sent<T>(form_.place_a(x, i, k)));
    return form_.problem.trans == Transpose::conjugate_transpose ? std::conj(value) : value;
  }

  std::string check(std::uint64_t x, std::uint64_t i, std::uint64_t line) const {
    const std::uint64_t k = form_.order();
    ElementSum<T> sum;
    for (std::uint64_t j = form_.is_lower() ? 0 : i; reads() && j < (form_.is_lower() ? i + 1 : k); ++j)
      sum.add(element_of_t(x, i, j), widened(*of_b_.template sent<T>(form_.place_b(x, j, line))));
    const ElementSum<T> expected = reads() ? sum.scaled(widened_scalar<T>(form_.alpha)) : ElementSum<T>();
    const T found = *of_b_.template received<T>(form_.place_b(x, i, line));
    const bool is_exact = !reads() || form_.values == Values::integers;
    const auto small = small_numbers<detail::Part<T>>().error() * static_cast<Wide>(4 * k + 4);
    return expected.wrong(found, is_exact ? 0 : k + 4, is_exact ? 0 : small);
  }

  using Wide = typename ElementSum<T>::Real;

  const Engine& engine_;
  TrmmForm form_;
  const TrmmPlan* plan_;
  Operand of_a_, of_b_, lent_;
};

class TrmmCase : public Problem {
 public:
  explicit TrmmCase(const TrmmForm& form) : form_(form) {}

  std::string text() const override {
    const TrmmProblem& p = form_.problem;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << (form_.is_left() ? " left" : " right") << (p.uplo == Uplo::lower ? " lower" : " upper")
         << " trans=" << static_cast<int>(p.trans) << (form_.is_unit() ? " unit" : "") << " size=" << p.m << 'x' << p.n
         << " ld=" << p.lda << ',' << p.ldb << " count=" << p.batch.count << " strides=" << p.batch.stride_a << ','
         << p.batch.stride_b << " alpha=" << form_.alpha << " promise=" << p.offset_alignment
         << " values=" << to_string(form_.values) << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.products); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const TrmmPlan* const plan = by_plan ? &*plan_ : nullptr;
    count_kernel_of("trmm " + std::string(tilewright::to_string(form_.problem.type)));
    return detail::with_host_type(form_.problem.type, [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      if constexpr (std::is_floating_point_v<detail::Part<T>>)
        return std::make_unique<TrmmCall<T>>(engine, random, form_, plan);
      return nullptr;
    });
  }

 private:
  TrmmForm form_;
  std::optional<TrmmPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_trmm(Draw& draw) {
  TrmmForm form;
  TrmmProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::c64, DataType::c128, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.side = draw.form.pick({Side::left, Side::right});
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.trans = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  p.diag = random.chance(30) ? Diag::unit : Diag::non_unit;
  const std::uint64_t count = draw_count(random);
  const std::uint64_t order = draw_size(random, largest_size(count, random.chance(8) && count == 1 ? 600 : 200));
  // Keeps the work per case roughly constant.
  const std::uint64_t most = (std::uint64_t{1} << 22U) / ((order + 1) * (order + 1) * (count + 1)) + 1;
  const std::uint64_t lines = draw_size(random, std::min<std::uint64_t>(most, 300));
  p.m = form.is_left() ? order : lines;
  p.n = form.is_left() ? lines : order;
  form.a = draw_stored(random, p.layout, order, order, count, true, 1);
  form.b = draw_stored(random, p.layout, p.m, p.n, count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {count, form.a.stride, form.b.stride};
  form.values = random.pick({Values::uniform, Values::positive, Values::integers, Values::special});
  // Products of complex infinities depend on the order of the terms.
  if (form.values == Values::special && is_complex(p.type)) form.values = Values::uniform;
  form.alpha = draw_scalar(random, p.type, form.values == Values::integers);
  return std::make_unique<TrmmCase>(form);
}

}  // namespace tilewright::test::differential
