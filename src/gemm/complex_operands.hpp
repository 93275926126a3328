// A complex product as a real one, the "1m" method of F. G. Van Zee, "Implementing high-performance complex matrix
// multiplication via the 1m method", SIAM J. Sci. Comput. 42(5), 2020: a matrix of complex numbers is, as it is stored,
// a real matrix of twice as many columns, and so are A and C; B alone is expanded.
#pragma once

#include <complex>

#include "gemm/core_problem.hpp"
#include "kernels/kernel_arguments.hpp"

namespace tilewright::detail {

/// The real product that a normalized complex problem is. Throws Error(size_overflow).
GemmProblem real_product(const GemmProblem& problem);

/// The same with what prepares it: B expanded, A copied where it is transposed, and C times a complex beta.
CoreProblem real_core(const GemmProblem& problem, const DeviceProfile& device);

/// The scalars of a call of a complex problem. A real alpha and a real beta are those of the core problem; an alpha
/// with an imaginary part is folded into B as it is expanded, and C is multiplied by such a beta before the product.
CallScalars core_scalars(std::complex<double> alpha, std::complex<double> beta);

}  // namespace tilewright::detail
