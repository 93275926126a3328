// Fuzzes the readers of .npy files.
#include <cstdint>
#include <vector>

#include "files/file_error.hpp"
#include "files/npy.hpp"
#include "fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  const fuzz::InputFile file(data, size);
  try {
    const tool::NpyMatrix matrix = tool::read_npy(file.path());
    fuzz::require(matrix.data.size() == matrix.header.data_bytes() && matrix.data.size() <= size);
    fuzz::require(tool::elements_as<float>(matrix).size() == matrix.header.rows * matrix.header.columns);
  } catch (const tool::FileError&) {
  }
  return 0;
}
