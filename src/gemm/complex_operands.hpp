// Computes a complex product as a real one, with the "1m" method of F. G. Van Zee, "Implementing high-performance
// complex matrix multiplication via the 1m method", SIAM J. Sci. Comput. 42(5), 2020. In memory, a complex matrix is a
// real matrix with twice as many columns. A and C are used this way; only B is expanded.
#pragma once

#include <complex>

#include "gemm/core_problem.hpp"
#include "kernels/kernel_arguments.hpp"

namespace tilewright::detail {

/// The real product that computes a normalized complex problem. Throws Error(size_overflow).
GemmProblem real_product(const GemmProblem& problem);

/// real_product() with its preparations: B expanded, A copied if it is transposed, and C multiplied by a complex beta.
CoreProblem real_core(const GemmProblem& problem, const DeviceProfile& device);

/// The product of the complex operands as they are stored, which CoreProduct::complex describes, for configurations
/// that compute it. Only C is prepared: multiplied by a complex beta. k counts `parts` per element.
CoreProblem complex_core(const GemmProblem& problem, const DeviceProfile& device, std::uint64_t parts);

/// The scalars of a call of a complex problem, in the order of gemm_slots. A real alpha and a real beta are those of
/// the core problem. An alpha with an imaginary part is multiplied into B when it is expanded or packed,
/// or into the product. C is multiplied by a beta with an imaginary part before the product.
CallScalars core_scalars(std::complex<double> alpha, std::complex<double> beta);

}  // namespace tilewright::detail
