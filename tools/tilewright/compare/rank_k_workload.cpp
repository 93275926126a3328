#include "compare/rank_k_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "kernels/host_type.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/rank_k/rank_k_reference.hpp"

namespace tilewright::tool {
namespace {

using verification::BoundedNumber;
using verification::MatrixView;
using verification::WideParts;

constexpr std::uint64_t samples = 64;  // rows, and columns of each

std::vector<std::byte> random_matrix(DataType type, std::uint64_t elements, std::uint64_t seed) {
  std::vector<std::byte> bytes(elements * size_of(type));
  detail::with_host_type(type, [&]<class T>(std::type_identity<T>) {
    verification::fill_random(std::span(reinterpret_cast<T*>(bytes.data()), elements), verification::DataKind::uniform,
                              seed);
  });
  return bytes;
}

// Elements of op(A) and op(B) in higher precision.
template <class T>
class RankKReference {
 public:
  using R = detail::Part<T>;

  RankKReference(const RankKTask& task, const std::byte* a, const std::byte* b) : task_(task) {
    const bool hermitian = task.routine->symmetry == Symmetry::hermitian;
    const auto view = [&](const std::byte* data, Transpose trans, std::uint64_t rows, std::uint64_t columns) {
      return verification::make_view(reinterpret_cast<const T*>(data), Layout::row_major, trans, rows, columns, 0);
    };
    a_ = view(a, task.trans_a, task.n, task.k);
    if (task.routine->has_second_trans) {
      b_ = view(b, task.trans_b == Transpose::no ? Transpose::yes : Transpose::no, task.n, task.k);
      flips_a_ = task.trans_a == Transpose::conjugate_transpose;
      flips_b_ = task.trans_b == Transpose::conjugate_transpose;
    } else {
      b_ = view(task.routine->has_b ? b : a, task.trans_a, task.n, task.k);
      flips_a_ = hermitian && task.trans_a != Transpose::no;
      flips_b_ = flips_a_ != hermitian;
    }
  }

  BoundedNumber<R> element(std::uint64_t i, std::uint64_t j) const {
    BoundedNumber<R> sum;
    for (std::uint64_t p = 0; p < task_.k; ++p) add(sum, a_(i, p), flips_a_, b_(j, p), flips_b_);
    if (task_.routine->has_b && !task_.routine->has_second_trans)
      for (std::uint64_t p = 0; p < task_.k; ++p) add(sum, b_(i, p), flips_a_, a_(j, p), flips_b_);
    return sum;
  }

 private:
  static WideParts<R> number(const T& x, bool flips) {
    WideParts<R> result = verification::widened(x);
    if (flips) result.im = -result.im;
    return result;
  }
  static void add(BoundedNumber<R>& sum, const T& x, bool flips_x, const T& y, bool flips_y) {
    const WideParts<R> wide_y = number(y, flips_y);
    verification::add_product<R>(sum, number(x, flips_x), wide_y, verification::magnitude_of<R>(wide_y));
  }

  const RankKTask& task_;
  MatrixView<T> a_{}, b_{};
  bool flips_a_ = false, flips_b_ = false;
};

template <class T>
Verdict check_update(const RankKTask& task, const std::byte* a, const std::byte* b, const std::byte* c) {
  using R = detail::Part<T>;
  const RankKReference<T> reference(task, a, b);
  const auto found_at = [&](std::uint64_t i, std::uint64_t j) {
    return verification::widened(reinterpret_cast<const T*>(c)[i * task.n + j]);
  };
  // The bounds of rank_k.hpp.
  const auto gamma = verification::gamma_factor<R>((is_complex(task.type) ? 2 : 1) * task.k + 4);
  Verdict worst;
  for (const std::uint64_t i : verification::sample_rows(task.n, samples, 1))
    for (const std::uint64_t j : verification::sample_rows(i + 1, samples, 2)) {
      const BoundedNumber<R> expected = reference.element(i, j);
      const WideParts<R> found = found_at(i, j);
      const auto part = [&](auto result, auto value, auto magnitude) {
        const double ratio = static_cast<double>(std::abs(result - value) / (gamma * magnitude));
        if (result == value || ratio <= worst.error_over_bound) return;
        worst.error_over_bound = std::isnan(ratio) ? INFINITY : ratio;
        if (!(ratio <= 1))
          worst.wrong = fmt::format("row {}, column {}: found {}, expected {}; the error is {} times the error bound",
                                    i, j, static_cast<double>(result), static_cast<double>(value), ratio);
      };
      part(found.re, expected.value.re, expected.magnitude.re);
      if (is_complex(task.type)) part(found.im, expected.value.im, expected.magnitude.im);
    }
  return worst;
}

}  // namespace

const std::array<RankKRoutine, 5>& rank_k_routines() {
  static constexpr std::array<RankKRoutine, 5> all{{{"syrk", false, false, Symmetry::symmetric},
                                                    {"herk", false, false, Symmetry::hermitian},
                                                    {"syr2k", true, false, Symmetry::symmetric},
                                                    {"her2k", true, false, Symmetry::hermitian},
                                                    {"gemmt", true, true, Symmetry::symmetric}}};
  return all;
}

double RankKTask::flops() const {
  const double products = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k);
  return products * (routine->has_b && !routine->has_second_trans ? 2 : 1) * (is_complex(type) ? 4 : 1);
}

double RankKTask::bytes() const {
  const auto order = static_cast<double>(n), depth = static_cast<double>(k);
  return (order * order + (routine->has_b ? 2 : 1) * order * depth) * static_cast<double>(size_of(type));
}

std::string to_string(const RankKTask& task) {
  std::string trans(1, verification::letter_of(task.trans_a));
  if (task.routine->has_second_trans) trans += verification::letter_of(task.trans_b);
  return fmt::format("{} {} x {} {} {}", task.routine->name, task.n, task.k, tilewright::to_string(task.type), trans);
}

RankKWorkload::RankKWorkload(const Session& session, const RankKTask& task) : session_(session), task_(task) {
  session.require_memory(task.bytes());
  a_ = random_matrix(task.type, task.n * task.k, 1);
  b_ = random_matrix(task.type, task.routine->has_b ? task.n * task.k : 0, 2);
  c_.resize(task.n * task.n * size_of(task.type));
  device_a_ = session.make_buffer(a_);
  device_b_ = session.make_buffer(b_);
  device_c_ = session.make_buffer(c_);
}

void RankKWorkload::poison() {
  std::fill(c_.begin(), c_.end(), std::byte{0xFF});
  session_.write(device_c_.get(), c_);
}

Verdict RankKWorkload::check_device_result() {
  session_.read(device_c_.get(), c_);
  return check_host_result();
}

Verdict RankKWorkload::check_host_result() const {
  switch (task_.type) {
    case DataType::f64:
      return check_update<double>(task_, a_.data(), b_.data(), c_.data());
    case DataType::c64:
      return check_update<std::complex<float>>(task_, a_.data(), b_.data(), c_.data());
    case DataType::c128:
      return check_update<std::complex<double>>(task_, a_.data(), b_.data(), c_.data());
    default:
      return check_update<float>(task_, a_.data(), b_.data(), c_.data());
  }
}

}  // namespace tilewright::tool
