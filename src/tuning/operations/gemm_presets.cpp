#include "tuning/operations/gemm_presets.hpp"

#include <stdexcept>
#include <string>

namespace tilewright::tuning {
namespace {

struct Shape {
  std::uint64_t m, n, k;
  const char* trans;
  std::uint64_t batch = 1;
};

constexpr Shape quick_shapes[] = {{512, 512, 512, "NN"}, {2048, 2048, 2048, "NN"}, {16, 2048, 2048, "NN"}};

// Large shapes come last: searches try the winners of small shapes first.
constexpr Shape gpu_shapes[] = {
    {256, 256, 256, "NN"},    {512, 512, 512, "NN"},    {1024, 1024, 1024, "NN"}, {2048, 2048, 2048, "NN"},
    {4096, 4096, 4096, "NN"}, {1, 4096, 4096, "NN"},    {16, 4096, 4096, "NN"},   {64, 4096, 4096, "TN"},
    {4096, 64, 4096, "NN"},   {4096, 4096, 64, "NT"},   {256, 256, 16384, "NN"},  {35, 2560, 2560, "NN"},
    {4096, 1, 4096, "TN"},    {3001, 2999, 5, "NN"},    {96, 96, 96, "NN", 512},  {735, 511, 413, "TT"},
    {5124, 700, 2048, "TN"},  {7680, 1500, 2560, "NN"},
};
constexpr Shape cpu_shapes[] = {
    {64, 64, 64, "NN"},     {256, 256, 256, "NN"},   {1024, 1024, 1024, "NN"}, {1, 2048, 2048, "NN"},
    {16, 2048, 2048, "NN"}, {40, 6000, 2000, "TN"},  {128, 2048, 2048, "NN"},  {1536, 16, 1536, "NN"},
    {1500, 32, 1500, "TN"}, {2048, 64, 2048, "NN"},  {1024, 1024, 32, "NT"},   {128, 128, 8192, "NN"},
    {1, 2048, 2048, "NT"},  {3000, 2, 1000, "TN"},   {999, 1001, 5, "NN"},     {24, 24, 24, "NN", 256},
    {317, 411, 523, "TT"},  {512, 1500, 1024, "TN"}, {2048, 2048, 2048, "NN"},
};

template <std::size_t n>
std::vector<GemmProblem> problems(const Shape (&shapes)[n], DataType type) {
  std::vector<GemmProblem> result;
  for (const Shape& shape : shapes) {
    const auto transpose = [](char letter) { return letter == 'T' ? Transpose::yes : Transpose::no; };
    result.push_back({.type = type,
                      .trans_a = transpose(shape.trans[0]),
                      .trans_b = transpose(shape.trans[1]),
                      .m = shape.m,
                      .n = shape.n,
                      .k = shape.k});
    if (shape.batch > 1) result.back().batch = {shape.batch, shape.m * shape.k, shape.k * shape.n, shape.m * shape.n};
  }
  return result;
}

}  // namespace

std::vector<GemmProblem> gemm_preset(std::string_view name, DataType type, const DeviceProfile& device) {
  if (name == "quick") return problems(quick_shapes, type);
  if (name != "default") throw std::invalid_argument("there is no preset '" + std::string(name) + "'");
  return device.type == DeviceType::gpu ? problems(gpu_shapes, type) : problems(cpu_shapes, type);
}

}  // namespace tilewright::tuning
