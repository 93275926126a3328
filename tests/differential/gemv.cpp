// Products of a matrix and a vector, and outer products of two vectors.
#include "tilewright/gemv.hpp"

#include <sstream>
#include <vector>

#include "differential/call.hpp"
#include "differential/product_check.hpp"
#include "support/run_report.hpp"

namespace tilewright::test::differential {
namespace {

using verification::HostGemm;

// A vector without gaps.
template <class T>
std::vector<T> dense_vector(const Operand& operand, const Strided& vector, std::uint64_t x, bool is_received) {
  std::vector<T> dense(vector.n);
  for (std::uint64_t i = 0; i < vector.n; ++i)
    dense[i] = is_received ? *operand.received<T>(vector.at(x, i)) : *operand.sent<T>(vector.at(x, i));
  return dense;
}

struct GemvForm {
  GemvProblem problem{};
  std::complex<double> alpha, beta;
  Values values = Values::uniform;
  Choice choice{};

  std::uint64_t x_size() const { return problem.trans == Transpose::no ? problem.n : problem.m; }
  std::uint64_t y_size() const { return problem.trans == Transpose::no ? problem.m : problem.n; }
  bool reads_product() const { return alpha != 0.0 && x_size() > 0; }
};

// The shapes of a problem. All calls of a plan share them except for the offsets.
struct GemvShapes {
  Stored a;
  Strided x, y;
};

class GemvCall : public Call {
 public:
  GemvCall(const Engine& engine, Random& random, const GemvForm& form, const GemvShapes& shapes, const GemvPlan* plan)
      : Call(random), engine_(engine), form_(form), shapes_(shapes), plan_(plan) {
    const GemvProblem& p = form.problem;
    const std::uint64_t promise = plan == nullptr ? 1 : p.offset_alignment;
    for (std::uint64_t* offset : {&shapes_.a.offset, &shapes_.x.offset, &shapes_.y.offset})
      *offset = draw_offset(random_, promise);
    type_y_ = detail::type_of_c({.type = p.type, .type_c = p.type_y});
    a_ = reserve(shapes_.a.end(), size_of(p.type), promise);
    x_ = reserve(shapes_.x.end(), size_of(p.type), promise);
    y_ = reserve(shapes_.y.end(), size_of(type_y_), promise);
    if (form.reads_product()) {
      fill(a_, shapes_.a, p.type, form.values, random_);
      fill(x_, shapes_.x, p.type, form.values, random_);
    }
    if (form.beta != 0.0) fill(y_, shapes_.y, type_y_, form.values, random_);
    allow(y_, shapes_.y);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const bool is_null = !form_.reads_product() && shapes_.a.offset % 2 == 0;
    const GemvOperands operands{.alpha = form_.alpha,
                                .a = is_null ? MatrixRef{} : a_.ref(shapes_.a.offset),
                                .x = is_null ? MatrixRef{} : x_.ref(shapes_.x.offset),
                                .beta = form_.beta,
                                .y = y_.ref(shapes_.y.offset),
                                .workspace = workspace(lent_),
                                .event = event};
    return plan_ != nullptr ? plan_->enqueue(queue, operands, waits)
                            : gemv(engine_, queue, form_.problem, operands, waits, form_.choice);
  }

  std::string check() const override {
    const GemvProblem& v = form_.problem;
    const GemmProblem p{.type = v.type,
                        .type_c = v.type_y,
                        .layout = v.layout,
                        .trans_a = v.trans,
                        .m = form_.y_size(),
                        .n = 1,
                        .k = form_.x_size(),
                        .lda = shapes_.a.ld};
    return verification::with_product_types(p, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
      for (std::uint64_t i = 0; i < v.batch.count; ++i) {
        const std::vector<T> x = dense_vector<T>(x_, shapes_.x, i, false);
        const std::vector<C> before = dense_vector<C>(y_, shapes_.y, i, false);
        const std::vector<C> after = dense_vector<C>(y_, shapes_.y, i, true);
        const HostGemm<T, C> call{p,        form_.alpha, a_.sent<T>(shapes_.a.at(i, 0, 0)),
                                  x.data(), form_.beta,  before.data()};
        const bool is_exact = form_.values == Values::integers;
        if (std::string wrong = compare_product(call, after.data(), is_exact); !wrong.empty())
          return "product " + std::to_string(i) + ": " + wrong;
      }
      return std::string();
    });
  }

 private:
  const Engine& engine_;
  GemvForm form_;
  GemvShapes shapes_;
  const GemvPlan* plan_;
  DataType type_y_ = DataType::f32;
  Operand a_, x_, y_, lent_;
};

class GemvCase : public Problem {
 public:
  GemvCase(const GemvForm& form, Random& random) : form_(form) {
    GemvProblem& p = form_.problem;
    const std::uint64_t count = p.batch.count;
    shapes_.a = draw_stored(random, p.layout, p.m, p.n, count, true, 1);
    shapes_.x = draw_strided(random, form.x_size(), p.incx, count, true, 1);
    shapes_.y = draw_strided(random, form.y_size(), p.incy, count, false, 1);
    p.incx = shapes_.x.increment;
    p.incy = shapes_.y.increment;
    p.lda = named_ld(random, shapes_.a);
    p.batch = {
        .count = count, .stride_a = shapes_.a.stride, .stride_x = shapes_.x.stride, .stride_y = shapes_.y.stride};
  }

  std::string text() const override {
    const GemvProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.type) << (p.type_y ? ' ' + std::string(to_string(*p.type_y)) : "")
         << (p.layout == Layout::row_major ? " row" : " column") << " trans=" << static_cast<int>(p.trans)
         << " size=" << p.m << 'x' << p.n << " ld=" << shapes_.a.ld << " inc=" << p.incx << ',' << p.incy
         << " count=" << p.batch.count << " strides=" << p.batch.stride_a << ',' << p.batch.stride_x << ','
         << p.batch.stride_y << " alpha=" << form_.alpha << " beta=" << form_.beta << " promise=" << p.offset_alignment
         << " values=" << to_string(form_.values);
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.choice); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    count_kernel_of("gemv " + std::string(to_string(form_.problem.type)));
    return std::make_unique<GemvCall>(engine, random, form_, shapes_, by_plan ? &*plan_ : nullptr);
  }

 private:
  GemvForm form_;
  GemvShapes shapes_;
  std::optional<GemvPlan> plan_;
};

struct GerForm {
  GerProblem problem{};
  std::complex<double> alpha;
  Values values = Values::uniform;
  Choice choice{};
};

class GerCall : public Call {
 public:
  GerCall(const Engine& engine, Random& random, const GerForm& form) : Call(random), engine_(engine), form_(form) {
    GerProblem& p = form_.problem;
    const std::uint64_t count = p.batch.count;
    x_ = draw_strided(random_, p.m, p.incx, count, true, 1);
    y_ = draw_strided(random_, p.n, p.incy, count, true, 1);
    a_ = draw_stored(random_, p.layout, p.m, p.n, count, false, 1);
    p.incx = x_.increment;
    p.incy = y_.increment;
    p.lda = named_ld(random_, a_);
    p.batch = {.count = count, .stride_a = a_.stride, .stride_x = x_.stride, .stride_y = y_.stride};
    of_x_ = reserve(x_.end(), size_of(p.type));
    of_y_ = reserve(y_.end(), size_of(p.type));
    of_a_ = reserve(a_.end(), size_of(p.type));
    if (form.alpha != 0.0) {
      fill(of_x_, x_, p.type, form.values, random_);
      fill(of_y_, y_, p.type, form.values, random_);
      allow(of_a_, a_);
    }
    fill(of_a_, a_, p.type, form.values, random_);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const bool is_null = form_.alpha == 0.0;
    return ger(engine_, queue, form_.problem,
               {.alpha = form_.alpha,
                .x = is_null ? MatrixRef{} : of_x_.ref(x_.offset),
                .y = is_null ? MatrixRef{} : of_y_.ref(y_.offset),
                .a = of_a_.ref(a_.offset),
                .event = event},
               waits, form_.choice);
  }

  std::string check() const override {
    const GerProblem& g = form_.problem;
    if (form_.alpha == 0.0) return {};  // no byte may have changed
    const GemmProblem p{.type = g.type,
                        .layout = g.layout,
                        .trans_b = g.conj_y ? Transpose::conjugate_transpose : Transpose::yes,
                        .m = g.m,
                        .n = g.n,
                        .k = 1,
                        .ldc = a_.ld};
    return verification::with_product_types(p, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
      for (std::uint64_t i = 0; i < g.batch.count; ++i) {
        const std::vector<T> x = dense_vector<T>(of_x_, x_, i, false), y = dense_vector<T>(of_y_, y_, i, false);
        const std::uint64_t first = a_.at(i, 0, 0);
        const HostGemm<T, C> call{p, form_.alpha, x.data(), y.data(), 1, of_a_.sent<C>(first)};
        const bool is_exact = form_.values == Values::integers;
        if (std::string wrong = compare_product(call, of_a_.received<C>(first), is_exact); !wrong.empty())
          return "product " + std::to_string(i) + ": " + wrong;
      }
      return std::string();
    });
  }

 private:
  const Engine& engine_;
  GerForm form_;
  Strided x_, y_;
  Stored a_;
  Operand of_x_, of_y_, of_a_;
};

class GerCase : public Problem {
 public:
  explicit GerCase(const GerForm& form) : form_(form) {}

  std::string text() const override {
    const GerProblem& p = form_.problem;
    std::ostringstream text;
    text << to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column") << " size=" << p.m << 'x' << p.n
         << " inc=" << p.incx << ',' << p.incy << " count=" << p.batch.count << " alpha=" << form_.alpha
         << (p.conj_y ? " conjugate" : "") << " values=" << to_string(form_.values);
    return text.str();
  }
  bool has_plan() const override { return false; }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool) override {
    count_kernel_of("ger " + std::string(to_string(form_.problem.type)));
    return std::make_unique<GerCall>(engine, random, form_);
  }

 private:
  GerForm form_;
};

}  // namespace

std::unique_ptr<Problem> draw_gemv(Draw& draw) {
  GemvForm form;
  GemvProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16, DataType::i8, DataType::u8,
                            DataType::c64, DataType::c128});
  if (draw.form.chance(30)) p.type_y = accumulator_of(p.type);
  p.layout = draw_layout(draw.form);
  p.trans = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.offset_alignment = draw_promise(draw);
  form.choice = draw_products(draw);
  Random& random = draw.random;
  p.batch.count = draw_count(random);
  const std::uint64_t most = largest_size(p.batch.count, 600);
  p.m = draw_size(random, most);
  p.n = draw_size(random, most);
  p.incx = draw_increment(random);
  p.incy = draw_increment(random);
  form.values = draw_values(draw, p.type, !is_complex(p.type));
  form.alpha = draw_scalar(random, p.type, has_whole_values(p.type, form.values));
  form.beta = draw_scalar(random, p.type, has_whole_values(p.type, form.values));
  return std::make_unique<GemvCase>(form, random);
}

std::unique_ptr<Problem> draw_ger(Draw& draw) {
  GerForm form;
  GerProblem& p = form.problem;
  p.type =
      draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16, DataType::c64, DataType::c128});
  p.layout = draw_layout(draw.form);
  p.conj_y = draw.form.chance(30);
  form.choice = draw_products(draw);
  Random& random = draw.random;
  p.batch.count = draw_count(random);
  const std::uint64_t most = largest_size(p.batch.count, 300);
  p.m = draw_size(random, most);
  p.n = draw_size(random, most);
  p.incx = draw_increment(random);
  p.incy = draw_increment(random);
  form.values = draw_values(draw, p.type, !is_complex(p.type));
  form.alpha = draw_scalar(random, p.type, form.values == Values::integers);
  return std::make_unique<GerCase>(form);
}

}  // namespace tilewright::test::differential
