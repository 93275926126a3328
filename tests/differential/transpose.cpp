// Transposes and copies of matrices, and sums of two matrices.
#include "tilewright/transpose.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "differential/call.hpp"
#include "differential/product_check.hpp"
#include "support/run_report.hpp"
#include "tilewright/matrix_add.hpp"
#include "verification/transpose/host_transpose.hpp"
#include "verification/vector/vector_reference.hpp"

namespace tilewright::test::differential {
namespace {

struct TransposeForm {
  TransposeProblem problem{};
  double alpha = 1;
  Values values = Values::uniform;
  Stored a, b;
};

template <std::size_t size>
class TransposeCall : public Call {
 public:
  TransposeCall(const Engine& engine, Random& random, const TransposeForm& form, const TransposePlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const TransposeProblem& p = form.problem;
    const std::uint64_t promise = plan == nullptr ? 1 : p.offset_alignment;
    form_.a.offset = draw_offset(random_, promise);
    form_.b.offset = p.in_place ? form_.a.offset : draw_offset(random_, promise);
    of_a_ = reserve(p.in_place ? std::max(form_.a.end(), form_.b.end()) : form_.a.end(), size, promise);
    of_b_ = p.in_place ? of_a_ : reserve(form_.b.end(), size, promise);
    if (form.alpha != 0) fill_a();
    allow(of_b_, form_.b);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const bool in_place = form_.problem.in_place;
    const TransposeOperands operands{.alpha = form_.alpha,
                                     .a = form_.alpha == 0 && !in_place ? MatrixRef{} : of_a_.ref(form_.a.offset),
                                     .b = in_place ? MatrixRef{} : of_b_.ref(form_.b.offset),
                                     .workspace = workspace(lent_),
                                     .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : transpose(engine_, queue, form_.problem, operands, waits);
  }

  std::string check() const override {
    const Element& element = form_.problem.type;
    const bool is_transposed = form_.problem.trans == Transpose::yes;
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      for (std::uint64_t i = 0; i < form_.b.rows; ++i)
        for (std::uint64_t j = 0; j < form_.b.columns; ++j) {
          const Moved& from = *of_a_.template sent<Moved>(is_transposed ? form_.a.at(x, j, i) : form_.a.at(x, i, j));
          const Moved expected = form_.alpha == 0 ? Moved{} : verification::scaled_element(element, from, form_.alpha);
          const Moved& found = *of_b_.template received<Moved>(form_.b.at(x, i, j));
          if (!verification::is_right(element, form_.alpha, expected, found))
            return "matrix " + std::to_string(x) + ", element (" + std::to_string(i) + ", " + std::to_string(j) +
                   ") is " + verification::hexadecimal(found) + ", expected " + verification::hexadecimal(expected);
        }
    return {};
  }

 private:
  using Moved = verification::Bits<size>;

  void fill_a() {
    if (form_.alpha != 1) {
      fill(of_a_, form_.a, *form_.problem.type.number(), form_.values, random_);
      return;
    }
    for (std::uint64_t x = 0; x < form_.a.distinct(); ++x)
      for (std::uint64_t i = 0; i < form_.a.rows; ++i)
        for (std::uint64_t j = 0; j < form_.a.columns; ++j)
          for (std::byte& byte : *of_a_.template sent<Moved>(form_.a.at(x, i, j)))
            byte = static_cast<std::byte>(random_.bits() & 0xFFU);
  }

  const Engine& engine_;
  TransposeForm form_;
  const TransposePlan* plan_;
  Operand of_a_, of_b_, lent_;
};

class TransposeCase : public Problem {
 public:
  explicit TransposeCase(const TransposeForm& form) : form_(form) {}

  std::string text() const override {
    const TransposeProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << (p.trans == Transpose::yes ? " transposed" : " copied") << (p.in_place ? " in place" : "")
         << " size=" << p.m << 'x' << p.n << " ld=" << p.lda << ',' << p.ldb << " count=" << p.batch.count
         << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << " alpha=" << form_.alpha
         << " promise=" << p.offset_alignment;
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    const TransposePlan* const plan = by_plan ? &*plan_ : nullptr;
    count_kernel_of("transpose " + to_string(form_.problem.type) + (form_.problem.in_place ? " in place" : ""));
    switch (form_.problem.type.bytes()) {
      case 1:
        return std::make_unique<TransposeCall<1>>(engine, random, form_, plan);
      case 2:
        return std::make_unique<TransposeCall<2>>(engine, random, form_, plan);
      case 4:
        return std::make_unique<TransposeCall<4>>(engine, random, form_, plan);
      case 8:
        return std::make_unique<TransposeCall<8>>(engine, random, form_, plan);
      default:
        return std::make_unique<TransposeCall<16>>(engine, random, form_, plan);
    }
  }

 private:
  TransposeForm form_;
  std::optional<TransposePlan> plan_;
};

struct MatrixAddForm {
  MatrixAddProblem problem{};
  double alpha = 1, beta = 1;
  Values values = Values::uniform;
  Stored a, b, c;  // storage layouts
};

class MatrixAddCall : public Call {
 public:
  MatrixAddCall(const Engine& engine, Random& random, const MatrixAddForm& form, const MatrixAddPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const DataType type = form.problem.type;
    for (Stored* stored : {&form_.a, &form_.b, &form_.c}) stored->offset = draw_offset(random_, 1);
    of_a_ = reserve(form_.a.end(), size_of(type));
    of_b_ = reserve(form_.b.end(), size_of(type));
    of_c_ = reserve(form_.c.end(), size_of(type));
    if (form.alpha != 0) fill(of_a_, form_.a, type, form.values, random_);
    if (form.beta != 0) fill(of_b_, form_.b, type, form.values, random_);
    allow(of_c_, form_.c);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const MatrixAddOperands operands{.alpha = form_.alpha,
                                     .a = form_.alpha == 0 ? MatrixRef{} : of_a_.ref(form_.a.offset),
                                     .beta = form_.beta,
                                     .b = form_.beta == 0 ? MatrixRef{} : of_b_.ref(form_.b.offset),
                                     .c = of_c_.ref(form_.c.offset),
                                     .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : matrix_add(engine_, queue, form_.problem, operands, waits);
  }

  std::string check() const override {
    return detail::with_real_host_type(form_.problem.type,
                                       [&]<class T>(std::type_identity<T>) { return check_type<T>(); });
  }

 private:
  template <class T>
  std::string check_type() const {
    const MatrixAddProblem& p = form_.problem;
    const verification::VectorRounding rounding(p.type);
    const auto term = [&](double scalar, const Operand& operand, const Stored& stored, Transpose trans, std::uint64_t x,
                          std::uint64_t i, std::uint64_t j) -> long double {
      const long double factor = static_cast<detail::Accumulator<T>>(scalar);
      if (factor == 0) return 0;
      const std::uint64_t place = trans == Transpose::no ? stored.at(x, i, j) : stored.at(x, j, i);
      return factor * static_cast<long double>(*operand.sent<T>(place));
    };
    for (std::uint64_t x = 0; x < p.batch.count; ++x)
      for (std::uint64_t i = 0; i < p.m; ++i)
        for (std::uint64_t j = 0; j < p.n; ++j) {
          const long double left = term(form_.alpha, of_a_, form_.a, p.trans_a, x, i, j);
          const long double right = term(form_.beta, of_b_, form_.b, p.trans_b, x, i, j);
          const auto expected = rounding.element(left + right, std::abs(left) + std::abs(right));
          const auto found = static_cast<long double>(*of_c_.received<T>(form_.c.at(x, i, j)));
          if (agrees(left + right, found, expected.bound)) continue;
          std::ostringstream text;
          text << "sum " << x << ", element (" << i << ", " << j << ") is " << found << ", expected " << left + right;
          return text.str();
        }
    return {};
  }

  const Engine& engine_;
  MatrixAddForm form_;
  const MatrixAddPlan* plan_;
  Operand of_a_, of_b_, of_c_;
};

class MatrixAddCase : public Problem {
 public:
  explicit MatrixAddCase(const MatrixAddForm& form) : form_(form) {}

  std::string text() const override {
    const MatrixAddProblem& p = form_.problem;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
         << " trans=" << static_cast<int>(p.trans_a) << static_cast<int>(p.trans_b) << " size=" << p.m << 'x' << p.n
         << " ld=" << p.lda << ',' << p.ldb << ',' << p.ldc << " count=" << p.batch.count
         << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << ',' << p.batch.stride_c
         << " alpha=" << form_.alpha << " beta=" << form_.beta << " values=" << to_string(form_.values);
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    count_kernel_of("matrix add " + std::string(tilewright::to_string(form_.problem.type)));
    return std::make_unique<MatrixAddCall>(engine, random, form_, by_plan ? &*plan_ : nullptr);
  }

 private:
  MatrixAddForm form_;
  std::optional<MatrixAddPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_transpose(Draw& draw) {
  TransposeForm form;
  TransposeProblem& p = form.problem;
  const bool is_number = draw.form.chance(60);
  if (is_number)
    p.type = draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16});
  else
    p.type = Element::of_bytes(draw.form.pick<std::size_t>({1, 2, 4, 8, 16}));
  p.layout = draw_layout(draw.form);
  p.trans = draw.form.chance(75) ? Transpose::yes : Transpose::no;
  p.in_place = draw.form.chance(35);
  p.offset_alignment = draw_promise(draw);
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random), most = largest_size(count, 300);
  p.m = draw_size(random, most);
  p.n = random.chance(p.in_place ? 50 : 20) ? p.m : draw_size(random, most);
  const bool is_transposed = p.trans == Transpose::yes;
  form.a = draw_stored(random, p.layout, p.m, p.n, count, !p.in_place, 1);
  form.b = draw_stored(random, p.layout, is_transposed ? p.n : p.m, is_transposed ? p.m : p.n, count, false, 1);
  if (p.in_place) {
    if (random.chance(50)) {
      form.a.ld = std::max<std::uint64_t>(form.a.line(), 1);
      form.b.ld = std::max<std::uint64_t>(form.b.line(), 1);
    } else if (random.chance(50)) {
      form.a.ld = form.b.ld = std::max({form.a.line(), form.b.line(), std::uint64_t{1}}) + random.below(5);
    }
    const std::uint64_t stride = std::max({form.a.span(), form.b.span(), std::uint64_t{1}}) + random.below(9);
    form.a.stride = form.b.stride = count <= 1 ? 0 : stride;
  }
  p.lda = form.a.ld;
  p.ldb = form.b.ld;
  p.batch = {count, form.a.stride, p.in_place && random.chance(50) ? 0 : form.b.stride};
  if (is_number && random.chance(50)) form.alpha = random.pick({0.0, -1.0, 0.37, 2.0});
  form.values = is_number ? draw_values(draw, *p.type.number(), true) : Values::uniform;
  return std::make_unique<TransposeCase>(form);
}

std::unique_ptr<Problem> draw_matrix_add(Draw& draw) {
  MatrixAddForm form;
  MatrixAddProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16});
  p.layout = draw_layout(draw.form);
  p.trans_a = draw.form.pick({Transpose::no, Transpose::yes});
  p.trans_b = draw.form.pick({Transpose::no, Transpose::yes});
  Random& random = draw.random;
  const std::uint64_t count = draw_count(random), most = largest_size(count, 300);
  p.m = draw_size(random, most);
  p.n = draw_size(random, most);
  const auto stored = [&](Transpose trans, bool is_shared) {
    const bool is_transposed = trans != Transpose::no;
    return draw_stored(random, p.layout, is_transposed ? p.n : p.m, is_transposed ? p.m : p.n, count, is_shared, 1);
  };
  form.a = stored(p.trans_a, true);
  form.b = stored(p.trans_b, true);
  form.c = stored(Transpose::no, false);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  p.batch = {count, form.a.stride, form.b.stride, form.c.stride};
  form.values = draw_values(draw, p.type, true);
  form.alpha = draw_scalar(random, form.values == Values::integers);
  form.beta = draw_scalar(random, form.values == Values::integers);
  return std::make_unique<MatrixAddCase>(form);
}

}  // namespace tilewright::test::differential
