#include <clblast.h>
#include <fmt/format.h>

#include <complex>
#include <stdexcept>
#include <type_traits>

#include "compare/level2_calls.hpp"
#include "kernels/host_type.hpp"
#include "tilewright/event.hpp"

namespace tilewright::tool {
namespace {

using verification::Level2Call;
using verification::Level2Case;

/// Enqueues one call; `event` may be null.
using EnqueueCall = std::function<clblast::StatusCode(cl_command_queue* queue, cl_event* event)>;
using Queue = cl_command_queue*;
using Made = cl_event*;
constexpr auto rows = clblast::Layout::kRowMajor;

clblast::Triangle triangle_of(const Level2Case& test) {
  return test.uplo == Uplo::lower ? clblast::Triangle::kLower : clblast::Triangle::kUpper;
}

template <class T>
EnqueueCall trmv_call(const Level2Case& test, cl_mem a, cl_mem x) {
  const auto trans = test.trans == Transpose::no    ? clblast::Transpose::kNo
                     : test.trans == Transpose::yes ? clblast::Transpose::kYes
                                                    : clblast::Transpose::kConjugate;
  const auto diag = test.diag == Diag::unit ? clblast::Diagonal::kUnit : clblast::Diagonal::kNonUnit;
  return [=, n = test.n, triangle = triangle_of(test)](Queue q, Made e) {
    return clblast::Trmv<T>(rows, triangle, trans, diag, n, a, 0, n, x, 0, 1, q, e);
  };
}

template <class T>
EnqueueCall real_call(const Level2Case& test, cl_mem a, cl_mem x, cl_mem y) {
  const auto alpha = static_cast<T>(test.alpha.real()), beta = static_cast<T>(test.beta.real());
  const auto triangle = triangle_of(test);
  const std::size_t n = test.n;
  switch (test.call) {
    case Level2Call::symv:
    case Level2Call::hemv:
      return [=](Queue q, Made e) {
        return clblast::Symv<T>(rows, triangle, n, alpha, a, 0, n, x, 0, 1, beta, y, 0, 1, q, e);
      };
    case Level2Call::trmv:
      return trmv_call<T>(test, a, x);
    case Level2Call::syr:
    case Level2Call::her:
      return [=](Queue q, Made e) { return clblast::Syr<T>(rows, triangle, n, alpha, x, 0, 1, a, 0, n, q, e); };
    case Level2Call::syr2:
    case Level2Call::her2:
      return
          [=](Queue q, Made e) { return clblast::Syr2<T>(rows, triangle, n, alpha, x, 0, 1, y, 0, 1, a, 0, n, q, e); };
  }
  return {};
}

// CLBlast has no complex symv, syr and syr2.
template <class T>
EnqueueCall complex_call(const Level2Case& test, cl_mem a, cl_mem x, cl_mem y) {
  const T alpha(test.alpha), beta(test.beta);
  const auto triangle = triangle_of(test);
  const std::size_t n = test.n;
  switch (test.call) {
    case Level2Call::hemv:
      return [=](Queue q, Made e) {
        return clblast::Hemv<T>(rows, triangle, n, alpha, a, 0, n, x, 0, 1, beta, y, 0, 1, q, e);
      };
    case Level2Call::trmv:
      return trmv_call<T>(test, a, x);
    case Level2Call::her:
      return [=](Queue q, Made e) { return clblast::Her(rows, triangle, n, alpha.real(), x, 0, 1, a, 0, n, q, e); };
    case Level2Call::her2:
      return
          [=](Queue q, Made e) { return clblast::Her2<T>(rows, triangle, n, alpha, x, 0, 1, y, 0, 1, a, 0, n, q, e); };
    case Level2Call::symv:
    case Level2Call::syr:
    case Level2Call::syr2:
      break;
  }
  return {};
}

// Returns a function that enqueues the call as often as it is told, and waits for the last one.
std::function<void(unsigned)> repeated(const Session& session, const EnqueueCall& enqueue) {
  if (!enqueue) return {};
  return [enqueue, queue = session.queue()](unsigned calls) {
    cl_command_queue to = queue;
    for (unsigned left = calls; left > 0; --left) {
      cl_event event = nullptr;
      if (const auto status = enqueue(&to, left == 1 ? &event : nullptr); status != clblast::StatusCode::kSuccess)
        throw std::runtime_error(fmt::format("CLBlast failed with status {}", static_cast<int>(status)));
      if (left == 1) Event(event).wait();
    }
  };
}

template <class T>
EnqueueCall ger_call(const GerProblem& problem, T alpha, cl_mem a, cl_mem x, cl_mem y) {
  return [=, m = problem.m, n = problem.n](Queue q, Made e) {
    if constexpr (detail::is_complex_host_type<T>)
      return clblast::Geru<T>(rows, m, n, alpha, x, 0, 1, y, 0, 1, a, 0, n, q, e);
    else
      return clblast::Ger<T>(rows, m, n, alpha, x, 0, 1, y, 0, 1, a, 0, n, q, e);
  };
}

}  // namespace

std::function<void(unsigned)> clblast_level2_call(const Session& session, const Level2Case& test,
                                                  const DeviceVectors& operands) {
  cl_mem a = operands[0].get(), x = operands[1].get(), y = operands[2].get();
  EnqueueCall enqueue;
  if (test.type == DataType::f32) enqueue = real_call<float>(test, a, x, y);
  if (test.type == DataType::f64) enqueue = real_call<double>(test, a, x, y);
  if (test.type == DataType::c64) enqueue = complex_call<std::complex<float>>(test, a, x, y);
  if (test.type == DataType::c128) enqueue = complex_call<std::complex<double>>(test, a, x, y);
  return repeated(session, enqueue);
}

std::function<void(unsigned)> clblast_ger_call(const Session& session, const GerProblem& problem, double alpha,
                                               const DeviceVectors& operands) {
  cl_mem a = operands[0].get(), x = operands[1].get(), y = operands[2].get();
  EnqueueCall enqueue;
  if (problem.type == DataType::f32) enqueue = ger_call(problem, static_cast<float>(alpha), a, x, y);
  if (problem.type == DataType::f64) enqueue = ger_call(problem, alpha, a, x, y);
  if (problem.type == DataType::c64) enqueue = ger_call(problem, std::complex(static_cast<float>(alpha)), a, x, y);
  if (problem.type == DataType::c128) enqueue = ger_call(problem, std::complex(alpha), a, x, y);
  return repeated(session, enqueue);
}

}  // namespace tilewright::tool
