// Shared parts of the calls of offset_promise_test.cpp: a promised alignment, device memory that begins with guards,
// and matrices that are sparse and hold small integers or halves, so that every result is exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/operand_pairs.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test::promises {

using Size = std::uint64_t;
using Values = std::vector<double>;  // of a dense row-major matrix

inline constexpr Size columns = 2;  // right-hand sides
inline constexpr Size lent_offset = 256;

/// One call: the order of its matrices, and an alignment that its offsets satisfy.
struct Promise {
  Size n = 0;
  Size alignment = 1;
  Choice products{};

  Size offset() const { return alignment; }  // of A
};

/// A call, and whether it gives right results.
struct PromiseTask {
  std::string name;
  std::function<bool(const Promise&)> is_right;
};

/// Systems of equations and factorisations.
std::vector<PromiseTask> systems();
/// Products, updates and transposes.
std::vector<PromiseTask> products();

/// Device memory that starts with guards up to the offset.
template <class T>
class Stored {
 public:
  explicit Stored(const Values& values, Size offset = 0) : offset_(offset), count_(values.size()) {
    std::vector<T> all(offset, T(77));
    for (const double value : values) all.push_back(exact_number<T>(value));
    buffer_ =
        cl::Buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all.size() * sizeof(T), all.data());
  }
  MatrixRef ref() const { return {buffer_(), offset_}; }
  // Returns NaN if a guard has changed.
  Values read(const cl::CommandQueue& queue) const {
    std::vector<T> all(offset_ + count_);
    queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, all.size() * sizeof(T), all.data());
    if (!std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(offset_), [](T x) { return x == T(77); }))
      return {NAN};
    Values result;
    for (Size i = offset_; i < all.size(); ++i) result.push_back(static_cast<double>(std::real(all[i])));
    return result;
  }

 private:
  Size offset_, count_;
  cl::Buffer buffer_;
};

/// A lent workspace that does not begin at its buffer.
class Lent {
 public:
  explicit Lent(Size bytes) : buffer_(shared_context(), CL_MEM_READ_WRITE, bytes + lent_offset + 4) {}
  WorkspaceRef ref() const { return {buffer_(), lent_offset}; }

 private:
  cl::Buffer buffer_;
};

inline Values dense(Size rows, Size row_length, const std::function<double(Size, Size)>& element) {
  Values values;
  for (Size i = 0; i < rows; ++i)
    for (Size j = 0; j < row_length; ++j) values.push_back(element(i, j));
  return values;
}

inline Values small_integers(Size rows, Size row_length) {
  return dense(rows, row_length, [](Size i, Size j) { return static_cast<double>((3 * i + 5 * j) % 7) - 3; });
}

/// The product of two matrices. Skips zeros of the left factor, which is sparse.
inline Values times(const Values& left, Size rows, Size depth, const Values& right, Size row_length,
                    bool transposed = false) {
  Values result(rows * row_length);
  for (Size i = 0; i < rows; ++i)
    for (Size k = 0; k < depth; ++k)
      if (const double factor = left[i * depth + k]; factor != 0)
        for (Size j = 0; j < row_length; ++j)
          result[i * row_length + j] += factor * right[transposed ? j * depth + k : k * row_length + j];
  return result;
}

/// The transpose of a row-major matrix.
inline Values transposed(const Values& values, Size rows, Size row_length) {
  return dense(row_length, rows, [&](Size i, Size j) { return values[j * row_length + i]; });
}

inline Values lower_factor(Size n) {
  return dense(n, n, [](Size i, Size j) { return i == j ? 2.0 : i == j + 1 || i == j + 97 ? 1.0 : 0.0; });
}
inline Values cholesky_matrix(Size n) { return times(lower_factor(n), n, n, lower_factor(n), n, true); }

/// Whether trsm or trmm by lower_factor() turns B into the result. Both are given for A on the left; on the right they
/// are transposed, and so is A.
template <class Plan>
bool turns_into(const Promise& call, Side side, const Values& b, const Values& result) {
  const Size n = call.n;
  const bool is_left = side == Side::left;
  const Plan plan(shared_engine(),
                  {.side = side,
                   .trans = is_left ? Transpose::no : Transpose::yes,
                   .m = is_left ? n : columns,
                   .n = is_left ? columns : n,
                   .offset_alignment = call.alignment},
                  call.products);
  const cl::CommandQueue queue = make_queue();
  const Stored<float> of_a(lower_factor(n), call.offset()), of_b(is_left ? b : transposed(b, n, columns));
  const Lent lent(plan.workspace_bytes());
  plan.enqueue(queue(), {.a = of_a.ref(), .b = of_b.ref(), .workspace = lent.ref()}).wait();
  return of_b.read(queue) == (is_left ? result : transposed(result, n, columns));
}

}  // namespace tilewright::test::promises
