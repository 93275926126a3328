#include "text/text.hpp"

#include <doctest/doctest.h>

#include "text/suggest.hpp"

namespace tilewright::tool {
namespace {

TEST_CASE("foreign text cannot control the terminal") {
  CHECK(printable("plain\ttext\n") == "plain\ttext\n");
  CHECK(printable("\x1b[31mred\x07\r") == "?[31mred??");
  CHECK(printable("M\xc3\xbcnchen \xe2\x82\xac \xf0\x9f\x98\x80") == "M\xc3\xbcnchen \xe2\x82\xac \xf0\x9f\x98\x80");
  // C1 control characters, which some terminals obey; broken, overlong, surrogate and too large code points.
  CHECK(printable("\xc2\x9b") == "?");
  CHECK(printable("a\xff\xc3") == "a??");
  CHECK(printable("\xc0\xaf") == "??");
  CHECK(printable("\xe0\x80\xaf") == "???");
  CHECK(printable("\xed\xa0\x80") == "???");
  CHECK(printable("\xf4\x90\x80\x80") == "????");
}

TEST_CASE("quoted text is one short line") {
  CHECK(in_quotes("abc") == "'abc'");
  CHECK(in_quotes("a\nb\x1b") == "'a?b?'");
  CHECK(in_quotes(std::string(100000, 'x')) == "'" + std::string(60, 'x') + "...'");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xc3\xbc";
  const std::string cut = in_quotes(wide);
  CHECK(cut == printable(cut));  // not cut within a character
}

TEST_CASE("counted nouns have a singular and a plural") {
  CHECK(count_of(0, "shape") == "0 shapes");
  CHECK(count_of(1, "shape") == "1 shape");
  CHECK(count_of(2, "shape") == "2 shapes");
  CHECK(join_words({}).empty());
  CHECK(join_words({"a"}) == "a");
  CHECK(join_words({"a", "b"}) == "a or b");
  CHECK(join_words({"a", "b", "c"}, "and") == "a, b and c");
}

TEST_CASE("long text is wrapped after spaces and commas") {
  CHECK(wrap("a,b c", 0, 0, 4) == "a,b c");
  CHECK(wrap("aaa=1,bbb=2,ccc=3", 12, 0, 2) == "aaa=1,bbb=2,\n  ccc=3");
  CHECK(wrap("one two three", 8, 0, 2) == "one two\n  three");
  CHECK(wrap("one two", 10, 5, 2) == "one\n  two");
  // Unbreakable text stays whole, and does not start with an empty line.
  CHECK(wrap("unbreakable", 5, 0, 2) == "unbreakable");
}

TEST_CASE("the edit distance of two words") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("bench", "bench") == 0);
  CHECK(edit_distance("bnech", "bench") == 1);  // adjacent letters swapped
  CHECK(edit_distance("bench", "bunch") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the suggested word for a misspelling") {
  const std::vector<std::string> commands{"devices", "multiply", "ladder", "bench", "tune", "records"};
  CHECK(nearest("device", commands) == "devices");
  CHECK(nearest("dev", commands) == "devices");
  CHECK(nearest("mutliply", commands) == "multiply");
  CHECK(nearest("tnue", commands) == "tune");
  CHECK(nearest("fly", commands).empty());
  CHECK(nearest("x", commands).empty());
  CHECK(nearest("", commands).empty());
  CHECK(nearest(std::string(1000000, 'b'), commands).empty());
  CHECK(unknown_word("command", "ladr", commands) == "unknown command 'ladr': did you mean ladder?");
  CHECK(unknown_word("type", "half", {"f32", "f64"}) == "unknown type 'half': expected f32 or f64");
}

}  // namespace
}  // namespace tilewright::tool
