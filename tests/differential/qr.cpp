// QR factorisations, products with Q, columns of Q, and least-squares problems.
#include <algorithm>
#include <complex>
#include <optional>
#include <span>
#include <sstream>

#include "differential/call.hpp"
#include "support/run_report.hpp"
#include "verification/qr/qr_operation.hpp"
#include "verification/qr/qr_residuals.hpp"

namespace tilewright::test::differential {
namespace {

using verification::AnyQrPlan, verification::QrMatrix, verification::QrOperands, verification::QrProblem,
    verification::QrReflectors, verification::QrTask;

struct QrForm {
  QrProblem problem{};
  Choice products{};
  Stored a, c;        // c: C of ormqr, B of gels
  Strided tau, info;  // the first factor of each matrix, and one info per system

  bool is_gels() const { return problem.task == QrTask::gels; }
  bool has_c() const { return is_gels() || problem.task == QrTask::ormqr; }
  bool uses_reflectors() const { return problem.task == QrTask::ormqr || problem.task == QrTask::orgqr; }
};

template <class T>
class QrCall : public Call {
 public:
  QrCall(const Engine& engine, Random& random, const QrForm& form, const AnyQrPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const QrProblem& p = form.problem;
    const std::uint64_t promise = plan == nullptr ? 1 : p.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.c.offset = draw_offset(random_, promise);
    form_.tau.offset = random_.below(4);
    form_.info.offset = random_.below(4);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_c_ = reserve(form_.c.end(), sizeof(T), promise);
    of_tau_ = reserve(form_.tau.end() + p.k, sizeof(T));
    of_info_ = reserve(form_.info.end(), 8);
    fill(of_a_, form_.a, p.type, Values::uniform, random_);
    if (form_.uses_reflectors())
      for (std::uint64_t x = 0; x < p.batch.count; ++x) draw_reflectors(x);
    if (form_.has_c()) {
      fill(of_c_, form_.c, p.type, Values::uniform, random_);
      allow(of_c_, form_.c);
    }
    if (p.task != QrTask::ormqr && (!form_.is_gels() || p.m >= p.n)) allow(of_a_, form_.a);
    if (p.task == QrTask::geqrf)
      for (std::uint64_t x = 0; x < p.batch.count; ++x) of_tau_.allow(form_.tau.at(0, x), p.k);
    if (form_.is_gels()) allow(of_info_, form_.info);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const QrOperands operands{.a = of_a_.ref(form_.a.offset),
                              .tau = of_tau_.ref(form_.tau.offset),
                              .c = of_c_.ref(form_.c.offset),
                              .info = of_info_.ref(form_.info.offset),
                              .workspace = workspace(lent_),
                              .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : verification::run_qr(engine_, queue, form_.problem, operands, waits, form_.products);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x) {
      const double found = ratio(x);
      if (!(found < verification::qr_threshold))
        return "matrix " + std::to_string(x) + ": LAPACK's ratio is " + std::to_string(found);
      if (form_.is_gels() && *of_info_.received<std::int64_t>(form_.info.at(0, x)) != 0) return "info is not 0";
    }
    return {};
  }

 private:
  QrMatrix<T> matrix(const Operand& operand, const Stored& stored, std::uint64_t x, bool is_received) const {
    if (stored.is_empty()) return {stored.rows, stored.columns};
    const T* const data = is_received ? operand.received<T>(stored.at(x, 0, 0)) : operand.sent<T>(stored.at(x, 0, 0));
    return {data, stored.layout, stored.rows, stored.columns, stored.ld};
  }
  QrReflectors<T> reflectors(std::uint64_t x, bool is_received) const {
    QrReflectors<T> q{matrix(of_a_, form_.a, x, is_received), {}};
    for (std::uint64_t i = 0; i < form_.problem.k; ++i) {
      const std::uint64_t at = form_.tau.at(0, x) + i;
      q.tau.push_back(
          static_cast<verification::WideNumber<T>>(is_received ? *of_tau_.received<T>(at) : *of_tau_.sent<T>(at)));
    }
    return q;
  }

  // Replaces the first k columns of A by reflectors.
  void draw_reflectors(std::uint64_t x) {
    const std::uint64_t k = form_.problem.k;
    const QrReflectors<T> made =
        verification::reference_factors(matrix(of_a_, form_.a, x, false).first(form_.a.rows, k));
    for (std::uint64_t j = 0; j < k; ++j) {
      for (std::uint64_t i = j + 1; i < form_.a.rows; ++i)
        *of_a_.template sent<T>(form_.a.at(x, i, j)) = static_cast<T>(made.vectors(i, j));
      *of_tau_.template sent<T>(form_.tau.at(0, x) + j) = static_cast<T>(made.tau[j]);
    }
  }

  double ratio(std::uint64_t x) const {
    const QrProblem& p = form_.problem;
    const bool is_adjoint = p.trans != Transpose::no;
    const QrMatrix<T> a = matrix(of_a_, form_.a, x, false), c = matrix(of_c_, form_.c, x, false),
                      after = matrix(of_c_, form_.c, x, true);
    switch (p.task) {
      case QrTask::geqrf:
        return factors_ratio(a, reflectors(x, true));
      case QrTask::ormqr: {
        const QrReflectors<T> q = reflectors(x, false);
        return difference_ratio(after,
                                p.side == Side::left ? multiplied_by_q(q, is_adjoint, c)
                                                     : adjoint_of(multiplied_by_q(q, !is_adjoint, adjoint_of(c))),
                                form_.a.rows);
      }
      case QrTask::orgqr:
        return difference_ratio(matrix(of_a_, form_.a, x, true),
                                multiplied_by_q(reflectors(x, false), false, verification::identity_of<T>(p.m, p.n)),
                                p.m);
      case QrTask::gels:
        break;
    }
    if (p.k == 0) return norm_of(after) == 0 ? 0 : 1e9;
    if (p.nrhs == 0) return 0;
    const QrMatrix<T> system = is_adjoint ? adjoint_of(a) : a;
    return least_squares_ratio(system, after.first(system.columns, p.nrhs), c.first(system.rows, p.nrhs));
  }

  const Engine& engine_;
  QrForm form_;
  const AnyQrPlan* plan_;
  Operand of_a_, of_c_, of_tau_, of_info_, lent_;
};

class QrCase : public Problem {
 public:
  explicit QrCase(const QrForm& form) : form_(form) {}

  std::string text() const override {
    const QrProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.task) << ' ' << tilewright::to_string(p.type)
         << (p.layout == Layout::row_major ? " row" : " column") << (p.side == Side::left ? " left" : " right")
         << (p.trans == Transpose::no ? " N" : " H") << " m=" << p.m << " n=" << p.n << " k=" << p.k
         << " columns=" << p.nrhs << " ld=" << p.lda << ',' << p.ldc << " count=" << p.batch.count
         << " strides=" << form_.a.stride << ',' << form_.c.stride << ',' << p.batch.stride_tau << ','
         << p.batch.stride_info << " promise=" << p.offset_alignment << " products=" << form_.products.variant;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.products); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const AnyQrPlan* const plan = by_plan ? &*plan_ : nullptr;
    const DataType type = form_.problem.type;
    count_kernel_of(std::string(to_string(form_.problem.task)) + ' ' + std::string(tilewright::to_string(type)));
    const auto call = [&]<class T>(std::type_identity<T>) -> std::unique_ptr<Call> {
      return std::make_unique<QrCall<T>>(engine, random, form_, plan);
    };
    if (type == DataType::f64) return call(std::type_identity<double>());
    if (type == DataType::c64) return call(std::type_identity<std::complex<float>>());
    if (type == DataType::c128) return call(std::type_identity<std::complex<double>>());
    return call(std::type_identity<float>());
  }

 private:
  QrForm form_;
  std::optional<AnyQrPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_qr(Draw& draw) {
  QrForm form;
  QrProblem& p = form.problem;
  p.task = draw.form.pick({QrTask::geqrf, QrTask::ormqr, QrTask::orgqr, QrTask::gels});
  p.type = draw_type(draw, {DataType::f64, DataType::c128, DataType::c64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.offset_alignment = draw_promise(draw);
  if (p.task == QrTask::ormqr) p.side = draw.form.pick({Side::left, Side::right});
  if (form.has_c() && draw.form.chance(50))
    p.trans = is_complex(p.type) ? Transpose::conjugate_transpose : Transpose::yes;
  form.products = draw_products(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random);
  const std::uint64_t most = largest_size(count, count == 1 && random.chance(8) ? 300 : 130);
  std::uint64_t rows = draw_size(random, most), columns = draw_size(random, most);
  if (form.uses_reflectors() && columns > rows) std::swap(rows, columns);
  const std::uint64_t lines = draw_size(random, 20);
  p.m = p.task == QrTask::ormqr && p.side == Side::right ? lines : rows;
  p.n = p.task == QrTask::ormqr ? (p.side == Side::right ? rows : lines) : columns;
  p.k = std::min(rows, columns);
  if (p.task == QrTask::orgqr && p.k > 0) p.k -= random.below(p.k);
  if (form.is_gels()) p.nrhs = lines;
  form.a = draw_stored(random, p.layout, p.rows_of_a(), p.columns_of_a(), count, false, 1);
  form.c = draw_stored(random, p.layout, form.is_gels() ? std::max(p.m, p.n) : p.m, form.is_gels() ? p.nrhs : p.n,
                       count, false, 1);
  p.lda = named_ld(random, form.a);
  if (form.has_c()) p.ldc = named_ld(random, form.c);
  p.batch = {.count = count, .stride_a = form.a.stride};
  if (p.task == QrTask::ormqr) p.batch.stride_c = form.c.stride;
  if (form.is_gels()) p.batch.stride_b = form.c.stride;
  if (!form.is_gels() && count > 1 && random.chance(50)) p.batch.stride_tau = p.k + random.below(3);
  if (form.is_gels() && count > 1 && random.chance(50)) p.batch.stride_info = 1 + random.below(3);
  const auto apart = [](std::uint64_t stride, std::uint64_t dense) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(stride == 0 ? dense : stride, 1));
  };
  form.tau = {.n = count, .increment = apart(p.batch.stride_tau, p.k)};
  form.info = {.n = count, .increment = apart(p.batch.stride_info, 1)};
  return std::make_unique<QrCase>(form);
}

}  // namespace tilewright::test::differential
