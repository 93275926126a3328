#pragma once

#include <string>
#include <utility>
#include <vector>

#include "text/page.hpp"

namespace tilewright::tool {

struct Column {
  std::string title;
  bool right_aligned = false;
  /// If the page is too narrow, cells of this column move to lines below their rows.
  bool folds = false;
  /// Width for RowPrinter, which does not know all rows in advance.
  std::size_t width = 0;
};

struct Cell {
  std::string text;
  Style style = Style::plain;

  Cell(std::string content, Style how = Style::plain) : text(std::move(content)), style(how) {}
  Cell(std::string_view content, Style how = Style::plain) : text(content), style(how) {}
  Cell(const char* content, Style how = Style::plain) : text(content), style(how) {}
};

/// One cell per column; missing cells at the end are empty.
struct Row {
  std::vector<Cell> cells;
  bool marked = false;  ///< marks the winner with an asterisk
};

/// Text in columns, each as wide as its widest cell. A page without a width gets one line per row.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<Cell> cells, bool marked = false) { rows_.push_back({std::move(cells), marked}); }

  std::string to_string(const Page& page = {}) const;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// A table printed row by row. Columns have fixed widths; wider cells shift the rest of their row.
class RowPrinter {
 public:
  RowPrinter(std::vector<Column> columns, const Page& page);

  /// Returns the row's lines, preceded by the titles for the first row.
  std::string add_row(std::vector<Cell> cells, bool marked = false);

 private:
  std::vector<Column> columns_;
  Page page_;
  std::vector<bool> folded_;
  bool first_ = true;
};

/// Returns "name           value". The value wraps if the page is too narrow.
std::string format_field(std::string_view name, std::string_view value, const Page& page, Style style = Style::plain,
                         std::size_t name_width = 15);

}  // namespace tilewright::tool
