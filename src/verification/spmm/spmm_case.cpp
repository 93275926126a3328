#include "verification/spmm/spmm_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/spmm/device_sparse.hpp"

namespace tilewright::verification {
namespace {

StoredShape shape_of(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t gap) {
  StoredShape shape = layout == Layout::row_major ? StoredShape{rows, columns, 0} : StoredShape{columns, rows, 0};
  shape.leading = std::max<std::uint64_t>(1, shape.length) + gap;
  return shape;
}

bool is_transposed(const SpmmCase& test) { return test.problem.trans_a != Transpose::no; }

// Rows of op(A) and C, and columns of op(A), which are rows of B.
std::uint64_t rows_of(const SpmmCase& test) { return is_transposed(test) ? test.problem.k : test.problem.m; }
std::uint64_t columns_of(const SpmmCase& test) { return is_transposed(test) ? test.problem.m : test.problem.k; }

constexpr Word<IndexType> index_words[] = {{IndexType::i32, "i32"}, {IndexType::i64, "i64"}};

SparseFormat format_of(const std::string& word) {
  for (const SparseFormat format : {SparseFormat::csr, SparseFormat::csc, SparseFormat::coo})
    if (word == to_string(format)) return format;
  throw std::invalid_argument("unknown format '" + word + "'");
}

template <class T>
class Run {
 public:
  Run(const Engine& engine, const SpmmCase& test, const SpmmPlanObserver& ran)
      : engine_(engine),
        test_(test),
        problem_(test.problem),
        ran_(ran),
        queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true)),
        places_(places_of(test.pattern, problem_.m, problem_.k, test.mean, test.seed)),
        host_(stored_as(problem_.format, places_, problem_.m, problem_.k, test.seed)),
        sparse_(cl::Context(engine.context(), true), host_, problem_.index_type, problem_.index_base),
        a_(engine, {1, places_.size(), places_.size()}, test.offset, test.memory,
           test.shared_values ? 1 : problem_.batch.count, places_.size() + 2),
        b_(engine, shape_of(problem_.layout_b, columns_of(test), problem_.n, test.gap_b), test.offset, test.memory,
           problem_.batch.count, shape_of(problem_.layout_b, columns_of(test), problem_.n, test.gap_b).span() + 5),
        c_(engine, shape_of(problem_.layout_c, rows_of(test), problem_.n, test.gap_c), test.offset, test.memory,
           problem_.batch.count, shape_of(problem_.layout_c, rows_of(test), problem_.n, test.gap_c).span() + 1) {
    problem_.nonzeros = places_.size();
    problem_.ldb = b_.shape().leading;
    problem_.ldc = c_.shape().leading;
    if (problem_.batch.count > 1)
      problem_.batch = {problem_.batch.count, test.shared_values ? 0 : places_.size() + 2, b_.shape().span() + 5,
                        c_.shape().span() + 1};
    fill(a_, 1);
    fill(b_, 2);
    fill(c_, 3);
    if (test.alpha == 0) a_.poison(), b_.poison();
    if (test.beta == 0) c_.poison();
  }

  std::string verify() {
    const auto plan = std::make_shared<const SpmmPlan>(engine_, problem_, sparse_.structure(), test_.choice);
    keep_on_oclgrind(engine_, plan);
    if (std::string wrong = wrong_statistics(plan->statistics()); !wrong.empty()) return wrong;
    execute(*plan);
    for (std::uint64_t x = 0; x < problem_.batch.count; ++x)
      if (std::string wrong = compare(x); !wrong.empty()) return "product " + std::to_string(x) + ": " + wrong;
    if (std::string wrong = c_.damage(true); !wrong.empty()) return "C: " + wrong;
    if (std::string wrong = a_.damage(false); !wrong.empty()) return "A: " + wrong;
    if (std::string wrong = b_.damage(false); !wrong.empty()) return "B: " + wrong;
    const std::vector<T> first = c_.received();
    execute(*plan);
    if (std::memcmp(first.data(), c_.received().data(), first.size() * sizeof(T)) != 0)
      return "the second run of the same plan gave different bits";
    return {};
  }

 private:
  void fill(GuardedMatrix<T>& matrix, std::uint64_t stream) {
    const StoredShape& shape = matrix.shape();
    const auto values =
        random_data<T>(matrix.count() * shape.lines * shape.length, test_.data, 4 * test_.seed + stream);
    for (std::uint64_t x = 0, at = 0; x < matrix.count(); ++x)
      for (std::uint64_t line = 0; line < shape.lines; ++line)
        for (std::uint64_t i = 0; i < shape.length; ++i) matrix.data(x)[line * shape.leading + i] = values[at++];
  }

  void execute(const SpmmPlan& plan) {
    for (const GuardedMatrix<T>* const matrix : {&a_, &b_, &c_}) matrix->upload(queue_);
    plan.enqueue(queue_(), {.alpha = test_.alpha, .values = a_.ref(), .b = b_.ref(), .beta = test_.beta, .c = c_.ref()})
        .wait();
    if (rows_of(test_) > 0 && problem_.n > 0 && ran_) ran_(plan);
    for (GuardedMatrix<T>* const matrix : {&a_, &b_, &c_}) matrix->download(queue_);
  }

  std::uint64_t row_of(const Place& place) const { return is_transposed(test_) ? place.column : place.row; }
  std::uint64_t column_of(const Place& place) const { return is_transposed(test_) ? place.row : place.column; }

  std::string wrong_statistics(const RowStatistics& found) const {
    if (rows_of(test_) == 0 || problem_.n == 0) return {};
    std::vector<std::uint64_t> lengths(rows_of(test_), 0);
    for (const Place& place : places_) ++lengths[row_of(place)];
    const auto longest = *std::max_element(lengths.begin(), lengths.end());
    const auto empty = static_cast<std::uint64_t>(std::count(lengths.begin(), lengths.end(), 0U));
    return found.rows == rows_of(test_) && found.nonzeros == places_.size() && found.longest == longest &&
                   found.empty_rows == empty
               ? ""
               : "the plan's row statistics are wrong";
  }

  static std::uint64_t index(Layout layout, std::uint64_t ld, std::uint64_t i, std::uint64_t j) {
    return layout == Layout::row_major ? i * ld + j : j * ld + i;
  }

  std::string compare(std::uint64_t x) const {
    using Real = Wide<T>;
    const T alpha = static_cast<T>(test_.alpha), beta = static_cast<T>(test_.beta);
    const T* const a = a_.data(test_.shared_values ? 0 : x);
    const std::uint64_t n = problem_.n;
    std::vector<Sums<T>> sums(rows_of(test_) * n);
    std::vector<std::uint64_t> lengths(rows_of(test_), 0);
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const std::uint64_t i = row_of(places_[e]), p = column_of(places_[e]);
      ++lengths[i];
      for (std::uint64_t j = 0; j < n && alpha != 0; ++j) {
        const Real term =
            static_cast<Real>(a[e]) * static_cast<Real>(b_.data(x)[index(problem_.layout_b, problem_.ldb, p, j)]);
        sums[i * n + j].product += term;
        sums[i * n + j].product_magnitude += std::abs(term);
      }
    }
    const Tolerance tolerance = test_.data == DataKind::integers ? Tolerance::exact : Tolerance::rounding;
    for (std::uint64_t i = 0; i < rows_of(test_); ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        Sums<T>& sum = sums[i * n + j];
        const std::uint64_t at = index(problem_.layout_c, problem_.ldc, i, j);
        if (beta != 0) sum.c = static_cast<Real>(c_.data(x)[at]);
        sum.c_magnitude = std::abs(sum.c);
        const Expected<T> expected = expect(sum, alpha, beta, lengths[i], 1, tolerance);
        const Real found = static_cast<Real>(c_.result(x)[at]);
        if (error_over_bound(expected, found) <= 1) continue;
        detail::TextStream text;
        text << "C(" << i << ", " << j << ") is " << found << ", expected " << expected.value << " within "
             << expected.bound << " (a row of " << lengths[i] << ")";
        return text.str();
      }
    return {};
  }

  const Engine& engine_;
  const SpmmCase& test_;
  SpmmProblem problem_;
  const SpmmPlanObserver& ran_;
  cl::CommandQueue queue_;
  std::vector<Place> places_;
  HostSparse host_;
  DeviceSparse sparse_;
  GuardedMatrix<T> a_, b_, c_;
};

}  // namespace

void list_fields(CaseText& text, SpmmProblem& p) {
  text("type", p.type);
  text.by(
      "format", p.format, [](SparseFormat format) { return to_string(format); }, format_of);
  text.word("index", p.index_type, index_words);
  text("base", p.index_base);
  text.letters("trans", p.trans_a);
  text.list("layouts", ',', p.layout_b, p.layout_c);
  text.list("size", 'x', p.m, p.n, p.k);
}

void list_fields(CaseText& text, SpmmCase& test) {
  text.choice("variant", test.choice);
  text.part(test.problem);
  text.by(
      "pattern", test.pattern, [](SparsePattern pattern) { return to_string(pattern); }, parse_pattern);
  text("mean", test.mean);
  text.list("gap", ',', test.gap_b, test.gap_c);
  text("offset", test.offset);
  text("alpha", test.alpha);
  text("beta", test.beta);
  text("data", test.data);
  text("memory", test.memory);
  text.marked("batch", test.problem.batch.count, {{test.shared_values, "A"}});
  text("seed", test.seed);
}

std::string to_string(const SpmmCase& test) { return case_text(test); }

SpmmCase parse_spmm_case(std::string_view text) { return read_case<SpmmCase>(text); }

std::string try_spmm_case(const Engine& engine, const SpmmCase& test, const SpmmPlanObserver& ran) {
  return test.problem.type == DataType::f64 ? Run<double>(engine, test, ran).verify()
                                            : Run<float>(engine, test, ran).verify();
}

}  // namespace tilewright::verification
