// Products of a triangle and a vector, and updates of a triangle by vectors.
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "differential/call.hpp"
#include "kernels/host_type.hpp"
#include "support/run_report.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"
#include "verification/level2/level2_reference.hpp"

namespace tilewright::test::differential {
namespace {

using verification::Level2Call;
using verification::Level2Case;
using verification::WideComplex;

// `test` has what the calls of a plan share, except for the storage.
struct Level2Form {
  Level2Case test{};
  std::uint64_t lda = 0, promise = 1;
  Values values = Values::uniform;
  Stored a;
  Strided x, y;

  bool is_product() const { return !writes_triangle(test.call); }
  bool is_trmv() const { return test.call == Level2Call::trmv; }
  bool has_y() const { return has_two_vectors(test.call); }
  bool skips() const { return !is_trmv() && test.alpha == 0.0; }
  Symmetry symmetry() const { return is_hermitian(test.call) ? Symmetry::hermitian : Symmetry::symmetric; }
  Batch batch() const {
    return {.count = test.count, .stride_a = a.stride, .stride_x = x.stride, .stride_y = has_y() ? y.stride : 0};
  }

  SymvProblem symv_problem() const {
    return {.type = test.type,
            .layout = test.layout,
            .uplo = test.uplo,
            .symmetry = symmetry(),
            .n = test.n,
            .lda = lda,
            .incx = x.increment,
            .incy = y.increment,
            .offset_alignment = promise,
            .batch = batch()};
  }
  TrmvProblem trmv_problem() const {
    return {.type = test.type,
            .layout = test.layout,
            .uplo = test.uplo,
            .trans = test.trans,
            .diag = test.diag,
            .n = test.n,
            .lda = lda,
            .incx = x.increment,
            .offset_alignment = promise,
            .batch = batch()};
  }
  SyrProblem syr_problem() const {
    return {.type = test.type,
            .layout = test.layout,
            .uplo = test.uplo,
            .symmetry = symmetry(),
            .n = test.n,
            .incx = x.increment,
            .lda = lda,
            .offset_alignment = promise,
            .batch = batch()};
  }
  Syr2Problem syr2_problem() const {
    return {.type = test.type,
            .layout = test.layout,
            .uplo = test.uplo,
            .symmetry = symmetry(),
            .n = test.n,
            .incx = x.increment,
            .incy = y.increment,
            .lda = lda,
            .offset_alignment = promise,
            .batch = batch()};
  }
};

using Level2Plan = std::variant<std::monostate, SymvPlan, TrmvPlan, SyrPlan, Syr2Plan>;

class Level2DifferentialCall : public Call {
 public:
  Level2DifferentialCall(const Engine& engine, Random& random, const Level2Form& form, const Level2Plan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const DataType type = form.test.type;
    const std::uint64_t promise = plan == nullptr ? 1 : form.promise;
    for (std::uint64_t* offset : {&form_.a.offset, &form_.x.offset, &form_.y.offset})
      *offset = draw_offset(random_, promise);
    a_ = reserve(form_.a.end(), size_of(type), promise);
    x_ = reserve(form_.x.end(), size_of(type), promise);
    y_ = reserve(form_.y.end(), size_of(type), promise);
    if (!form.is_product() || !form.skips()) fill_triangle();
    if (!form.skips()) fill(x_, form_.x, type, form.values, random_);
    if (form.is_product() ? form.test.beta != 0.0 : !form.skips()) fill(y_, form_.y, type, form.values, random_);
    if (form.is_product()) allow(form.is_trmv() ? x_ : y_, form.is_trmv() ? form_.x : form_.y);
    if (plan != nullptr) lent_ = lend(with_plan([](const auto& used) { return used.workspace_bytes(); }), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const Level2Case& t = form_.test;
    const MatrixRef a = a_.ref(form_.a.offset), x = x_.ref(form_.x.offset), y = y_.ref(form_.y.offset);
    const MatrixRef read_a = form_.skips() ? MatrixRef{} : a, read_x = form_.skips() ? MatrixRef{} : x;
    const WorkspaceRef space = workspace(lent_);
    if (form_.is_trmv()) {
      const TrmvOperands operands{.a = a, .x = x, .workspace = space, .event = event};
      return plan_ != nullptr ? std::get<TrmvPlan>(*plan_).enqueue(queue, operands, waits)
                              : trmv(engine_, queue, form_.trmv_problem(), operands, waits, t.choice);
    }
    if (form_.is_product()) {
      const SymvOperands operands{
          .alpha = t.alpha, .a = read_a, .x = read_x, .beta = t.beta, .y = y, .workspace = space, .event = event};
      return plan_ != nullptr ? std::get<SymvPlan>(*plan_).enqueue(queue, operands, waits)
                              : symv(engine_, queue, form_.symv_problem(), operands, waits, t.choice);
    }
    if (!form_.has_y()) {
      const SyrOperands operands{.alpha = t.alpha, .x = read_x, .a = a, .workspace = space, .event = event};
      return plan_ != nullptr ? std::get<SyrPlan>(*plan_).enqueue(queue, operands, waits)
                              : syr(engine_, queue, form_.syr_problem(), operands, waits, t.choice);
    }
    const Syr2Operands operands{.alpha = t.alpha,
                                .x = read_x,
                                .y = form_.skips() ? MatrixRef{} : y,
                                .a = a,
                                .workspace = space,
                                .event = event};
    return plan_ != nullptr ? std::get<Syr2Plan>(*plan_).enqueue(queue, operands, waits)
                            : syr2(engine_, queue, form_.syr2_problem(), operands, waits, t.choice);
  }

  std::string check() const override {
    return detail::with_host_type(form_.test.type, [&]<class T>(std::type_identity<T>) {
      for (std::uint64_t problem = 0; problem < form_.test.count; ++problem)
        if (std::string wrong = check<T>(problem); !wrong.empty())
          return "problem " + std::to_string(problem) + ": " + wrong;
      return std::string();
    });
  }

 private:
  template <class Function>
  std::uint64_t with_plan(const Function& function) const {
    return std::visit(
        [&]<class Plan>(const Plan& plan) -> std::uint64_t {
          if constexpr (std::is_same_v<Plan, std::monostate>)
            return 0;
          else
            return function(plan);
        },
        *plan_);
  }

  // The other triangle, a unit diagonal and imaginary parts of a Hermitian diagonal remain NaN.
  void fill_triangle() {
    const Level2Case& t = form_.test;
    for (std::uint64_t problem = 0; problem < form_.a.count; ++problem)
      for (std::uint64_t i = 0; i < t.n; ++i)
        for (std::uint64_t j = 0; j < t.n; ++j) {
          if (!is_in_triangle(t, i, j)) continue;
          const std::uint64_t place = form_.a.at(problem, i, j);
          if (problem < form_.a.distinct()) {
            std::complex<long double> number = draw_number(random_, t.type, form_.values);
            if (i == j && is_hermitian(t.call) && is_complex(t.type))
              number.imag(std::numeric_limits<long double>::quiet_NaN());
            store(a_, place, t.type, number);
          }
          if (!form_.is_product() && !form_.skips()) a_.allow(place);
        }
  }

  template <class T>
  static WideComplex wide(const T& value) {
    if constexpr (detail::is_complex_host_type<T>)
      return {value.real(), value.imag()};
    else
      return static_cast<long double>(value);
  }

  template <class T>
  std::string check(std::uint64_t problem) const {
    const Level2Case& t = form_.test;
    const verification::Level2Reference expected{
        .test = t,
        .a = [&](std::uint64_t i, std::uint64_t j) { return wide(*a_.sent<T>(form_.a.at(problem, i, j))); },
        .x = [&](std::uint64_t i) { return wide(*x_.sent<T>(form_.x.at(problem, i))); },
        .y = [&](std::uint64_t i) { return wide(*y_.sent<T>(form_.y.at(problem, i))); }};
    const long double smallest = static_cast<long double>(t.n + 4) * std::numeric_limits<detail::Part<T>>::min();
    const Operand& result = form_.is_trmv() ? x_ : y_;
    const Strided& vector = form_.is_trmv() ? form_.x : form_.y;
    if (!form_.is_product() && form_.skips()) return {};  // no byte may have changed
    for (std::uint64_t i = 0; i < t.n; ++i) {
      if (form_.is_product()) {
        const WideComplex found = wide(*result.received<T>(vector.at(problem, i)));
        if (std::string wrong = wrong_element(found, expected.element_of_vector(i), smallest); !wrong.empty())
          return "element " + std::to_string(i) + wrong;
        continue;
      }
      for (std::uint64_t j = 0; j < t.n; ++j) {
        if (!is_in_triangle(t, i, j)) continue;
        const WideComplex found = wide(*a_.received<T>(form_.a.at(problem, i, j)));
        if (std::string wrong = wrong_element(found, expected.element_of_triangle(i, j), smallest); !wrong.empty())
          return "element (" + std::to_string(i) + ", " + std::to_string(j) + ")" + wrong;
      }
    }
    return {};
  }

  const Engine& engine_;
  Level2Form form_;
  const Level2Plan* plan_;
  Operand a_, x_, y_, lent_;
};

class Level2Problem : public Problem {
 public:
  explicit Level2Problem(const Level2Form& form) : form_(form) {}

  std::string text() const override {
    return to_string(form_.test) + " ld=" + std::to_string(form_.a.ld) + " strides=" + std::to_string(form_.a.stride) +
           ',' + std::to_string(form_.x.stride) + ',' + std::to_string(form_.y.stride) +
           " promise=" + std::to_string(form_.promise) + " values=" + std::string(to_string(form_.values));
  }
  void make_plan(const Engine& engine) override {
    const Choice& choice = form_.test.choice;
    if (form_.is_trmv())
      plan_.emplace<TrmvPlan>(engine, form_.trmv_problem(), choice);
    else if (form_.is_product())
      plan_.emplace<SymvPlan>(engine, form_.symv_problem(), choice);
    else if (form_.has_y())
      plan_.emplace<Syr2Plan>(engine, form_.syr2_problem(), choice);
    else
      plan_.emplace<SyrPlan>(engine, form_.syr_problem(), choice);
  }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    count_kernel_of(std::string(word_for(verification::level2_calls, form_.test.call)) + ' ' +
                    std::string(to_string(form_.test.type)));
    return std::make_unique<Level2DifferentialCall>(engine, random, form_, by_plan ? &plan_ : nullptr);
  }

 private:
  Level2Form form_;
  Level2Plan plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_level2(Draw& draw) {
  Level2Form form;
  Level2Case& t = form.test;
  t.call = draw.form.pick({Level2Call::symv, Level2Call::hemv, Level2Call::trmv, Level2Call::syr, Level2Call::her,
                           Level2Call::syr2, Level2Call::her2});
  t.type = draw_type(draw, {DataType::f64, DataType::f32, DataType::c64, DataType::c128});
  t.layout = draw_layout(draw.form);
  t.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  if (t.call == Level2Call::trmv) {
    t.trans = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
    t.diag = draw.form.pick({Diag::non_unit, Diag::unit});
  }
  t.choice.variant = draw.form.pick({"", "rows", "tiles"});
  form.promise = draw_promise(draw);
  Random& random = draw.random;
  t.count = draw_count(random);
  t.n = draw_size(random, largest_size(t.count, 300));
  form.values = draw_values(draw, t.type, false);
  const bool is_whole = has_whole_values(t.type, form.values);
  t.alpha = t.call == Level2Call::her ? draw_scalar(random, is_whole) : draw_scalar(random, t.type, is_whole);
  t.beta = draw_scalar(random, t.type, is_whole);
  form.a = draw_stored(random, t.layout, t.n, t.n, t.count, form.is_product(), 1);
  form.x = draw_strided(random, t.n, draw_increment(random), t.count, !form.is_trmv(), 1);
  form.y = draw_strided(random, t.n, draw_increment(random), t.count, !form.is_product(), 1);
  t.incx = form.x.increment;
  t.incy = form.y.increment;
  form.lda = named_ld(random, form.a);
  return std::make_unique<Level2Problem>(form);
}

}  // namespace tilewright::test::differential
