// A sparse matrix times a vector, many times: the smoothing of a line by its second difference.

#include <cstdint>
#include <tilewright/spmm.hpp>
#include <vector>

#include "buffers.hpp"

int main() {
  using namespace tilewright;
  constexpr std::int32_t size = 1000;
  const Session session;

  // Row i averages the elements i - 1, i and i + 1 with the weights 1/4, 1/2 and 1/4.
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<float> weights;
  for (std::int32_t i = 0; i < size; ++i) {
    for (std::int32_t j = i - 1; j <= i + 1; ++j)
      if (j >= 0 && j < size) {
        columns.push_back(j);
        weights.push_back(i == j ? 0.5F : 0.25F);
      }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  const Buffer<std::int32_t> row_offsets(session, offsets), column_indices(session, columns);
  const Buffer<float> values(session, weights), x(session, std::vector<float>(size, 1)), y(session, size);

  // The plan reads and checks the structure once.
  const SpmmPlan plan(session.engine(), {.m = size, .n = 1, .k = size, .nonzeros = columns.size()},
                      {.offsets = row_offsets, .columns = column_indices});
  plan.enqueue(session.queue(), {.values = values, .b = x, .c = y}).wait();
  plan.enqueue(session.queue(), {.values = values, .b = y, .c = x}).wait();

  const std::vector<float> result = x.read();
  const bool middle = is_close("the middle", result[size / 2], 1), edge = is_close("the edge", result[0], 0.625);
  return middle && edge ? 0 : 1;
}
