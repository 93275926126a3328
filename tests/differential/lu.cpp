// LU factorisations, and gesv, which factors and solves.
#include <algorithm>
#include <complex>
#include <optional>
#include <span>
#include <sstream>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "support/run_report.hpp"
#include "verification/lu/lu_data.hpp"
#include "verification/lu/lu_operation.hpp"
#include "verification/lu/lu_residuals.hpp"

namespace tilewright::test::differential {
namespace {

using verification::AnyLuPlan, verification::LuKind, verification::LuMatrix, verification::LuOperands,
    verification::LuProblem, verification::LuTask;

struct FactorForm {
  LuProblem problem{};  // getrf or gesv
  LuKind kind = LuKind::uniform;
  Choice products{};
  Stored a, b;
  Strided pivots, info;  // pivots, and one info per matrix

  bool solves() const { return problem.task == LuTask::gesv; }
  bool refines() const { return problem.refinements > 0; }
  std::uint64_t steps() const { return std::min(a.rows, a.columns); }
};

template <class T>
class FactorCall : public Call {
 public:
  FactorCall(const Engine& engine, Random& random, const FactorForm& form, const AnyLuPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const std::uint64_t promise = plan == nullptr ? 1 : form.problem.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.b.offset = draw_offset(random_, promise);
    form_.pivots.offset = random_.below(4);
    form_.info.offset = random_.below(4);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_pivots_ = reserve(form_.pivots.end() + form_.steps(), 8);
    of_info_ = reserve(form_.info.end(), 8);
    of_iterations_ = reserve(3, 8);
    for (std::uint64_t x = 0; x < form.problem.batch.count; ++x) draw_matrix(x);
    if (!form.refines()) allow(of_a_, form_.a);
    if (form.solves()) allow(of_b_, form_.b);
    for (std::uint64_t x = 0; x < form.problem.batch.count; ++x) of_pivots_.allow(form_.pivots.at(0, x), form_.steps());
    allow(of_info_, form_.info);
    if (form.refines()) of_iterations_.allow(1);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool) override {
    const LuOperands operands{.a = of_a_.ref(form_.a.offset),
                              .pivots = of_pivots_.ref(form_.pivots.offset),
                              .info = of_info_.ref(form_.info.offset),
                              .b = form_.solves() ? of_b_.ref(form_.b.offset) : MatrixRef{},
                              .iterations = form_.refines() ? of_iterations_.ref(1) : MatrixRef{},
                              .workspace = workspace(lent_)};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : verification::run_lu(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      if (std::string wrong = form_.refines() ? check_refined() : check(x); !wrong.empty())
        return "matrix " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  void draw_matrix(std::uint64_t x) {
    const std::uint64_t rows = form_.a.rows, columns = form_.a.columns;
    const auto data = verification::draw_lu_matrix<T>(random_, form_.kind, rows, columns, form_.solves(),
                                                      small_numbers<T>().min_exponent());
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t j = 0; j < columns; ++j)
        *of_a_.template sent<T>(form_.a.at(x, i, j)) = data.elements[i * columns + j];
      for (std::uint64_t j = 0; form_.solves() && j < form_.problem.nrhs; ++j)
        *of_b_.template sent<T>(form_.b.at(x, i, j)) =
            verification::with_imaginary<T>(random_.symmetric(), [&] { return random_.symmetric(); }) * data.scales[i];
    }
  }

  LuMatrix<T> matrix(const Stored& stored, const T* data) const {
    return {data, stored.layout, stored.rows, stored.columns, stored.ld};
  }
  LuMatrix<T> sent(const Operand& operand, const Stored& stored, std::uint64_t x) const {
    return matrix(stored, operand.template sent<T>(stored.at(x, 0, 0)));
  }
  LuMatrix<T> received(const Operand& operand, const Stored& stored, std::uint64_t x) const {
    return matrix(stored, operand.template received<T>(stored.at(x, 0, 0)));
  }

  std::string check(std::uint64_t x) const {
    const std::span pivots(of_pivots_.received<std::int64_t>(form_.pivots.at(0, x)), form_.steps());
    const verification::LuFactors<T> factors(received(of_a_, form_.a, x), pivots);
    std::int64_t singular = 0;
    for (std::uint64_t i = form_.steps(); i-- > 0;)
      if (std::abs(factors.lu(i, i)) == 0) singular = static_cast<std::int64_t>(i + 1);
    const auto info = *of_info_.received<std::int64_t>(form_.info.at(0, x));
    if (info != singular) return "info is " + std::to_string(info) + ", expected " + std::to_string(singular);
    const verification::WidePart<T> small_error = small_numbers<T>().error();
    if (std::string wrong = wrong_factors(factors, sent(of_a_, form_.a, x), small_error); !wrong.empty()) return wrong;
    if (!form_.solves() || singular != 0) return {};
    const LuMatrix<T> right = sent(of_b_, form_.b, x);
    return wrong_solution(factors, Transpose::no, received(of_b_, form_.b, x), &right, small_error);
  }

  // A solved X has the small backward error of an f64 factorisation; otherwise B is unchanged.
  std::string check_refined() const {
    const std::uint64_t n = form_.a.rows, columns = form_.problem.nrhs;
    const auto iterations = *of_iterations_.received<std::int64_t>(1);
    if (iterations < -1 || iterations > static_cast<std::int64_t>(form_.problem.refinements))
      return "iterations is " + std::to_string(iterations);
    if (iterations < 0) {
      const LuMatrix<T> before = sent(of_b_, form_.b, 0), after = received(of_b_, form_.b, 0);
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < columns; ++j)
          if (before(i, j) != after(i, j)) return "B changed in column " + std::to_string(j);
      return {};
    }
    if (n == 0 || columns == 0) return {};
    const LuMatrix<T> right = sent(of_b_, form_.b, 0);
    const double residual = system_residual(sent(of_a_, form_.a, 0), received(of_b_, form_.b, 0), &right, 0, columns);
    return residual < verification::lu_threshold ? "" : "the residual is " + std::to_string(residual);
  }

  const Engine& engine_;
  FactorForm form_;
  const AnyLuPlan* plan_;
  Operand of_a_, of_b_, of_pivots_, of_info_, of_iterations_, lent_;
};

class FactorCase : public Problem {
 public:
  explicit FactorCase(const FactorForm& form) : form_(form) {}

  std::string text() const override {
    const LuProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.task) << ' ' << tilewright::to_string(p.type)
         << (p.layout == Layout::row_major ? " row" : " column") << " size=" << form_.a.rows << 'x' << p.n
         << " columns=" << p.nrhs << " ld=" << p.lda << ',' << p.ldb << " count=" << p.batch.count
         << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << ',' << p.batch.stride_pivots << ','
         << p.batch.stride_info << " promise=" << p.offset_alignment << " refinements=" << p.refinements
         << " kind=" << static_cast<int>(form_.kind) << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.products); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const AnyLuPlan* const plan = by_plan ? &*plan_ : nullptr;
    const LuProblem& p = form_.problem;
    count_kernel_of(std::string(to_string(p.task)) + ' ' + std::string(tilewright::to_string(p.type)) +
                    (form_.refines() ? " refined" : ""));
    const auto call = [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      return std::make_unique<FactorCall<T>>(engine, random, form_, plan);
    };
    if (p.type == DataType::f64) return call(std::type_identity<double>());
    if (p.type == DataType::c64) return call(std::type_identity<std::complex<float>>());
    if (p.type == DataType::c128) return call(std::type_identity<std::complex<double>>());
    return call(std::type_identity<float>());
  }

 private:
  FactorForm form_;
  std::optional<AnyLuPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_factorisation(Draw& draw) {
  FactorForm form;
  LuProblem& p = form.problem;
  p.task = draw.form.pick({LuTask::getrf, LuTask::getrf, LuTask::gesv});
  p.type = draw_type(draw, {DataType::f64, DataType::c128, DataType::c64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.offset_alignment = draw_promise(draw);
  if (p.task == LuTask::gesv && (p.type == DataType::f64 || p.type == DataType::c128) && draw.form.chance(40))
    p.refinements = 1 + draw.form.below(default_refinements);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = form.refines() ? 1 : draw_count(random);
  const std::uint64_t most = largest_size(count, count == 1 && random.chance(8) ? 350 : 150);
  p.n = draw_size(random, most);
  p.m = form.solves() || random.chance(40) ? p.n : draw_size(random, most);
  if (form.solves()) p.nrhs = draw_size(random, 20);
  form.kind = random.pick({LuKind::uniform, LuKind::uniform, LuKind::positive, LuKind::integers, LuKind::scattered,
                           LuKind::scaled_rows, LuKind::deficient, LuKind::tiny, LuKind::huge, LuKind::any_size});
  const bool is_extreme = form.kind == LuKind::tiny || form.kind == LuKind::huge || form.kind == LuKind::any_size;
  if (is_extreme && draw.without.subnormal) form.kind = LuKind::uniform;
  if (form.kind == LuKind::scattered && form.solves()) form.kind = LuKind::scaled_rows;
  form.a = draw_stored(random, p.layout, p.m, p.n, count, false, 1);
  form.b = draw_stored(random, p.layout, p.n, p.nrhs, count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {.count = count, .stride_a = form.a.stride};
  if (form.solves()) p.batch.stride_b = form.b.stride;
  if (count > 1 && random.chance(50)) p.batch.stride_pivots = form.steps() + random.below(3);
  if (count > 1 && random.chance(50)) p.batch.stride_info = 1 + random.below(3);
  const auto apart = [](std::uint64_t stride, std::uint64_t dense) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(stride == 0 ? dense : stride, 1));
  };
  form.pivots = {.n = count, .increment = apart(p.batch.stride_pivots, form.steps())};
  form.info = {.n = count, .increment = apart(p.batch.stride_info, 1)};
  return std::make_unique<FactorCase>(form);
}

}  // namespace tilewright::test::differential
