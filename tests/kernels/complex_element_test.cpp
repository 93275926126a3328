// Complex elements in kernels: division and reciprocals over the whole range of numbers, products of vectors, and
// elements that begin at any number in memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/host_type.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"
#include "support/extreme_values.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {
namespace {

constexpr const char* complex_kernels = R"(
__kernel void quotients(__global const accum_t* x, __global const accum_t* y, __global accum_t* result) {
  const size_t i = get_global_id(0);
  const element_t divisor = LOAD_ELEMENTS(1, y + REALS(i));
  STORE_ELEMENTS(1, divide(LOAD_ELEMENTS(1, x + REALS(i)), divisor), result + REALS(i));
}
__kernel void reciprocals(__global const accum_t* x, __global const accum_t* y, __global accum_t* result) {
  const size_t i = get_global_id(0);
  const element_t divisor = LOAD_ELEMENTS(1, y + REALS(i));
  const element_t inverse = has_reciprocal(divisor) ? reciprocal(divisor) : element_of(0);
  STORE_ELEMENTS(1, inverse, result + REALS(i));
}
__kernel void products(__global const accum_t* x, __global const accum_t* y, __global accum_t* result) {
  const size_t i = get_global_id(0) * 4;
  const JOIN(element_t, 4) factors = LOAD_ELEMENTS(4, y + REALS(i));
  const element_t first = LOAD_ELEMENTS(1, x + REALS(i));
  STORE_ELEMENTS(4, SUBTRACT_PRODUCT(4, first, factors, ADD_PRODUCT(4, conjugate(first), factors, factors)),
                 result + REALS(i));
}
// Elements that begin one number after the start of the buffer.
__kernel void moved(__global const accum_t* x, __global const accum_t* y, __global accum_t* result) {
  __global const stored_element_t* const from = (__global const stored_element_t*)(x + SHIFT);
  __global stored_element_t* const to = (__global stored_element_t*)(result + SHIFT);
  const size_t i = get_global_id(0);
  if (i + 1 < get_global_size(0)) to[i] = conjugate(from[i]);
}
)";

template <class Real>
class ComplexElements {
  using T = std::complex<Real>;
  using Wide = std::complex<long double>;
  using Limits = std::numeric_limits<Real>;

 public:
  ComplexElements() {
    const bool is_aligned = shared_engine().profile().aligned_buffers;
    shift_ = is_aligned ? 0 : 1;
    const std::string options = "-cl-std=CL1.2" + detail::element_options(detail::HostType<T>::type) +
                                detail::define_if(is_aligned, "ALIGNED_BUFFERS") + detail::define("SHIFT", shift_);
    const std::string source = detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/types.cl",
                                                      "common/complex.cl", "common/reciprocal.cl"}) +
                               complex_kernels;
    program_ =
        store_.get(shared_context(), cl::Device(device_under_test().id, true), {"complex elements", source, options});
  }

  void check_quotients() {
    draw(min_exponent<T>(), Limits::max_exponent - 1);
    const std::vector<T> found = run("quotients", x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Wide wanted = Wide(x_[i]) / Wide(y_[i]);
      if (std::abs(wanted) < Limits::max() / 4) check_near(found[i], wanted, x_[i], y_[i]);
    }
  }

  void check_reciprocals() {
    draw(min_exponent<T>(), Limits::max_exponent - 1);
    const std::vector<T> found = run("reciprocals", x_.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Real size = std::max(std::abs(y_[i].real()), std::abs(y_[i].imag()));
      const bool has_one = size >= Limits::min() && size <= std::ldexp(Real{1}, Limits::max_exponent - 3);
      if (has_one) check_near(found[i], Wide(1) / Wide(y_[i]), T{1}, y_[i]);
      if (!has_one) CHECK(found[i] == T{0});
      count += has_one ? 1U : 0U;
    }
    CHECK(count > x_.size() / 2);
  }

  void check_products() {
    draw(-3, 3);
    const std::vector<T> found = run("products", x_.size() / 4);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const Wide x(x_[i / 4 * 4]), y(y_[i]);
      const long double size = std::abs(y) * (1 + 2 * std::abs(x));
      CHECK(std::abs(Wide(found[i]) - (y + std::conj(x) * y - x * y)) <=
            8 * size * static_cast<long double>(Limits::epsilon()));
    }
  }

  void check_moves() {
    draw(-3, 3);
    const std::vector<T> found = run("moved", x_.size());
    const auto parts = [](const std::vector<T>& of) { return reinterpret_cast<const Real*>(of.data()); };
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      const std::size_t at = 2 * i + static_cast<std::size_t>(shift_);
      CHECK(parts(found)[at] == parts(x_)[at]);
      CHECK(parts(found)[at + 1] == -parts(x_)[at + 1]);
    }
  }

 private:
  void draw(int least, int most) {
    RandomStream random(5);
    const auto part = [&] { return random.chance(10) ? Real{0} : random.of_any_size<Real>(least, most); };
    for (std::size_t i = 0; i < 4000; ++i) {
      x_.push_back({part(), part()});
      // Parts of similar size are as likely as parts far apart.
      const Real real = random.of_any_size<Real>(least, most);
      y_.push_back({real, random.chance(50) ? real * static_cast<Real>(random.symmetric()) : part()});
    }
  }

  std::vector<T> run(const char* name, std::size_t items) const {
    const cl::CommandQueue queue = make_queue();
    const std::size_t bytes = x_.size() * sizeof(T);
    const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    std::vector<T> x = x_, y = y_, result(x_.size());
    const cl::Buffer of_x(shared_context(), copied, bytes, x.data()), of_y(shared_context(), copied, bytes, y.data()),
        of_result(shared_context(), CL_MEM_READ_WRITE, bytes);
    cl::Kernel kernel(program_, name);
    kernel.setArg(0, of_x);
    kernel.setArg(1, of_y);
    kernel.setArg(2, of_result);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items));
    queue.enqueueReadBuffer(of_result, CL_TRUE, 0, bytes, result.data());
    count_cases();
    return result;
  }

  static void check_near(const T& found, const Wide& wanted, const T& x, const T& y) {
    const long double roundoff = static_cast<long double>(Limits::epsilon()) / 2,
                      small = 4 * static_cast<long double>(small_numbers<T>().error());
    const long double error = std::abs(Wide(found) - wanted);
    CHECK_MESSAGE(error <= 24 * roundoff * std::abs(wanted) + small, "x = ", x.real(), " + ", x.imag(),
                  " i, y = ", y.real(), " + ", y.imag(), " i, result ", found.real(), " + ", found.imag(), " i");
  }

  detail::ProgramStore store_;
  cl::Program program_;
  int shift_ = 0;
  std::vector<T> x_, y_;
};

template <class Real>
void check_all() {
  ComplexElements<Real>().check_quotients();
  ComplexElements<Real>().check_reciprocals();
  ComplexElements<Real>().check_products();
  ComplexElements<Real>().check_moves();
}

}  // namespace

TEST_SUITE("complex elements") {
  TEST_CASE("quotients, reciprocals, products and moves") {
    check_all<float>();
    if (shared_engine().profile().fp64) check_all<double>();
    count_kernel_of("complex elements");
  }
}

}  // namespace tilewright::test
