// A layer of a neural network: a product with bias and activation in one kernel, and weights that are packed once.

#include <cstdint>
#include <tilewright/gemm.hpp>
#include <tilewright/packed_matrix.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::uint64_t rows = 32, inputs = 128, outputs = 64;
  const Session session;
  const Buffer<float> x(session, std::vector<float>(rows * inputs, 1)),
      weights(session, std::vector<float>(inputs * outputs, 0.25F)), y(session, rows * outputs);
  std::vector<float> biases(outputs);
  for (std::uint64_t i = 0; i < outputs; ++i) biases[i] = i % 2 == 0 ? 1.0F : -100.0F;
  const Buffer<float> bias(session, biases);

  // Y = relu(X W + bias), where bias has one element per column.
  const GemmProblem problem{.m = rows,
                            .n = outputs,
                            .k = inputs,
                            .epilogue = {.bias = EpilogueVector::per_column, .activation = Activation::relu}};
  const GemmPlan plan(session.engine(), problem);
  const PackedMatrix packed(plan, GemmInput::b, session.queue(), weights);
  plan.enqueue(session.queue(), {.a = x, .c = y, .packed_b = &packed, .bias = bias}).wait();

  const std::vector<float> result = y.read();
  const bool first = is_close("column 0", result[0], 33), second = is_close("column 1", result[1], 0);
  return first && second ? 0 : 1;
}
