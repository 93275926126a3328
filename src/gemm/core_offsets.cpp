#include "gemm/core_offsets.hpp"

namespace tilewright::detail {

CoreOffsets::CoreOffsets(const CoreProblem& core, const GemmOffsets& offsets) : all_(offsets) {
  if (!core.is_rewritten()) return;
  const std::array callers{offsets.a, offsets.b, offsets.c};
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    std::vector<std::uint64_t>& matrices = matrices_[i];
    matrices.reserve(CoreOffsets::entries(core, callers[i].size()));
    const bool is_prepared = i < core.inputs.size() && core.inputs[i];
    for (std::uint64_t x = 0; x < callers[i].size(); ++x)
      matrices.push_back(is_prepared ? x * core.inputs[i]->stride : core.parts * callers[i][x]);
    for (const std::uint64_t offset : callers[i]) matrices.push_back(core.parts * offset);
  }
  all_ = {matrices_[0], matrices_[1], matrices_[2]};
}

}  // namespace tilewright::detail
