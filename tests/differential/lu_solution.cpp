// Systems, inverses and determinants from LU factors that are made on the host.
#include <optional>

#include "differential/call.hpp"
#include "differential/lu.hpp"
#include "support/lu_operation.hpp"
#include "support/run_report.hpp"

namespace tilewright::test::differential {
namespace {

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
                            : run_lu(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    const LuProblem& p = form_.problem;
    for (std::uint64_t x = 0; x < p.batch.count; ++x) {
      const LuFactors<Real>& factors = factors_[form_.is_shared() ? 0 : x];
      const std::string matrix = "matrix " + std::to_string(x);
      if (p.task == LuTask::det) {
        if (std::string wrong = check_determinant(factors, x); !wrong.empty()) return matrix + ": " + wrong;
        continue;
      }
      for (std::uint64_t j = 0; j < form_.columns(); ++j) {
        std::vector<Real> found(p.n), right(p.n, Real{0});
        for (std::uint64_t i = 0; i < p.n; ++i) {
          found[i] = *of_b_.template received<T>(form_.b.at(x, i, j));
          if (p.task == LuTask::getrs) right[i] = *of_b_.template sent<T>(form_.b.at(x, i, j));
        }
        if (p.task == LuTask::getri) right[j] = 1;
        if (std::string wrong = check_solution<T>(factors, form_.is_transposed(), found, right); !wrong.empty())
          return matrix + ", column " + std::to_string(j) + ": " + wrong;
      }
    }
    return {};
  }

 private:
  using Real = verification::Wide<T>;

  void draw_factors(std::uint64_t x) {
    const std::uint64_t n = form_.problem.n;
    const auto lower = draw_triangle<T>(random_, TriangleKind::dominant, n, true);
    auto upper = draw_triangle<T>(random_, form_.kind, n, false);  // the transpose of U
    if (form_.problem.task == LuTask::det && n > 0 && random_.chance(20)) {
      const std::uint64_t i = random_.below(n);
      upper(i, i) = random_.chance(30) ? std::numeric_limits<T>::quiet_NaN() : T{0};
    }
    LuFactors<Real> factors{WideMatrix<Real>(n, n)};
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        const T value = i > j ? lower(i, j) : upper(j, i);
        factors.lu(i, j) = value;
        *of_a_.template sent<T>(form_.a.at(x, i, j)) = value;
      }
    std::int64_t* const pivots = of_pivots_.sent<std::int64_t>(form_.pivots.at(0, x));
    for (std::uint64_t i = 0; i < n; ++i)
      pivots[i] = static_cast<std::int64_t>(random_.chance(20) ? i : i + random_.below(n - i));
    factors.order = LuFactors<Real>::order_of(pivots, n, n);
    factors_.push_back(std::move(factors));
  }

  // Draws B at the scale of A, so that X is neither tiny nor huge.
  void draw_b(std::uint64_t x) {
    const LuFactors<Real>& factors = factors_[form_.is_shared() ? 0 : x];
    for (std::uint64_t i = 0; i < form_.problem.n; ++i) {
      const std::uint64_t row = form_.is_transposed() ? i : factors.order[i];
      const T scale = std::ldexp(T{1}, std::ilogb(factors.lu(i, i)));
      for (std::uint64_t j = 0; j < form_.problem.nrhs; ++j)
        *of_b_.template sent<T>(form_.b.at(x, row, j)) = static_cast<T>(random_.symmetric()) * scale;
    }
  }

  std::string check_determinant(const LuFactors<Real>& factors, std::uint64_t x) const {
    const std::uint64_t n = form_.problem.n;
    long double sign = 1, logarithm = 0, size = 1;
    const std::int64_t* const pivots = of_pivots_.sent<std::int64_t>(form_.pivots.at(0, form_.is_shared() ? 0 : x));
    for (std::uint64_t i = 0; i < n; ++i) {
      const long double u = factors.lu(i, i), term = std::log(std::abs(u));
      if (pivots[i] != static_cast<std::int64_t>(i)) sign = -sign;
      sign *= u < 0 ? -1 : u > 0 ? 1 : u;
      logarithm += term;
      size += std::abs(term);
    }
    const T* const found = of_determinants_.template received<T>(form_.determinants.at(0, x));
    const bool is_right_sign = sign == sign ? found[0] == sign : found[0] != found[0];
    const long double roundoff = std::numeric_limits<T>::epsilon();
    const long double bound = roundoff * static_cast<long double>(n + 4) * size;
    const bool is_right_size =
        sign == 0 || logarithm != logarithm
            ? (sign == 0 ? found[1] == -std::numeric_limits<T>::infinity() : found[1] != found[1])
            : std::abs(found[1] - logarithm) <= bound;
    if (is_right_sign && is_right_size) return {};
    std::ostringstream text;
    text << "sign and logarithm are " << found[0] << ", " << found[1] << ", expected " << sign << ", " << logarithm;
    return text.str();
  }

  const Engine& engine_;
  SolutionForm form_;
  const AnyLuPlan* plan_;
  std::vector<LuFactors<Real>> factors_;
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
    if (p.type == DataType::f64) return std::make_unique<SolutionCall<double>>(engine, random, form_, plan);
    return std::make_unique<SolutionCall<float>>(engine, random, form_, plan);
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
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
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
