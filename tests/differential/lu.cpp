// LU factorisations, and gesv, which factors and solves.
#include "differential/lu.hpp"

#include <bit>
#include <optional>

#include "differential/call.hpp"
#include "support/lu_operation.hpp"
#include "support/run_report.hpp"
#include "verification/lu/lu_residuals.hpp"

namespace tilewright::test::differential {
namespace {

/// The kinds of matrices to factor.
enum class LuKind {
  uniform,
  positive,
  integers,     ///< small integers: pivots of equal size, and singular matrices
  scattered,    ///< elements of very different scales
  scaled_rows,  ///< rows many powers of two apart
  deficient,    ///< a column of zeros
  tiny,         ///< subnormal numbers
  huge,         ///< the largest numbers whose factors do not overflow
};

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
                            : run_lu(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      if (std::string wrong = form_.refines() ? check_refined() : check(x); !wrong.empty())
        return "matrix " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  using Real = verification::Wide<T>;

  int exponent(LuKind kind) {
    const auto below = [&](int end) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(end))); };
    // Bound on the growth of the factors in bits and, for systems, of the sums of products with X.
    const int growth = static_cast<int>(std::bit_width(form_.steps())) + (form_.solves() ? 12 : 0);
    switch (kind) {
      case LuKind::scattered:
      case LuKind::scaled_rows:
        return below(sizeof(T) == 8 ? 400 : 50) - (sizeof(T) == 8 ? 200 : 25);
      case LuKind::tiny:
        return std::numeric_limits<T>::min_exponent + 3 - below(std::numeric_limits<T>::digits - 3);
      case LuKind::huge:
        return std::numeric_limits<T>::max_exponent - growth - below(4);
      default:
        return 0;
    }
  }

  void draw_matrix(std::uint64_t x) {
    const Values values = form_.kind == LuKind::positive   ? Values::positive
                          : form_.kind == LuKind::integers ? Values::integers
                                                           : Values::uniform;
    const auto number = [&](int scale) {
      return std::ldexp(static_cast<T>(draw_number(random_, form_.problem.type, values).real()), scale);
    };
    const std::uint64_t zeros = form_.kind == LuKind::deficient ? random_.below(form_.a.columns) : form_.a.columns;
    int scale = exponent(form_.kind);
    for (std::uint64_t i = 0; i < form_.a.rows; ++i) {
      if (form_.kind == LuKind::scaled_rows) scale = exponent(form_.kind);
      for (std::uint64_t j = 0; j < form_.a.columns; ++j) {
        if (form_.kind == LuKind::scattered) scale = exponent(form_.kind);
        *of_a_.template sent<T>(form_.a.at(x, i, j)) = j == zeros ? T{0} : number(scale);
      }
      for (std::uint64_t j = 0; form_.solves() && j < form_.problem.nrhs; ++j)
        *of_b_.template sent<T>(form_.b.at(x, i, j)) = number(form_.kind == LuKind::scattered ? 0 : scale);
    }
  }

  std::vector<Real> column_of_b(std::uint64_t x, std::uint64_t j, bool is_received) const {
    std::vector<Real> column(form_.a.rows);
    for (std::uint64_t i = 0; i < column.size(); ++i) {
      const std::uint64_t place = form_.b.at(x, i, j);
      column[i] = is_received ? *of_b_.template received<T>(place) : *of_b_.template sent<T>(place);
    }
    return column;
  }

  std::string check(std::uint64_t x) const {
    const std::uint64_t m = form_.a.rows, n = form_.a.columns;
    WideMatrix<Real> a(m, n);
    LuFactors<Real> factors{WideMatrix<Real>(m, n)};
    factors.order =
        LuFactors<Real>::order_of(of_pivots_.received<std::int64_t>(form_.pivots.at(0, x)), form_.steps(), m);
    if (factors.order.size() != m) return "the pivots are no rows that are left";
    std::int64_t singular = 0;
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        a(i, j) = *of_a_.template sent<T>(form_.a.at(x, i, j));
        factors.lu(i, j) = *of_a_.template received<T>(form_.a.at(x, i, j));
        if (i == j && factors.lu(i, j) == 0 && singular == 0) singular = static_cast<std::int64_t>(i + 1);
      }
    const auto info = *of_info_.received<std::int64_t>(form_.info.at(0, x));
    if (info != singular) return "info is " + std::to_string(info) + ", expected " + std::to_string(singular);
    if (std::string wrong = check_factors<T>(factors, a); !wrong.empty()) return wrong;
    if (!form_.solves() || singular != 0) return {};
    for (std::uint64_t j = 0; j < form_.problem.nrhs; ++j)
      if (std::string wrong = check_solution<T>(factors, false, column_of_b(x, j, true), column_of_b(x, j, false));
          !wrong.empty())
        return "column " + std::to_string(j) + ": " + wrong;
    return {};
  }

  // A solved X has the small backward error of an f64 factorisation; otherwise B is unchanged.
  std::string check_refined() const {
    const std::uint64_t n = form_.a.rows, columns = form_.problem.nrhs;
    const auto iterations = *of_iterations_.received<std::int64_t>(1);
    if (iterations < -1 || iterations > static_cast<std::int64_t>(form_.problem.refinements))
      return "iterations is " + std::to_string(iterations);
    if (iterations < 0) {
      for (std::uint64_t j = 0; j < columns; ++j)
        if (column_of_b(0, j, true) != column_of_b(0, j, false)) return "B changed in column " + std::to_string(j);
      return {};
    }
    if (n == 0 || columns == 0) return {};
    using verification::LuMatrix;
    const LuMatrix<T> a{of_a_.template sent<T>(form_.a.offset), form_.a.layout, n, n, form_.a.ld};
    const LuMatrix<T> b{of_b_.template sent<T>(form_.b.offset), form_.b.layout, n, columns, form_.b.ld};
    const LuMatrix<T> found{of_b_.template received<T>(form_.b.offset), form_.b.layout, n, columns, form_.b.ld};
    const double residual = verification::system_residual(a, found, &b, 0, columns);
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
    if (p.type == DataType::f64) return std::make_unique<FactorCall<double>>(engine, random, form_, plan);
    return std::make_unique<FactorCall<float>>(engine, random, form_, plan);
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
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.offset_alignment = draw_promise(draw);
  if (p.task == LuTask::gesv && p.type == DataType::f64 && draw.form.chance(40))
    p.refinements = 1 + draw.form.below(default_refinements);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = form.refines() ? 1 : draw_count(random);
  const std::uint64_t most = largest_size(count, count == 1 && random.chance(8) ? 350 : 150);
  p.n = draw_size(random, most);
  p.m = form.solves() || random.chance(40) ? p.n : draw_size(random, most);
  if (form.solves()) p.nrhs = draw_size(random, 20);
  form.kind = random.pick({LuKind::uniform, LuKind::uniform, LuKind::positive, LuKind::integers, LuKind::scattered,
                           LuKind::scaled_rows, LuKind::deficient, LuKind::tiny, LuKind::huge});
  if ((form.kind == LuKind::tiny || form.kind == LuKind::huge) && draw.without.subnormal) form.kind = LuKind::uniform;
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
