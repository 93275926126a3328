#include <clblast.h>

#include <stdexcept>

#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/second_opinion.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::test {
namespace {

clblast::Transpose converted(Transpose transpose) {
  if (transpose == Transpose::conjugate_transpose) return clblast::Transpose::kConjugate;
  return transpose == Transpose::yes ? clblast::Transpose::kYes : clblast::Transpose::kNo;
}

template <typename T>
cl::Buffer buffer_with(const cl::CommandQueue& queue, const std::vector<T>& values) {
  cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, values.size() * sizeof(T));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

}  // namespace

template <typename T>
std::vector<T> clblast_gemm(const GemmProblem& p, const HostOperands<T>& host) {
  const cl::CommandQueue queue = make_queue();
  const cl::Buffer a = buffer_with(queue, host.a), b = buffer_with(queue, host.b), c = buffer_with(queue, host.c);
  cl_command_queue raw_queue = queue();
  const auto layout = p.layout == Layout::row_major ? clblast::Layout::kRowMajor : clblast::Layout::kColMajor;
  const auto status = clblast::Gemm<T>(
      layout, converted(p.trans_a), converted(p.trans_b), p.m, p.n, p.k, verification::scalar_of<T>(host.alpha), a(), 0,
      dense_leading(p, p.trans_a, p.m, p.k), b(), 0, dense_leading(p, p.trans_b, p.k, p.n),
      verification::scalar_of<T>(host.beta), c(), 0, dense_leading(p, Transpose::no, p.m, p.n), &raw_queue, nullptr);
  if (status != clblast::StatusCode::kSuccess)
    throw std::runtime_error("CLBlast failed with status " + std::to_string(static_cast<int>(status)));
  std::vector<T> result(host.c.size());
  queue.enqueueReadBuffer(c, CL_TRUE, 0, result.size() * sizeof(T), result.data());
  return result;
}

template std::vector<float> clblast_gemm(const GemmProblem&, const HostOperands<float>&);
template std::vector<double> clblast_gemm(const GemmProblem&, const HostOperands<double>&);
template std::vector<std::complex<float>> clblast_gemm(const GemmProblem&, const HostOperands<std::complex<float>>&);
template std::vector<std::complex<double>> clblast_gemm(const GemmProblem&, const HostOperands<std::complex<double>>&);

}  // namespace tilewright::test
