#include "text/table.hpp"

#include <algorithm>
#include <numeric>

#include "text/text.hpp"

namespace tilewright::tool {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t fold_indent = 4;

/// Layout of rows: column widths, folded columns, and whether there is space for marks.
struct Layout {
  const std::vector<Column>& columns;
  std::vector<std::size_t> widths;
  std::vector<bool> folded;
  bool marks = false;
  Page page;
};

/// Selects the columns to fold below their rows: from the last one, until the rest fits the page.
std::vector<bool> folded_columns(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                                 std::size_t margin, const Page& page) {
  std::vector<bool> folded(columns.size());
  if (page.width == 0) return folded;
  std::size_t total = std::accumulate(widths.begin(), widths.end(), margin + gap * (columns.size() - 1));
  for (std::size_t i = columns.size(); i-- > 0 && total > page.width;) {
    if (!columns[i].folds) continue;
    folded[i] = true;
    total -= widths[i] + gap;
  }
  return folded;
}

std::string pad(const std::string& text, std::size_t width, bool right, Style style, const Page& page) {
  const std::string spaces(width - std::min(width, display_width(text)), ' ');
  const std::string shown = styled(text, style, page);
  return right ? spaces + shown : shown + spaces;
}

/// Formats folded cells: on one line if it fits, otherwise on a line each.
std::string lines_below(const std::vector<std::string>& pieces, const Page& page) {
  if (pieces.empty()) return {};
  const std::string indentation(fold_indent, ' ');
  std::string line = indentation;
  std::string lines;
  for (const std::string& piece : pieces) {
    line += (line == indentation ? "" : "  ") + piece;
    lines += indentation + wrap(piece, page.width, fold_indent, fold_indent) + '\n';
  }
  return display_width(line) <= page.width ? line + '\n' : lines;
}

/// Formats one row, including its folded cells.
std::string lines_of(const Layout& layout, const Row& row, bool titles = false) {
  std::string line = layout.marks ? row.marked ? styled("* ", Style::good, layout.page) : "  " : "";
  std::vector<std::string> below;
  bool first = true;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const Column& column = layout.columns[i];
    const std::string text = i < row.cells.size() ? printable(row.cells[i].text) : "";
    if (layout.folded[i]) {
      if (!titles && !text.empty()) below.push_back(column.title + ' ' + text);
      continue;
    }
    const Style style = titles                  ? Style::strong
                        : i >= row.cells.size() ? Style::plain
                        : row.marked && i == 0  ? Style::good
                                                : row.cells[i].style;
    if (!first) line += std::string(gap, ' ');
    first = false;
    line += pad(text, layout.widths[i], column.right_aligned, style, layout.page);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  line += '\n';
  return line + lines_below(below, layout.page);
}

Row titles_of(const std::vector<Column>& columns) {
  Row row;
  for (const Column& column : columns) row.cells.emplace_back(column.title);
  return row;
}

}  // namespace

std::string Table::to_string(const Page& page) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const Row& row : rows_)
      if (i < row.cells.size()) width = std::max(width, display_width(printable(row.cells[i].text)));
    widths.push_back(width);
  }
  const bool marks = std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.marked; });
  const Layout layout{columns_, widths, folded_columns(columns_, widths, marks ? gap : 0, page), marks, page};
  std::string text = lines_of(layout, titles_of(columns_), true);
  for (const Row& row : rows_) text += lines_of(layout, row);
  return text;
}

RowPrinter::RowPrinter(std::vector<Column> columns, const Page& page) : columns_(std::move(columns)), page_(page) {
  std::vector<std::size_t> widths;
  for (Column& column : columns_) {
    column.width = std::max(column.width, display_width(column.title));
    widths.push_back(column.width);
  }
  folded_ = folded_columns(columns_, widths, 0, page_);
}

std::string RowPrinter::add_row(std::vector<Cell> cells, bool marked) {
  Layout layout{columns_, {}, folded_, false, page_};
  for (const Column& column : columns_) layout.widths.push_back(column.width);
  const std::string titles = first_ ? lines_of(layout, titles_of(columns_), true) : "";
  first_ = false;
  return titles + lines_of(layout, {std::move(cells), marked});
}

std::string format_field(std::string_view name, std::string_view value, const Page& page, Style style,
                         std::size_t name_width) {
  const std::string lines = wrap(printable(value), page.width, name_width, name_width);
  return pad(std::string(name), name_width, false, Style::plain, page) + styled(lines, style, page) + '\n';
}

}  // namespace tilewright::tool
