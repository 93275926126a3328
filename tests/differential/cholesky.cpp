// Cholesky factorisations, and the systems that they solve.
#include "tilewright/cholesky.hpp"

#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "support/run_report.hpp"

namespace tilewright::test::differential {
namespace {

enum class CholeskyTask { potrf, potrs, posv };

struct CholeskyForm {
  CholeskyTask task = CholeskyTask::potrf;
  PosvProblem problem{};  // potrf: without right-hand sides
  TriangleKind kind = TriangleKind::dominant;
  Choice products{};
  bool has_indefinite = false;  // potrf: one matrix is indefinite
  Stored a, b;
  Strided info;

  PotrfProblem factorisation() const {
    return {.type = problem.type,
            .layout = problem.layout,
            .uplo = problem.uplo,
            .n = problem.n,
            .lda = problem.lda,
            .offset_alignment = problem.offset_alignment,
            .batch = {.count = problem.batch.count,
                      .stride_a = problem.batch.stride_a,
                      .stride_info = problem.batch.stride_info}};
  }
  PotrsProblem solution() const {
    return {.type = problem.type,
            .layout = problem.layout,
            .uplo = problem.uplo,
            .n = problem.n,
            .nrhs = problem.nrhs,
            .lda = problem.lda,
            .ldb = problem.ldb,
            .offset_alignment = problem.offset_alignment,
            .batch = {
                .count = problem.batch.count, .stride_a = problem.batch.stride_a, .stride_b = problem.batch.stride_b}};
  }
  bool writes_factor() const { return task != CholeskyTask::potrs; }
  // The position of element (i, j) of A or L, i >= j.
  std::uint64_t place(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    return problem.uplo == Uplo::lower ? a.at(x, i, j) : a.at(x, j, i);
  }
};

struct CholeskyPlans {
  std::optional<PotrfPlan> potrf{};
  std::optional<PotrsPlan> potrs{};
  std::optional<PosvPlan> posv{};

  std::uint64_t workspace_bytes() const {
    return potrf ? potrf->workspace_bytes() : potrs ? potrs->workspace_bytes() : posv->workspace_bytes();
  }
};

template <class T>
class CholeskyCall : public Call {
 public:
  CholeskyCall(const Engine& engine, Random& random, const CholeskyForm& form, const CholeskyPlans* plans)
      : Call(random), engine_(engine), form_(form), plans_(plans) {
    const std::uint64_t promise = plans == nullptr ? 1 : form.problem.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.b.offset = draw_offset(random_, promise);
    form_.info.offset = random_.below(4);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_info_ = reserve(form_.info.end(), 8);
    for (std::uint64_t x = 0; x < form.a.distinct(); ++x) draw_matrix(x);
    if (form.task != CholeskyTask::potrf) {
      fill(of_b_, form_.b, form.problem.type, Values::uniform, random_);
      scale_b();
      allow(of_b_, form_.b);
    }
    if (form.writes_factor()) {
      allow(of_info_, form_.info);
      for (std::uint64_t x = 0; x < form.problem.batch.count; ++x)
        for (std::uint64_t i = 0; i < form.problem.n; ++i)
          for (std::uint64_t j = 0; j <= i; ++j) of_a_.allow(form_.place(x, i, j));
    }
    if (plans != nullptr) lent_ = lend(plans->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const MatrixRef a = of_a_.ref(form_.a.offset), b = of_b_.ref(form_.b.offset),
                    info = of_info_.ref(form_.info.offset);
    const PotrfOperands factor{.a = a, .info = info, .workspace = workspace(lent_), .event = event};
    const PotrsOperands solve{.a = a, .b = b, .workspace = workspace(lent_), .event = event};
    switch (form_.task) {
      case CholeskyTask::potrf:
        return plans_ != nullptr ? plans_->potrf->enqueue(queue, factor, waits)
                                 : potrf(engine_, queue, form_.factorisation(), factor, waits, form_.products);
      case CholeskyTask::potrs:
        return plans_ != nullptr ? plans_->potrs->enqueue(queue, solve, waits)
                                 : potrs(engine_, queue, form_.solution(), solve, waits, form_.products);
      case CholeskyTask::posv:
        break;
    }
    const PosvOperands both{.a = a, .b = b, .info = info, .workspace = workspace(lent_), .event = event};
    return plans_ != nullptr ? plans_->posv->enqueue(queue, both, waits)
                             : posv(engine_, queue, form_.problem, both, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x) {
      std::string wrong;
      if (form_.writes_factor()) wrong = check_factor(x);
      if (wrong.empty() && form_.task != CholeskyTask::potrf) wrong = check_solution(x);
      if (!wrong.empty()) return "matrix " + std::to_string(x) + ": " + wrong;
    }
    return {};
  }

 private:
  using Real = verification::Wide<T>;

  // Draws the factor of potrs, or the matrix to factor: L L^T, rounded, with a slightly larger diagonal.
  void draw_matrix(std::uint64_t x) {
    const std::uint64_t n = form_.problem.n;
    const bool is_factor = form_.task == CholeskyTask::potrs;
    // Squares of scaled elements must stay in range.
    LowerTriangle<T> l = draw_triangle<T>(random_, TriangleKind::dominant, n, false);
    const int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent,
              most = std::numeric_limits<T>::max_exponent;
    int exponent = 0;
    if (form_.kind == TriangleKind::tiny)
      exponent = least - static_cast<int>(random_.below(static_cast<unsigned>(digits) - 6));
    if (form_.kind == TriangleKind::huge) exponent = most - 4 - static_cast<int>(random_.below(20));
    for (std::uint64_t i = 0; i < n; ++i) l(i, i) = std::abs(l(i, i));
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) {
        Real value = l(i, j);
        if (!is_factor) {
          value = i == j ? Real{0.125} : Real{0};
          for (std::uint64_t k = 0; k <= j; ++k) value += static_cast<Real>(l(i, k)) * static_cast<Real>(l(j, k));
        }
        // Rows and columns scaled by powers of two keep the matrix definite.
        const int of_row = row_exponent(x, i), of_column = is_factor ? 0 : row_exponent(x, j);
        *of_a_.template sent<T>(form_.place(x, i, j)) =
            static_cast<T>(std::ldexp(value, (is_factor ? exponent / 2 : exponent) + of_row + of_column));
      }
    if (!form_.has_indefinite || x != form_.problem.batch.count / 2 || n == 0) return;
    indefinite_ = 1 + random_.below(n);
    T& pivot = *of_a_.template sent<T>(form_.place(x, indefinite_ - 1, indefinite_ - 1));
    pivot = random_.chance(30) ? std::numeric_limits<T>::quiet_NaN() : -pivot;
  }

  int row_exponent(std::uint64_t x, std::uint64_t i) const {
    if (form_.kind != TriangleKind::scaled) return 0;
    const int spread = sizeof(T) == 8 ? 100 : 12;
    return static_cast<int>(verification::random_bits(x + 7, i) % static_cast<unsigned>(2 * spread + 1)) - spread;
  }

  // Scales B so that X is neither tiny nor huge.
  void scale_b() {
    const PosvProblem& p = form_.problem;
    for (std::uint64_t x = 0; x < p.batch.count; ++x)
      for (std::uint64_t i = 0; i < p.n; ++i)
        for (std::uint64_t j = 0; j < p.nrhs; ++j) {
          T& b = *of_b_.template sent<T>(form_.b.at(x, i, j));
          const Real diagonal = *of_a_.template sent<T>(form_.place(form_.a.stride == 0 ? 0 : x, i, i));
          b = static_cast<T>(b * (form_.task == CholeskyTask::potrs ? diagonal * diagonal : diagonal));
        }
  }

  Real factor(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t place = form_.place(form_.a.stride == 0 ? 0 : x, i, j);
    return form_.writes_factor() ? *of_a_.template received<T>(place) : *of_a_.template sent<T>(place);
  }
  std::vector<Real> rows_of_factor(std::uint64_t x, std::uint64_t rows) const {
    std::vector<Real> l(rows * rows, Real{0});
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) l[i * rows + j] = factor(x, i, j);
    return l;
  }

  std::string check_factor(std::uint64_t x) const {
    const std::uint64_t n = form_.problem.n;
    const std::uint64_t wrong = x == form_.problem.batch.count / 2 ? indefinite_ : 0;
    const auto info = *of_info_.received<std::int64_t>(form_.info.at(0, x));
    if (info != static_cast<std::int64_t>(wrong))
      return "info is " + std::to_string(info) + ", expected " + std::to_string(wrong);
    const std::uint64_t rows = wrong == 0 ? n : wrong - 1;
    const std::vector<Real> l = rows_of_factor(x, rows);
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) {
        const Real a = *of_a_.template sent<T>(form_.place(x, i, j));
        DotProduct<T> sum{-a, 0};
        for (std::uint64_t k = 0; k <= j; ++k) sum.add(l[i * rows + k], l[j * rows + k]);
        const Real bound = verification::gamma_factor<T>(n + 3) * sum.size + underflow<T>(n + 3, l[j * rows + j]);
        if (std::abs(sum.value) <= bound) continue;
        std::ostringstream text;
        text << "L L^T - A is " << sum.value << " at (" << i << ", " << j << "), its bound " << bound;
        return text.str();
      }
    return {};
  }

  // Bound for two triangular systems and, for posv, the factorisation: |A X - B| <= gamma (4 |L||L^T||X| + |B|).
  // |L^T||X| bounds the first system's solution up to second-order terms.
  std::string check_solution(std::uint64_t number) const {
    const std::uint64_t n = form_.problem.n;
    const std::vector<Real> l = rows_of_factor(number, n);
    std::vector<DotProduct<T>> y(n);
    for (std::uint64_t column = 0; column < form_.problem.nrhs; ++column) {
      for (std::uint64_t i = 0; i < n; ++i) {
        y[i] = {};
        for (std::uint64_t j = i; j < n; ++j)
          y[i].add(l[j * n + i], *of_b_.template received<T>(form_.b.at(number, j, column)));
      }
      for (std::uint64_t i = 0; i < n; ++i) {
        const Real b = *of_b_.template sent<T>(form_.b.at(number, i, column));
        Real residual = -b, size = 0;
        for (std::uint64_t j = 0; j <= i; ++j) {
          residual += l[i * n + j] * y[j].value;
          size += std::abs(l[i * n + j]) * y[j].size;
        }
        const Real bound = static_cast<Real>(1.01L) * verification::gamma_factor<T>(n + 4) * (4 * size + std::abs(b)) +
                           underflow<T>(4 * n + 16, l[i * n + i]);
        if (std::abs(residual) <= bound) continue;
        std::ostringstream text;
        text << "the residual of equation " << i << ", column " << column << " is " << residual << ", its bound "
             << bound;
        return text.str();
      }
    }
    return {};
  }

  const Engine& engine_;
  CholeskyForm form_;
  const CholeskyPlans* plans_;
  std::uint64_t indefinite_ = 0;
  Operand of_a_, of_b_, of_info_, lent_;
};

class CholeskyCase : public Problem {
 public:
  explicit CholeskyCase(const CholeskyForm& form) : form_(form) {}

  std::string text() const override {
    const PosvProblem& p = form_.problem;
    constexpr std::string_view names[] = {"potrf ", "potrs ", "posv "};
    std::ostringstream text;
    text << names[static_cast<int>(form_.task)] << tilewright::to_string(p.type)
         << (p.layout == Layout::row_major ? " row" : " column") << (p.uplo == Uplo::lower ? " lower" : " upper")
         << " n=" << p.n << " columns=" << p.nrhs << " ld=" << p.lda << ',' << p.ldb << " count=" << p.batch.count
         << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << ',' << p.batch.stride_info
         << " promise=" << p.offset_alignment << " triangle=" << static_cast<int>(form_.kind)
         << (form_.has_indefinite ? " indefinite" : "") << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override {
    if (form_.task == CholeskyTask::potrf) plans_.potrf.emplace(engine, form_.factorisation(), form_.products);
    if (form_.task == CholeskyTask::potrs) plans_.potrs.emplace(engine, form_.solution(), form_.products);
    if (form_.task == CholeskyTask::posv) plans_.posv.emplace(engine, form_.problem, form_.products);
  }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const CholeskyPlans* const plans = by_plan ? &plans_ : nullptr;
    const DataType type = form_.problem.type;
    count_kernel_of("cholesky " + std::to_string(static_cast<int>(form_.task)) + ' ' +
                    std::string(tilewright::to_string(type)));
    if (type == DataType::f64) return std::make_unique<CholeskyCall<double>>(engine, random, form_, plans);
    return std::make_unique<CholeskyCall<float>>(engine, random, form_, plans);
  }

 private:
  CholeskyForm form_;
  CholeskyPlans plans_;
};

}  // namespace

std::unique_ptr<Problem> draw_cholesky(Draw& draw) {
  CholeskyForm form;
  PosvProblem& p = form.problem;
  form.task = draw.form.pick({CholeskyTask::potrf, CholeskyTask::potrf, CholeskyTask::potrs, CholeskyTask::posv});
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  p.n = draw_size(random, largest_size(count, count == 1 && random.chance(8) ? 400 : 180));
  if (form.task != CholeskyTask::potrf) p.nrhs = draw_size(random, 20);
  form.kind = draw_triangle_kind(random, draw.without, false);
  form.has_indefinite = form.task == CholeskyTask::potrf && random.chance(25);
  form.a = draw_stored(random, p.layout, p.n, p.n, count, form.task == CholeskyTask::potrs, 1);
  form.b = draw_stored(random, p.layout, p.n, p.nrhs, count, false, 1);
  const std::uint64_t stride_info = form.task == CholeskyTask::potrs || random.chance(50) ? 0 : 1 + random.below(3);
  form.info = {.n = count, .increment = stride_info == 0 ? 1 : static_cast<std::int64_t>(stride_info)};
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {.count = count, .stride_a = form.a.stride, .stride_b = form.b.stride, .stride_info = stride_info};
  return std::make_unique<CholeskyCase>(form);
}

}  // namespace tilewright::test::differential
