#include "strassen/schedule.hpp"

#include <algorithm>
#include <bit>

#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

using Where = StrassenPlace::Where;

// Alignments in elements. Rows in the workspace start at whole vectors, short rows at powers of two, and matrices at
// 256 bytes.
constexpr std::int64_t row_multiple = 16, slot_multiple = 64;

// Quarters of large matrices start at whole vectors as well.
std::uint64_t first_half(std::uint64_t size) {
  constexpr std::uint64_t large = 512;
  const std::uint64_t half = ceil_div(size, 2);
  return size < large ? half : rounded_up(half, row_multiple);
}

// The quarters of op(X), which is rows x columns.
StrassenQuarters quarters_of(const StrassenPlace& place, bool transposed, std::uint64_t rows, std::uint64_t columns) {
  const std::uint64_t rows1 = first_half(rows), columns1 = first_half(columns);
  StrassenQuarters q{.first = place};
  if (!transposed) {
    q.rows = rows1;
    q.columns = columns1;
    q.offset12 = columns1;
    q.offset21 = rows1 * place.ld;
    q.rows12 = rows1;
    q.columns12 = columns - columns1;
    q.rows21 = rows - rows1;
    q.columns21 = columns1;
  } else {
    q.rows = columns1;
    q.columns = rows1;
    q.offset12 = columns1 * place.ld;
    q.offset21 = rows1;
    q.rows12 = columns - columns1;
    q.columns12 = rows1;
    q.rows21 = columns1;
    q.columns21 = rows - rows1;
  }
  return q;
}

// The matrices of one level in the workspace: four sums of A, which products overwrite later, then four sums of B.
struct Slots {
  std::uint64_t lda, ldb, ldp;
  std::uint64_t a_or_product, b;  // elements of each

  std::uint64_t elements() const { return 4 * (a_or_product + b); }
};

class Scheduler {
 public:
  explicit Scheduler(const GemmProblem& product)
      : trans_a_(product.trans_a != Transpose::no), trans_b_(product.trans_b != Transpose::no) {}

  Slots slots_of(const StrassenSizes& h) const {
    const auto row = [](std::uint64_t length) {
      return length < row_multiple ? std::bit_ceil(length) : rounded_up(length, row_multiple);
    };
    Slots s{};
    s.lda = row(trans_a_ ? h.m : h.k);
    s.ldb = row(trans_b_ ? h.k : h.n);
    s.ldp = row(h.n);
    s.a_or_product = rounded_up(std::max(s.lda * (trans_a_ ? h.k : h.m), s.ldp * h.m), slot_multiple);
    s.b = rounded_up(s.ldb * (trans_b_ ? h.n : h.k), slot_multiple);
    return s;
  }

  // Appends the steps of C = op(A) op(B) or C = op(A) op(B) + beta C. The workspace starts at `base`.
  void multiply(const StrassenStep& whole, unsigned levels, std::uint64_t base) {
    if (levels == 0) {
      schedule.steps.push_back(whole);
      return;
    }
    const StrassenSizes& z = whole.sizes;
    const StrassenSizes h = first_quarter(z);
    const std::uint64_t m2 = z.m - h.m, n2 = z.n - h.n, k2 = z.k - h.k;
    const StrassenQuarters a = quarters_of(whole.a, trans_a_, z.m, z.k), b = quarters_of(whole.b, trans_b_, z.k, z.n),
                           c = quarters_of(whole.c, false, z.m, z.n);
    const Slots s = slots_of(h);
    const std::uint64_t inner = base + s.elements();
    schedule.workspace_elements = std::max(schedule.workspace_elements, inner);
    const auto sum_a = [&](std::uint64_t i) {
      return StrassenPlace{Where::workspace, base + i * s.a_or_product, s.lda};
    };
    const auto product = [&](std::uint64_t i) {
      return StrassenPlace{Where::workspace, base + i * s.a_or_product, s.ldp};
    };
    const auto sum_b = [&](std::uint64_t i) {
      return StrassenPlace{Where::workspace, base + 4 * s.a_or_product + i * s.b, s.ldb};
    };
    const auto add = [&](const StrassenSizes& sizes, const StrassenPlace& left, const StrassenPlace& right,
                         const StrassenPlace& result, bool into_c, bool negative) {
      multiply({.with_beta = into_c && whole.with_beta,
                .sizes = sizes,
                .negative = negative != whole.negative,
                .a = left,
                .b = right,
                .c = result},
               levels - 1, inner);
    };
    schedule.steps.push_back(
        {.kind = StrassenStep::Kind::sums_of_a, .quarters = a, .slots = sum_a(0), .slot = s.a_or_product});
    schedule.steps.push_back({.kind = StrassenStep::Kind::sums_of_b, .quarters = b, .slots = sum_b(0), .slot = s.b});
    // The first three products go to one quarter of C each. Then the sums of A that they used can be overwritten.
    add({h.m, n2, k2}, sum_a(3), b.quarter(true, true), c.quarter(false, true), true, false);
    add({m2, h.n, k2}, a.quarter(true, true), sum_b(3), c.quarter(true, false), true, true);
    add({h.m, h.n, k2}, a.quarter(false, true), b.quarter(true, false), c.first, true, false);
    add(h, sum_a(0), sum_b(0), product(3), false, false);
    add(h, sum_a(1), sum_b(1), product(0), false, false);
    add(h, sum_a(2), sum_b(2), product(1), false, false);
    add(h, a.first, b.first, product(2), false, false);
    schedule.steps.push_back({.kind = StrassenStep::Kind::merge,
                              .with_beta = whole.with_beta,
                              .quarters = c,
                              .slots = product(0),
                              .slot = s.a_or_product});
  }

  StrassenSchedule schedule;

 private:
  bool trans_a_, trans_b_;
};

double area(std::uint64_t rows, std::uint64_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns);
}

}  // namespace

StrassenSizes first_quarter(const StrassenSizes& sizes) {
  return {first_half(sizes.m), first_half(sizes.n), first_half(sizes.k)};
}

StrassenPlace StrassenQuarters::quarter(bool lower, bool right) const {
  StrassenPlace place = first;
  place.offset += (lower ? offset21 : 0) + (right ? offset12 : 0);
  return place;
}

GemmProblem small_product(const GemmProblem& product, const StrassenStep& step) {
  GemmProblem p = product;
  p.m = step.sizes.m;
  p.n = step.sizes.n;
  p.k = step.sizes.k;
  p.lda = step.a.ld;
  p.ldb = step.b.ld;
  p.ldc = step.c.ld;
  p.offset_alignment = alignment_of_parts(p.offset_alignment, {step.a.offset, step.b.offset, step.c.offset});
  return p;
}

std::vector<GemmProblem> small_products(const GemmProblem& product, unsigned levels) {
  if (levels == 0) return {product};
  std::vector<GemmProblem> result;
  for (const StrassenStep& step : strassen_schedule(product, levels).steps) {
    if (step.kind != StrassenStep::Kind::product) continue;
    const GemmProblem p = small_product(product, step);
    if (std::find(result.begin(), result.end(), p) == result.end()) result.push_back(p);
  }
  return result;
}

StrassenSchedule strassen_schedule(const GemmProblem& p, unsigned levels) {
  Scheduler scheduler(p);
  scheduler.multiply({.with_beta = true,
                      .sizes = {p.m, p.n, p.k},
                      .a = {Where::a, 0, p.lda},
                      .b = {Where::b, 0, p.ldb},
                      .c = {Where::c, 0, p.ldc}},
                     levels, 0);
  return std::move(scheduler.schedule);
}

// Sums read and write four quarters. A merge reads four products and three quarters, and writes four quarters.
StrassenTraffic strassen_traffic(const GemmProblem& p, const StrassenSizes& z) {
  const StrassenSizes h = first_quarter(z);
  return {area(z.m, z.k) + 4 * area(h.m, h.k) + area(z.k, z.n) + 4 * area(h.k, h.n) + 11 * area(h.m, h.n),
          Scheduler(p).slots_of(h).elements()};
}

std::array<StrassenSizes, 7> strassen_products(const StrassenSizes& z) {
  const StrassenSizes h = first_quarter(z);
  return {h,
          h,
          h,
          h,
          StrassenSizes{h.m, h.n, z.k - h.k},
          StrassenSizes{h.m, z.n - h.n, z.k - h.k},
          StrassenSizes{z.m - h.m, h.n, z.k - h.k}};
}

}  // namespace tilewright::detail
