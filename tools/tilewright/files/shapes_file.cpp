#include "files/shapes_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "files/file_error.hpp"
#include "kernels/element_type.hpp"
#include "options/shape.hpp"
#include "runtime/system/descriptor.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.emplace_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

std::uint64_t parse_count(const std::string& text, std::string_view what) {
  const auto count = detail::find_whole<std::uint64_t>(text);
  if (!count) throw std::invalid_argument(fmt::format("{} is not a number of {}", in_quotes(text), what));
  return *count;
}

class Columns {
 public:
  Columns(std::vector<std::string> names, std::initializer_list<const char*> needed, const std::string& path)
      : names_(std::move(names)) {
    for (const char* const name : needed)
      if (!find(name))
        throw FileError(FileErrorCode::missing_column, path, fmt::format("the table has no column '{}'", name));
  }

  /// Splits a line into its fields. Throws std::invalid_argument if their number differs from the header's.
  void read(std::vector<std::string> fields) {
    if (fields.size() != names_.size())
      throw std::invalid_argument(fmt::format("the line has {}, but the header names {} columns",
                                              count_of(fields.size(), "field"), names_.size()));
    fields_ = std::move(fields);
  }

  bool has(std::string_view name) const { return find(name).has_value(); }
  const std::string& operator[](std::string_view name) const { return fields_[*find(name)]; }

 private:
  std::optional<std::size_t> find(std::string_view name) const {
    const auto position = std::find(names_.begin(), names_.end(), name);
    if (position == names_.end()) return {};
    return static_cast<std::size_t>(position - names_.begin());
  }

  std::vector<std::string> names_;
  std::vector<std::string> fields_;
};

// Convert a row to a problem. Throw std::invalid_argument.
GemmProblem read_row(const Columns& row, GemmProblem problem) {
  const GemmProblem sizes = parse_shape(row["m"] + 'x' + row["n"] + 'x' + row["k"]);
  problem.m = sizes.m;
  problem.n = sizes.n;
  problem.k = sizes.k;
  std::string transposes = transposes_of(problem);
  if (row.has("trans_a")) transposes.replace(0, 1, row["trans_a"]);
  if (row.has("trans_b")) transposes.replace(transposes.size() - 1, 1, row["trans_b"]);
  parse_transposes(transposes, problem);
  if (row.has("type")) problem.type = parse_type(row["type"]);
  const DataType usual = detail::default_type_of_c(problem.type);
  if (row.has("type_c")) problem.type_c = row["type_c"].empty() ? usual : parse_type(row["type_c"]);
  if (problem.type_c == usual) problem.type_c.reset();
  if (row.has("accuracy")) problem.accuracy = parse_accuracy(row["accuracy"]);
  if (row.has("epilogue")) problem.epilogue = parse_epilogue(row["epilogue"]);
  set_batch(problem, row.has("batch") ? parse_count(row["batch"], "products") : problem.batch.count);
  return problem;
}

TransposeProblem read_row(const Columns& row, TransposeProblem problem) {
  parse_matrix_shape(row["m"] + 'x' + row["n"], problem);
  if (row.has("type")) problem.type = parse_type(row["type"]);
  return problem;
}

SparseShape read_row(const Columns& row, SparseShape shape) {
  shape.file = row["file"];
  if (shape.file.empty()) throw std::invalid_argument("the column 'file' is empty");
  shape.n = parse_count(row["n"], "columns");
  if (shape.n == 0) throw std::invalid_argument("the number of columns is 0; use at least 1");
  if (row.has("type")) shape.type = parse_type(row["type"]);
  return shape;
}

constexpr std::size_t longest_line = 10000;
constexpr std::size_t max_shapes = 1000000;

/// Reads a table's lines, also from a pipe such as /dev/stdin. A pipe without a writer counts as empty, because waiting
/// for a writer could take forever. Endless input, such as a device, does not exhaust the memory.
class TableLines {
 public:
  /// Throws FileError(cannot_open, not_a_file).
  explicit TableLines(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    struct stat status {};
    if (file_.get() < 0 || fstat(file_.get(), &status) != 0)
      throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + detail::error_text(errno));
    if (S_ISDIR(status.st_mode)) throw FileError(FileErrorCode::not_a_file, path, "is a directory");
    is_pipe_ = S_ISFIFO(status.st_mode);
  }

  /// Reads the next line; false at the end. Throws FileError(malformed_row, cannot_read).
  bool next(std::string& line) {
    line.clear();
    while (true) {
      const std::size_t end = std::min(buffer_.find('\n', begin_), buffer_.size());
      line.append(buffer_, begin_, end - begin_);
      if (line.size() > longest_line)
        throw FileError(FileErrorCode::malformed_row, path_,
                        fmt::format("line {} is longer than {} characters", number_ + 1, longest_line));
      const bool is_whole = end < buffer_.size();
      begin_ = is_whole ? end + 1 : end;
      if (!is_whole && fill()) continue;
      if (!is_whole && line.empty()) return false;
      ++number_;
      return true;
    }
  }

  std::size_t number() const { return number_; }  // of the last line, from 1
  bool is_pipe() const { return is_pipe_; }

 private:
  bool fill() {
    constexpr std::size_t most = 65536;  // bytes per read
    buffer_.resize(most);
    begin_ = 0;
    while (true) {
      const ssize_t count = ::read(file_.get(), buffer_.data(), buffer_.size());
      if (count >= 0) {
        buffer_.resize(static_cast<std::size_t>(count));
        return count > 0;
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        pollfd writer{file_.get(), POLLIN, 0};
        poll(&writer, 1, -1);
      } else if (errno != EINTR) {
        throw FileError(FileErrorCode::cannot_read, path_, "reading failed: " + detail::error_text(errno));
      }
    }
  }

  const std::string& path_;
  detail::Descriptor file_;
  bool is_pipe_ = false;
  std::string buffer_;
  std::size_t begin_ = 0;  // start of unread bytes
  std::size_t number_ = 0;
};

template <class P>
std::vector<P> read_table(const std::string& path, const P& defaults, std::initializer_list<const char*> needed) {
  TableLines lines(path);
  std::optional<Columns> columns;
  std::vector<P> problems;
  std::string line;
  while (lines.next(line)) {
    if (problems.size() == max_shapes)
      throw FileError(FileErrorCode::malformed_row, path,
                      fmt::format("the table has more than {} shapes; split it", max_shapes));
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#') continue;
    // Processes that append to the same file each write a header, if they start at once or have different versions.
    if (!columns || detail::is_letter(content.front())) {
      columns.emplace(split(content), needed, path);
      continue;
    }
    try {
      columns->read(split(content));
      problems.push_back(read_row(*columns, defaults));
    } catch (const std::invalid_argument& error) {
      throw FileError(FileErrorCode::malformed_row, path, fmt::format("line {}: {}", lines.number(), error.what()));
    }
  }
  if (!columns)
    throw FileError(FileErrorCode::missing_column, path,
                    lines.is_pipe() ? "the table is empty, or the pipe has no writer" : "the table is empty");
  return problems;
}

}  // namespace

std::vector<GemmProblem> read_shapes(const std::string& path, const GemmProblem& defaults) {
  return read_table(path, defaults, {"m", "n", "k"});
}

std::vector<TransposeProblem> read_matrix_shapes(const std::string& path, const TransposeProblem& defaults) {
  return read_table(path, defaults, {"m", "n"});
}

std::vector<SparseShape> read_sparse_shapes(const std::string& path, DataType type) {
  auto shapes = read_table(path, SparseShape{.file = {}, .type = type}, {"n", "file"});
  const std::filesystem::path place = std::filesystem::path(path).parent_path();
  for (SparseShape& shape : shapes) shape.file = (place / shape.file).string();
  return shapes;
}

}  // namespace tilewright::tool
