#include "files/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "files/number_text.hpp"
#include "files/text_lines.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

constexpr std::string_view expected_banner =
    "a banner such as '%%MatrixMarket matrix coordinate real general' is expected";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // in UTF-8

enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

bool is_space(char c) { return c == ' ' || c == '\t'; }

void skip_spaces(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

/// Removes the next word and returns it in lower case; empty at the end of the line.
std::string take_word(std::string_view& text) {
  skip_spaces(text);
  const std::size_t size = std::min(text.find_first_of(" \t"), text.size());
  std::string word(text.substr(0, size));
  std::transform(word.begin(), word.end(), word.begin(), [](char c) { return detail::lower_case(c); });
  text.remove_prefix(size);
  return word;
}

class MatrixReading {
 public:
  explicit MatrixReading(const std::string& path) : lines_(path, '%') {}

  bool has_coordinates() {
    std::string_view line = find_banner();
    const std::string object = take_word(line), format = take_word(line);
    return format == "coordinate";
  }

  MatrixMarket matrix() {
    read_first_line();
    read_sizes();
    MatrixMarket result = coordinates_ ? MatrixMarket(triplets()) : MatrixMarket(array());
    std::string_view line;
    if (next_content(line))
      fail(FileErrorCode::wrong_count,
           fmt::format("more than the {} of line {}", count_of_entries(count_), size_line_));
    return result;
  }

 private:
  [[noreturn]] void fail(FileErrorCode code, const std::string& message) const {
    throw FileError(code, lines_.path(), fmt::format("line {}: {}", lines_.number(), message));
  }

  static std::string count_of_entries(std::uint64_t count) {
    return count == 1 ? "1 entry" : fmt::format("{} entries", count);
  }

  /// Finds the next line that is neither blank nor a comment, without leading spaces.
  bool next_content(std::string_view& line) {
    while (lines_.next(line)) {
      skip_spaces(line);
      if (!line.empty() && line.front() != '%') return true;
    }
    return false;
  }

  /// Finds the banner and returns the text after its first word.
  std::string_view find_banner() {
    std::string_view line;
    bool found = lines_.next(line);
    if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    for (skip_spaces(line); found && line.empty(); skip_spaces(line)) found = lines_.next(line);
    if (!found)
      throw FileError(FileErrorCode::not_matrix_market, lines_.path(),
                      fmt::format("is not a Matrix Market file (.mtx): line 1: {}, but the file {}", expected_banner,
                                  lines_.number() == 0 ? "is empty" : "has blank lines only"));
    const std::string_view whole = line;
    if (const std::string word = take_word(line); word != "%%matrixmarket" && word != "%matrixmarket")
      throw FileError(FileErrorCode::not_matrix_market, lines_.path(),
                      fmt::format("is not a Matrix Market file (.mtx): line {}: {}, but the line is {}",
                                  lines_.number(), expected_banner, in_quotes(whole)));
    return line;
  }

  void read_first_line() {
    std::string_view line = find_banner();
    const std::string banner(line);
    const std::string object = take_word(line), format = take_word(line), field = take_word(line),
                      symmetry = take_word(line);
    skip_spaces(line);
    if (symmetry.empty() || !line.empty())
      fail(FileErrorCode::malformed_line,
           fmt::format("{}, but the banner is {}", expected_banner, in_quotes("%%MatrixMarket" + banner)));
    if (object != "matrix")
      fail(FileErrorCode::unsupported_format, fmt::format("the object is {}; 'matrix' is expected", in_quotes(object)));
    set_format(format);
    set_field(field);
    set_symmetry(symmetry);
    if (field_ == Field::pattern && (!coordinates_ || symmetry_ == Symmetry::skew))
      fail(FileErrorCode::malformed_line,
           fmt::format("a pattern is neither an array nor skew-symmetric, but the banner is {}",
                       in_quotes("%%MatrixMarket" + banner)));
  }

  void set_format(const std::string& format) {
    if (format != "coordinate" && format != "array")
      fail(FileErrorCode::unsupported_format,
           fmt::format("the format is {}; 'coordinate' or 'array' is expected", in_quotes(format)));
    coordinates_ = format == "coordinate";
  }

  void set_field(const std::string& field) {
    if (field == "complex")
      fail(FileErrorCode::unsupported_format,
           "the numbers are complex; 'real', 'integer' or 'pattern' is expected: write real and imaginary part as two "
           "files");
    if (field == "real" || field == "double")
      field_ = Field::real;
    else if (field == "integer" || field == "unsigned-integer")
      field_ = Field::integer;
    else if (field == "pattern")
      field_ = Field::pattern;
    else
      fail(FileErrorCode::unsupported_format,
           fmt::format("the numbers are {}; 'real', 'integer' or 'pattern' is expected", in_quotes(field)));
  }

  void set_symmetry(const std::string& symmetry) {
    if (symmetry == "general")
      symmetry_ = Symmetry::general;
    else if (symmetry == "symmetric")
      symmetry_ = Symmetry::symmetric;
    else if (symmetry == "skew-symmetric")
      symmetry_ = Symmetry::skew;
    else if (symmetry == "hermitian")
      fail(FileErrorCode::unsupported_format,
           "the matrix is Hermitian, which only complex matrices are; write a real one as 'symmetric'");
    else
      fail(FileErrorCode::unsupported_format,
           fmt::format("the symmetry is {}; 'general', 'symmetric' or 'skew-symmetric' is expected",
                       in_quotes(symmetry)));
  }

  std::uint64_t take_size(std::string_view& line) {
    skip_spaces(line);
    std::uint64_t size = 0;
    const NumberText found = take_index(line, size);
    if (found == NumberText::too_large ||
        (found == NumberText::number && size > std::numeric_limits<std::int64_t>::max()))
      fail(FileErrorCode::size_overflow, "a size is larger than 2^63 - 1");
    if (found == NumberText::none || (!line.empty() && !is_space(line.front())))
      fail(FileErrorCode::malformed_line, coordinates_ ? "three whole numbers are expected: rows, columns, entries"
                                                       : "two whole numbers are expected: rows and columns");
    return size;
  }

  void read_sizes() {
    std::string_view line;
    if (!next_content(line))
      throw FileError(FileErrorCode::truncated, lines_.path(), "truncated: there is no line of sizes");
    rows_ = take_size(line);
    columns_ = take_size(line);
    if (symmetry_ != Symmetry::general && rows_ != columns_)
      fail(FileErrorCode::malformed_line, fmt::format("a symmetric matrix is square, not {} x {}", rows_, columns_));
    count_ = coordinates_ ? take_size(line) : array_count();
    skip_spaces(line);
    if (!line.empty())
      fail(FileErrorCode::malformed_line, fmt::format("unexpected text after the sizes: {}", in_quotes(line)));
    if (coordinates_ && count_ > 0 && (rows_ == 0 || columns_ == 0))
      fail(FileErrorCode::wrong_count,
           fmt::format("{} announced, but a {} x {} matrix has none", count_of_entries(count_), rows_, columns_));
    size_line_ = lines_.number();
    require_content();
  }

  /// Number of values that an array file stores.
  std::uint64_t array_count() const {
    if (columns_ != 0 && rows_ > std::numeric_limits<std::int64_t>::max() / columns_)
      fail(FileErrorCode::size_overflow, fmt::format("{} x {} elements are more than 2^63 - 1", rows_, columns_));
    if (symmetry_ == Symmetry::general || rows_ == 0) return rows_ * columns_;
    return symmetry_ == Symmetry::symmetric ? rows_ * (rows_ - 1) / 2 + rows_ : rows_ * (rows_ - 1) / 2;
  }

  /// Checks that the rest of the file can hold the announced entries, before anything is allocated.
  void require_content() const {
    const std::uint64_t shortest = field_ == Field::pattern ? 4 : coordinates_ ? 6 : 2;  // "1 1\n", "1 1 1\n", "1\n"
    const std::uint64_t most = (lines_.max_left() + 1) / shortest;
    if (count_ > most)
      throw FileError(FileErrorCode::truncated, lines_.path(),
                      fmt::format("truncated: line {} announces {}, but at most {} can follow", size_line_,
                                  count_of_entries(count_), most));
    const double elements = coordinates_ ? static_cast<double>(count_) * (symmetry_ == Symmetry::general ? 1 : 2) * 3
                                         : static_cast<double>(rows_) * static_cast<double>(columns_);
    require_host_memory(lines_.path(), elements * sizeof(double), "the matrix");
  }

  std::uint64_t take_place(std::string_view& line, std::uint64_t extent, std::string_view what) const {
    skip_spaces(line);
    const std::string_view text = line;
    std::uint64_t place = 0;
    const NumberText found = take_index(line, place);
    if (found == NumberText::none || (found == NumberText::number && !line.empty() && !is_space(line.front())))
      fail(FileErrorCode::malformed_line, expected_entry());
    if (found == NumberText::too_large || place == 0 || place > extent)
      fail(FileErrorCode::out_of_range, fmt::format("{} {} is outside of 1 to {}", what,
                                                    in_quotes(text.substr(0, text.find_first_of(" \t"))), extent));
    return place - 1;
  }

  double take_value(std::string_view& line) const {
    skip_spaces(line);
    const std::string_view text = line;
    double value = 0;
    const NumberText found = field_ == Field::integer ? take_integer(line, value) : take_real(line, value);
    if (found == NumberText::too_large)
      fail(FileErrorCode::out_of_range, fmt::format("{} is {}", in_quotes(text),
                                                    field_ == Field::integer ? "more than a 64-bit float holds exactly"
                                                                             : "too large for a 64-bit float"));
    if (found == NumberText::none || (!line.empty() && !is_space(line.front())))
      fail(FileErrorCode::malformed_line, expected_entry());
    return value;
  }

  std::string expected_entry() const {
    const std::string_view number = field_ == Field::integer ? "an integer" : "a number";
    if (!coordinates_) return fmt::format("{} is expected, alone on its line", number);
    return field_ == Field::pattern ? "two whole numbers are expected: row and column"
                                    : fmt::format("row, column and {} are expected", number);
  }

  void require_entry(std::string_view& line, std::uint64_t read) {
    if (!next_content(line))
      throw FileError(FileErrorCode::wrong_count, lines_.path(),
                      fmt::format("ends after {} of the {} of line {}", read, count_of_entries(count_), size_line_));
  }

  void require_end(std::string_view line) const {
    skip_spaces(line);
    if (!line.empty())
      fail(FileErrorCode::malformed_line,
           fmt::format("{}, but the line continues with {}", expected_entry(), in_quotes(line)));
  }

  Triplets triplets() {
    Triplets result;
    result.rows = rows_;
    result.columns = columns_;
    // A compressed file may hold more entries than it has bytes, or fewer than it announces.
    const std::uint64_t room = std::min(symmetry_ == Symmetry::general ? count_ : 2 * count_, lines_.file_bytes());
    result.row.reserve(room);
    result.column.reserve(room);
    result.values.reserve(room);
    const auto add = [&](std::uint64_t row, std::uint64_t column, double value) {
      result.row.push_back(row);
      result.column.push_back(column);
      result.values.push_back(value);
    };
    std::string_view line;
    for (std::uint64_t read = 0; read < count_; ++read) {
      require_entry(line, read);
      const std::uint64_t row = take_place(line, rows_, "row"), column = take_place(line, columns_, "column");
      const double value = field_ == Field::pattern ? 1 : take_value(line);
      require_end(line);
      add(row, column, value);
      if (symmetry_ == Symmetry::general) continue;
      if (row != column) add(column, row, symmetry_ == Symmetry::skew ? -value : value);
      if (row == column && symmetry_ == Symmetry::skew && !(value == 0))
        fail(FileErrorCode::malformed_line, "the diagonal of a skew-symmetric matrix must be 0");
    }
    return result;
  }

  /// Reads the values column by column. Symmetric files store the lower triangle, skew-symmetric ones without the
  /// diagonal.
  DenseMatrix array() {
    std::vector<double> stored;
    stored.reserve(std::min(count_, lines_.file_bytes()));
    std::string_view line;
    for (std::uint64_t read = 0; read < count_; ++read) {
      require_entry(line, read);
      stored.push_back(take_value(line));
      require_end(line);
    }
    DenseMatrix result{rows_, columns_, std::vector<double>(rows_ * columns_)};
    if (result.values.empty()) return result;  // one size is 0, the other may be huge
    std::uint64_t next = 0;
    for (std::uint64_t j = 0; j < columns_; ++j) {
      const std::uint64_t first = symmetry_ == Symmetry::general ? 0 : symmetry_ == Symmetry::symmetric ? j : j + 1;
      for (std::uint64_t i = first; i < rows_; ++i) {
        const double value = stored[next++];
        result.values[i * columns_ + j] = value;
        if (symmetry_ != Symmetry::general && i != j)
          result.values[j * columns_ + i] = symmetry_ == Symmetry::skew ? -value : value;
      }
    }
    return result;
  }

  TextLines lines_;
  bool coordinates_ = false;
  Field field_ = Field::real;
  Symmetry symmetry_ = Symmetry::general;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t size_line_ = 0;
};

}  // namespace

MatrixMarket read_matrix_market(const std::string& path) { return MatrixReading(path).matrix(); }

bool has_coordinates(const std::string& path) { return MatrixReading(path).has_coordinates(); }

}  // namespace tilewright::tool
