#include "files/npy.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <complex>
#include <filesystem>
#include <limits>
#include <optional>
#include <type_traits>

#include "files/file_error.hpp"
#include "kernels/half.hpp"
#include "kernels/host_type.hpp"
#include "tools/npy_bytes.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::tool {
namespace {

using test::npy_file;
using test::npy_matrix;
using test::TemporaryDirectory;

constexpr std::string_view good_header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n";
const std::string two_floats = test::raw<float>({1, 2});

/// The error code of a read; empty if it succeeds.
std::optional<FileErrorCode> read_error(const std::string& content) {
  const TemporaryDirectory directory;
  try {
    read_npy(directory.write("matrix.npy", content));
    return {};
  } catch (const FileError& error) {
    CHECK(std::string(error.what()).find("matrix.npy: ") != std::string::npos);
    return error.code();
  }
}

std::optional<FileErrorCode> header_error(std::string_view header) { return read_error(npy_file(header, two_floats)); }

std::string shape_header(std::string_view shape) {
  return "{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + "}";
}

std::string type_header(std::string_view type) {
  return "{'descr': " + std::string(type) + ", 'fortran_order': False, 'shape': (1, 2)}";
}

TEST_CASE("npy: versions 1 to 3 and both orders are read") {
  const TemporaryDirectory directory;
  for (const int version : {1, 2, 3}) {
    for (const bool fortran : {false, true}) {
      const std::string path =
          directory.write("matrix.npy", npy_matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}, fortran, version));
      const NpyMatrix matrix = read_npy(path);
      CHECK(matrix.header.type == DataType::f64);
      CHECK(matrix.header.fortran_order == fortran);
      CHECK(matrix.header.rows == 2);
      CHECK(matrix.header.columns == 3);
      CHECK(elements_as<double>(matrix) == std::vector<double>{1, 2, 3, 4, 5, 6});
      CHECK(elements_as<float>(matrix) == std::vector<float>{1, 2, 3, 4, 5, 6});
    }
  }
  const NpyMatrix empty = read_npy(directory.write("empty.npy", npy_matrix<float>(0, 5, {})));
  CHECK(empty.header.columns == 5);
  CHECK(elements_as<float>(empty).empty());
}

TEST_CASE("npy: every type is read as every other type, rounded once") {
  using tilewright::detail::Half;
  const TemporaryDirectory directory;
  const double value = 1 + 0x1p-11 + 0x1p-30;  // a tie between two halves as a float, but not as a double
  const NpyMatrix matrix = read_npy(directory.write("f8.npy", npy_matrix<double>(1, 1, {value})));
  CHECK(elements_as<Half>(matrix)[0] == 1 + 0x1p-10);
  const NpyMatrix halves = read_npy(directory.write("f2.npy", npy_matrix<Half>(2, 1, {Half(0.5), Half(-0x1p-24)})));
  CHECK(halves.header.type == DataType::f16);
  CHECK(elements_as<double>(halves) == std::vector<double>{0.5, -0x1p-24});
  CHECK(elements_as<float>(halves) == std::vector<float>{0.5F, -0x1p-24F});
  write_npy(directory.file("out.npy"), 2, 1, elements_as<Half>(halves));
  CHECK(directory.read("out.npy").find("'descr': '<f2'") != std::string::npos);
  CHECK(elements_as<float>(read_npy(directory.file("out.npy"))) == std::vector<float>{0.5F, -0x1p-24F});
}

TEST_CASE("npy: an element that the target type cannot hold is refused with its position") {
  using tilewright::detail::Bfloat16;
  using tilewright::detail::Half;
  const TemporaryDirectory directory;
  const auto message_of = [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>,
                                                    std::vector<From> elements, bool fortran = false) {
    const std::string file = directory.write("a.npy", npy_matrix<From>(2, 3, elements, fortran));
    try {
      elements_as<To>(read_npy(file));
      return std::string();
    } catch (const FileError& error) {
      CHECK(error.code() == FileErrorCode::out_of_range);
      return std::string(error.what()).substr(file.size() + 2);
    }
  };
  constexpr std::type_identity<double> f64;
  constexpr std::type_identity<float> f32;
  constexpr std::type_identity<Half> f16;
  constexpr std::type_identity<Bfloat16> bf16;
  constexpr std::type_identity<std::complex<float>> c64;
  constexpr std::type_identity<std::complex<double>> c128;
  const std::vector<double> large{0, 1, 1e300, 0, 0, 0};
  CHECK(message_of(f64, f32, large) ==
        "row 1, column 3 (counted from 1): the element, 1e+300, is too large for f32; use --type f64");
  CHECK(message_of(f64, f32, large, true).starts_with("row 1, column 2 (counted from 1)"));
  CHECK(message_of(f64, bf16, large).find("is too large for bf16; use --type f64") != std::string::npos);
  CHECK(message_of(f64, c64, large).find("is too large for c64; use --type c128") != std::string::npos);
  CHECK(message_of(f64, c128, large).empty());
  CHECK(message_of(c128, c64, {0, 0, 0, 0, 0, {1, -1e39}}).find("the element, 1-1e+39i, is too") != std::string::npos);
  CHECK(message_of(std::type_identity<std::int32_t>(), f16, {0, 0, 0, 0, 65520, 0}).find("row 2, column 2") == 0);
  CHECK(message_of(std::type_identity<std::int32_t>(), f16, {0, 0, 0, 0, 65519, 0}).empty());
  // This value rounds to the largest number, not to infinity.
  CHECK(message_of(f64, f32, {0x1.ffffffp127 - 0x1p80, 0, 0, 0, 0, 0}).empty());
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(message_of(f64, f32, {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 0, 0, 0}).empty());
}

TEST_CASE("npy: unsigned integers are read and written as the bits of bfloat16 on request") {
  using tilewright::detail::Bfloat16;
  const TemporaryDirectory directory;
  const std::vector<Bfloat16> numbers{Bfloat16(1.5), Bfloat16(-0x1p-133), Bfloat16(0x1p127)};
  const std::string path = directory.write("u2.npy", npy_matrix<Bfloat16>(1, 3, numbers));
  const NpyMatrix matrix = read_npy(path, NpyElements::numbers_and_bits);
  CHECK(matrix.header.type == DataType::bf16);
  CHECK(elements_as<double>(matrix) == std::vector<double>{1.5, -0x1p-133, 0x1p127});
  CHECK(read_error(directory.read("u2.npy")) == FileErrorCode::unsupported_type);
  write_npy(directory.file("out.npy"), 1, 3, elements_as<Bfloat16>(matrix));
  CHECK(directory.read("out.npy").find("'descr': '<u2'") != std::string::npos);
  CHECK(elements_as<double>(read_npy(directory.file("out.npy"), NpyElements::numbers_and_bits)) ==
        elements_as<double>(matrix));
}

TEST_CASE("npy: integers are numbers, and are converted to floats on request") {
  const TemporaryDirectory directory;
  const NpyMatrix bytes = read_npy(directory.write("i1.npy", npy_matrix<std::int8_t>(1, 3, {-128, 0, 127})));
  CHECK(bytes.header.type == DataType::i8);
  CHECK(elements_as<float>(bytes) == std::vector<float>{-128, 0, 127});
  const NpyMatrix unsigned_bytes = read_npy(directory.write("u1.npy", npy_matrix<std::uint8_t>(1, 2, {0, 255})));
  CHECK(unsigned_bytes.header.type == DataType::u8);
  CHECK(elements_as<double>(unsigned_bytes) == std::vector<double>{0, 255});
  write_npy(directory.file("out.npy"), 2, 1, std::vector<std::int32_t>{-1, 1 << 30});
  CHECK(directory.read("out.npy").find("'descr': '<i4'") != std::string::npos);
  CHECK(elements_as<std::int32_t>(read_npy(directory.file("out.npy"))) == std::vector<std::int32_t>{-1, 1 << 30});
}

TEST_CASE("npy: written files are read back, with NumPy's alignment") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("matrix.npy");
  const std::vector<float> elements{1.5F, -2, 3, 4, 5, 6};
  write_npy(path, 3, 2, elements);
  const NpyMatrix matrix = read_npy(path);
  CHECK(matrix.header.rows == 3);
  CHECK(matrix.header.columns == 2);
  CHECK_FALSE(matrix.header.fortran_order);
  CHECK(elements_as<float>(matrix) == elements);
  CHECK((directory.read("matrix.npy").size() - elements.size() * sizeof(float)) % 64 == 0);
  CHECK(directory.files() == 1);
}

TEST_CASE("npy: a header may use any Python formatting") {
  CHECK_FALSE(header_error(good_header));
  CHECK_FALSE(header_error("{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"<f4\"}"));
  CHECK_FALSE(header_error(" { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 1 , 2 , ) , } \n"));
  CHECK_FALSE(header_error("{u'shape': (1, 2), u'descr': u'<f4', r'fortran_order': False}\t\r\n"));
  for (const std::string_view shape : {"(1L, 2L)", "(1L, 2L,)", "(1L,2)", "(1, 2 L)", "(+1, 2)"})
    CHECK_MESSAGE(!header_error(shape_header(shape)), shape);
}

TEST_CASE("npy: types have all the names that NumPy accepts") {
  const auto type_of = [](std::string_view name) {
    return parse_npy_header(type_header('\'' + std::string(name) + '\''), "x.npy").type;
  };
  for (const char* const name : {"<f4", "f4", "=f4", "|f4", "float32", "f", "single"})
    CHECK_MESSAGE(type_of(name) == DataType::f32, name);
  for (const char* const name : {"<f8", "f8", "=f8", "float64", "d", "double", "float"})
    CHECK_MESSAGE(type_of(name) == DataType::f64, name);
  for (const char* const name : {"|i1", "i1", "<i1", ">i1", "int8", "b"})
    CHECK_MESSAGE(type_of(name) == DataType::i8, name);
  for (const char* const name : {"|u1", "u1", "=u1", "uint8", "B"}) CHECK_MESSAGE(type_of(name) == DataType::u8, name);
  CHECK(type_of("i4") == DataType::i32);
  CHECK(type_of("e") == DataType::f16);
  CHECK(type_of("complex64") == DataType::c64);
  CHECK(type_of("=c16") == DataType::c128);
  for (const char* const name : {">f4", ">d", ">float32"})
    CHECK(header_error(type_header('\'' + std::string(name) + '\'')) == FileErrorCode::big_endian);
}

TEST_CASE("npy: the error for an unsupported file gives a command that converts it") {
  const TemporaryDirectory directory;
  const auto message_of = [&](const std::string& type, const std::string& shape = "(1, 2)") {
    const std::string path = directory.write(
        "matrix.npy",
        npy_file("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "}", two_floats));
    try {
      read_npy(path);
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto converts = [&](const std::string& message, const std::string& method) {
    return message.find("python3 -c \"import numpy; a = numpy.load('" + directory.file("matrix.npy") +
                        "'); numpy.save('" + directory.file("matrix-converted.npy") + "', a." + method + ")\"") !=
           std::string::npos;
  };
  for (const char* const type : {"<i2", "<u2", "|b1"}) CHECK_MESSAGE(converts(message_of(type), "astype('<f4')"), type);
  for (const char* const type : {"<i8", "<u4", "<u8", ">i8", "<f16"})
    CHECK_MESSAGE(converts(message_of(type), "astype('<f8')"), type);
  CHECK(converts(message_of(">f4"), "astype('<f4')"));
  CHECK(converts(message_of(">f2"), "astype('<f2')"));
  CHECK(message_of("<i8").find("64-bit integers ('<i8'), expected '<f2', '<f4', '<f8', '|i1', '|u1', '<i4', '<c8' or "
                               "'<c16'") != std::string::npos);
  CHECK(message_of("<c32").find("expected") != std::string::npos);
  CHECK(converts(message_of("<f4", "(2,)"), "reshape(-1, 1)"));
  CHECK(message_of("<f4", "(2,)").find("has 1 dimension,") != std::string::npos);
  CHECK(message_of("<f4", "(1, 1, 2)").find("has 3 dimensions,") != std::string::npos);
  // A name that a shell would interpret must not appear in a command.
  const std::string odd = directory.write("$(x)'.npy", npy_file(type_header("'<i8'"), two_floats));
  try {
    read_npy(odd);
    FAIL("was read");
  } catch (const FileError& error) {
    CHECK(std::string(error.what()).find("numpy.load('FILE.npy')") != std::string::npos);
  }
}

TEST_CASE("npy: foreign, damaged and overlong files") {
  using enum FileErrorCode;
  const std::string good = npy_file(good_header, two_floats);
  CHECK_FALSE(read_error(good));
  CHECK(read_error("") == not_npy);
  CHECK(read_error("\x93NUM") == not_npy);
  CHECK(read_error("PK\x03\x04 something else entirely") == not_npy);
  for (const std::size_t size :
       {std::size_t{8}, std::size_t{9}, std::size_t{10}, std::size_t{40}, good.size() - 8, good.size() - 1}) {
    CHECK(read_error(good.substr(0, size)) == truncated);
  }
  CHECK(read_error(good + 'x') == trailing_data);
  CHECK(read_error(npy_file(good_header, two_floats, 4)) == unsupported_version);
  CHECK(read_error(npy_file(good_header, two_floats, 0)) == unsupported_version);
  CHECK(read_error(test::npy_start(2, 0xFFFFFFFF) + "{}") == oversized_header);
  CHECK(read_error(test::npy_start(2, 10001) + std::string(10001, ' ')) == oversized_header);
}

TEST_CASE("npy: malformed headers") {
  for (const std::string_view header :
       {"", "{", "{}", "{}{}", "[]", "{'descr'}", "{'descr': '<f4'}", "{'descr: '<f4'}", "{'descr': '<f4",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 2)}", "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': 4, 'fortran_order': False, 'shape': (1, 2)}"}) {
    CAPTURE(header);
    CHECK(header_error(header) == FileErrorCode::malformed_header);
  }
  for (const std::string_view shape : {"(-1, 2)", "(1, 2", "(1 2)", "(1.0, 2)", "(x, 2)", "('1', 2)", "(,)"}) {
    CAPTURE(shape);
    CHECK(header_error(shape_header(shape)) == FileErrorCode::malformed_header);
  }
  CHECK(header_error(std::string(good_header) + "os.system()") == FileErrorCode::malformed_header);
}

TEST_CASE("npy: vectors are columns, whichever dimension they have") {
  const auto length = [](std::string_view shape) {
    const tool::NpyHeader header =
        tool::parse_npy_header(shape_header(shape), "x.npy", tool::NpyElements::numbers, tool::NpyShape::vector);
    CHECK(header.columns == 1);
    return header.rows;
  };
  CHECK(length("(5,)") == 5);
  CHECK(length("(5, 1)") == 5);
  CHECK(length("(1, 5)") == 5);
  CHECK(length("(0,)") == 0);
  for (const std::string_view shape : {"()", "(2, 2)", "(1, 1, 2)"}) CHECK_THROWS_AS(length(shape), FileError);
}

TEST_CASE("npy: arrays that are not matrices of floats") {
  using enum FileErrorCode;
  for (const std::string_view shape : {"()", "(2,)", "(1, 1, 2)"}) {
    CHECK(header_error(shape_header(shape)) == unsupported_dimensions);
  }
  for (const std::string_view type : {"'<i8'", "'<u2'", "'<f3'", "'<c4'", "'|O'", "'float33'", "'?'", "'=i8'",
                                      "[('x', '<f4')]", "('<f4', (2,))", "[('x', '<f4', (2,)), ('y', 'O')]"}) {
    CHECK(header_error(type_header(type)) == unsupported_type);
  }
  CHECK(header_error(type_header("'>f4'")) == big_endian);
  CHECK(header_error(type_header("'>f8'")) == big_endian);
  CHECK(header_error(type_header("'>f2'")) == big_endian);
}

TEST_CASE("npy: sizes that overflow or exceed the file allocate nothing") {
  using enum FileErrorCode;
  CHECK(header_error(shape_header("(4294967296, 4294967296)")) == size_overflow);
  CHECK(header_error(shape_header("(18446744073709551615, 1)")) == size_overflow);
  CHECK(header_error(shape_header("(18446744073709551616, 1)")) == size_overflow);
  CHECK(header_error(shape_header("(0, 18446744073709551615)")) == size_overflow);
  CHECK(header_error(shape_header("(1099511627776, 1000)")) == truncated);
}

TEST_CASE("npy: unreadable paths") {
  const TemporaryDirectory directory;
  const auto code_of = [](const std::string& path) {
    try {
      read_npy(path);
    } catch (const FileError& error) {
      return std::optional(error.code());
    }
    return std::optional<FileErrorCode>();
  };
  CHECK(code_of(directory.file("missing.npy")) == FileErrorCode::cannot_open);
  CHECK(code_of(directory.file("")) == FileErrorCode::not_a_file);
  CHECK(code_of("/dev/null") == FileErrorCode::not_a_file);
  CHECK(code_of("/dev/zero") == FileErrorCode::not_a_file);
  // This pipe has no writer.
  REQUIRE(mkfifo(directory.file("pipe").c_str(), 0600) == 0);
  CHECK(code_of(directory.file("pipe")) == FileErrorCode::not_a_file);
  std::filesystem::create_symlink("loop", directory.file("loop"));
  CHECK(code_of(directory.file("loop")) == FileErrorCode::cannot_open);
}

TEST_CASE("npy: an unknown type's name is shown without control characters") {
  try {
    parse_npy_header(type_header("'\x1b[31m'"), "x");
    FAIL("was accepted");
  } catch (const FileError& error) {
    CHECK(std::string(error.what()).find('\x1b') == std::string::npos);
  }
}

}  // namespace
}  // namespace tilewright::tool
