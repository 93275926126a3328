#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/page.hpp"

namespace tilewright::tool {

struct Column {
  std::string title;
  bool right_aligned = false;
  /// Where the page is too narrow, this column's entries move to lines of their own below their rows.
  bool folds = false;
  /// What a RowPrinter, which does not see all rows, takes as the width.
  std::size_t width = 0;
};

struct Cell {
  std::string text;
  Style style = Style::plain;

  Cell(std::string content, Style how = Style::plain) : text(std::move(content)), style(how) {}
  Cell(std::string_view content, Style how = Style::plain) : text(content), style(how) {}
  Cell(const char* content, Style how = Style::plain) : text(content), style(how) {}
};

/// One cell for each column; what is missing at the end stays empty.
struct Row {
  std::vector<Cell> cells;
  bool marked = false;  ///< the winner, shown with an asterisk before it
};

/// Text in columns, each as wide as its widest entry. On a page without a width every row is one line.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<Cell> cells, bool marked = false) { rows_.push_back({std::move(cells), marked}); }

  std::string to_string(const Page& page = {}) const;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// A table whose rows appear as they are found: the columns have fixed widths, which longer entries push aside.
class RowPrinter {
 public:
  RowPrinter(std::vector<Column> columns, const Page& page);

  /// The row's lines, after those of the titles where it is the first one.
  std::string add_row(std::vector<Cell> cells, bool marked = false);

 private:
  std::vector<Column> columns_;
  Page page_;
  std::vector<bool> folded_;
  bool first_ = true;
};

/// "name           value", the value broken into lines where the page is too narrow.
std::string format_field(std::string_view name, std::string_view value, const Page& page, Style style = Style::plain,
                         std::size_t name_width = 15);

}  // namespace tilewright::tool
