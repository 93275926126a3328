// Fuzzes the readers of sparse matrices in archives of NumPy arrays. Checksums stop a fuzzer, so each input is also
// used as the contents of every member of an uncompressed archive.
#include <cstdint>
#include <string>

#include "files/file_error.hpp"
#include "files/npz.hpp"
#include "fuzz/input_file.hpp"
#include "tools/npy_bytes.hpp"
#include "tools/zip_bytes.hpp"

namespace {

using namespace tilewright;

void read(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  try {
    const tool::Triplets matrix = tool::read_npz(file.path());
    fuzz::require(matrix.row.size() == matrix.values.size() && matrix.column.size() == matrix.values.size());
    for (const std::uint64_t row : matrix.row) fuzz::require(row < matrix.rows);
    for (const std::uint64_t column : matrix.column) fuzz::require(column < matrix.columns);
  } catch (const tool::FileError&) {
  }
}

std::string array(const std::string& shape, const std::string& descriptor, const std::string& data) {
  return test::npy_file("{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': (" + shape + ")}", data);
}

std::string indices(std::initializer_list<std::int32_t> values) {
  return array(std::to_string(values.size()) + ",", "<i4", test::raw<std::int32_t>(values));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(data, size);
  if (size == 0) return 0;
  test::ZipEntry entries[] = {{.name = "format.npy", .content = array("", "|S3", data[0] % 2 == 0 ? "csr" : "coo")},
                              {.name = "shape.npy", .content = indices({2, 3})},
                              {.name = "data.npy", .content = indices({1, 2, 3})},
                              {.name = "indices.npy", .content = indices({1, 2, 0})},
                              {.name = "indptr.npy", .content = indices({0, 2, 3})},
                              {.name = "row.npy", .content = indices({0, 0, 1})},
                              {.name = "col.npy", .content = indices({1, 2, 0})}};
  test::ZipEntry& changed = entries[data[0] % std::size(entries)];
  changed.content.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<test::ZipEntry> all(std::begin(entries), std::end(entries));
  for (test::ZipEntry& entry : all) entry.deflated = false;
  const std::string file = test::zip_file(all);
  read(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  return 0;
}
