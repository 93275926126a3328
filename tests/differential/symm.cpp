// Products with a symmetric or Hermitian matrix.
#include "tilewright/symm.hpp"

#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "support/run_report.hpp"
#include "verification/common/element_sum.hpp"

namespace tilewright::test::differential {
namespace {

using verification::ElementSum, verification::widened, verification::widened_scalar;

struct SymmForm {
  SymmProblem problem{};
  std::complex<double> alpha = 1, beta = 0;
  Values values = Values::uniform;
  Choice products{};
  Stored a, b, c;

  bool is_left() const { return problem.side == Side::left; }
  bool is_hermitian() const { return problem.symmetry == Symmetry::hermitian && is_complex(problem.type); }
  std::uint64_t order() const { return is_left() ? problem.m : problem.n; }
  bool is_stored(std::uint64_t i, std::uint64_t j) const { return i == j || (problem.uplo == Uplo::lower) == (j < i); }
};

template <class T>
class SymmCall : public Call {
 public:
  SymmCall(const Engine& engine, Random& random, const SymmForm& form, const SymmPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const std::uint64_t promise = plan == nullptr ? 1 : form.problem.offset_alignment;
    for (Stored* const stored : {&form_.a, &form_.b, &form_.c}) stored->offset = draw_offset(random_, promise);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_c_ = reserve(form_.c.end(), sizeof(T), promise);
    if (reads()) {
      for (std::uint64_t x = 0; x < form_.a.distinct(); ++x) fill_triangle(x);
      fill(of_b_, form_.b, form_.problem.type, form_.values, random_);
    }
    if (form_.beta != 0.0) fill(of_c_, form_.c, form_.problem.type, form_.values, random_);
    allow(of_c_, form_.c);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const SymmOperands operands{.alpha = form_.alpha,
                                .a = reads() ? of_a_.ref(form_.a.offset) : MatrixRef{},
                                .b = reads() ? of_b_.ref(form_.b.offset) : MatrixRef{},
                                .beta = form_.beta,
                                .c = of_c_.ref(form_.c.offset),
                                .workspace = workspace(lent_),
                                .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : symm(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      for (std::uint64_t i = 0; i < form_.problem.m; ++i)
        for (std::uint64_t j = 0; j < form_.problem.n; ++j)
          if (std::string wrong = check(x, i, j); !wrong.empty())
            return "product " + std::to_string(x) + ", element (" + std::to_string(i) + ", " + std::to_string(j) +
                   ") is " + wrong;
    return {};
  }

 private:
  using Complex = verification::WideComplex<T>;

  bool reads() const { return form_.alpha != 0.0; }

  // Only elements that may be read are not NaN.
  void fill_triangle(std::uint64_t x) {
    for (std::uint64_t i = 0; i < form_.order(); ++i)
      for (std::uint64_t j = 0; j < form_.order(); ++j)
        if (form_.is_stored(i, j))
          store(of_a_, form_.a.at(x, i, j), form_.problem.type, draw_number(random_, form_.problem.type, form_.values));
  }

  Complex element_of_a(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const bool is_stored = form_.is_stored(i, j);
    const Complex value = widened(*of_a_.template sent<T>(is_stored ? form_.a.at(x, i, j) : form_.a.at(x, j, i)));
    if (!form_.is_hermitian()) return value;
    return i == j ? Complex(value.real(), 0) : is_stored ? value : std::conj(value);
  }

  std::string check(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t k = form_.order();
    ElementSum<T> sum, expected;
    for (std::uint64_t l = 0; reads() && l < k; ++l)
      sum.add(form_.is_left() ? element_of_a(x, i, l) : element_of_a(x, l, j),
              widened(*of_b_.template sent<T>(form_.is_left() ? form_.b.at(x, l, j) : form_.b.at(x, i, l))));
    if (reads()) expected = sum.scaled(widened_scalar<T>(form_.alpha));
    if (form_.beta != 0.0)
      expected.add(widened_scalar<T>(form_.beta), widened(*of_c_.template sent<T>(form_.c.at(x, i, j))));
    const T found = *of_c_.template received<T>(form_.c.at(x, i, j));
    return expected.wrong(found, form_.values == Values::integers && sizeof(T) > 2 ? 0 : k + 20, 0);
  }

  const Engine& engine_;
  SymmForm form_;
  const SymmPlan* plan_;
  Operand of_a_, of_b_, of_c_, lent_;
};

class SymmCase : public Problem {
 public:
  explicit SymmCase(const SymmForm& form) : form_(form) {}

  std::string text() const override {
    const SymmProblem& p = form_.problem;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << (form_.is_hermitian() ? " hermitian" : " symmetric")
         << (p.layout == Layout::row_major ? " row" : " column") << (form_.is_left() ? " left" : " right")
         << (p.uplo == Uplo::lower ? " lower" : " upper") << " size=" << p.m << 'x' << p.n << " ld=" << p.lda << ','
         << p.ldb << ',' << p.ldc << " count=" << p.batch.count << " strides=" << p.batch.stride_a << ','
         << p.batch.stride_b << ',' << p.batch.stride_c << " alpha=" << form_.alpha << " beta=" << form_.beta
         << " promise=" << p.offset_alignment << " values=" << to_string(form_.values)
         << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.products); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const SymmPlan* const plan = by_plan ? &*plan_ : nullptr;
    count_kernel_of("symm " + std::string(tilewright::to_string(form_.problem.type)));
    return detail::with_host_type(form_.problem.type, [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      if constexpr (!std::is_integral_v<T>) return std::make_unique<SymmCall<T>>(engine, random, form_, plan);
      return nullptr;
    });
  }

 private:
  SymmForm form_;
  std::optional<SymmPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_symm(Draw& draw) {
  SymmForm form;
  SymmProblem& p = form.problem;
  p.type =
      draw_type(draw, {DataType::f64, DataType::c64, DataType::c128, DataType::f16, DataType::bf16, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.symmetry = draw.form.pick({Symmetry::symmetric, Symmetry::hermitian});
  p.side = draw.form.pick({Side::left, Side::right});
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  const bool is_large = random.chance(8) && count == 1;  // diagonal blocks are expanded from 1024 on
  const std::uint64_t order = is_large ? 1000 + random.below(300) : draw_size(random, largest_size(count, 200));
  // Keeps the work per case roughly constant.
  const std::uint64_t most = (std::uint64_t{1} << 22U) / ((order + 1) * (order + 1) * (count + 1)) + 1;
  const std::uint64_t lines = draw_size(random, std::min<std::uint64_t>(most, 300));
  p.m = form.is_left() ? order : lines;
  p.n = form.is_left() ? lines : order;
  form.a = draw_stored(random, p.layout, order, order, count, true, 1);
  form.b = draw_stored(random, p.layout, p.m, p.n, count, true, 1);
  form.c = draw_stored(random, p.layout, p.m, p.n, count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  p.batch = {count, form.a.stride, form.b.stride, form.c.stride};
  form.values = random.pick({Values::uniform, Values::positive, Values::integers});
  form.alpha = draw_scalar(random, p.type, form.values == Values::integers);
  form.beta = random.chance(30) ? 0.0 : draw_scalar(random, p.type, form.values == Values::integers);
  return std::make_unique<SymmCase>(form);
}

}  // namespace tilewright::test::differential
