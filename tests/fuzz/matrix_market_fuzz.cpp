// Fuzzes the readers of Matrix Market files.
#include <cstdint>
#include <variant>

#include "files/file_error.hpp"
#include "files/matrix_market.hpp"
#include "fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  const fuzz::InputFile file(data, size);
  try {
    const tool::MatrixMarket matrix = tool::read_matrix_market(file.path());
    if (const auto* const dense = std::get_if<tool::DenseMatrix>(&matrix)) {
      fuzz::require(dense->values.size() == dense->rows * dense->columns);
      return 0;
    }
    const auto& sparse = std::get<tool::Triplets>(matrix);
    fuzz::require(sparse.row.size() == sparse.values.size() && sparse.column.size() == sparse.values.size());
    for (const std::uint64_t row : sparse.row) fuzz::require(row < sparse.rows);
    for (const std::uint64_t column : sparse.column) fuzz::require(column < sparse.columns);
  } catch (const tool::FileError&) {
  }
  return 0;
}
