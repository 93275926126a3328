#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gemm/core_problem.hpp"
#include "gemm/offset_table.hpp"
#include "gemm/packed_matrix_state.hpp"
#include "gemm/problem.hpp"
#include "gemm/variant.hpp"
#include "kernels/plans/plan_state.hpp"
#include "selection/selector.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

class GemmPlan::State : public detail::PlanState<GemmProblem> {
 public:
  State(const Engine& engine, const GemmProblem& problem, const Choice& choice);
  /// Returns a plan for one triangle of C; null if the chosen variant cannot skip tiles.
  static std::unique_ptr<State> of_triangle(const Engine& engine, const GemmProblem& problem,
                                            const detail::WantedTriangle& triangle, const Choice& choice);

  /// Returns a plan with a symmetric factor; null if the chosen variant cannot read one triangle of it.
  static std::unique_ptr<State> of_symmetric(const Engine& engine, const GemmProblem& problem,
                                             const detail::SymmetricFactor& factor, const Choice& choice);

  /// Returns a plan with a range of k; null if the chosen variant cannot leave out steps, or would be slow.
  static std::unique_ptr<State> of_range(const Engine& engine, const GemmProblem& problem, const detail::KRange& range,
                                         const Choice& choice);

  Event enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits);
  std::unique_ptr<PackedMatrix::State> pack(GemmInput which, cl_command_queue queue, const MatrixRef& source,
                                            std::span<const cl_event> waits);

 private:
  // The PackedMatrix objects that replace A and B in a call, in the normalized problem's order; null: none.
  using PackedInputs = std::array<const PackedMatrix::State*, 2>;

  /// `product` is the normalized problem with its parts.
  State(const Engine& engine, const GemmProblem& problem, const detail::CoreProduct& product);
  /// Returns the core problem of a selection's best configuration.
  detail::CoreProduct product_for(const detail::Selection<GemmProblem>& selected, const Engine& engine) const;
  /// Returns the selection for a product like the core problem that suits every variant.
  std::shared_ptr<const detail::Selection<GemmProblem>> selection(const Engine& engine, const GemmProblem& product,
                                                                  const Choice& choice) const;
  void prepare(const Engine& engine, const detail::Selection<GemmProblem>& selected);
  bool compile(detail::EngineState& engine, const detail::GemmVariant& variant, const detail::ParameterValues& values);
  void prepare_calls(const DeviceProfile& device, std::vector<detail::Workspace> workspaces);

  // Functions for packed matrices; `input` is 0 for A and 1 for B of the normalized problem.
  std::size_t input_of(GemmInput input) const;
  std::string form_of(std::size_t input) const;
  std::string description_of(std::size_t input) const;
  const PackedMatrix::State* checked(const PackedMatrix* packed, GemmInput input) const;
  void append_packings(const PackedInputs& packed, std::vector<cl_event>& waits) const;

  GemmProblem problem_;          // normalized
  detail::CoreProduct product_;  // with its triangle, range or symmetric factor
  bool swapped_;                 // A and B of the normalized problem are the caller's B and A
  detail::CoreProblem core_;     // of the plan's configuration; before it is chosen, the one that suits every variant
  detail::LaunchSequence sequence_;
  std::optional<detail::OffsetTable> offsets_;
};

}  // namespace tilewright
