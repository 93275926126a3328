// Fuzzes tables of shapes, and shapes as given on the command line.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "files/file_error.hpp"
#include "files/shapes_file.hpp"
#include "fuzz/input_file.hpp"
#include "options/shape.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  const fuzz::InputFile file(data, size);
  try {
    for (const GemmProblem& problem : tool::read_shapes(file.path(), {})) {
      fuzz::require(!tool::to_string(problem).empty());
      fuzz::require(tool::flops_of(problem) >= 0);
    }
  } catch (const tool::FileError&) {
  }
  try {
    for (const tool::SparseShape& shape : tool::read_sparse_shapes(file.path(), DataType::f32))
      fuzz::require(shape.n > 0 && !shape.file.empty());
  } catch (const tool::FileError&) {
  }
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const GemmProblem problem = tool::parse_shape(text);
    const GemmProblem again = tool::parse_shape(std::to_string(problem.m) + 'x' + std::to_string(problem.n) + 'x' +
                                                std::to_string(problem.k));
    fuzz::require(again == problem);
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
