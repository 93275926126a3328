#include "files/matrix_market.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "files/file_error.hpp"
#include "files/number_text.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::tool {
namespace {

using test::TemporaryDirectory;
using Entry = std::tuple<std::uint64_t, std::uint64_t, double>;

MatrixMarket read(const std::string& content) {
  const TemporaryDirectory directory;
  return read_matrix_market(directory.write("a.mtx", content));
}

std::vector<Entry> entries_of(const MatrixMarket& matrix) {
  const auto& triplets = std::get<Triplets>(matrix);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < triplets.row.size(); ++i)
    entries.emplace_back(triplets.row[i], triplets.column[i], triplets.values.at(i));
  return entries;
}

struct Refusal {
  FileErrorCode code{};
  std::string message;
};

/// The error with which a file is refused. Every message starts with the file's name.
Refusal refusal(const std::string& content) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.mtx", content);
  try {
    read_matrix_market(path);
  } catch (const FileError& error) {
    const std::string message = error.what();
    CHECK(message.starts_with(path + ": "));
    return {error.code(), message.substr(path.size() + 2)};
  }
  FAIL("was read: " << content);
  return {};
}

void check_refused(const std::string& content, FileErrorCode code, const std::string& part) {
  const Refusal found = refusal(content);
  CAPTURE(content);
  CAPTURE(found.message);
  CHECK(found.code == code);
  CHECK(found.message.find(part) != std::string::npos);
}

const std::string real = "%%MatrixMarket matrix coordinate real general\n";

std::string compressed(const std::string& text) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.gz");
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return directory.read("a.gz");
}

/// The values that one of the functions reads from a whole text.
template <class Take>
std::optional<double> number_in(std::string_view text, const Take& take) {
  double value = 0;
  if (take(text, value) != NumberText::number || !text.empty()) return {};
  return value;
}

}  // namespace

TEST_CASE("matrix market: coordinates in any order, with comments, blank lines and Windows line ends") {
  const std::vector<Entry> expected{{2, 0, 1.5}, {0, 3, -2}, {0, 0, 1e-3}};
  const std::string sizes = "% of no one\n%\n\n  3 4\t3 \n", entries = "3 1 1.5\n\n 1\t4  -2 \n% so far\n1 1 1E-3\n";
  CHECK(entries_of(read(real + sizes + entries)) == expected);
  CHECK(entries_of(read(real + sizes + entries.substr(0, entries.size() - 1))) == expected);
  std::string windows;
  for (const char c : real + sizes + entries) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(entries_of(read(windows)) == expected);
  const auto matrix = std::get<Triplets>(read("%%matrixmarket MATRIX Coordinate REAL General\n5 7 0\n"));
  CHECK(matrix.rows == 5);
  CHECK(matrix.columns == 7);
  CHECK(matrix.type == DataType::f64);
}

TEST_CASE("matrix market: slightly irregular banners are accepted") {
  for (const std::string start : {"  %%", "\t%%", "\xef\xbb\xbf%%", "\xef\xbb\xbf  %%", "%", "\n%%", "\r\n \r\n\n%%"}) {
    CAPTURE(start);
    const std::string text = start + "MatrixMarket  matrix\tcoordinate real general \n1 2 1\n1 2 5\n";
    CHECK(entries_of(read(text)) == std::vector<Entry>{{0, 1, 5}});
    const TemporaryDirectory directory;
    CHECK(has_coordinates(directory.write("a", text)));
  }
}

TEST_CASE("matrix market: comments and blanks of any length") {
  const std::string entry = "1 1 5\n", much(300000, 'c'), blanks(300000, ' ');
  for (const std::string& line :
       {'%' + much + '\n', "  \t%" + much + '\n', blanks + '%' + much + "\r\n", blanks + '\n', '%' + blanks + '\n',
        std::string(131071, ' ') + "%\n", std::string(131071, '%') + "\n", std::string(131072, '%') + "\n",
        '%' + std::string(5000000, '%') + '\n'}) {
    for (const std::string& text : {real + line + "1 1 1\n" + line + entry + line, real + "1 1 1\n" + entry + line})
      CHECK(entries_of(read(text)) == std::vector<Entry>{{0, 0, 5}});
    CHECK(entries_of(read(compressed(real + line + "1 1 1\n" + entry))) == std::vector<Entry>{{0, 0, 5}});
  }
  CHECK(entries_of(read(real + "1 1 1\n" + blanks + entry + '%' + much)) == std::vector<Entry>{{0, 0, 5}});
}

TEST_CASE("matrix market: entries may be repeated any number of times") {
  const auto of = [](const std::string& kind, std::uint64_t count, const std::string& line) {
    std::string text = "%%MatrixMarket matrix coordinate " + kind + "\n2 2 " + std::to_string(count) + '\n';
    for (std::uint64_t i = 0; i < count; ++i) text += line;
    std::vector<double> sums(4);
    for (const auto& [row, column, value] : entries_of(read(text))) sums[row * 2 + column] += value;
    return sums;
  };
  CHECK(of("real general", 7, "1 2 0.5\n") == std::vector<double>{0, 3.5, 0, 0});
  CHECK(of("integer general", 10000, "2 1 3\n") == std::vector<double>{0, 0, 30000, 0});
  CHECK(of("pattern general", 9, "2 2\n") == std::vector<double>{0, 0, 0, 9});
  CHECK(of("real symmetric", 9, "2 1 2\n") == std::vector<double>{0, 18, 18, 0});
  CHECK(of("real symmetric", 9, "2 2 2\n") == std::vector<double>{0, 0, 0, 18});
  CHECK(of("pattern symmetric", 5, "2 1\n") == std::vector<double>{0, 5, 5, 0});
  CHECK(of("real skew-symmetric", 6, "2 1 1\n") == std::vector<double>{0, -6, 6, 0});
}

TEST_CASE("matrix market: integers, patterns, and the omitted half of symmetric matrices") {
  const auto of = [](const std::string& kind, const std::string& lines) {
    return entries_of(read("%%MatrixMarket matrix coordinate " + kind + "\n" + lines));
  };
  CHECK(of("integer general", "1 1 1\n1 1 -9007199254740992\n") == std::vector<Entry>{{0, 0, -0x1p53}});
  CHECK(of("pattern general", "1 2 1\n1 2\n") == std::vector<Entry>{{0, 1, 1}});
  CHECK(of("real symmetric", "2 2 2\n2 1 3\n2 2 4\n") == std::vector<Entry>{{1, 0, 3}, {0, 1, 3}, {1, 1, 4}});
  CHECK(of("pattern symmetric", "2 2 1\n2 1\n") == std::vector<Entry>{{1, 0, 1}, {0, 1, 1}});
  CHECK(of("integer skew-symmetric", "2 2 2\n2 1 3\n1 1 0\n") == std::vector<Entry>{{1, 0, 3}, {0, 1, -3}, {0, 0, 0}});
}

TEST_CASE("matrix market: arrays are column-major, and symmetric arrays store the lower triangle") {
  const auto of = [](const std::string& kind, const std::string& lines) {
    return std::get<DenseMatrix>(read("%%MatrixMarket matrix array " + kind + "\n" + lines));
  };
  const DenseMatrix general = of("real general", "2 3\n1\n2\n3\n4\n5\n6\n");
  CHECK(general.rows == 2);
  CHECK(general.columns == 3);
  CHECK(general.values == std::vector<double>{1, 3, 5, 2, 4, 6});
  CHECK(of("integer symmetric", "2 2\n1\n2\n3\n").values == std::vector<double>{1, 2, 2, 3});
  CHECK(of("real skew-symmetric", "3 3\n1\n2\n3\n").values == std::vector<double>{0, -1, -2, 1, 0, -3, 2, 3, 0});
  CHECK(of("real skew-symmetric", "1 1\n").values == std::vector<double>{0});
  const DenseMatrix empty = of("real general", "0 1000000000000000000\n");
  CHECK(empty.columns == 1000000000000000000);
  CHECK(empty.values.empty());
}

TEST_CASE("matrix market: compressed files are recognised by their first bytes") {
  const std::string text = real + "1 1 1\n1 1 2\n";
  CHECK(entries_of(read(compressed(text))) == std::vector<Entry>{{0, 0, 2}});
  CHECK(entries_of(read(compressed(real + "1 1 1\n") + compressed("1 1 3\n"))) == std::vector<Entry>{{0, 0, 3}});
  const std::string whole = compressed(text);
  check_refused(whole.substr(0, whole.size() - 4), FileErrorCode::truncated, "truncated");
  check_refused(whole.substr(0, 30), FileErrorCode::truncated, "truncated");
  std::string wrong = whole;
  wrong[wrong.size() - 7] ^= 1;  // part of the checksum
  check_refused(wrong, FileErrorCode::damaged, "the compressed data are damaged");
  wrong = whole;
  wrong[10] = '\xff';  // the type of the first block
  check_refused(wrong, FileErrorCode::damaged, "the compressed data are damaged");
}

TEST_CASE("matrix market: highly compressed files are read, however large the contents") {
  std::string lines = real + "1000 1000 200000\n";
  for (int i = 0; i < 200000; ++i) lines += "1 1 1\n";
  CHECK(entries_of(read(compressed(lines))).size() == 200000);
  const std::string comments =
      real + std::string(3000000, '\n') + "%\n1 1 1\n" + std::string(3000000, '\n') + "1 1 5\n";
  CHECK(entries_of(read(compressed(comments))) == std::vector<Entry>{{0, 0, 5}});
}

TEST_CASE("matrix market: the error for an unsupported first line lists the supported ones") {
  using enum FileErrorCode;
  const auto first = [](const std::string& words) { return "%%MatrixMarket " + words + "\n1 1 1\n1 1 1\n"; };
  check_refused("", not_matrix_market,
                "is not a Matrix Market file (.mtx): line 1: a banner such as '%%MatrixMarket matrix coordinate real");
  check_refused("\n \n", not_matrix_market, "but the file has blank lines only");
  check_refused("%%MatrixMark matrix", not_matrix_market, "is expected, but the line is '%%MatrixMark matrix'");
  check_refused("1 1 1\n", not_matrix_market, "line 1");
  check_refused("\x93NUMPY", not_matrix_market, "line 1");
  check_refused(first("matrix coordinate real"), malformed_line, "line 1: a banner such as '%%MatrixMarket matrix");
  check_refused(first("matrix coordinate real"), malformed_line, "banner is '%%MatrixMarket matrix coordinate real'");
  check_refused(first("matrix coordinate real general more"), malformed_line, "line 1");
  check_refused(first("vector coordinate real general"), unsupported_format, "the object is 'vector'");
  check_refused(first("matrix ell real general"), unsupported_format, "the format is 'ell'");
  check_refused(first("matrix coordinate complex general"), unsupported_format, "the numbers are complex");
  check_refused(first("matrix coordinate complex hermitian"), unsupported_format, "the numbers are complex");
  check_refused(first("matrix coordinate real hermitian"), unsupported_format, "the matrix is Hermitian");
  check_refused(first("matrix coordinate quaternion general"), unsupported_format, "'quaternion'");
  check_refused(first("matrix coordinate real triangular"), unsupported_format, "'triangular'");
  check_refused(first("matrix array pattern general"), malformed_line, "a pattern is neither");
  check_refused(first("matrix coordinate pattern skew-symmetric"), malformed_line, "a pattern is neither");
  check_refused(first("matrix coordinate \x1b[31m general"), unsupported_format, "'?[31m'");
}

TEST_CASE("matrix market: sizes") {
  using enum FileErrorCode;
  check_refused(real, truncated, "there is no line of sizes");
  check_refused(real + "% 1 1 1\n\n", truncated, "there is no line of sizes");
  for (const char* const sizes : {"1 1", "1", "1 x 1", "1.5 1 1", "-1 1 1", "1,1,1"})
    check_refused(real + sizes + "\n", malformed_line,
                  "line 2: three whole numbers are expected: rows, columns, entries");
  check_refused(real + "1 1 1 1\n1 1 1\n", malformed_line, "line 2: unexpected text after the sizes: '1'");
  check_refused("%%MatrixMarket matrix array real general\n4\n", malformed_line, "two whole numbers are expected");
  check_refused("%%MatrixMarket matrix array real general\n1 1 1\n1\n", malformed_line, "text after the sizes");
  for (const char* const sizes : {"9223372036854775808 1 1", "1 18446744073709551616 1", "1 1 99999999999999999999"})
    check_refused(real + sizes + "\n", size_overflow, "line 2: a size is larger than 2^63 - 1");
  check_refused("%%MatrixMarket matrix array real general\n4294967296 4294967296\n", size_overflow,
                "4294967296 x 4294967296 elements are more than 2^63 - 1");
  check_refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", malformed_line, "is square, not 2 x 3");
  check_refused(real + "0 3 1\n", wrong_count, "1 entry announced, but a 0 x 3 matrix has none");
  check_refused(real + "2 0 7\n1 1 1\n", wrong_count, "7 entries announced, but a 2 x 0 matrix has none");
}

TEST_CASE("matrix market: announced but missing entries take no memory") {
  using enum FileErrorCode;
  const std::string much = "1000000000 1000000000 1000000000000000000\n";
  check_refused(real + much, truncated, "line 2 announces 1000000000000000000 entries, but at most 0 can follow");
  check_refused(compressed(real + much + "1 1 1\n"), truncated, "announces 1000000000000000000 entries");
  check_refused("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n2\n", truncated, "at most 2 can follow");
  check_refused("%%MatrixMarket matrix array real symmetric\n3000000000 3000000000\n", truncated, "can follow");
}

TEST_CASE("matrix market: missing, surplus and misplaced entries") {
  using enum FileErrorCode;
  check_refused(real + "2 2 2\n1 1 1\n% nothing after this line\n", wrong_count,
                "ends after 1 of the 2 entries of line 2");
  check_refused(real + "2 2 1\n1 1 1\n\n2 2 2\n", wrong_count, "line 5: more than the 1 entry of line 2");
  check_refused(real + "2 3 1\n3 1 1\n", out_of_range, "line 3: row '3' is outside of 1 to 2");
  check_refused(real + "2 3 1\n1 4 1\n", out_of_range, "line 3: column '4' is outside of 1 to 3");
  check_refused(real + "2 3 1\n0 1 1\n", out_of_range, "row '0' is outside of 1 to 2");
  check_refused(real + "2 3 1\n1 99999999999999999999 1\n", out_of_range,
                "column '99999999999999999999' is outside of 1 to 3");
  for (const char* const entry : {"1 1", "1", "x 1 1", "1 -1 1", "1 1.0 1", "1 1 x", "1 1 1x", "1 1 1 1", "1;1;1"})
    check_refused(real + "2 3 1\n" + entry + "\n% the last line\n", malformed_line,
                  "line 3: row, column and a number are expected");
  check_refused("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1 1\n", malformed_line,
                "line 3: two whole numbers are expected: row and column, but the line continues with '1'");
  check_refused("%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1.5\n", malformed_line,
                "row, column and an integer are expected");
  check_refused("%%MatrixMarket matrix array real general\n1 2\n1 2\n1\n", malformed_line,
                "line 3: a number is expected, alone on its line");
  check_refused("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", malformed_line,
                "the diagonal of a skew-symmetric matrix must be 0");
  check_refused(real + "1 1 1\n1 1 1e999\n", out_of_range, "line 3: '1e999' is too large for a 64-bit float");
  check_refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n", out_of_range,
                "more than a 64-bit float holds exactly");
  check_refused(real + "1 1 1\n1 1 0." + std::string(200000, '0') + "\n", malformed_line, "line 3 is longer than");
}

TEST_CASE("numbers in text: the notations of C, Fortran, MATLAB, Python and Microsoft's library") {
  const auto of = [](std::string_view text) { return number_in(text, take_real).value_or(-77); };
  CHECK(of("1") == 1);
  CHECK(of("+1.5") == 1.5);
  CHECK(of("-.5") == -0.5);
  CHECK(of("2.") == 2);
  CHECK(of("1e5") == 1e5);
  CHECK(of("1.0D+02") == 100);
  CHECK(of("-1.5d-1") == -0.15);
  CHECK(of("1e-320") == 1e-320);
  CHECK(of("1e-9999") == 0);
  CHECK(of("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(of("0.1000000000000000055511151231257827021181583404541015625") == 0.1);
  for (const char* const text : {"inf", "Inf", "+Infinity", "INF", "1.#INF", "1.#INF00"})
    CHECK_MESSAGE(of(text) == std::numeric_limits<double>::infinity(), text);
  for (const char* const text : {"-inf", "-Infinity", "-1.#INF"})
    CHECK_MESSAGE(of(text) == -std::numeric_limits<double>::infinity(), text);
  for (const char* const text : {"nan", "NaN", "-nan", "nan(0x7)", "1.#QNAN", "-1.#IND", "1.#SNAN00"})
    CHECK_MESSAGE(std::isnan(of(text)), text);
  for (const char* const text : {"", "+", "-", "x", "+-1", "--1", "1e", "0x10", "1.#", "1.#INX", "1d", "e5", "."})
    CHECK_MESSAGE(!number_in(text, take_real), text);
  double value = 0;
  for (std::string_view text : {"1e309", "-1e99999", "1D400"}) CHECK(take_real(text, value) == NumberText::too_large);
}

TEST_CASE("numbers in text: integers that a double holds exactly") {
  const auto of = [](std::string_view text) { return number_in(text, take_integer); };
  CHECK(of("+7") == 7);
  CHECK(of("-9007199254740992") == -0x1p53);
  CHECK_FALSE(of("1.0"));
  CHECK_FALSE(of("1e3"));
  double value = 0;
  for (std::string_view text : {"9007199254740993", "-9007199254740993", "99999999999999999999"})
    CHECK(take_integer(text, value) == NumberText::too_large);
}

TEST_CASE("matrix market: unreadable paths") {
  const TemporaryDirectory directory;
  const auto code_of = [](const std::string& path) {
    try {
      read_matrix_market(path);
    } catch (const FileError& error) {
      return std::optional(error.code());
    }
    return std::optional<FileErrorCode>();
  };
  CHECK(code_of(directory.file("missing.mtx")) == FileErrorCode::cannot_open);
  CHECK(code_of(directory.file("")) == FileErrorCode::not_a_file);
  REQUIRE(mkfifo(directory.file("pipe.mtx").c_str(), 0600) == 0);
  CHECK(code_of(directory.file("pipe.mtx")) == FileErrorCode::not_a_file);
  CHECK(code_of("/dev/zero") == FileErrorCode::not_a_file);
}

}  // namespace tilewright::tool
