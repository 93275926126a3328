#include "transpose/variant.hpp"

#include "kernels/build_options.hpp"

namespace tilewright::detail {

std::vector<KernelArgument> with_common_arguments(std::vector<KernelArgument> arguments,
                                                  const TransposeProblem& problem) {
  if (problem.type.number()) arguments.push_back(transpose_slots::alpha);
  arguments.push_back(argument::batch);
  return arguments;
}

std::vector<KernelArgument> transpose_arguments(const TransposeProblem& p) {
  using namespace transpose_slots;
  return with_common_arguments({index(p.m), index(p.n), a, index(p.lda), b, index(p.ldb)}, p);
}

Execution over_tiles(const TransposeProblem& p, std::int64_t tile_m, std::int64_t tile_n, std::int64_t wg) {
  const auto group = static_cast<std::size_t>(wg);
  return {.launches = {{.kernel = "transpose",
                        .arguments = transpose_arguments(p),
                        .global = {ceil_div(p.n, tile_n) * group, ceil_div(p.m, tile_m)},
                        .local = {group, 1}}}};
}

std::uint64_t bytes_of_elements(const TransposeProblem& p, std::int64_t elements) {
  return static_cast<std::uint64_t>(elements) * p.type.bytes();
}

std::string only_out_of_place(const TransposeProblem& p, const DeviceProfile&) {
  if (p.in_place) return "it works out of place only";
  if (p.trans == Transpose::no) return "it only transposes, but op(A) = A";
  return {};
}

std::string line_defines(const TransposeProblem& p, std::int64_t vector) {
  return define("READ_WHOLE", lines_are_vectors(stored_a(p), p, vector)) +
         define("STORE_WHOLE", lines_are_vectors(stored_b(p), p, vector));
}

}  // namespace tilewright::detail
