// Rank-k updates of one triangle.
#include "tilewright/rank_k.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "kernels/host_type.hpp"
#include "support/run_report.hpp"
#include "verification/rank_k/rank_k_reference.hpp"

namespace tilewright::test::differential {
namespace {

using verification::BoundedNumber;
using verification::WideParts;

enum class RankKFunction { syrk, syr2k, gemmt };

// The common form of syrk(), syr2k() and gemmt(). For the first two, trans_a is `trans` and trans_b that of the second
// factor, as gemmt() would have it.
struct RankKForm {
  RankKFunction function = RankKFunction::syrk;
  GemmtProblem problem{};
  Symmetry symmetry = Symmetry::symmetric;
  std::complex<double> alpha = 1, beta = 0;
  Values values = Values::uniform;
  Choice products{};
  Stored a, b, c;

  bool has_b() const { return function != RankKFunction::syrk; }
  bool is_hermitian() const { return symmetry == Symmetry::hermitian && is_complex(problem.type); }
  bool multiplies() const { return alpha != 0.0 && problem.k > 0; }
  bool is_in_triangle(std::uint64_t i, std::uint64_t j) const { return problem.uplo == Uplo::lower ? i >= j : i <= j; }
  SyrkProblem syrk_problem() const {
    const GemmtProblem& p = problem;
    return {.type = p.type,
            .layout = p.layout,
            .uplo = p.uplo,
            .trans = p.trans_a,
            .symmetry = symmetry,
            .n = p.n,
            .k = p.k,
            .lda = p.lda,
            .ldc = p.ldc,
            .offset_alignment = p.offset_alignment,
            .batch = p.batch};
  }
  Syr2kProblem syr2k_problem() const {
    const GemmtProblem& p = problem;
    return {.type = p.type,
            .layout = p.layout,
            .uplo = p.uplo,
            .trans = p.trans_a,
            .symmetry = symmetry,
            .n = p.n,
            .k = p.k,
            .lda = p.lda,
            .ldb = p.ldb,
            .ldc = p.ldc,
            .offset_alignment = p.offset_alignment,
            .batch = p.batch};
  }
};

struct RankKPlans {
  std::optional<SyrkPlan> syrk{};
  std::optional<Syr2kPlan> syr2k{};
  std::optional<GemmtPlan> gemmt{};

  std::uint64_t workspace_bytes() const {
    return syrk ? syrk->workspace_bytes() : syr2k ? syr2k->workspace_bytes() : gemmt->workspace_bytes();
  }
};

template <class T>
class RankKCall : public Call {
 public:
  using R = detail::Part<T>;

  RankKCall(const Engine& engine, Random& random, const RankKForm& form, const RankKPlans* plans)
      : Call(random), engine_(engine), form_(form), plans_(plans) {
    const GemmtProblem& p = form.problem;
    const std::uint64_t promise = plans == nullptr ? 1 : p.offset_alignment;
    for (Stored* stored : {&form_.a, &form_.b, &form_.c}) stored->offset = draw_offset(random_, promise);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    if (form.has_b()) of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_c_ = reserve(form_.c.end(), sizeof(T), promise);
    if (form.multiplies()) fill(of_a_, form_.a, p.type, form.values, random_);
    if (form.multiplies() && form.has_b()) fill(of_b_, form_.b, p.type, form.values, random_);
    for (std::uint64_t x = 0; x < p.batch.count; ++x) fill_triangle(x);
    if (plans != nullptr) lent_ = lend(plans->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const MatrixRef a = form_.multiplies() ? of_a_.ref(form_.a.offset) : MatrixRef{};
    const MatrixRef b = form_.multiplies() ? of_b_.ref(form_.b.offset) : MatrixRef{}, c = of_c_.ref(form_.c.offset);
    const WorkspaceRef lent = workspace(lent_);
    if (form_.function == RankKFunction::syrk) {
      const SyrkOperands of{
          .alpha = form_.alpha, .a = a, .beta = form_.beta, .c = c, .workspace = lent, .event = event};
      return plans_ != nullptr ? plans_->syrk->enqueue(queue, of, waits)
                               : syrk(engine_, queue, form_.syrk_problem(), of, waits, form_.products);
    }
    if (form_.function == RankKFunction::syr2k) {
      const Syr2kOperands of{
          .alpha = form_.alpha, .a = a, .b = b, .beta = form_.beta, .c = c, .workspace = lent, .event = event};
      return plans_ != nullptr ? plans_->syr2k->enqueue(queue, of, waits)
                               : syr2k(engine_, queue, form_.syr2k_problem(), of, waits, form_.products);
    }
    const GemmtOperands of{
        .alpha = form_.alpha, .a = a, .b = b, .beta = form_.beta, .c = c, .workspace = lent, .event = event};
    return plans_ != nullptr ? plans_->gemmt->enqueue(queue, of, waits)
                             : gemmt(engine_, queue, form_.problem, of, waits, form_.products);
  }

  std::string check() const override {
    const GemmtProblem& p = form_.problem;
    for (std::uint64_t x = 0; x < p.batch.count; ++x)
      for (std::uint64_t i = 0; i < p.n; ++i)
        for (std::uint64_t j = 0; j < p.n; ++j)
          if (form_.is_in_triangle(i, j))
            if (std::string wrong = wrong_element(x, i, j); !wrong.empty()) return wrong;
    return {};
  }

 private:
  bool changes() const { return form_.multiplies() || form_.beta != 1.0; }

  void fill_triangle(std::uint64_t x) {
    const GemmtProblem& p = form_.problem;
    for (std::uint64_t i = 0; i < p.n; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        if (!form_.is_in_triangle(i, j)) continue;
        const std::uint64_t place = form_.c.at(x, i, j);
        if (form_.beta != 0.0) store(of_c_, place, p.type, draw_number(random_, p.type, form_.values));
        if (changes()) of_c_.allow(place);
      }
  }

  // Element (i, p) of op(A) or op(B) with n rows, conjugated or not.
  WideParts<R> factor(const Operand& operand, const Stored& stored, std::uint64_t x, std::uint64_t i, std::uint64_t p,
                      bool by_columns, bool conjugated) const {
    WideParts<R> number =
        verification::widened(*operand.template sent<T>(by_columns ? stored.at(x, p, i) : stored.at(x, i, p)));
    if (conjugated) number.im = -number.im;
    return number;
  }

  BoundedNumber<R> product(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const GemmtProblem& p = form_.problem;
    const bool is_transposed = p.trans_a != Transpose::no, is_gemmt = form_.function == RankKFunction::gemmt;
    const bool hermitian = form_.is_hermitian();
    const bool flips_a = is_gemmt ? p.trans_a == Transpose::conjugate_transpose : hermitian && is_transposed;
    const Operand& of_b = form_.has_b() ? of_b_ : of_a_;
    const Stored& b = form_.has_b() ? form_.b : form_.a;
    const bool by_columns_b = is_gemmt ? p.trans_b == Transpose::no : is_transposed;
    const bool flips_b = is_gemmt ? p.trans_b == Transpose::conjugate_transpose : flips_a != hermitian;
    BoundedNumber<R> first, second;
    for (std::uint64_t l = 0; l < p.k; ++l) {
      const WideParts<R> y = factor(of_b, b, x, j, l, by_columns_b, flips_b);
      add_product<R>(first, factor(of_a_, form_.a, x, i, l, is_transposed, flips_a), y,
                     verification::magnitude_of<R>(y));
      if (form_.function != RankKFunction::syr2k) continue;
      const WideParts<R> z = factor(of_a_, form_.a, x, j, l, is_transposed, flips_b);
      add_product<R>(second, factor(of_b_, b, x, i, l, is_transposed, flips_a), z, verification::magnitude_of<R>(z));
    }
    const WideParts<R> alpha = scalar(form_.alpha);
    BoundedNumber<R> sum;
    add_product<R>(sum, alpha, first.value, first.magnitude);
    add_product<R>(sum, {alpha.re, hermitian ? -alpha.im : alpha.im}, second.value, second.magnitude);
    return sum;
  }

  static WideParts<R> scalar(const std::complex<double>& value) {
    return {static_cast<R>(value.real()), static_cast<R>(value.imag())};
  }

  std::string wrong_element(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const GemmtProblem& p = form_.problem;
    const bool is_real = form_.is_hermitian() && i == j;
    if (!changes()) return {};
    BoundedNumber<R> expected, scaled;
    if (form_.multiplies()) expected = product(x, i, j);
    if (form_.beta != 0.0) {
      WideParts<R> c = verification::widened(*of_c_.template sent<T>(form_.c.at(x, i, j)));
      if (is_real) c.im = 0;
      add_product<R>(scaled, scalar(form_.beta), c, verification::magnitude_of<R>(c));
    }
    const WideParts<R> found = verification::widened(*of_c_.template received<T>(form_.c.at(x, i, j)));
    const std::uint64_t extra = 8;
    const auto of_product = verification::gamma_factor<R>((is_complex(p.type) ? 2 : 1) * p.k + extra),
               of_c = verification::gamma_factor<R>(extra);
    const auto smallest = static_cast<Wide<R>>(4 * p.k + 8) * std::numeric_limits<R>::min();
    const bool exact = has_whole_values(p.type, form_.values) && is_whole(form_.alpha) && is_whole(form_.beta);
    const auto is_near = [&](Wide<R> value, Wide<R> sum, Wide<R> terms, Wide<R> before) {
      return std::abs(value - sum) <= (exact ? 0 : of_product * terms + of_c * before + smallest);
    };
    if (is_near(found.re, expected.value.re + scaled.value.re, expected.magnitude.re, scaled.magnitude.re) &&
        (is_real ? found.im == 0
                 : is_near(found.im, expected.value.im + scaled.value.im, expected.magnitude.im, scaled.magnitude.im)))
      return {};
    std::ostringstream text;
    text.precision(17);
    text << "element (" << i << ", " << j << ") of update " << x << " is " << static_cast<double>(found.re) << " + "
         << static_cast<double>(found.im) << " i, expected " << static_cast<double>(expected.value.re + scaled.value.re)
         << " + " << static_cast<double>(expected.value.im + scaled.value.im) << " i";
    return text.str();
  }

  static bool is_whole(const std::complex<double>& value) {
    return value.real() == std::trunc(value.real()) && value.imag() == std::trunc(value.imag());
  }

  template <class U>
  using Wide = verification::Wide<U>;

  const Engine& engine_;
  RankKForm form_;
  const RankKPlans* plans_;
  Operand of_a_, of_b_, of_c_, lent_;
};

class RankKProblem : public Problem {
 public:
  explicit RankKProblem(const RankKForm& form) : form_(form) {}

  std::string text() const override {
    const GemmtProblem& p = form_.problem;
    std::ostringstream text;
    text << name() << ' ' << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << (p.uplo == Uplo::lower ? " lower" : " upper") << (form_.is_hermitian() ? " hermitian" : "")
         << " trans=" << static_cast<int>(p.trans_a) << static_cast<int>(p.trans_b) << " size=" << p.n << 'x' << p.k
         << " ld=" << p.lda << ',' << p.ldb << ',' << p.ldc << " batch=" << p.batch.count << ',' << p.batch.stride_a
         << ',' << p.batch.stride_b << ',' << p.batch.stride_c << " alpha=" << form_.alpha << " beta=" << form_.beta
         << " promise=" << p.offset_alignment << " values=" << to_string(form_.values);
    return text.str();
  }

  void make_plan(const Engine& engine) override {
    if (form_.function == RankKFunction::syrk)
      plans_.syrk.emplace(engine, form_.syrk_problem(), form_.products);
    else if (form_.function == RankKFunction::syr2k)
      plans_.syr2k.emplace(engine, form_.syr2k_problem(), form_.products);
    else
      plans_.gemmt.emplace(engine, form_.problem, form_.products);
  }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const RankKPlans* const plans = by_plan ? &plans_ : nullptr;
    count_kernel_of(std::string(name()) + ' ' + std::string(tilewright::to_string(form_.problem.type)));
    switch (form_.problem.type) {
      case DataType::f64:
        return std::make_unique<RankKCall<double>>(engine, random, form_, plans);
      case DataType::c64:
        return std::make_unique<RankKCall<std::complex<float>>>(engine, random, form_, plans);
      case DataType::c128:
        return std::make_unique<RankKCall<std::complex<double>>>(engine, random, form_, plans);
      default:
        return std::make_unique<RankKCall<float>>(engine, random, form_, plans);
    }
  }

 private:
  const char* name() const {
    return form_.function == RankKFunction::syrk ? "syrk" : form_.function == RankKFunction::syr2k ? "syr2k" : "gemmt";
  }

  RankKForm form_;
  RankKPlans plans_;
};

}  // namespace

std::unique_ptr<Problem> draw_rank_k(Draw& draw) {
  RankKForm form;
  GemmtProblem& p = form.problem;
  form.function = draw.form.pick({RankKFunction::syrk, RankKFunction::syr2k, RankKFunction::gemmt});
  p.type = draw_type(draw, {DataType::c128, DataType::c64, DataType::f64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.trans_a = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  if (form.function == RankKFunction::gemmt)
    p.trans_b = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  else
    form.symmetry = draw.form.pick({Symmetry::symmetric, Symmetry::hermitian});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  p.n = draw_size(random, largest_size(count, random.chance(8) && count == 1 ? 400 : 160));
  p.k = draw_size(random, largest_size(count, 100));
  const auto stored = [&](bool is_swapped, std::uint64_t rows, std::uint64_t columns) {
    return draw_stored(random, p.layout, is_swapped ? columns : rows, is_swapped ? rows : columns, count, true, 1);
  };
  form.a = stored(p.trans_a != Transpose::no, p.n, p.k);
  if (form.has_b())
    form.b = stored(form.function == RankKFunction::gemmt ? p.trans_b == Transpose::no : p.trans_a != Transpose::no,
                    p.n, p.k);
  form.c = draw_stored(random, p.layout, p.n, p.n, count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = form.has_b() ? named_ld(random, form.b) : 0;
  p.ldc = named_ld(random, form.c);
  p.batch = {count, form.a.stride, form.has_b() ? form.b.stride : 0, form.c.stride};
  form.values = draw_values(draw, p.type, false);
  const bool is_whole = form.values == Values::integers;
  form.alpha = draw_scalar(random, p.type, is_whole);
  form.beta = draw_scalar(random, p.type, is_whole);
  if (form.is_hermitian()) {
    form.beta.imag(0);
    if (form.function == RankKFunction::syrk) form.alpha.imag(0);
  }
  return std::make_unique<RankKProblem>(form);
}

}  // namespace tilewright::test::differential
