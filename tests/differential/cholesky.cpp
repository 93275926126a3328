// Cholesky factorisations, and the systems that they solve.
#include "tilewright/cholesky.hpp"

#include <complex>
#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "kernels/host_type.hpp"
#include "support/run_report.hpp"
#include "tilewright/cholesky_inverse.hpp"
#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/cholesky/definite_matrix.hpp"

namespace tilewright::test::differential {
namespace {

enum class CholeskyTask { potrf, potrs, posv, potri };

struct CholeskyForm {
  CholeskyTask task = CholeskyTask::potrf;
  PosvProblem problem{};  // potrf and potri: without right-hand sides
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
  PotriProblem inversion() const {
    return {.type = problem.type,
            .layout = problem.layout,
            .uplo = problem.uplo,
            .n = problem.n,
            .lda = problem.lda,
            .offset_alignment = problem.offset_alignment,
            .batch = {.count = problem.batch.count, .stride_a = problem.batch.stride_a}};
  }
  bool writes_factor() const { return task == CholeskyTask::potrf || task == CholeskyTask::posv; }
  bool solves() const { return task == CholeskyTask::potrs || task == CholeskyTask::posv; }
  // The position of element (i, j) of A or L, i >= j.
  std::uint64_t place(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    return problem.uplo == Uplo::lower ? a.at(x, i, j) : a.at(x, j, i);
  }
};

struct CholeskyPlans {
  std::optional<PotrfPlan> potrf{};
  std::optional<PotrsPlan> potrs{};
  std::optional<PosvPlan> posv{};
  std::optional<PotriPlan> potri{};

  std::uint64_t workspace_bytes() const {
    if (potri) return potri->workspace_bytes();
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
    if (form.solves()) {
      fill(of_b_, form_.b, form.problem.type, Values::uniform, random_);
      scale_b();
      allow(of_b_, form_.b);
    }
    if (form.writes_factor()) allow(of_info_, form_.info);
    if (form.task != CholeskyTask::potrs)
      for (std::uint64_t x = 0; x < form.problem.batch.count; ++x)
        for (std::uint64_t i = 0; i < form.problem.n; ++i)
          for (std::uint64_t j = 0; j <= i; ++j) of_a_.allow(form_.place(x, i, j));
    if (plans != nullptr) lent_ = lend(plans->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const MatrixRef a = of_a_.ref(form_.a.offset), b = of_b_.ref(form_.b.offset),
                    info = of_info_.ref(form_.info.offset);
    const PotrfOperands factor{.a = a, .info = info, .workspace = workspace(lent_), .event = event};
    const PotriOperands inverse{.a = a, .workspace = workspace(lent_), .event = event};
    const PotrsOperands solve{.a = a, .b = b, .workspace = workspace(lent_), .event = event};
    switch (form_.task) {
      case CholeskyTask::potrf:
        return plans_ != nullptr ? plans_->potrf->enqueue(queue, factor, waits)
                                 : potrf(engine_, queue, form_.factorisation(), factor, waits, form_.products);
      case CholeskyTask::potrs:
        return plans_ != nullptr ? plans_->potrs->enqueue(queue, solve, waits)
                                 : potrs(engine_, queue, form_.solution(), solve, waits, form_.products);
      case CholeskyTask::potri:
        return plans_ != nullptr ? plans_->potri->enqueue(queue, inverse, waits)
                                 : potri(engine_, queue, form_.inversion(), inverse, waits, form_.products);
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
      if (wrong.empty() && form_.solves()) wrong = check_solution(x);
      if (form_.task == CholeskyTask::potri && form_.problem.n > 0)
        wrong = wrong_cholesky_inverse(sent_a(x), received_a(x), form_.problem.n);
      if (!wrong.empty()) return "matrix " + std::to_string(x) + ": " + wrong;
    }
    return {};
  }

 private:
  // Draws the factor of potrs, or the matrix to factor, and right-hand sides of its size.
  void draw_matrix(std::uint64_t x) {
    const std::uint64_t n = form_.problem.n;
    const LowerTriangle<T> l = verification::draw_cholesky<T>(random_, form_.kind, n, form_.writes_factor(),
                                                              small_numbers<T>().min_exponent());
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) *of_a_.template sent<T>(form_.place(x, i, j)) = l(i, j);
    scales_.push_back(l.scales);
    if (!form_.has_indefinite || x != form_.problem.batch.count / 2 || n == 0) return;
    indefinite_ = 1 + random_.below(n);
    T& pivot = *of_a_.template sent<T>(form_.place(x, indefinite_ - 1, indefinite_ - 1));
    pivot = random_.chance(30) ? T{std::numeric_limits<detail::Part<T>>::quiet_NaN()} : -pivot;
  }

  void scale_b() {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      for (std::uint64_t i = 0; i < form_.problem.n; ++i)
        for (std::uint64_t j = 0; j < form_.problem.nrhs; ++j)
          *of_b_.template sent<T>(form_.b.at(x, i, j)) *= scales_[form_.a.stride == 0 ? 0 : x][i];
  }

  verification::MatrixView<T> lower(const T* a) const {
    return verification::lower_view(a, form_.problem.layout, form_.problem.uplo, form_.problem.n, form_.a.ld);
  }
  verification::MatrixView<T> sent_a(std::uint64_t x) const {
    return lower(of_a_.template sent<T>(form_.a.at(form_.a.stride == 0 ? 0 : x, 0, 0)));
  }
  verification::MatrixView<T> received_a(std::uint64_t x) const {
    return lower(of_a_.template received<T>(form_.a.at(x, 0, 0)));
  }
  verification::MatrixView<T> view_b(const T* b) const {
    return verification::make_view(b, form_.problem.layout, Transpose::no, form_.problem.n, form_.problem.nrhs,
                                   form_.b.ld);
  }

  std::string check_factor(std::uint64_t x) const {
    const std::uint64_t n = form_.problem.n;
    const std::uint64_t wrong = x == form_.problem.batch.count / 2 ? indefinite_ : 0;
    const auto info = *of_info_.received<std::int64_t>(form_.info.at(0, x));
    if (info != static_cast<std::int64_t>(wrong))
      return "info is " + std::to_string(info) + ", expected " + std::to_string(wrong);
    if (n == 0) return {};
    const bool scales_rows = engine_.profile().type != DeviceType::cpu;
    return wrong_cholesky_factor(sent_a(x), received_a(x), n, wrong == 0 ? n : wrong - 1, small_numbers<T>().error(),
                                 scales_rows);
  }

  std::string check_solution(std::uint64_t x) const {
    const PosvProblem& p = form_.problem;
    if (p.n == 0 || p.nrhs == 0) return {};
    return wrong_cholesky_solution(
        form_.writes_factor() ? received_a(x) : sent_a(x), p.uplo, view_b(of_b_.template sent<T>(form_.b.at(x, 0, 0))),
        view_b(of_b_.template received<T>(form_.b.at(x, 0, 0))), p.n, p.nrhs, small_numbers<T>().error());
  }

  const Engine& engine_;
  CholeskyForm form_;
  const CholeskyPlans* plans_;
  std::uint64_t indefinite_ = 0;
  std::vector<std::vector<detail::Part<T>>> scales_;  // of the rows of B
  Operand of_a_, of_b_, of_info_, lent_;
};

class CholeskyCase : public Problem {
 public:
  explicit CholeskyCase(const CholeskyForm& form) : form_(form) {}

  std::string text() const override {
    const PosvProblem& p = form_.problem;
    constexpr std::string_view names[] = {"potrf ", "potrs ", "posv ", "potri "};
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
    if (form_.task == CholeskyTask::potri) plans_.potri.emplace(engine, form_.inversion(), form_.products);
    if (form_.task == CholeskyTask::posv) plans_.posv.emplace(engine, form_.problem, form_.products);
  }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const CholeskyPlans* const plans = by_plan ? &plans_ : nullptr;
    const DataType type = form_.problem.type;
    count_kernel_of("cholesky " + std::to_string(static_cast<int>(form_.task)) + ' ' +
                    std::string(tilewright::to_string(type)));
    const auto call = [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      return std::make_unique<CholeskyCall<T>>(engine, random, form_, plans);
    };
    if (type == DataType::f64) return call(std::type_identity<double>());
    if (type == DataType::c64) return call(std::type_identity<std::complex<float>>());
    if (type == DataType::c128) return call(std::type_identity<std::complex<double>>());
    return call(std::type_identity<float>());
  }

 private:
  CholeskyForm form_;
  CholeskyPlans plans_;
};

}  // namespace

std::unique_ptr<Problem> draw_cholesky(Draw& draw) {
  CholeskyForm form;
  PosvProblem& p = form.problem;
  form.task = draw.form.pick(
      {CholeskyTask::potrf, CholeskyTask::potrf, CholeskyTask::potrs, CholeskyTask::posv, CholeskyTask::potri});
  p.type = draw_type(draw, {DataType::f64, DataType::c128, DataType::c64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.uplo = draw.form.pick({Uplo::lower, Uplo::upper});
  p.offset_alignment = draw_promise(draw);
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  p.n = draw_size(random, largest_size(count, count == 1 && random.chance(8) ? 400 : 180));
  if (form.solves()) p.nrhs = draw_size(random, 20);
  form.kind = draw_triangle_kind(random, draw.without, false);
  // The inverses of other kinds overflow.
  if (form.task == CholeskyTask::potri && has_scales(form.kind)) form.kind = TriangleKind::scaled;
  form.has_indefinite = form.task == CholeskyTask::potrf && random.chance(25);
  form.a = draw_stored(random, p.layout, p.n, p.n, count, form.task == CholeskyTask::potrs, 1);
  form.b = draw_stored(random, p.layout, p.n, p.nrhs, count, false, 1);
  const std::uint64_t stride_info = !form.writes_factor() || random.chance(50) ? 0 : 1 + random.below(3);
  form.info = {.n = count, .increment = stride_info == 0 ? 1 : static_cast<std::int64_t>(stride_info)};
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.batch = {.count = count, .stride_a = form.a.stride, .stride_b = form.b.stride, .stride_info = stride_info};
  return std::make_unique<CholeskyCase>(form);
}

}  // namespace tilewright::test::differential
