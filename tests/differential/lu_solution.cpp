// Systems, inverses and determinants from LU factors that are made on the host.
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

using verification::AnyLuPlan, verification::LuFactors, verification::LuMatrix, verification::LuOperands,
    verification::LuProblem, verification::LuTask;

struct SolutionForm {
  LuProblem problem{};  // getrs, getri or det
  TriangleKind kind = TriangleKind::dominant;
  Choice products{};
  Stored a, b;
  Strided pivots, determinants;  // one element per matrix

  bool is_shared() const { return problem.batch.count > 1 && problem.batch.stride_a == 0; }
  std::uint64_t columns() const { return problem.task == LuTask::getri ? problem.n : problem.nrhs; }
  bool writes_b() const { return problem.task != LuTask::det; }
  bool is_transposed() const { return problem.task == LuTask::getrs && problem.trans != Transpose::no; }
};

template <class T>
class SolutionCall : public Call {
  using Real = detail::Part<T>;

 public:
  SolutionCall(const Engine& engine, Random& random, const SolutionForm& form, const AnyLuPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const LuProblem& p = form.problem;
    const std::uint64_t promise = plan == nullptr ? 1 : p.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.b.offset = draw_offset(random_, promise);
    form_.pivots.offset = random_.below(4);
    form_.determinants.offset = random_.below(4);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_pivots_ = reserve(form_.pivots.end() + p.n, 8);
    of_determinants_ = reserve(form_.determinants.end() + 2, sizeof(T));
    for (std::uint64_t x = 0; x < (form.is_shared() ? 1 : p.batch.count); ++x) draw_factors(x);
    for (std::uint64_t x = 0; x < p.batch.count; ++x) {
      if (p.task == LuTask::getrs) draw_b(x);
      if (p.task == LuTask::det) of_determinants_.allow(form_.determinants.at(0, x), 2);
    }
    if (form.writes_b()) allow(of_b_, form_.b);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool) override {
    const LuOperands operands{
        .a = of_a_.ref(form_.a.offset),
        .pivots = of_pivots_.ref(form_.pivots.offset),
        .b = form_.writes_b() ? of_b_.ref(form_.b.offset) : MatrixRef{},
        .determinant = form_.writes_b() ? MatrixRef{} : of_determinants_.ref(form_.determinants.offset),
        .workspace = workspace(lent_)};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : verification::run_lu(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      if (std::string wrong = check(x); !wrong.empty()) return "matrix " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  std::string check(std::uint64_t x) const {
    const LuFactors<T> factors = factors_of(x);
    if (form_.problem.task == LuTask::det) {
      const T* const found = of_determinants_.template received<T>(form_.determinants.at(0, x));
      return wrong_determinant(factors, found[0], found[1]);
    }
    const LuMatrix<T> right = matrix(form_.b, of_b_.template sent<T>(form_.b.at(x, 0, 0)));
    return wrong_solution(factors, form_.problem.trans,
                          matrix(form_.b, of_b_.template received<T>(form_.b.at(x, 0, 0))),
                          form_.problem.task == LuTask::getri ? nullptr : &right, small_numbers<T>().error());
  }

  LuMatrix<T> matrix(const Stored& stored, const T* data) const {
    return {data, stored.layout, stored.rows, stored.columns, stored.ld};
  }
  LuFactors<T> factors_of(std::uint64_t x) const {
    if (form_.is_shared()) x = 0;
    const std::span pivots(of_pivots_.sent<std::int64_t>(form_.pivots.at(0, x)), form_.problem.n);
    return {matrix(form_.a, of_a_.template sent<T>(form_.a.at(x, 0, 0))), pivots};
  }

  void draw_factors(std::uint64_t x) {
    const std::uint64_t n = form_.problem.n;
    std::vector<T> factors =
        verification::draw_lu_factors<T>(random_, form_.kind, n, small_numbers<T>().min_exponent());
    if (form_.problem.task == LuTask::det && n > 0 && random_.chance(20))
      factors[random_.below(n) * (n + 1)] = random_.chance(30) ? T(std::numeric_limits<Real>::quiet_NaN()) : T{0};
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) *of_a_.template sent<T>(form_.a.at(x, i, j)) = factors[i * n + j];
    const std::vector<std::int64_t> pivots = verification::draw_pivots(random_, n);
    std::copy(pivots.begin(), pivots.end(), of_pivots_.sent<std::int64_t>(form_.pivots.at(0, x)));
  }

  // Draws B at the scale of A, so that X is neither tiny nor huge.
  void draw_b(std::uint64_t x) {
    const LuFactors<T> factors = factors_of(x);
    for (std::uint64_t i = 0; i < form_.problem.n; ++i) {
      const std::uint64_t row = form_.is_transposed() ? i : factors.order[i];
      const Real scale = std::ldexp(Real{1}, std::ilogb(std::abs(factors.lu(i, i))));
      for (std::uint64_t j = 0; j < form_.problem.nrhs; ++j)
        *of_b_.template sent<T>(form_.b.at(x, row, j)) =
            verification::with_imaginary<T>(random_.symmetric(), [&] { return random_.symmetric(); }) * scale;
    }
  }

  const Engine& engine_;
  SolutionForm form_;
  const AnyLuPlan* plan_;
  Operand of_a_, of_b_, of_pivots_, of_determinants_, lent_;
};

class SolutionCase : public Problem {
 public:
  explicit SolutionCase(const SolutionForm& form) : form_(form) {}

  std::string text() const override {
    const LuProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.task) << ' ' << tilewright::to_string(p.type)
         << (p.layout == Layout::row_major ? " row" : " column") << " trans=" << static_cast<int>(p.trans)
         << " n=" << p.n << " columns=" << p.nrhs << " ld=" << p.lda << ',' << p.ldb << " count=" << p.batch.count
         << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << ',' << p.batch.stride_pivots << ','
         << p.batch.stride_determinant << " promise=" << p.offset_alignment
         << " triangle=" << static_cast<int>(form_.kind) << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.products); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const AnyLuPlan* const plan = by_plan ? &*plan_ : nullptr;
    const LuProblem& p = form_.problem;
    count_kernel_of(std::string(to_string(p.task)) + ' ' + std::string(tilewright::to_string(p.type)));
    const auto call = [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      return std::make_unique<SolutionCall<T>>(engine, random, form_, plan);
    };
    if (p.type == DataType::f64) return call(std::type_identity<double>());
    if (p.type == DataType::c64) return call(std::type_identity<std::complex<float>>());
    if (p.type == DataType::c128) return call(std::type_identity<std::complex<double>>());
    return call(std::type_identity<float>());
  }

 private:
  SolutionForm form_;
  std::optional<AnyLuPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_lu_solution(Draw& draw) {
  SolutionForm form;
  LuProblem& p = form.problem;
  p.task = draw.form.pick({LuTask::getrs, LuTask::getrs, LuTask::getri, LuTask::det});
  p.type = draw_type(draw, {DataType::f64, DataType::c128, DataType::c64, DataType::f32});
  p.layout = draw_layout(draw.form);
  if (p.task == LuTask::getrs)
    p.trans = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  p.n = draw_size(random, largest_size(count, p.task == LuTask::getri          ? 120
                                              : count == 1 && random.chance(8) ? 400
                                                                               : 180));
  if (p.task == LuTask::getrs) p.nrhs = draw_size(random, 30);
  form.kind = draw_triangle_kind(random, draw.without, false);
  // A's elements are those of U, whose sums of products with an inverse must stay in range.
  if (form.kind == TriangleKind::arrow || form.kind == TriangleKind::alternating) form.kind = TriangleKind::dominant;
  if (form.kind == TriangleKind::any_size) form.kind = TriangleKind::scaled;
  if (p.task == LuTask::getri && form.kind != TriangleKind::scaled) form.kind = TriangleKind::dominant;
  form.a = draw_stored(random, p.layout, p.n, p.n, count, true, 1);
  form.b = draw_stored(random, p.layout, p.n, form.columns(), count, false, 1);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {.count = count, .stride_a = form.a.stride};
  if (form.writes_b()) p.batch.stride_b = form.b.stride;
  if (count > 1 && form.a.stride != 0 && random.chance(50)) p.batch.stride_pivots = p.n + random.below(3);
  if (!form.writes_b() && count > 1 && random.chance(50)) p.batch.stride_determinant = 2 + random.below(3);
  const auto apart = [](std::uint64_t stride, std::uint64_t dense) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(stride == 0 ? dense : stride, 1));
  };
  form.pivots = {.n = form.is_shared() ? 1 : count, .increment = apart(p.batch.stride_pivots, p.n)};
  form.determinants = {.n = count, .increment = apart(p.batch.stride_determinant, 2)};
  return std::make_unique<SolutionCase>(form);
}

}  // namespace tilewright::test::differential
