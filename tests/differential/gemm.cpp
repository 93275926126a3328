// Dense products of every type: batches, epilogues, scalars per product, packed matrices.
#include <optional>
#include <sstream>

#include "differential/call.hpp"
#include "differential/product_check.hpp"
#include "gemm/epilogue.hpp"
#include "support/run_report.hpp"
#include "tilewright/packed_matrix.hpp"

namespace tilewright::test::differential {
namespace {

using verification::HostGemm;

struct GemmForm {
  GemmProblem problem{};
  Values values = Values::uniform;
  Stored a, b, c, residual;  // storage layouts
  std::complex<double> alpha, beta;
  bool has_scalars = false;  ///< scalars per product
  bool is_packed_a = false, is_packed_b = false;
  Choice choice{};

  DataType type_c() const { return detail::type_of_c(problem); }
  bool is_whole() const { return has_whole_values(problem.type, values); }
  bool is_exact() const {
    const Activation activation = problem.epilogue.activation;
    return is_whole() && (activation == Activation::none || activation == Activation::relu);
  }
  std::uint64_t length_of(EpilogueVector vector) const {
    return vector == EpilogueVector::none ? 0 : vector == EpilogueVector::per_row ? problem.m : problem.n;
  }
};

/// The positions of the matrices in a batch by offsets.
struct GemmPlaces {
  std::vector<std::uint64_t> a, b, c;
};

class GemmCall : public Call {
 public:
  GemmCall(const Engine& engine, Random& random, const GemmForm& form, const GemmPlan* plan)
      : Call(random), engine_(engine), form_(form), plan_(plan) {
    const GemmProblem& p = form.problem;
    const std::uint64_t promise = plan == nullptr && !p.batch.by_offsets ? 1 : p.offset_alignment;
    for (Stored* stored : {&form_.a, &form_.b, &form_.c, &form_.residual})
      stored->offset = draw_offset(random_, promise);
    draw_scalars();
    if (p.batch.by_offsets) draw_places();
    of_a_ = reserve(form_.a.end(), size_of(p.type), promise);
    of_b_ = reserve(form_.b.end(), size_of(p.type), promise);
    of_c_ = reserve(form_.c.end(), size_of(form.type_c()), promise);
    const bool reads_product = p.k > 0 && !all_zero(alphas_);
    if (reads_product) {
      fill(of_a_, form_.a, p.type, form.values, random_);
      fill(of_b_, form_.b, p.type, form.values, random_);
    }
    fill_c();
    is_null_ = p.k == 0 || (!form.has_scalars && form.alpha == 0.0);
    draw_epilogue(promise);
    if (plan != nullptr) lent_ = lend(plan->workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    GemmOperands operands{.alpha = form_.has_scalars ? 7 : form_.alpha,
                          .a = is_null_ ? MatrixRef{} : of_a_.ref(form_.a.offset),
                          .b = is_null_ ? MatrixRef{} : of_b_.ref(form_.b.offset),
                          .beta = form_.has_scalars ? 7 : form_.beta,
                          .c = of_c_.ref(form_.c.offset),
                          .workspace = workspace(lent_),
                          .event = event,
                          .scale = scale_.ref(0),
                          .bias = bias_.ref(0),
                          .residual = residual_.ref(form_.residual.offset)};
    const GemmProblem& p = form_.problem;
    if (p.batch.by_offsets) operands.offsets = {places_.a, places_.b, places_.c};
    const std::vector<Scalar> alphas(alphas_.begin(), alphas_.end()), betas(betas_.begin(), betas_.end());
    if (form_.has_scalars) operands.scalars = {alphas, betas};
    if (plan_ == nullptr) return call_function(queue, operands, waits);
    if (form_.is_packed_a && !is_null_) {
      packed_a_.emplace(*plan_, GemmInput::a, queue, operands.a, waits);
      operands.packed_a = &*packed_a_;
      operands.a = {};
    }
    if (form_.is_packed_b && !is_null_) {
      packed_b_.emplace(*plan_, GemmInput::b, queue, operands.b, waits);
      operands.packed_b = &*packed_b_;
      operands.b = {};
    }
    return plan_->enqueue(queue, operands, waits);
  }

  std::string check() const override {
    GemmProblem p = form_.problem;
    p.batch = {};
    p.lda = form_.a.ld;
    p.ldb = form_.b.ld;
    p.ldc = form_.c.ld;
    p.epilogue.ldr = form_.residual.ld;
    return verification::with_product_types(p, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
      using EpilogueType = detail::EpilogueType<T>;
      for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x) {
        HostGemm<T, C> call{p,
                            alphas_[x],
                            of_a_.sent<T>(place(form_.a, places_.a, x)),
                            of_b_.sent<T>(place(form_.b, places_.b, x)),
                            betas_[x],
                            of_c_.sent<C>(place(form_.c, places_.c, x))};
        if (p.epilogue.scale != EpilogueVector::none) call.scale = scale_.sent<EpilogueType>(0);
        if (p.epilogue.bias != EpilogueVector::none) call.bias = bias_.sent<EpilogueType>(0);
        if (p.epilogue.residual) call.residual = residual_.sent<C>(place(form_.residual, places_.c, x));
        const C* const result = of_c_.received<C>(place(form_.c, places_.c, x));
        if (std::string wrong = compare_product(call, result, form_.is_exact()); !wrong.empty())
          return "product " + std::to_string(x) + ": " + wrong;
      }
      return std::string();
    });
  }

 private:
  static bool all_zero(const std::vector<std::complex<double>>& scalars) {
    return std::all_of(scalars.begin(), scalars.end(), [](const auto& scalar) { return scalar == 0.0; });
  }
  static std::uint64_t place(const Stored& stored, const std::vector<std::uint64_t>& places, std::uint64_t x) {
    return places.empty() ? stored.at(x, 0, 0) : stored.offset + places[x];
  }

  // Draws the call's scalars, or scalars per product.
  void draw_scalars() {
    const GemmProblem& p = form_.problem;
    for (std::uint64_t x = 0; x < p.batch.count; ++x) {
      alphas_.push_back(form_.has_scalars ? draw_scalar(random_, p.type, form_.is_whole()) : form_.alpha);
      betas_.push_back(form_.has_scalars ? draw_scalar(random_, p.type, form_.is_whole()) : form_.beta);
      if (form_.beta == 0.0) betas_.back() = 0;
    }
  }

  void draw_places() {
    const std::uint64_t count = form_.problem.batch.count;
    for (std::uint64_t x = 0; x < count; ++x) {
      places_.a.push_back(form_.a.stride * random_.below(count));
      places_.b.push_back(form_.b.stride * random_.below(count));
      places_.c.push_back(form_.c.stride * x);
    }
    for (std::uint64_t x = count; x > 1; --x) std::swap(places_.c[x - 1], places_.c[random_.below(x)]);
  }

  // Fills C. Elements that are not read stay NaN, and unwritten elements must not change.
  void fill_c() {
    const GemmProblem& p = form_.problem;
    const bool has_epilogue = detail::has_epilogue(p.epilogue);
    for (std::uint64_t x = 0; x < p.batch.count; ++x) {
      Stored one = form_.c;
      one.offset = place(form_.c, places_.c, x);
      one.count = 1;
      if (betas_[x] != 0.0) fill(of_c_, one, form_.type_c(), form_.values, random_);
      const bool is_left = (alphas_[x] == 0.0 || p.k == 0) && betas_[x] == 1.0 && !has_epilogue;
      if (!is_left) allow(of_c_, one);
    }
  }

  void draw_epilogue(std::uint64_t promise) {
    const GemmProblem& p = form_.problem;
    const DataType type = detail::epilogue_type(p.type);
    const Values values = form_.is_whole() ? Values::integers : Values::uniform;
    for (const auto& [operand, which] : {std::pair{&scale_, p.epilogue.scale}, {&bias_, p.epilogue.bias}}) {
      if (which == EpilogueVector::none) continue;
      const Strided vector{.n = form_.length_of(which)};
      *operand = reserve(vector.n, size_of(type));
      fill(*operand, vector, type, values, random_);
    }
    if (!p.epilogue.residual) return;
    residual_ = reserve(form_.residual.end(), size_of(form_.type_c()), promise);
    fill(residual_, form_.residual, form_.type_c(), form_.values, random_);
  }

  Event call_function(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) const {
    return gemm(engine_, queue, form_.problem, operands, waits, form_.choice);
  }

  const Engine& engine_;
  GemmForm form_;
  const GemmPlan* plan_;
  GemmPlaces places_;
  std::vector<std::complex<double>> alphas_, betas_;
  bool is_null_ = false;
  Operand of_a_, of_b_, of_c_, scale_, bias_, residual_, lent_;
  std::optional<PackedMatrix> packed_a_, packed_b_;
};

class GemmCase : public Problem {
 public:
  explicit GemmCase(const GemmForm& form) : form_(form) {}

  std::string text() const override {
    const GemmProblem& p = form_.problem;
    const GemmEpilogue& e = p.epilogue;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << '-' << tilewright::to_string(form_.type_c()) << ' '
         << tilewright::to_string(p.accuracy) << (p.layout == Layout::row_major ? " row" : " column")
         << " trans=" << static_cast<int>(p.trans_a) << static_cast<int>(p.trans_b) << " size=" << p.m << 'x' << p.n
         << 'x' << p.k << " ld=" << p.lda << ',' << p.ldb << ',' << p.ldc << " count=" << p.batch.count
         << (p.batch.by_offsets ? " by offsets" : "") << " strides=" << form_.a.stride << ',' << form_.b.stride << ','
         << form_.c.stride << (form_.has_scalars ? " scalars" : "") << " alpha=" << form_.alpha
         << " beta=" << form_.beta << " epilogue=" << static_cast<int>(e.scale) << static_cast<int>(e.bias)
         << static_cast<int>(e.activation) << e.residual << " packed=" << form_.is_packed_a << form_.is_packed_b
         << " promise=" << p.offset_alignment << " values=" << to_string(form_.values);
    return text.str();
  }
  void make_plan(const Engine& engine) override { plan_.emplace(engine, form_.problem, form_.choice); }

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool by_plan) override {
    if (by_plan)
      count_kernel(*plan_);
    else
      count_kernel_of("gemm " + std::string(tilewright::to_string(form_.problem.type)));
    return std::make_unique<GemmCall>(engine, random, form_, by_plan ? &*plan_ : nullptr);
  }

 private:
  GemmForm form_;
  std::optional<GemmPlan> plan_;
};

void draw_gemm_types(Draw& draw, GemmProblem& p) {
  p.type = draw_type(draw, {DataType::f64, DataType::f32, DataType::f16, DataType::bf16, DataType::i8, DataType::u8,
                            DataType::c64, DataType::c128});
  const bool is_integer = detail::is_integer(p.type);
  if (is_integer)
    p.type_c = draw.form.pick({DataType::i32, DataType::i32, DataType::f32, p.type});
  else if (draw.form.chance(30))
    p.type_c = accumulator_of(p.type);
  if (p.type == DataType::f32 && draw.form.chance(15))
    p.accuracy = draw.form.pick({Accuracy::fp32_split, Accuracy::tf32});
  if (is_complex(p.type) || (is_integer && p.type_c == DataType::i32) || draw.form.chance(50)) return;
  GemmEpilogue& e = p.epilogue;
  e.scale = draw.form.pick({EpilogueVector::none, EpilogueVector::per_row, EpilogueVector::per_column});
  e.bias = draw.form.pick({EpilogueVector::none, EpilogueVector::per_row, EpilogueVector::per_column});
  e.activation =
      draw.form.pick({Activation::none, Activation::relu, Activation::gelu, Activation::gelu_tanh, Activation::silu});
  e.residual = !is_integer && draw.form.chance(30);
  if (p.type_c == p.type && is_integer)
    e.zero_point = static_cast<std::int32_t>(draw.random.below(100)) - (p.type == DataType::i8 ? 50 : 0);
}

void store_gemm(GemmForm& form, Random& random) {
  GemmProblem& p = form.problem;
  const std::uint64_t count = p.batch.count;
  const auto stored = [&](Transpose trans, std::uint64_t rows, std::uint64_t columns, bool is_shared) {
    const bool is_transposed = trans != Transpose::no;
    Stored result = draw_stored(random, p.layout, is_transposed ? columns : rows, is_transposed ? rows : columns, count,
                                is_shared && !p.batch.by_offsets, 1);
    const std::uint64_t span = std::max<std::uint64_t>(result.span(), 1), promise = p.offset_alignment;
    if (p.batch.by_offsets) result.stride = (span + promise - 1) / promise * promise;
    return result;
  };
  form.a = stored(p.trans_a, p.m, p.k, true);
  form.b = stored(p.trans_b, p.k, p.n, true);
  form.c = stored(Transpose::no, p.m, p.n, false);
  form.residual = p.batch.by_offsets ? form.c : stored(Transpose::no, p.m, p.n, true);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  if (p.epilogue.residual) p.epilogue.ldr = named_ld(random, form.residual);
  if (p.batch.by_offsets) return;
  p.batch = {.count = count, .stride_a = form.a.stride, .stride_b = form.b.stride, .stride_c = form.c.stride};
  if (p.epilogue.residual) p.epilogue.stride_residual = form.residual.stride;
}

}  // namespace

std::unique_ptr<Problem> draw_gemm(Draw& draw) {
  GemmForm form;
  GemmProblem& p = form.problem;
  draw_gemm_types(draw, p);
  p.layout = draw_layout(draw.form);
  p.trans_a = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.trans_b = draw.form.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  p.offset_alignment = draw_promise(draw);
  form.choice = draw_products(draw);
  Random& random = draw.random;
  p.batch.count = draw_count(random);
  p.batch.by_offsets = p.batch.count != 1 && random.chance(40);
  p.m = draw_size(random, largest_size(p.batch.count, 200));
  p.n = draw_size(random, largest_size(p.batch.count, 200));
  p.k = draw_size(random, largest_size(p.batch.count, random.chance(10) ? 600 : 200));
  form.has_scalars = p.batch.count > 1 && random.chance(40);
  form.values = draw_values(draw, p.type, !is_complex(p.type) && p.epilogue == GemmEpilogue{});
  form.alpha = draw_scalar(random, p.type, form.is_whole());
  form.beta = draw_scalar(random, p.type, form.is_whole());
  if (detail::is_integer(p.type) && form.type_c() != DataType::i32) form.beta = 0;
  // A plan for an empty product does not read the matrices that can be packed.
  const bool may_pack = !is_complex(p.type) && !p.batch.by_offsets && p.batch.count * p.m * p.n > 0;
  form.is_packed_a = may_pack && random.chance(20);
  form.is_packed_b = may_pack && random.chance(20);
  store_gemm(form, random);
  return std::make_unique<GemmCase>(form);
}

}  // namespace tilewright::test::differential
