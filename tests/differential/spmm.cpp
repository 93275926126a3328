// Products of a sparse and a dense matrix.
#include "tilewright/spmm.hpp"

#include <sstream>

#include "differential/call.hpp"
#include "support/run_report.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/spmm/device_sparse.hpp"

namespace tilewright::test::differential {
namespace {

using verification::Expected;
using verification::SparsePattern;
using verification::Sums;
using verification::Wide;

struct SpmmForm {
  SpmmProblem problem{};
  StructureCheck check = StructureCheck::valid;
  SparsePattern pattern = SparsePattern::uniform;
  std::vector<verification::Place> places{};  // in the order of the values
  verification::HostSparse sparse{};
  Strided values_of_a;
  Stored b, c;
  double alpha = 1, beta = 0;
  Values values = Values::uniform;

  bool is_transposed() const { return problem.trans_a != Transpose::no; }
  bool reads_product() const { return alpha != 0 && problem.nonzeros > 0; }
};

template <class T>
class SpmmCall : public Call {
 public:
  SpmmCall(Random& random, const SpmmForm& form, const SpmmPlan& plan) : Call(random), form_(form), plan_(plan) {
    for (std::uint64_t* offset : {&form_.values_of_a.offset, &form_.b.offset, &form_.c.offset})
      *offset = draw_offset(random_, 1);
    of_a_ = reserve(form_.values_of_a.end(), sizeof(T));
    of_b_ = reserve(form_.b.end(), sizeof(T));
    of_c_ = reserve(form_.c.end(), sizeof(T));
    const DataType type = form.problem.type;
    if (form.reads_product()) {
      fill(of_a_, form_.values_of_a, type, form.values, random_);
      fill(of_b_, form_.b, type, form.values, random_);
    }
    if (form.beta != 0) fill(of_c_, form_.c, type, form.values, random_);
    allow(of_c_, form_.c);
    lent_ = lend(plan.workspace_bytes(), true);
  }

  Event enqueue(cl_command_queue queue, std::span<const cl_event> waits, bool event) override {
    const bool is_null = !form_.reads_product();
    return plan_.enqueue(queue,
                         {.alpha = form_.alpha,
                          .values = is_null ? MatrixRef{} : of_a_.ref(form_.values_of_a.offset),
                          .b = is_null ? MatrixRef{} : of_b_.ref(form_.b.offset),
                          .beta = form_.beta,
                          .c = of_c_.ref(form_.c.offset),
                          .workspace = workspace(lent_),
                          .event = event},
                         waits);
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      if (std::string wrong = check(x); !wrong.empty()) return "product " + std::to_string(x) + ": " + wrong;
    return {};
  }

 private:
  std::string check(std::uint64_t x) const {
    const T alpha = static_cast<T>(form_.alpha), beta = static_cast<T>(form_.beta);
    const std::uint64_t n = form_.problem.n;
    std::vector<Sums<T>> sums(form_.c.rows * n);
    std::vector<std::uint64_t> lengths(form_.c.rows, 0);
    for (std::size_t e = 0; e < form_.places.size(); ++e) {
      const auto& [row, column] = form_.places[e];
      const std::uint64_t i = form_.is_transposed() ? column : row, p = form_.is_transposed() ? row : column;
      ++lengths[i];
      const Wide<T> a = *of_a_.template sent<T>(form_.values_of_a.at(x, e));
      for (std::uint64_t j = 0; j < n && alpha != 0; ++j) {
        const Wide<T> term = a * static_cast<Wide<T>>(*of_b_.template sent<T>(form_.b.at(x, p, j)));
        sums[i * n + j].product += term;
        sums[i * n + j].product_magnitude += std::abs(term);
      }
    }
    const auto tolerance =
        form_.values == Values::integers ? verification::Tolerance::exact : verification::Tolerance::rounding;
    for (std::uint64_t i = 0; i < form_.c.rows; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        Sums<T>& sum = sums[i * n + j];
        const std::uint64_t place = form_.c.at(x, i, j);
        if (beta != 0) sum.c = *of_c_.template sent<T>(place);
        sum.c_magnitude = std::abs(sum.c);
        const Expected<T> expected = verification::expect(sum, alpha, beta, lengths[i], 1, tolerance);
        const Wide<T> found = *of_c_.template received<T>(place);
        if (verification::error_over_bound(expected, found) <= 1) continue;
        std::ostringstream text;
        text << "element (" << i << ", " << j << ") is " << found << ", expected " << expected.value << " within "
             << expected.bound << ", from " << lengths[i] << " stored elements";
        return text.str();
      }
    return {};
  }

  SpmmForm form_;
  const SpmmPlan& plan_;
  Operand of_a_, of_b_, of_c_, lent_;
};

class SpmmCase : public Problem {
 public:
  explicit SpmmCase(SpmmForm form) : form_(std::move(form)) {}

  std::string text() const override {
    const SpmmProblem& p = form_.problem;
    std::ostringstream text;
    text << tilewright::to_string(p.type) << ' ' << tilewright::to_string(p.format)
         << (p.index_type == IndexType::i64 ? " i64" : " i32") << " base=" << p.index_base
         << " trans=" << static_cast<int>(p.trans_a) << " layouts=" << static_cast<int>(p.layout_b)
         << static_cast<int>(p.layout_c) << " size=" << p.m << 'x' << p.n << 'x' << p.k
         << " pattern=" << verification::to_string(form_.pattern) << " nonzeros=" << p.nonzeros << " ld=" << p.ldb
         << ',' << p.ldc << " count=" << p.batch.count << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b
         << ',' << p.batch.stride_c << " alpha=" << form_.alpha << " beta=" << form_.beta
         << " values=" << to_string(form_.values);
    return text.str();
  }
  bool has_function() const override { return false; }
  void make_plan(const Engine& engine) override {
    const verification::DeviceSparse sparse(cl::Context(engine.context(), true), form_.sparse, form_.problem.index_type,
                                            form_.problem.index_base);
    SparseStructure structure = sparse.structure();
    structure.check = form_.check;
    plan_.emplace(engine, form_.problem, structure);
  }

  std::unique_ptr<Call> draw_call(const Engine&, Random& random, bool) override {
    count_kernel_of("spmm " + plan_->explanation().variant + ' ' +
                    std::string(tilewright::to_string(form_.problem.type)));
    if (form_.problem.type == DataType::f64) return std::make_unique<SpmmCall<double>>(random, form_, *plan_);
    return std::make_unique<SpmmCall<float>>(random, form_, *plan_);
  }

 private:
  SpmmForm form_;
  std::optional<SpmmPlan> plan_;
};

}  // namespace

std::unique_ptr<Problem> draw_spmm(Draw& draw) {
  SpmmForm form;
  SpmmProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
  p.layout_b = draw_layout(draw.form);
  p.layout_c = draw_layout(draw.form);
  Random& random = draw.random;
  p.format = random.pick({SparseFormat::csr, SparseFormat::csr, SparseFormat::csc, SparseFormat::coo});
  p.index_type = random.pick({IndexType::i32, IndexType::i64});
  p.index_base = random.below(2);
  p.trans_a = random.pick({Transpose::no, Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
  const std::uint64_t count = draw_count(random);
  p.m = draw_size(random, largest_size(count, 500));
  p.k = draw_size(random, largest_size(count, 500));
  p.n = draw_size(random, largest_size(count, 100));
  form.check = random.pick({StructureCheck::none, StructureCheck::valid});
  form.pattern = verification::all_patterns[random.below(std::size(verification::all_patterns))];
  if (p.m > 0 && p.k > 0)
    form.places = verification::places_of(form.pattern, p.m, p.k, 1 + random.below(12), random.bits());
  p.nonzeros = form.places.size();
  form.sparse = verification::stored_as(p.format, form.places, p.m, p.k, random.bits());
  const bool is_transposed = form.is_transposed();
  form.values_of_a = {.n = p.nonzeros, .count = count};
  if (count > 1 && random.chance(70)) form.values_of_a.stride = p.nonzeros + random.below(5);
  form.b = draw_stored(random, p.layout_b, is_transposed ? p.m : p.k, p.n, count, true, 1);
  form.c = draw_stored(random, p.layout_c, is_transposed ? p.k : p.m, p.n, count, false, 1);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  p.batch = {count, form.values_of_a.stride, form.b.stride, form.c.stride};
  form.values = draw_values(draw, p.type, true);
  form.alpha = draw_scalar(random, form.values == Values::integers);
  form.beta = draw_scalar(random, form.values == Values::integers);
  return std::make_unique<SpmmCase>(std::move(form));
}

}  // namespace tilewright::test::differential
