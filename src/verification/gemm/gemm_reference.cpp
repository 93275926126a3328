#include "verification/gemm/gemm_reference.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "tilewright/scalar.hpp"
#include "verification/common/parallel.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/gemm/epilogue_reference.hpp"

namespace tilewright::verification {
namespace {

// A task computes the sums of some rows and up to task_groups groups, in slices of slice_depth terms that fit the
// cache.
constexpr std::size_t task_groups = 64;
constexpr std::size_t slice_depth = 256;

// Sums accumulated together in registers; the x87 unit of long double has eight registers.
template <class T>
constexpr std::size_t lanes = std::is_same_v<Wide<T>, long double> ? 2 : 8;

template <class T>
struct Strip {
  Wide<T> value[lanes<T>];
  Wide<T> magnitude[lanes<T>];
};

// Wide groups make packing B expensive, so tasks have many rows.
std::size_t rows_per_task(std::size_t rows) { return std::clamp<std::size_t>(rows / worker_count() / 2, 64, 1024); }

ProductError error_of(Accuracy accuracy) {
  switch (accuracy) {
    case Accuracy::full:
      break;
    case Accuracy::fp32_split:
      return {.factor = 2};
    case Accuracy::tf32:
      return {.cut = 0x1p-9};  // 2^-10 for each element that is cut to 11 bits
  }
  return {};
}

template <class T, class C>
class Task {
 public:
  Task(const HostGemm<T, C>& call, const ColumnGroups& groups, Tolerance tolerance)
      : call_(call), groups_(groups), tolerance_(tolerance), b_(task_strips * slice_depth), a_(slice_depth) {}

  /// `out` starts at the element of rows[0] and first_group; `stride` is the total number of groups.
  void run(std::span<const std::uint64_t> rows, std::size_t first_group, std::size_t count, Expected<C>* out,
           std::size_t stride) {
    sums_.assign(rows.size() * task_strips, Strip<T>{});
    if (call_.reads_product()) add_products(rows, first_group, count);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t g = 0; g < count; ++g) out[r * stride + g] = finish(rows[r], r, first_group, g);
    }
  }

 private:
  static constexpr std::size_t task_strips = task_groups / lanes<T>;

  void add_products(std::span<const std::uint64_t> rows, std::size_t first_group, std::size_t count) {
    const MatrixView<T> a = view_a(call_);
    const std::uint64_t k = call_.problem.k;
    const std::size_t strips = (count + lanes<T> - 1) / lanes<T>;
    for (std::uint64_t begin = 0; begin < k; begin += slice_depth) {
      const std::size_t depth = static_cast<std::size_t>(std::min<std::uint64_t>(slice_depth, k - begin));
      pack_b(begin, depth, first_group, count);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t l = 0; l < depth; ++l) a_[l] = static_cast<Wide<T>>(a(rows[r], begin + l));
        for (std::size_t s = 0; s < strips; ++s) add(sums_[r * task_strips + s], &b_[s * slice_depth], depth);
      }
    }
  }

  void pack_b(std::uint64_t begin, std::size_t depth, std::size_t first_group, std::size_t count) {
    const MatrixView<T> b = view_b(call_);
    for (std::size_t g = 0; g < count; ++g) {
      for (std::size_t l = 0; l < depth; ++l) {
        const auto element = [&](std::uint64_t column) { return b(begin + l, column); };
        Strip<T>& strip = b_[g / lanes<T> * slice_depth + l];
        strip.value[g % lanes<T>] = groups_.signed_sum<Wide<T>>(first_group + g, element);
        strip.magnitude[g % lanes<T>] = groups_.magnitude_sum<Wide<T>>(first_group + g, element);
      }
    }
  }

  void add(Strip<T>& sums, const Strip<T>* b, std::size_t depth) const {
    Strip<T> local = sums;
    for (std::size_t l = 0; l < depth; ++l) {
      const Wide<T> a = a_[l];
      const Wide<T> a_magnitude = std::abs(a);
      for (std::size_t i = 0; i < lanes<T>; ++i) {
        local.value[i] += a * b[l].value[i];
        local.magnitude[i] += a_magnitude * b[l].magnitude[i];
      }
    }
    sums = local;
  }

  Expected<C> finish(std::uint64_t row, std::size_t r, std::size_t first_group, std::size_t g) const {
    const Strip<T>& strip = sums_[r * task_strips + g / lanes<T>];
    using Scalar = detail::Accumulator<T>;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<C, Scalar>) {
      const auto sum = static_cast<std::uint32_t>(strip.value[g % lanes<T>]);
      const auto alpha = static_cast<std::uint32_t>(scalar_of<T>(call_.alpha));
      return finished(static_cast<Scalar>(alpha * sum), call_, row, groups_.first_column(first_group + g));
    } else {
      return finish(row, first_group, g, strip.value[g % lanes<T>], strip.magnitude[g % lanes<T>]);
    }
  }

  Expected<C> finish(std::uint64_t row, std::size_t first_group, std::size_t g, Wide<T> product,
                     Wide<T> magnitude) const {
    Sums<C> sums{product, magnitude};
    if (call_.reads_c()) {
      const MatrixView<C> c = view_c(call_.problem, call_.c);
      const auto element = [&](std::uint64_t column) { return c(row, column); };
      sums.c = groups_.signed_sum<Wide<T>>(first_group + g, element);
      sums.c_magnitude = groups_.magnitude_sum<Wide<T>>(first_group + g, element);
    }
    return expect(sums, scalar_of<T>(call_.alpha), scalar_of<T>(call_.beta), call_.problem.k, groups_.width(),
                  tolerance_, error_of(call_.problem.accuracy), [&](Expected<C>& expected) {
                    if constexpr (!std::is_integral_v<C>)
                      if (groups_.width() == 1)
                        verification::finish(expected, call_, row, groups_.first_column(first_group + g), tolerance_);
                  });
  }

  const HostGemm<T, C>& call_;
  const ColumnGroups& groups_;
  Tolerance tolerance_;
  std::vector<Strip<T>> sums_;  // rows x task_strips
  std::vector<Strip<T>> b_;     // task_strips x slice_depth
  std::vector<Wide<T>> a_;      // slice_depth
};

}  // namespace

template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, std::span<const std::uint64_t> rows,
                                        const ColumnGroups& groups, Tolerance tolerance) {
  const auto group_count = static_cast<std::size_t>(groups.count());
  std::vector<Expected<C>> expected(rows.size() * group_count);
  const std::size_t block_rows = rows_per_task(rows.size());
  const std::size_t row_blocks = (rows.size() + block_rows - 1) / block_rows;
  const std::size_t group_blocks = (group_count + task_groups - 1) / task_groups;
  parallel_for(row_blocks * group_blocks, [&](std::uint64_t index) {
    const std::size_t first_row = static_cast<std::size_t>(index) / group_blocks * block_rows;
    const std::size_t first_group = static_cast<std::size_t>(index) % group_blocks * task_groups;
    const std::span<const std::uint64_t> block = rows.subspan(first_row, std::min(block_rows, rows.size() - first_row));
    Task<T, C>(call, groups, tolerance)
        .run(block, first_group, std::min(task_groups, group_count - first_group),
             &expected[first_row * group_count + first_group], group_count);
  });
  return expected;
}

template <class T, class C>
std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>& call, Tolerance tolerance) {
  return gemm_reference(call, all_rows(call.problem.m), ColumnGroups(call.problem.n), tolerance);
}

// NOLINTBEGIN(bugprone-macro-parentheses): T and C are types, which the check does not see before >>
#define TILEWRIGHT_INSTANTIATE(T, C)                                                                      \
  template std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>&, std::span<const std::uint64_t>, \
                                                   const ColumnGroups&, Tolerance);                       \
  template std::vector<Expected<C>> gemm_reference(const HostGemm<T, C>&, Tolerance);
// NOLINTEND(bugprone-macro-parentheses)
TILEWRIGHT_FOR_PRODUCT_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
