// Triangular systems with one or many right-hand sides.
#include <complex>
#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "kernels/host_type.hpp"
#include "support/run_report.hpp"
#include "tilewright/triangular.hpp"
#include "verification/triangular/triangular_residuals.hpp"

namespace tilewright::test::differential {
namespace {

// The common form of trsm() and trsv(): T X = alpha B by lines of B, where T is lower triangular in some order.
struct TriangularForm {
  TrsmProblem problem{};
  bool is_vector = false;
  std::int64_t increment = 1;
  TriangleKind kind = TriangleKind::dominant;
  Choice products{};
  std::complex<double> alpha = 1;
  Stored a, b;  // a vector is a matrix of one column
  Strided x;    // the vector's storage

  bool is_left() const { return problem.side == Side::left; }
  bool is_unit() const { return problem.diag == Diag::unit; }
  std::uint64_t order() const { return is_left() ? problem.m : problem.n; }
  std::uint64_t lines() const { return is_left() ? problem.n : problem.m; }
  TrsvProblem vector_problem() const {
    return {.type = problem.type,
            .layout = problem.layout,
            .uplo = problem.uplo,
            .trans = problem.trans,
            .diag = problem.diag,
            .n = problem.m,
            .lda = problem.lda,
            .incx = x.increment,
            .offset_alignment = problem.offset_alignment,
            .batch = problem.batch};
  }
  // Element i of line number l of B, in the order in which the unknowns are found.
  std::uint64_t place_b(std::uint64_t number, std::uint64_t i, std::uint64_t l) const {
    const std::uint64_t at = is_forward() ? i : order() - 1 - i;
    if (is_vector) return x.at(number, at);
    return is_left() ? b.at(number, at, l) : b.at(number, l, at);
  }
  // The element of A for an element of T.
  template <class T>
  T of_a(const T& element) const {
    if constexpr (detail::is_complex_host_type<T>)
      return problem.trans == Transpose::conjugate_transpose ? std::conj(element) : element;
    else
      return element;
  }
  // The position of element (i, j) of T, i >= j, in that order.
  std::uint64_t place_a(std::uint64_t number, std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t row = is_forward() ? i : order() - 1 - i, column = is_forward() ? j : order() - 1 - j;
    return is_swapped() ? a.at(number, column, row) : a.at(number, row, column);
  }

 private:
  // Whether T is the transpose of A rather than A. For X op(A) = alpha B, T is the transpose of op(A).
  bool is_swapped() const { return (problem.trans != Transpose::no) == is_left(); }
  bool is_forward() const { return (problem.uplo == Uplo::lower) != is_swapped(); }
};

// A number as an element; the imaginary part is 0 for real elements.
template <class T, class Real>
T element_of(const std::complex<Real>& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return T(value);
  else
    return static_cast<T>(value.real());
}

struct TriangularPlans {
  std::optional<TrsmPlan> trsm{};
  std::optional<TrsvPlan> trsv{};

  std::uint64_t workspace_bytes() const { return trsm ? trsm->workspace_bytes() : trsv->workspace_bytes(); }
};

template <class T>
class TriangularCall : public Call {
 public:
  TriangularCall(const Engine& engine, Random& random, const TriangularForm& form, const TriangularPlans* plans)
      : Call(random), engine_(engine), form_(form), plans_(plans) {
    const TrsmProblem& p = form.problem;
    const std::uint64_t promise = plans == nullptr ? 1 : p.offset_alignment;
    for (std::uint64_t* offset : {&form_.a.offset, &form_.b.offset, &form_.x.offset})
      *offset = draw_offset(random_, promise);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form.is_vector ? form_.x.end() : form_.b.end(), sizeof(T), promise);
    for (std::uint64_t x = 0; x < p.batch.count; ++x) fill_system(x);
    if (form.is_vector)
      allow(of_b_, form_.x);
    else
      allow(of_b_, form_.b);
    if (plans != nullptr) lent_ = lend(plans->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const TrsmProblem& p = form_.problem;
    if (form_.is_vector) {
      const TrsvOperands operands{.a = of_a_.ref(form_.a.offset),
                                  .x = of_b_.ref(form_.x.offset),
                                  .workspace = workspace(lent_),
                                  .event = event};
      return plans_ != nullptr ? plans_->trsv->enqueue(queue, operands, waits)
                               : trsv(engine_, queue, form_.vector_problem(), operands, waits, form_.products);
    }
    const TrsmOperands operands{.alpha = form_.alpha,
                                .a = form_.alpha == 0.0 ? MatrixRef{} : of_a_.ref(form_.a.offset),
                                .b = of_b_.ref(form_.b.offset),
                                .workspace = workspace(lent_),
                                .event = event};
    return plans_ != nullptr ? plans_->trsm->enqueue(queue, operands, waits)
                             : trsm(engine_, queue, p, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      if (std::string wrong = check(x); !wrong.empty()) return "system " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  void fill_system(std::uint64_t x) {
    if (form_.alpha == 0.0) return;  // neither A nor B is read
    if (x == 0 || form_.a.stride != 0) {
      triangles_.push_back(verification::draw_triangle<T>(random_, form_.kind, form_.order(), form_.is_unit(),
                                                          small_numbers<T>().min_exponent()));
      const LowerTriangle<T>& t = triangles_.back();
      for (std::uint64_t i = 0; i < t.n; ++i)
        for (std::uint64_t j = 0; j <= i; ++j)
          if (i != j || !form_.is_unit()) *of_a_.template sent<T>(form_.place_a(x, i, j)) = form_.of_a(t(i, j));
    }
    const LowerTriangle<T>& t = triangles_.back();
    const Values values = form_.kind == TriangleKind::arrow ? Values::integers : Values::uniform;
    for (std::uint64_t i = 0; i < t.n; ++i)
      for (std::uint64_t line = 0; line < form_.lines(); ++line)
        *of_b_.template sent<T>(form_.place_b(x, i, line)) =
            element_of<T>(draw_number(random_, form_.problem.type, values)) * t.scales[i];
  }

  // Compares the system in the order in which the unknowns are found: T is lower triangular.
  std::string check(std::uint64_t number) const {
    const std::uint64_t k = form_.order(), lines = form_.lines();
    std::vector<T> before(k * lines), after(k * lines);
    for (std::uint64_t i = 0; i < k; ++i)
      for (std::uint64_t line = 0; line < lines; ++line) {
        const std::uint64_t place = form_.place_b(number, i, line);
        after[i * lines + line] = *of_b_.template received<T>(place);
        before[i * lines + line] = *of_b_.template sent<T>(place);
        if (form_.alpha == 0.0 && !(after[i * lines + line] == T{0}))
          return "element " + std::to_string(i) + " is not 0";
      }
    if (form_.alpha == 0.0) return {};
    const LowerTriangle<T>& t = triangles_[form_.a.stride == 0 ? 0 : number];
    const verification::TriangularSystem<T> system{.order = k,
                                                   .nrhs = lines,
                                                   .t = {t.elements.data(), k, 1},
                                                   .alpha = element_of<T>(form_.alpha),
                                                   .b = {before.data(), lines, 1},
                                                   .x = {after.data(), lines, 1}};
    return wrong_solution(system, small_numbers<T>().error(), form_.kind == TriangleKind::arrow);
  }

  const Engine& engine_;
  TriangularForm form_;
  const TriangularPlans* plans_;
  std::vector<LowerTriangle<T>> triangles_;
  Operand of_a_, of_b_, lent_;
};

class TriangularCase : public Problem {
 public:
  explicit TriangularCase(const TriangularForm& form) : form_(form) {}

  std::string text() const override {
    const TrsmProblem& p = form_.problem;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << (form_.is_left() ? " left" : " right") << (p.uplo == Uplo::lower ? " lower" : " upper")
         << " trans=" << static_cast<int>(p.trans) << (form_.is_unit() ? " unit" : "") << " size=" << p.m << 'x' << p.n
         << " ld=" << p.lda << ',' << p.ldb;
    if (form_.is_vector) text << " inc=" << form_.x.increment;
    text << " count=" << p.batch.count << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b
         << " alpha=" << form_.alpha << " promise=" << p.offset_alignment
         << " triangle=" << static_cast<int>(form_.kind) << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override {
    if (form_.is_vector)
      plans_.trsv.emplace(engine, form_.vector_problem(), form_.products);
    else
      plans_.trsm.emplace(engine, form_.problem, form_.products);
  }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const TriangularPlans* const plans = by_plan ? &plans_ : nullptr;
    const DataType type = form_.problem.type;
    count_kernel_of((form_.is_vector ? "trsv " : "trsm ") + std::string(tilewright::to_string(type)));
    const auto call = [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      return std::make_unique<TriangularCall<T>>(engine, random, form_, plans);
    };
    if (type == DataType::f64) return call(std::type_identity<double>());
    if (type == DataType::c64) return call(std::type_identity<std::complex<float>>());
    if (type == DataType::c128) return call(std::type_identity<std::complex<double>>());
    return call(std::type_identity<float>());
  }

 private:
  TriangularForm form_;
  TriangularPlans plans_;
};

TriangularForm draw_triangular(Draw& draw) {
  TriangularForm form;
  TrsmProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::c128, DataType::c64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.side = draw.form.pick({Side::left, Side::right});
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.trans = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  p.diag = random.chance(30) ? Diag::unit : Diag::non_unit;
  p.batch.count = draw_count(random);
  form.kind = draw_triangle_kind(random, draw.without, form.is_unit());
  return form;
}

std::uint64_t draw_order(Random& random, const TriangularForm& form) {
  const std::uint64_t count = form.problem.batch.count, most = random.chance(8) && count == 1 ? 600 : 200;
  return draw_size(random,
                   std::min(largest_size(count, most), verification::largest_order(form.kind, form.problem.type)));
}

}  // namespace

std::unique_ptr<Problem> draw_trsm(Draw& draw) {
  TriangularForm form = draw_triangular(draw);
  TrsmProblem& p = form.problem;
  Random& random = draw.random;
  const std::uint64_t order = draw_order(random, form);
  // Keeps the work per case roughly constant.
  const std::uint64_t most = (std::uint64_t{1} << 22U) / ((order + 1) * (order + 1) * (p.batch.count + 1)) + 1;
  const std::uint64_t lines = draw_size(random, std::min<std::uint64_t>(most, 300));
  p.m = form.is_left() ? order : lines;
  p.n = form.is_left() ? lines : order;
  const std::uint64_t count = p.batch.count;
  form.a = draw_stored(random, p.layout, order, order, count, true, 1);
  form.b = draw_stored(random, p.layout, p.m, p.n, count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {count, form.a.stride, form.b.stride};
  const bool is_extreme = has_scales(form.kind) && form.kind != TriangleKind::scaled;
  form.alpha = is_extreme ? 1.0 : draw_scalar(random, p.type, form.kind == TriangleKind::arrow);
  return std::make_unique<TriangularCase>(form);
}

std::unique_ptr<Problem> draw_trsv(Draw& draw) {
  TriangularForm form = draw_triangular(draw);
  TrsmProblem& p = form.problem;
  Random& random = draw.random;
  form.is_vector = true;
  p.side = Side::left;
  p.m = draw_order(random, form);
  p.n = 1;
  const std::uint64_t count = p.batch.count;
  form.a = draw_stored(random, p.layout, p.m, p.m, count, true, 1);
  form.x = draw_strided(random, p.m, draw_increment(random), count, false, 1);
  p.lda = named_ld(random, form.a);
  p.batch = {.count = count, .stride_a = form.a.stride, .stride_x = form.x.stride};
  return std::make_unique<TriangularCase>(form);
}

}  // namespace tilewright::test::differential
