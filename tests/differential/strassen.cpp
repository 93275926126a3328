// Products by Strassen's algorithm.
#include "tilewright/strassen.hpp"

#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "support/run_report.hpp"
#include "verification/strassen/strassen_check.hpp"

namespace tilewright::test::differential {
namespace {

struct StrassenForm {
  StrassenProblem problem{};
  double alpha = 1, beta = 0;
  Values values = Values::uniform;
  Choice choice{};
  Stored a, b, c;  // storage layouts
};

template <class T>
class StrassenCall : public Call {
 public:
  StrassenCall(const Engine& engine, Random& random, const StrassenForm& form, const StrassenPlan& plan, bool by_plan)
      : Call(random), engine_(engine), form_(form), plan_(plan), by_plan_(by_plan) {
    const GemmProblem& p = form.problem.product;
    const std::uint64_t promise = by_plan ? p.offset_alignment : 1;
    for (Stored* stored : {&form_.a, &form_.b, &form_.c}) stored->offset = draw_offset(random_, promise);
    of_a_ = reserve(form_.a.end(), sizeof(T), promise);
    of_b_ = reserve(form_.b.end(), sizeof(T), promise);
    of_c_ = reserve(form_.c.end(), sizeof(T), promise);
    if (reads_product()) {
      fill(of_a_, form_.a, p.type, form.values, random_);
      fill(of_b_, form_.b, p.type, form.values, random_);
    }
    if (form.beta != 0) fill(of_c_, form_.c, p.type, form.values, random_);
    if (reads_product() || form.beta != 1) allow(of_c_, form_.c);
    lent_ = lend(plan.workspace_bytes(), by_plan);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const StrassenOperands operands{.alpha = form_.alpha,
                                    .a = reads_product() ? of_a_.ref(form_.a.offset) : MatrixRef{},
                                    .b = reads_product() ? of_b_.ref(form_.b.offset) : MatrixRef{},
                                    .beta = form_.beta,
                                    .c = of_c_.ref(form_.c.offset),
                                    .workspace = workspace(lent_),
                                    .event = event};
    return by_plan_ ? plan_.enqueue(queue, operands, waits)
                    : strassen(engine_, queue, form_.problem, operands, waits, form_.choice);
  }

  std::string check() const override {
    GemmProblem p = form_.problem.product;
    if (p.m == 0 || p.n == 0) return {};
    p.lda = form_.a.ld;
    p.ldb = form_.b.ld;
    p.ldc = form_.c.ld;
    const verification::HostGemm<T> call{p,
                                         form_.alpha,
                                         of_a_.template sent<T>(form_.a.offset),
                                         of_b_.template sent<T>(form_.b.offset),
                                         form_.beta,
                                         of_c_.template sent<T>(form_.c.offset)};
    const unsigned levels = plan_.levels();
    // Independent rounding errors meet a smaller bound, which a missing sum exceeds.
    const bool is_random = form_.values == Values::uniform;
    const double factor = form_.values == Values::integers && is_whole() ? 0
                          : is_random ? verification::strassen_random_factor(p.k, levels)
                                      : strassen_error_factor(p.k, levels);
    const verification::StrassenCheck<T> check(call, factor, levels);
    const verification::Comparison found = check(of_c_.template received<T>(form_.c.offset));
    if (found.passed()) return {};
    std::ostringstream text;
    text << "element (" << found.row << ", " << found.column << ") is " << found.result << ", expected "
         << found.expected << ", error / bound " << found.error_over_bound << ", levels " << levels;
    return text.str();
  }

 private:
  bool reads_product() const { return form_.alpha != 0 && form_.problem.product.k > 0; }
  bool is_whole() const { return form_.alpha == std::trunc(form_.alpha) && form_.beta == std::trunc(form_.beta); }

  const Engine& engine_;
  StrassenForm form_;
  const StrassenPlan& plan_;
  bool by_plan_;
  Operand of_a_, of_b_, of_c_, lent_;
};

class StrassenCase : public Problem {
 public:
  explicit StrassenCase(const StrassenForm& form) : form_(form) {}

  std::string text() const override {
    const GemmProblem& p = form_.problem.product;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << " trans=" << static_cast<int>(p.trans_a) << static_cast<int>(p.trans_b) << " size=" << p.m << 'x' << p.n
         << 'x' << p.k << " ld=" << p.lda << ',' << p.ldb << ',' << p.ldc
         << " levels=" << (form_.problem.levels ? std::to_string(*form_.problem.levels) : "any")
         << " alpha=" << form_.alpha << " beta=" << form_.beta << " promise=" << p.offset_alignment
         << " values=" << to_string(form_.values);
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.choice); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    if (!plan_) make_plan(engine);  // the plan knows its levels
    const DataType type = form_.problem.product.type;
    count_kernel_of("strassen " + std::to_string(plan_->levels()) + ' ' + std::string(tilewright::to_string(type)));
    if (type == DataType::f64) return std::make_unique<StrassenCall<double>>(engine, random, form_, *plan_, by_plan);
    return std::make_unique<StrassenCall<float>>(engine, random, form_, *plan_, by_plan);
  }

 private:
  StrassenForm form_;
  std::optional<StrassenPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_strassen(Draw& draw) {
  StrassenForm form;
  GemmProblem& p = form.problem.product;
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.trans_a = draw.form.pick({Transpose::no, Transpose::yes});
  p.trans_b = draw.form.pick({Transpose::no, Transpose::yes});
  p.offset_alignment = draw_promise(draw);
  form.choice = draw_products(draw);
  Random& random = draw.random;
  p.m = draw_size(random, 150);
  p.n = draw_size(random, 150);
  p.k = draw_size(random, 150);
  // Every size must be divisible into quarters.
  const std::uint64_t least = std::min({p.m, p.n, p.k});
  unsigned levels = 0;
  while (levels < 3 && (least >> (levels + 1)) > 1 && random.chance(70)) ++levels;
  if (random.chance(90)) form.problem.levels = levels;
  const auto stored = [&](Transpose trans, std::uint64_t rows, std::uint64_t columns) {
    const bool is_transposed = trans != Transpose::no;
    return draw_stored(random, p.layout, is_transposed ? columns : rows, is_transposed ? rows : columns, 1, false, 1);
  };
  form.a = stored(p.trans_a, p.m, p.k);
  form.b = stored(p.trans_b, p.k, p.n);
  form.c = stored(Transpose::no, p.m, p.n);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  form.values = draw_values(draw, p.type, false);
  if (form.values == Values::subnormal) form.values = Values::positive;  // the error bound uses norms
  form.alpha = draw_scalar(random, form.values == Values::integers);
  form.beta = draw_scalar(random, form.values == Values::integers);
  return std::make_unique<StrassenCase>(form);
}

}  // namespace tilewright::test::differential
