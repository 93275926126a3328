#include "files/npz.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "files/file_error.hpp"
#include "kernels/half.hpp"
#include "tools/npy_bytes.hpp"
#include "tools/temporary_directory.hpp"
#include "tools/zip_bytes.hpp"

namespace tilewright::tool {
namespace {

using test::raw;
using test::TemporaryDirectory;
using test::ZipEntry;
using Entry = std::tuple<std::uint64_t, std::uint64_t, double>;

std::string array(const std::string& descriptor, const std::string& shape, const std::string& data) {
  return test::npy_file("{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

template <class T>
std::string vector(const std::string& descriptor, const std::vector<T>& elements) {
  return array(descriptor, "(" + std::to_string(elements.size()) + ",)", raw(elements));
}

/// The members of a 2 x 3 matrix, [0 1 2; 3 0 0]; tests modify them.
struct Members {
  std::map<std::string, std::string> content{{"format", array("|S3", "()", "csr")},
                                             {"shape", vector<std::int64_t>("<i8", {2, 3})},
                                             {"data", vector<float>("<f4", {1, 2, 3})},
                                             {"indices", vector<std::int32_t>("<i4", {1, 2, 0})},
                                             {"indptr", vector<std::int32_t>("<i4", {0, 2, 3})}};

  Members with(const std::string& name, const std::string& value) const {
    Members changed = *this;
    changed.content[name] = value;
    return changed;
  }
  Members without(const std::string& name) const {
    Members changed = *this;
    changed.content.erase(name);
    return changed;
  }
  /// The matrix in coordinate form.
  Members as_coo() const {
    return without("indices")
        .without("indptr")
        .with("format", array("|S3", "()", "coo"))
        .with("row", vector<std::int32_t>("<i4", {0, 0, 1}))
        .with("col", vector<std::int32_t>("<i4", {1, 2, 0}));
  }

  std::vector<ZipEntry> entries() const {
    std::vector<ZipEntry> result;
    for (const auto& [name, value] : content) {
      ZipEntry& entry = result.emplace_back();
      entry.name = name + ".npy";
      entry.content = value;
    }
    return result;
  }
  std::string file() const { return test::zip_file(entries()); }
};

Triplets read(const std::string& content) {
  const TemporaryDirectory directory;
  return read_npz(directory.write("a.npz", content));
}

std::vector<Entry> entries_of(const Triplets& matrix) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < matrix.row.size(); ++i)
    entries.emplace_back(matrix.row[i], matrix.column.at(i), matrix.values.at(i));
  return entries;
}

void check_refused(const std::string& content, FileErrorCode code, const std::string& part) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.npz", content);
  try {
    read_npz(path);
    FAIL("was read; expected: " << part);
  } catch (const FileError& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CAPTURE(part);
    CHECK(message.starts_with(path + ": "));
    CHECK(error.code() == code);
    CHECK(message.find(part) != std::string::npos);
  }
}

const std::vector<Entry> expected{{0, 1, 1}, {0, 2, 2}, {1, 0, 3}};

}  // namespace

TEST_CASE("npz: files written by SciPy in every format, compressed or not") {
  // A 3 x 4 matrix written by tests/fuzz/make_sparse_files.py.
  const std::vector<Entry> by_rows{{0, 1, 1.5}, {0, 3, -2}, {2, 0, 4}, {2, 1, 0.25}};
  const std::vector<Entry> by_columns{{2, 0, 4}, {0, 1, 1.5}, {2, 1, 0.25}, {0, 3, -2}};
  const std::string place = std::string(TILEWRIGHT_TEST_SOURCE) + "/tests/fuzz/corpus/npz/";
  for (const std::string name : {"scipy_csr", "scipy_csr_stored", "scipy_coo", "scipy_csc_array", "scipy_csr_f4"}) {
    CAPTURE(name);
    const Triplets matrix = read_npz(place + name);
    CHECK(matrix.rows == 3);
    CHECK(matrix.columns == 4);
    CHECK(matrix.type == (name == "scipy_csr_f4" ? DataType::f32 : DataType::f64));
    CHECK(entries_of(matrix) == (name == "scipy_csc_array" ? by_columns : by_rows));
  }
  CHECK(entries_of(read_npz(place + "scipy_bool")) == std::vector<Entry>{{0, 0, 1}, {1, 1, 1}});
  CHECK(read_npz(place + "scipy_empty").rows == 0);
  check_refused(TemporaryDirectory().read(place + "scipy_bsr"), FileErrorCode::unsupported_format,
                "the format is 'bsr'");
  check_refused(TemporaryDirectory().read(place + "scipy_complex"), FileErrorCode::unsupported_type,
                "elements are '<c16'");
}

TEST_CASE("npz: formats and elements of all kinds") {
  const Members good;
  CHECK(entries_of(read(good.file())) == expected);
  CHECK(read(good.file()).type == DataType::f32);
  CHECK(entries_of(read(good.as_coo().file())) == expected);
  CHECK(entries_of(read(good.with("format", array("<U3", "()", raw<std::uint32_t>({'c', 's', 'r'}))).file())) ==
        expected);
  CHECK(entries_of(read(good.with("indices", vector<std::int64_t>("<i8", {1, 2, 0})).file())) == expected);
  CHECK(entries_of(read(good.with("indices", vector<std::uint64_t>("<u8", {1, 2, 0})).file())) == expected);
  CHECK(entries_of(read(good.with("data", vector<double>("<f8", {1, 2, 3})).file())) == expected);
  CHECK(entries_of(read(good.with("data", vector<std::int64_t>("<i8", {1, 2, 3})).file())) == expected);
  CHECK(entries_of(read(good.with("data", vector<std::uint16_t>("<u2", {1, 2, 3})).file())) == expected);
  CHECK(entries_of(read(good.with("data", vector<std::int8_t>("|i1", {1, 2, 3})).file())) == expected);
  using tilewright::detail::Half;
  const Triplets halves = read(good.with("data", vector<Half>("<f2", {Half(1), Half(2), Half(3)})).file());
  CHECK(entries_of(halves) == expected);
  CHECK(halves.type == DataType::f32);
  // As columns, the same arrays are [0 0 3; 1 0 0; 2 0 0] without its last column.
  const Members by_columns =
      good.with("format", array("|S3", "()", "csc")).with("shape", vector<std::int64_t>("<i8", {3, 2}));
  CHECK(entries_of(read(by_columns.file())) == std::vector<Entry>{{1, 0, 1}, {2, 0, 2}, {0, 1, 3}});
  // Arrays longer than the number of entries, as SciPy leaves them.
  CHECK(entries_of(read(good.with("indptr", vector<std::int32_t>("<i4", {0, 1, 1})).file())) ==
        std::vector<Entry>{{0, 1, 1}});
}

TEST_CASE("npz: foreign archives, and missing or unexpected members") {
  using enum FileErrorCode;
  const Members good;
  check_refused("", not_npz, "is not an archive of NumPy arrays (.npz)");
  check_refused("PK\x03\x04 and nothing of the kind", not_npz, "or damaged");
  check_refused(good.file().substr(0, 500), not_npz, "or damaged");
  check_refused(good.without("format").file(), missing_member, "is not a sparse matrix of scipy.sparse.save_npz()");
  for (const std::string name : {"shape", "data", "indices", "indptr"})
    check_refused(good.without(name).file(), missing_member, "has no member '" + name + ".npy'");
  for (const std::string name : {"row", "col"})
    check_refused(good.as_coo().without(name).file(), missing_member, "has no member '" + name + ".npy'");
  check_refused(good.with("data", "PK something else").file(), not_npy, "data.npy: is not a NumPy array file");
  check_refused(good.with("format", array("|S3", "()", "dia")).file(), unsupported_format,
                "csr, csc or coo is expected");
  check_refused(good.with("format", array("<i8", "()", raw<std::int64_t>({3}))).file(), unsupported_type,
                "format.npy: elements are '<i8'; expected a single text");
  check_refused(good.with("format", array("|S3", "(1,)", "csr")).file(), unsupported_type, "a single text");
  check_refused(good.with("format", array("|S99", "()", std::string(99, 'x'))).file(), trailing_data, "format.npy");
}

TEST_CASE("npz: arrays of unexpected types, dimensions and sizes") {
  using enum FileErrorCode;
  const Members good;
  const std::string data = raw<float>({1, 2, 3});
  check_refused(good.with("data", array(">f4", "(3,)", data)).file(), unsupported_type, "data.npy: elements are '>f4'");
  check_refused(good.with("data", array("<c8", "(3,)", data + data)).file(), unsupported_type, "real numbers");
  check_refused(good.with("data", array("|O", "(3,)", data)).file(), unsupported_type, "real numbers");
  check_refused(
      good.with("data", test::npy_file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", data))
          .file(),
      unsupported_type, "records of named fields");
  check_refused(good.with("indices", vector<float>("<f4", {1, 2, 0})).file(), unsupported_type, "integers of 32 or 64");
  check_refused(good.with("indices", vector<std::int16_t>("<i2", {1, 2, 0})).file(), unsupported_type,
                "integers of 32");
  check_refused(good.with("data", array("<f4", "(3, 1)", data)).file(), unsupported_dimensions,
                "has 2 dimensions, but 1 is");
  check_refused(good.with("shape", vector<std::int64_t>("<i8", {2, 3, 4})).file(), unsupported_dimensions,
                "the array has 3 dimensions, but a matrix has 2");
  check_refused(good.with("data", array("<f4", "(4,)", data)).file(), wrong_count,
                "'data' has 4 elements, but 'indices' has 3");
  check_refused(good.as_coo().with("row", vector<std::int32_t>("<i4", {0})).file(), wrong_count, "'row' has 1");
  check_refused(good.with("indptr", vector<std::int32_t>("<i4", {0, 3})).file(), wrong_count,
                "'indptr' has 2 elements, but 2 + 1 are expected");
  check_refused(good.with("shape", vector<std::uint64_t>("<u8", {~std::uint64_t{0}, 3})).file(), size_overflow,
                "larger than 2^63 - 1");
  check_refused(good.with("data", array("<f4", "(3,)", data + "x")).file(), trailing_data, "1 more bytes follow");
  check_refused(good.with("data", array("<f4", "(3,)", data.substr(1))).file(), truncated,
                "11 bytes of data, but 3 elements");
}

TEST_CASE("npz: indices outside the matrix") {
  using enum FileErrorCode;
  const Members good;
  const auto indices = [&](const std::string& name, const std::vector<std::int32_t>& values, const Members& members) {
    return members.with(name, vector<std::int32_t>("<i4", values)).file();
  };
  check_refused(indices("indices", {1, 3, 0}, good), out_of_range,
                "'indices' contains 3, but its indices must be less than 3");
  check_refused(indices("indices", {1, -1, 0}, good), out_of_range, "indices.npy: -1 is not an index");
  check_refused(indices("row", {0, 2, 1}, good.as_coo()), out_of_range, "'row' contains 2");
  check_refused(indices("col", {0, 3, 1}, good.as_coo()), out_of_range, "'col' contains 3");
  check_refused(indices("indptr", {1, 2, 3}, good), out_of_range,
                "'indptr' goes from 1 to 3, but must start at 0 and end at most at 3");
  check_refused(indices("indptr", {0, 2, 4}, good), out_of_range, "'indptr' goes from 0 to 4");
  check_refused(indices("indptr", {0, 4, 3}, good), out_of_range, "'indptr' decreases from 4 to 3 at index 2");
  check_refused(good.with("indptr", vector<std::int64_t>("<i8", {0, std::int64_t{1} << 60, 3})).file(), out_of_range,
                "'indptr' decreases from 1152921504606846976 to 3");
  check_refused(good.with("data", vector<std::int64_t>("<i8", {1, (std::int64_t{1} << 53) + 1, 3})).file(),
                out_of_range, "data.npy: 9007199254740993 is more than a 64-bit float holds exactly");
}

TEST_CASE("npz: members with a wrong size, damage, or another compression") {
  using enum FileErrorCode;
  const auto changed = [](const auto& change) {
    std::vector<ZipEntry> entries = Members().entries();
    for (ZipEntry& entry : entries)
      if (entry.name == "data.npy") change(entry);
    return test::zip_file(entries);
  };
  check_refused(changed([](ZipEntry& entry) { entry.announced = 0xfffffff0; }), damaged,
                "announces 4294967280 bytes, more than");
  check_refused(changed([](ZipEntry& entry) {
                  entry.deflated = false;
                  entry.announced = 100000;
                }),
                damaged, "more than");
  check_refused(changed([](ZipEntry& entry) {
                  entry.content = array("<f4", "(3,)", raw<float>({1, 2, 3}));
                  entry.checksum_error = 1;
                }),
                damaged, "is damaged");
  check_refused(changed([](ZipEntry& entry) { entry.method = 12; }), unsupported_format,
                "is not compressed with deflate");
  // The archive and the array announce more elements than follow.
  check_refused(changed([](ZipEntry& entry) {
                  entry.content = array("<f4", "(3,)", std::string(8, 'x'));
                  entry.announced = entry.content.size() + 4;
                }),
                truncated, "truncated: 4 more bytes of data expected");
  // More elements follow than announced.
  check_refused(changed([](ZipEntry& entry) {
                  entry.content = array("<f4", "(3,)", std::string(16, 'x'));
                  entry.announced = entry.content.size() - 4;
                }),
                trailing_data, "continues after its data");
}

TEST_CASE("npz: highly compressed files are read") {
  const std::vector<std::int32_t> zeros(300000);
  const Members ones = Members()
                           .as_coo()
                           .with("data", vector<float>("<f4", std::vector<float>(zeros.size(), 1)))
                           .with("row", vector("<i4", zeros))
                           .with("col", vector("<i4", zeros));
  CHECK(read(ones.file()).values.size() == zeros.size());
}

TEST_CASE("npz: unreadable paths") {
  const TemporaryDirectory directory;
  CHECK_THROWS_WITH(read_npz(directory.file("missing.npz")), doctest::Contains("there is no such file"));
  CHECK_THROWS_WITH(read_npz(directory.file("")), doctest::Contains("is not a file"));
}

}  // namespace tilewright::tool
