#include "text/table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "text/text.hpp"

namespace tilewright::tool {
namespace {

Page page_with(bool terminal, std::size_t columns, const std::map<std::string, std::string>& variables) {
  return make_page(terminal, columns, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) width = std::max(width, display_width(line));
  return width;
}

Table wide_table() {
  Table table({{"variant"}, {"time", true}, {"configuration", false, true}});
  table.add_row({"naive", "12 ms", "tile=1"});
  table.add_row({"register_blocked", "1 ms", "tile_m=128,tile_n=128,block_k=16,item_m=8,item_n=8,vector=4,swizzle=2"},
                true);
  return table;
}

TEST_CASE("a page has the width of the terminal or of COLUMNS") {
  CHECK(page_with(true, 120, {}).width == 120);
  CHECK(page_with(true, 0, {}).width == 80);
  CHECK(page_with(true, 120, {{"COLUMNS", "100"}}).width == 100);
  for (const char* const bad : {"", "0", "-5", "wide", "99999999999999999999999"})
    CHECK(page_with(true, 120, {{"COLUMNS", bad}}).width == 120);
  CHECK(page_with(true, 1, {}).width > 1);
  CHECK(page_with(false, 0, {{"COLUMNS", "100"}}).width == 0);  // a pipe has no width
}

TEST_CASE("colour appears only on terminals that allow it") {
  CHECK(page_with(true, 80, {}).colour);
  CHECK(page_with(true, 80, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).colour);
  CHECK_FALSE(page_with(true, 80, {{"NO_COLOR", "1"}}).colour);
  CHECK_FALSE(page_with(true, 80, {{"TERM", "dumb"}}).colour);
  CHECK_FALSE(page_with(false, 80, {}).colour);
  CHECK(page_with(false, 80, {{"CLICOLOR_FORCE", "1"}}).colour);
  CHECK_FALSE(page_with(false, 80, {{"CLICOLOR_FORCE", "0"}}).colour);
  CHECK_FALSE(page_with(false, 80, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}).colour);
  CHECK(styled("x", Style::bad, {}) == "x");
  CHECK(styled("x", Style::bad, {80, true}).find("\x1b[") == 0);
}

TEST_CASE("a table in a pipe has one line per row and marks the winner") {
  const std::string text = wide_table().to_string();
  CHECK(text ==
        "  variant            time  configuration\n"
        "  naive             12 ms  tile=1\n"
        "* register_blocked   1 ms  tile_m=128,tile_n=128,block_k=16,item_m=8,item_n=8,vector=4,swizzle=2\n");
}

TEST_CASE("a table wider than the page folds columns into lines below") {
  const std::string text = wide_table().to_string({50, false});
  CHECK(text ==
        "  variant            time\n"
        "  naive             12 ms\n"
        "    configuration tile=1\n"
        "* register_blocked   1 ms\n"
        "    configuration tile_m=128,tile_n=128,\n"
        "    block_k=16,item_m=8,item_n=8,vector=4,\n"
        "    swizzle=2\n");
  for (std::size_t width = 40; width < 130; ++width) CHECK(widest(wide_table().to_string({width, false})) <= width);
  CHECK(wide_table().to_string({130, false}) == wide_table().to_string());
}

TEST_CASE("columns fold from the last one, and only as many as necessary") {
  Table table({{"a"}, {"first", false, true}, {"b"}, {"second", false, true}});
  table.add_row({"1", std::string(20, 'x'), "2", std::string(20, 'y')});
  CHECK(table.to_string({40, false}) ==
        "a  first                 b\n1  " + std::string(20, 'x') + "  2\n    second " + std::string(20, 'y') + '\n');
}

TEST_CASE("colours change no widths, and the winner is coloured") {
  const std::string plain = wide_table().to_string({60, false});
  const std::string coloured = wide_table().to_string({60, true});
  CHECK(coloured.find("\x1b[1;32mregister_blocked\x1b[0m") != std::string::npos);
  std::string stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      stripped += coloured[i];
    }
  }
  CHECK(stripped == plain);
}

TEST_CASE("a table's cells are printable and counted in characters") {
  Table table({{"name"}, {"x"}});
  table.add_row({"M\xc3\xbcller", "1"});
  table.add_row({"\x1b[2Jxx", "2"});
  CHECK(table.to_string() == "name    x\nM\xc3\xbcller  1\n?[2Jxx  2\n");
}

TEST_CASE("streamed rows have fixed widths and one heading") {
  const std::vector<Column> columns{
      {"product", false, false, 12}, {"time", true, false, 8}, {"configuration", false, true, 40}};
  RowPrinter wide(columns, {});
  CHECK(wide.add_row({"1 x 2 x 3", "1 ms", "tile=1"}) ==
        "product           time  configuration\n1 x 2 x 3         1 ms  tile=1\n");
  CHECK(wide.add_row({"longer than it should be", "1 ms", ""}) == "longer than it should be      1 ms\n");
  RowPrinter narrow(columns, {50, false});
  CHECK(narrow.add_row({"1 x 2 x 3", "1 ms", "tile=1"}) ==
        "product           time\n1 x 2 x 3         1 ms\n    configuration tile=1\n");
}

TEST_CASE("a field's value wraps into aligned lines") {
  CHECK(format_field("variant", "naive", {}) == "variant        naive\n");
  CHECK(format_field("reason", "the fastest of all that were tried", {40, false}) ==
        "reason         the fastest of all that\n               were tried\n");
}

}  // namespace
}  // namespace tilewright::tool
