#include "verification/gemm/gemm_trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "tilewright/gemm.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {
namespace {

// Scales the data so that each element of A B adds up to 1.7 units in the last place of C, whose elements are a little
// above 1. A quarter of A B, added to C separately, is lost in rounding, which exceeds the error bound.
template <typename T>
void make_faint(std::span<T> values, const GemmCase& test, double last_place, bool is_c) {
  constexpr double mean = .25;  // mean of products of two values
  using Real = detail::Accumulator<T>;
  const auto scale =
      static_cast<Real>(std::sqrt(1.7 * last_place / (mean * static_cast<double>(std::max<std::uint64_t>(1, test.k)))));
  for (T& value : values) value = static_cast<T>(is_c ? 1 + value / 8 : value * scale);
}

template <typename T>
void fill(GuardedMatrix<T>& matrix, const GemmCase& test, double last_place, std::uint64_t stream) {
  const StoredShape& shape = matrix.shape();
  auto values = random_data<T>(matrix.count() * shape.lines * shape.length, test.data, test.seed * 3 + stream);
  if constexpr (!std::is_integral_v<T>)
    if (test.data == DataKind::faint) make_faint(detail::parts_of(std::span(values)), test, last_place, stream == 2);
  const T* from = values.data();
  for (std::uint64_t x = 0; x < matrix.count(); ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line, from += shape.length)
      std::copy_n(from, shape.length, matrix.data(x) + line * shape.leading);
}

// Puts a NaN and both infinities at random places of the last matrix, each in one part of an element. Most rows and
// columns stay finite.
template <typename T>
void insert_special_values(GuardedMatrix<T>& matrix, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  if (shape.span() == 0 || std::is_integral_v<T>) return;
  using Part = detail::Part<T>;
  constexpr Part infinity = std::numeric_limits<Part>::infinity();
  std::uint64_t index = 0;
  for (const Part special : {std::numeric_limits<Part>::quiet_NaN(), infinity, static_cast<Part>(-infinity)}) {
    const std::uint64_t line = random_bits(seed, index++) % shape.lines;
    const std::uint64_t bits = random_bits(seed, index++);
    T& element = matrix.data(matrix.count() - 1)[line * shape.leading + bits % shape.length];
    const std::span parts = detail::parts_of(std::span(&element, 1));
    parts[(bits >> 32U) % parts.size()] = special;
  }
}

// Returns true if every operation on the data is exact in any order.
template <typename T>
bool is_exact(const GemmCase& test) {
  if (std::is_integral_v<T>) return true;
  const auto whole = [](double part) { return std::isfinite(part) && part == std::trunc(part); };
  const auto is_whole = [&](const std::complex<double>& scalar) {
    return whole(scalar.real()) && whole(scalar.imag());
  };
  const bool activated = test.epilogue.activation != Activation::none && test.epilogue.activation != Activation::relu;
  return test.data == DataKind::integers && is_whole(test.alpha) && is_whole(test.beta) && test.k < (1U << 16) &&
         !activated;
}

// Operands of the case's epilogue; unused ones are empty.
template <typename S, typename C>
struct EpilogueData {
  EpilogueData(const Engine& engine, const GemmCase& test)
      : scale(engine, vector_of(test, test.epilogue.scale), test.offsets[0], test.memory),
        bias(engine, vector_of(test, test.epilogue.bias), test.offsets[1], test.memory),
        residual(engine, test.epilogue.residual ? shape_of_residual(test) : StoredShape{}, test.offsets[2], test.memory,
                 test.epilogue.residual ? residual_count(test) : 1, stride_of(test, shape_of_residual(test))),
        has(test.epilogue) {
    GemmCase drawn = test;
    if (drawn.data == DataKind::faint) drawn.data = DataKind::uniform;  // faint data are for sums only
    fill(scale, drawn, 1, 3);
    fill(bias, drawn, 1, 4);
    fill(residual, drawn, 1, 5);
  }

  static StoredShape vector_of(const GemmCase& test, EpilogueVector vector) {
    const std::uint64_t length = vector == EpilogueVector::none      ? 0
                                 : vector == EpilogueVector::per_row ? test.m
                                                                     : test.n;
    return {length == 0 ? 0U : 1U, length, length};
  }

  void upload(const cl::CommandQueue& queue) const {
    if (has.scale != EpilogueVector::none) scale.upload(queue);
    if (has.bias != EpilogueVector::none) bias.upload(queue);
    if (has.residual) residual.upload(queue);
  }
  void download(const cl::CommandQueue& queue) {
    if (has.scale != EpilogueVector::none) scale.download(queue);
    if (has.bias != EpilogueVector::none) bias.download(queue);
    if (has.residual) residual.download(queue);
  }
  void add_to(GemmOperands& operands) const {
    if (has.scale != EpilogueVector::none) operands.scale = scale.ref();
    if (has.bias != EpilogueVector::none) operands.bias = bias.ref();
    if (has.residual) operands.residual = residual.ref();
  }
  std::string damage() const {
    std::string wrong;
    if (has.scale != EpilogueVector::none && !(wrong = scale.damage(false)).empty()) return "scale: " + wrong;
    if (has.bias != EpilogueVector::none && !(wrong = bias.damage(false)).empty()) return "bias: " + wrong;
    if (has.residual && !(wrong = residual.damage(false)).empty()) return "residual: " + wrong;
    return {};
  }

  GuardedMatrix<S> scale, bias;
  GuardedMatrix<C> residual;
  GemmEpilogue has;
};

template <typename T, typename C>
class Run {
 public:
  Run(const Engine& engine, const GemmCase& test, const PlanObserver& ran)
      : engine_(engine),
        test_(test),
        ran_(ran),
        a_(engine, shape_of_a(test), test.offsets[0], test.memory, test.shared[0] ? 1 : test.products,
           stride_of(test, shape_of_a(test))),
        b_(engine, shape_of_b(test), test.offsets[1], test.memory, test.shared[1] ? 1 : test.products,
           stride_of(test, shape_of_b(test))),
        c_(engine, shape_of_c(test), test.offsets[2], test.memory, test.products, stride_of(test, shape_of_c(test))),
        epilogue_(engine, test),
        queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)) {
    prepare();
  }

  std::string verify() {
    const auto kept =
        std::make_shared<const GemmPlan>(engine_, problem_of(test_), Choice{test_.variant, test_.configuration});
    keep_on_oclgrind(engine_, kept);
    const GemmPlan& plan = *kept;
    execute(plan);
    for (std::uint64_t x = 0; x < test_.products; ++x) {
      const HostGemm<T, C> call{problem_of(test_),
                                test_.alpha,
                                a_.data(x),
                                b_.data(x),
                                test_.beta,
                                c_.data(x),
                                epilogue_.scale.data(),
                                epilogue_.bias.data(),
                                epilogue_.residual.data(x),
                                scales_sums(plan.explanation())};
      const GemmCheck<T, C> check(call, is_exact<T>(test_) ? Tolerance::exact : Tolerance::rounding);
      if (std::string wrong = compare(check(c_.result(x))); !wrong.empty())
        return test_.products == 1 ? wrong : "product " + std::to_string(x) + ": " + wrong;
    }
    if (std::string wrong = c_.damage(true); !wrong.empty()) return "C: " + wrong;
    if (std::string wrong = a_.damage(false); !wrong.empty()) return "A: " + wrong;
    if (std::string wrong = b_.damage(false); !wrong.empty()) return "B: " + wrong;
    if (std::string wrong = epilogue_.damage(); !wrong.empty()) return wrong;

    const std::vector<C> first = c_.received();
    execute(plan);
    if (std::memcmp(first.data(), c_.received().data(), first.size() * sizeof(C)) != 0)
      return "the second run of the same plan gave different bits";
    return {};
  }

 private:
  void prepare() {
    const auto last_place = static_cast<double>(std::numeric_limits<detail::Part<C>>::epsilon());
    fill(a_, test_, last_place, 0);
    fill(b_, test_, last_place, 1);
    fill(c_, test_, last_place, 2);
    if (test_.specials) {
      insert_special_values(a_, test_.seed);
      insert_special_values(b_, test_.seed + 1);
      if (test_.beta != 0.0) insert_special_values(c_, test_.seed + 2);
    }
    if (is_zero<T>(test_.alpha)) {
      a_.poison();
      b_.poison();
    }
    if (is_zero<T>(test_.beta)) c_.poison();
  }

  void execute(const GemmPlan& plan) {
    a_.upload(queue_);
    b_.upload(queue_);
    c_.upload(queue_);
    epilogue_.upload(queue_);
    GemmOperands operands{test_.alpha, a_.ref(), b_.ref(), test_.beta, c_.ref()};
    epilogue_.add_to(operands);
    std::vector<std::uint64_t> a, b, c;
    if (test_.by_offsets) {
      for (std::uint64_t x = test_.products; x-- > 0;) {  // any order is allowed
        a.push_back(a_.place(x));
        b.push_back(b_.place(x));
        c.push_back(c_.place(x));
      }
      operands.offsets = {a, b, c};
    }
    plan.enqueue(queue_(), operands).wait();
    if (test_.m > 0 && test_.n > 0 && ran_) ran_(plan);
    a_.download(queue_);
    b_.download(queue_);
    c_.download(queue_);
    epilogue_.download(queue_);
  }

  std::string compare(const Comparison& found) const {
    if (found.passed() && found.compared >= test_.m * test_.n) return {};
    detail::TextStream wrong;
    wrong.precision(std::is_integral_v<C> ? 10 : std::numeric_limits<detail::Part<C>>::max_digits10);
    if (found.compared < test_.m * test_.n) wrong << "only " << found.compared << " elements were compared; ";
    wrong << "C(" << found.row << ", " << found.column << ") is " << found.result << ", expected " << found.expected
          << ", " << found.error_over_bound << " times the error bound";
    return wrong.str();
  }

  const Engine& engine_;
  const GemmCase& test_;
  const PlanObserver& ran_;
  GuardedMatrix<T> a_, b_;
  GuardedMatrix<C> c_;
  EpilogueData<detail::EpilogueType<T>, C> epilogue_;
  cl::CommandQueue queue_;
};

}  // namespace

std::string try_gemm_case(const Engine& engine, const GemmCase& test, const PlanObserver& ran) {
  return with_product_types(problem_of(test), [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
    return Run<T, C>(engine, test, ran).verify();
  });
}

}  // namespace tilewright::verification
