#include "commands/products/multiply_structured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "commands/products/product_report.hpp"
#include "files/storage_order.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/symm.hpp"
#include "tilewright/trmm.hpp"
#include "usage_error.hpp"
#include "verification/common/element_sum.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/row_sample.hpp"

namespace tilewright::tool {
namespace {

// Products of elements that may be added up for complete rows; a second or two.
constexpr double max_products = 3e8;

std::string structure_of(const StructureOptions& structure) {
  const char* const uplo = structure.uplo() == Uplo::lower ? "lower" : "upper";
  if (structure.triangular.empty())
    return fmt::format("{}, {}", structure.symmetric.empty() ? "Hermitian" : "symmetric", uplo);
  return fmt::format("{} triangular{}", uplo, structure.has_unit_diagonal ? " with ones on the diagonal" : "");
}

// Returns the variants of the products, each once.
std::string variants_of(const Explanation& explanation) {
  std::vector<std::string> names;
  for (const Explanation& part : explanation.parts)
    if (std::find(names.begin(), names.end(), part.variant) == names.end()) names.push_back(part.variant);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class T>
T conjugated(const T& x) {
  if constexpr (detail::is_complex_host_type<T>)
    return std::conj(x);
  else
    return x;
}

Transpose transpose_of(bool is_transposed, bool is_conjugated) {
  return is_conjugated ? Transpose::conjugate_transpose : is_transposed ? Transpose::yes : Transpose::no;
}

/// C = alpha op(A) op(B) + beta C with row-major matrices.
template <class T>
class StructuredProduct {
  using Sum = verification::ElementSum<T>;
  using Complex = verification::WideComplex<T>;

 public:
  StructuredProduct(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem)
      : options_(options),
        structure_(options.structure),
        problem_(problem),
        n_(problem.n),
        order_(problem.m),
        a_(rearranged(elements_as<T>(inputs.a), layout_of(inputs.a), order_, Layout::row_major, order_, order_)),
        b_(op_of_b(inputs.b)),
        before_(initial_c<T>(problem, inputs.c)),
        alpha_(scalar_of(options.alpha)),
        beta_(scalar_of(options.beta)) {}

  int run(const Choice& choice) {
    const Session session(options_.device);
    session.require_memory(problem_);
    const detail::Stopwatch start;
    const Buffer a = session.make_buffer(std::as_bytes(std::span(a_))),
                 b = session.make_buffer(std::as_bytes(std::span(b_))),
                 c = session.make_buffer(std::as_bytes(std::span(is_triangular() ? b_ : before_)));
    const detail::Stopwatch compilation;
    const auto [enqueue, explanation] = plan(session, choice, a.get(), b.get(), c.get());
    ProductOutcome outcome{problem_, variants_of(explanation), explanation.reason, compilation.seconds()};
    outcome.structure = structure_of(structure_);
    outcome.work = is_triangular() ? 0.5 : 1;
    enqueue().wait();
    std::vector<T> result(before_.size());
    session.read(c.get(), std::as_writable_bytes(std::span(result)));
    outcome.first_result_seconds = start.seconds();
    // Times a second call, because the first includes one-time work of the driver. Its result is ignored.
    const detail::Stopwatch call;
    enqueue().wait();
    outcome.seconds = call.seconds();
    show_progress("verifying");
    check(result);
    outcome.comparison.error_over_bound = worst_;
    return deliver(outcome, session.device(), options_, result);
  }

 private:
  struct Planned {
    std::function<Event()> enqueue;
    Explanation explanation;
  };

  bool is_triangular() const { return !structure_.triangular.empty(); }
  bool is_hermitian() const { return !structure_.hermitian.empty() && detail::is_complex_host_type<T>; }
  bool is_transposed() const { return options_.trans_a || options_.conjugate_a; }

  // A transposed matrix is one of the other storage order.
  std::vector<T> op_of_b(const NpyMatrix& b) const {
    const bool is_b_transposed = options_.trans_b || options_.conjugate_b;
    const bool by_rows = (layout_of(b) == Layout::row_major) != is_b_transposed;
    std::vector<T> elements = rearranged(elements_as<T>(b), by_rows ? Layout::row_major : Layout::column_major, order_,
                                         Layout::row_major, order_, n_);
    if (options_.conjugate_b)
      for (T& element : elements) element = conjugated(element);
    return elements;
  }

  Planned plan(const Session& session, const Choice& choice, cl_mem a, cl_mem b, cl_mem c) const {
    const cl_command_queue queue = session.queue();
    if (is_triangular()) {
      const auto made = std::make_shared<const TrmmPlan>(
          session.engine(),
          TrmmProblem{.type = problem_.type,
                      .uplo = structure_.uplo(),
                      .trans = problem_.trans_a,
                      .diag = structure_.has_unit_diagonal ? Diag::unit : Diag::non_unit,
                      .m = order_,
                      .n = n_},
          choice);
      return {[=, alpha = alpha_] { return made->enqueue(queue, {.alpha = alpha, .a = {a}, .b = {c}}); },
              made->explanation()};
    }
    const auto made = std::make_shared<const SymmPlan>(
        session.engine(),
        SymmProblem{.type = problem_.type,
                    .symmetry = structure_.hermitian.empty() ? Symmetry::symmetric : Symmetry::hermitian,
                    .uplo = structure_.uplo(),
                    .m = order_,
                    .n = n_},
        choice);
    return {[=, alpha = alpha_, beta = beta_] {
              return made->enqueue(queue, {.alpha = alpha, .a = {a}, .b = {b}, .beta = beta, .c = {c}});
            },
            made->explanation()};
  }

  // Calls `use` with each k and element (i, k) of op(A) that is not a zero outside the triangle.
  template <class Use>
  void for_row(std::uint64_t i, const Use& use) const {
    const bool is_lower = structure_.uplo() == Uplo::lower;
    const auto stored = [&](std::uint64_t row, std::uint64_t column) {
      return verification::widened(a_[row * order_ + column]);
    };
    for (std::uint64_t k = 0; k < order_; ++k) {
      const bool is_in_triangle = i == k || ((k < i) == is_lower) != is_transposed();
      if (is_triangular()) {
        if (!is_in_triangle) continue;
        const Complex element = is_transposed() ? stored(k, i) : stored(i, k);
        const bool is_one = i == k && structure_.has_unit_diagonal;
        use(k, is_one ? Complex(1) : options_.conjugate_a ? std::conj(element) : element);
      } else {
        const Complex element = is_in_triangle ? stored(i, k) : stored(k, i);
        if (!is_hermitian())
          use(k, element);
        else
          use(k, i == k ? Complex(element.real()) : is_in_triangle ? element : std::conj(element));
      }
    }
  }

  // Compares every element of some rows, and the signed sum of each row.
  void check(const std::vector<T>& result) {
    const double row_products = std::max(1.0, static_cast<double>(order_) * static_cast<double>(n_));
    const auto rows = static_cast<std::uint64_t>(std::clamp(max_products / row_products, 8.0, 1e9));
    for (const std::uint64_t i : verification::sample_rows(order_, rows, 1)) {
      std::vector<Sum> sums(n_);
      if (reads())
        for_row(i, [&](std::uint64_t k, const Complex& element) {
          for (std::uint64_t j = 0; j < n_; ++j) sums[j].add(element, verification::widened(b_[k * n_ + j]));
        });
      for (std::uint64_t j = 0; j < n_; ++j)
        compare(expected(sums[j], i, j), verification::widened(result[i * n_ + j]), 1);
    }
    check_sums(result);
  }

  void check_sums(const std::vector<T>& result) {
    const auto sign = [](std::uint64_t j) { return Complex(verification::random_bits(7, j) % 2 == 0 ? 1 : -1); };
    std::vector<Sum> of_b(order_);
    for (std::uint64_t k = 0; k < order_; ++k)
      for (std::uint64_t j = 0; j < n_; ++j) of_b[k].add(sign(j), verification::widened(b_[k * n_ + j]));
    for (std::uint64_t i = 0; i < order_; ++i) {
      Sum product, sum;
      Complex found{};
      if (reads()) for_row(i, [&](std::uint64_t k, const Complex& element) { product.add(of_b[k].scaled(element)); });
      sum = product.scaled(verification::widened_scalar<T>(alpha_));
      for (std::uint64_t j = 0; j < n_; ++j) {
        found += sign(j) * verification::widened(result[i * n_ + j]);
        if (beta_ != 0.0)
          sum.add(verification::widened_scalar<T>(beta_), sign(j) * verification::widened(before_[i * n_ + j]));
      }
      // Rows with infinities or NaN are compared by their elements alone.
      if (std::isfinite(sum.size()) && std::isfinite(std::abs(found))) compare(sum, found, n_);
    }
  }

  bool reads() const { return alpha_ != 0.0; }

  Sum expected(const Sum& product, std::uint64_t i, std::uint64_t j) const {
    Sum sum;
    if (reads()) sum = product.scaled(verification::widened_scalar<T>(alpha_));
    if (beta_ != 0.0) sum.add(verification::widened_scalar<T>(beta_), verification::widened(before_[i * n_ + j]));
    return sum;
  }

  // The bounds of symm and trmm; each result that is added up may be subnormal. A sum of large magnitudes may overflow.
  void compare(const Sum& sum, const Complex& found, std::uint64_t width) {
    using Part = detail::Part<T>;
    using Real = typename Sum::Real;
    if (!std::isfinite(std::abs(found)) && sum.size() >= static_cast<Real>(std::numeric_limits<Part>::max())) return;
    const auto smallest = static_cast<Real>(std::numeric_limits<detail::Part<detail::Accumulator<T>>>::min());
    Real absolute = smallest * static_cast<Real>(width) * static_cast<Real>(4 * order_ + 4);
    if constexpr (detail::stored_in_fewer_bits<T>)
      absolute += static_cast<Real>(std::numeric_limits<T>::denorm_min()) * static_cast<Real>(width);
    worst_ = std::max(worst_, sum.error_over_bound(found, order_ + 20, absolute));
  }

  const MultiplyOptions& options_;
  const StructureOptions& structure_;
  const GemmProblem& problem_;
  const std::uint64_t n_, order_;
  std::vector<T> a_, b_, before_;
  const std::complex<double> alpha_, beta_;
  double worst_ = 0;
};

}  // namespace

void check_structured(const MultiplyOptions& options) {
  const auto refuse = [&](std::string_view option) {
    throw UsageError(
        fmt::format("{} does not work with --symmetric, --hermitian and --triangular; leave it out", option));
  };
  const std::vector<std::string> inputs = options.epilogue.inputs();
  if (std::any_of(inputs.begin(), inputs.end(), [](const auto& file) { return !file.empty(); }) ||
      !(options.epilogue.epilogue() == GemmEpilogue{}))
    refuse("an epilogue");
  if (options.group.is_used()) refuse("--devices");
  if (options.algorithm.is_strassen()) refuse("--algorithm strassen");
  if (options.memory > 0) refuse("--memory");
  if (!options.type_c.empty()) refuse("--c-type");
  if (options.accuracy != "full") refuse("--accuracy");
  if (is_sparse_file(options.a)) refuse("a sparse A");
  if (!options.structure.triangular.empty() && scalar_of(options.beta) != 0.0)
    throw UsageError("--beta does not work with --triangular, whose product is in place; leave it out");
}

int multiply_structured(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem,
                        const Choice& choice) {
  if (problem.m != problem.k)
    throw std::runtime_error(
        fmt::format("A is {} x {}, but a symmetric, Hermitian or triangular matrix has as many "
                    "rows as columns",
                    inputs.a.header.rows, inputs.a.header.columns));
  return detail::with_host_type(problem.type, [&]<class T>(std::type_identity<T>) -> int {
    if constexpr (!std::is_integral_v<T>) {
      require_finite<T>("--alpha", options.alpha);
      require_finite<T>("--beta", options.beta);
      // The report shows the transposes of the command line, not those that storage orders need.
      GemmProblem shown = problem;
      shown.trans_a = transpose_of(options.trans_a, options.conjugate_a);
      shown.trans_b = transpose_of(options.trans_b, options.conjugate_b);
      return StructuredProduct<T>(options, inputs, shown).run(choice);
    }
    throw UsageError(
        fmt::format("the type is {}, but products with --symmetric, --hermitian and --triangular take "
                    "floating-point and complex numbers; give another --type",
                    tilewright::to_string(problem.type)));
  });
}

}  // namespace tilewright::tool
