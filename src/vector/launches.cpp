#include "vector/launches.hpp"

#include <string>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "vector/problem.hpp"

namespace tilewright::detail {
namespace {

KernelArgument matrix(std::size_t operand) { return argument::matrix(matrix_index(operand)); }

void append_scalar(std::vector<KernelArgument>& arguments, std::uint64_t which) {
  for (const std::uint64_t part : {2 * which, 2 * which + 1}) arguments.push_back(argument::scalar(part));
}

void append_vector(std::vector<KernelArgument>& arguments, const VectorProblem& problem, std::size_t operand) {
  const auto increment = static_cast<std::uint64_t>(increments(problem)[operand]);
  arguments.insert(arguments.end(),
                   {matrix(operand), argument::index(increment), argument::offset(strides(problem)[operand])});
}

void append_result(std::vector<KernelArgument>& arguments, const VectorProblem& problem) {
  arguments.insert(arguments.end(), {matrix(operand_result), argument::offset(problem.batch.stride_result)});
}

// n, the scalars and the vectors.
std::vector<KernelArgument> inputs(const VectorForm& form, const VectorProblem& problem) {
  std::vector<KernelArgument> arguments{argument::index(problem.n)};
  if (form.takes_alpha) append_scalar(arguments, 0);
  for (std::size_t i = 0; i < form.argument_count; ++i) {
    if (form.takes_beta && i + 1 == form.argument_count) append_scalar(arguments, 1);
    append_vector(arguments, problem, form.arguments[i]);
  }
  return arguments;
}

Launch launch(const char* name, std::vector<KernelArgument> arguments, const VectorShape& shape, std::uint64_t groups) {
  const auto items = static_cast<std::size_t>(shape.group);
  return {.kernel = name,
          .arguments = std::move(arguments),
          .global = {static_cast<std::size_t>(groups) * items, 1, 1},
          .local = {items, 1, 1}};
}

}  // namespace

KernelSource source_of(const char* name, const VectorForm& form, DataType type, const VectorShape& shape) {
  const VectorKernelInfo& kernel = info_of(form.kernel);
  std::string options = language_option() + define("INDEX_BITS", 64) + define("WIDTH", shape.width) +
                        define("UNROLL", shape.unroll) + define("SUMS", shape.sums) + define("WG", shape.group) +
                        define("CHUNKED", shape.chunked) + kernel.defines +
                        define_if(shape.aligned, "ALIGNED_BUFFERS") +
                        (kernel.moves ? define("MOVED_BYTES", size_of(type)) : element_options(type));
  if (kernel.moves ? size_of(type) == 16 : is_complex(type)) options += define("PARTS", 2);
  std::vector<std::string_view> files{"common/index.cl", "common/bfloat16.cl", "common/types.cl", "vector/elements.cl",
                                      kernel.file};
  if (kernel.is_reduction()) files.emplace_back("vector/reduction.cl");
  return {name, std::move(files), std::move(options)};
}

std::vector<Launch> launches_of(const VectorForm& form, const VectorProblem& problem, const VectorShape& shape) {
  std::vector<KernelArgument> arguments = inputs(form, problem);
  if (!form.is_reduction()) return {launch(info_of(form.kernel).kernel, std::move(arguments), shape, shape.groups)};
  if (shape.groups == 1) {
    append_result(arguments, problem);
    return {launch("whole", std::move(arguments), shape, 1)};
  }
  arguments.push_back(argument::workspace(0));
  std::vector<KernelArgument> finish{argument::index(shape.groups), argument::workspace(0)};
  append_result(finish, problem);
  return {launch("partial", std::move(arguments), shape, shape.groups), launch("finish", std::move(finish), shape, 1)};
}

}  // namespace tilewright::detail
