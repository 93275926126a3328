// Functions of libraries that this build lacks.
#include "compare/lapack/lapack_contender.hpp"
#include "compare/level2_calls.hpp"
#include "compare/rank_k_workload.hpp"
#include "compare/transposition.hpp"
#include "compare/vector_calls.hpp"

namespace tilewright::tool {

#ifndef TILEWRIGHT_WITH_OPENBLAS
std::function<void()> openblas_rank_k_call(RankKWorkload&) { return {}; }
std::function<void()> openblas_transposition(const TransposeProblem&, const std::byte*, std::byte*) { return {}; }
std::function<void()> openblas_vector_call(std::string_view, DataType, std::uint64_t, HostVectors&) { return {}; }
std::function<void()> openblas_level2_call(const verification::Level2Case&, HostVectors&) { return {}; }
std::function<void()> openblas_ger_call(const GerProblem&, double, HostVectors&) { return {}; }
#endif

#ifndef TILEWRIGHT_WITH_OPENBLAS_LAPACK
std::string openblas_kernels() { return {}; }
std::optional<LapackContender> openblas_lapack_contender(const LapackProblem&, const LapackData&) { return {}; }
#endif

#ifndef TILEWRIGHT_WITH_CLBLAST
std::function<void()> clblast_lapack_call(const LapackBuffers&) { return {}; }
std::function<void(unsigned)> clblast_rank_k_call(RankKWorkload&) { return {}; }
std::function<void(unsigned)> clblast_vector_call(const Session&, std::string_view, DataType, std::uint64_t,
                                                  const DeviceVectors&) {
  return {};
}
std::function<void(unsigned)> clblast_level2_call(const Session&, const verification::Level2Case&,
                                                  const DeviceVectors&) {
  return {};
}
std::function<void(unsigned)> clblast_ger_call(const Session&, const GerProblem&, double, const DeviceVectors&) {
  return {};
}
#endif

}  // namespace tilewright::tool
