// No function of a kernel returns before a barrier that other work-groups meet. Such a kernel is valid, but PoCL 3.1
// compiled one so that groups that had left stored after the barrier. In symm/expand.cl, a group without work has empty
// loops instead.
//
// Macros and functions of the folder and of cl/common that hide a barrier count as barriers. A return that
// common/last_group.cl decides is allowed, because only NVIDIA's compiler takes its inline PTX.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::test {
namespace {

struct Token {
  std::string text;
  int line;
};

// A macro or a function. A function that a macro defines has only the macro's name as its body.
struct Definition {
  std::string name;
  std::vector<Token> body;
  bool is_function;
  std::string file{};  ///< for messages
};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Token> tokens_of(const std::string& text, int line) {
  std::vector<Token> tokens;
  for (std::size_t i = 0, end = 0; i < text.size(); i = end) {
    end = i + 1;
    while (is_of_word(text[i]) && end < text.size() && is_of_word(text[end])) ++end;
    if (text[i] != ' ') tokens.push_back({text.substr(i, end - i), line});
  }
  return tokens;
}

// Reads lines in clang-format's layout, where only code outside functions and the last brace of a function begin a
// line. Braces alone do not tell, because both branches of an #if may have one.
class KernelReader {
 public:
  explicit KernelReader(const std::string& text) {
    std::istringstream stream(text);
    int number = 0;
    for (std::string line, next; std::getline(stream, line);) {
      const int first = ++number;
      for (; line.ends_with('\\') && std::getline(stream, next); ++number) line.back() = ' ', line += next;
      line.resize(std::min(line.size(), line.find("//")));
      line.resize(line.find_last_not_of(' ') + 1);
      if (!line.empty()) read(line, first);
    }
  }

  const std::vector<Definition>& definitions() const { return definitions_; }

 private:
  void read(const std::string& line, int number) {
    std::vector<Token> tokens = tokens_of(line, number);
    if (line.front() == '#') {
      if (tokens.size() > 2 && tokens[1].text == "define")
        definitions_.push_back({tokens[2].text, {tokens.begin() + 3, tokens.end()}, false});
      return;
    }
    if (!is_inside_ && !begin(line, tokens)) return;
    for (const Token& token : tokens) {
      depth_ += token.text == "{" ? 1 : token.text == "}" ? -1 : 0;
      is_inside_ = is_inside_ && !(token.text == "}" && depth_ == 0);
    }
    std::vector<Token>& body = definitions_.back().body;
    body.insert(body.end(), tokens.begin(), tokens.end());
    is_inside_ = is_inside_ && line.front() != '}';
  }

  // Whether the line begins a function.
  bool begin(const std::string& line, const std::vector<Token>& tokens) {
    const auto brackets = std::find_if(tokens.begin(), tokens.end(), [](const Token& t) { return t.text == "("; });
    if (line.front() == ' ' || line.back() == ';' || brackets == tokens.end()) return false;
    const auto before = static_cast<std::size_t>(brackets - tokens.begin());
    if (before == 0) return false;
    if (before == 1) {  // a macro on its own: KERNEL(WG, 1, 1), or one that defines a function
      if (tokens.size() > 2) definitions_.push_back({tokens[2].text, {tokens[0]}, true});
      return false;
    }
    definitions_.push_back({tokens[before - 1].text, {}, true});
    depth_ = 0;
    is_inside_ = true;
    return true;
  }

  std::vector<Definition> definitions_;
  bool is_inside_ = false;
  int depth_ = 0;
};

using Names = std::set<std::string>;

// The names, and those of all definitions that use them, directly or not.
Names with_users(Names names, const std::vector<Definition>& definitions) {
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    for (const Definition& definition : definitions)
      if (std::ranges::any_of(definition.body, [&](const Token& t) { return names.contains(t.text); }))
        names.insert(definition.name);
  }
  return names;
}

// The first return before a barrier in a function, as text; empty if there is none.
std::string early_return(const Definition& function, const Names& barriers, const Names& tickets) {
  bool is_by_ticket = false;
  for (auto token = function.body.begin(); token != function.body.end(); ++token) {
    if (token->text == ";" || token->text == "{" || token->text == "}") is_by_ticket = false;
    is_by_ticket = is_by_ticket || tickets.contains(token->text);
    if (token->text != "return" || is_by_ticket) continue;
    const auto end = std::find_if(token, function.body.end(), [](const Token& t) { return t.text == ";"; });
    const auto barrier =
        std::find_if(end, function.body.end(), [&](const Token& t) { return barriers.contains(t.text); });
    if (barrier != function.body.end())
      return function.file + function.name + "() returns in line " + std::to_string(token->line) + ", before " +
             barrier->text + " in line " + std::to_string(barrier->line) +
             ". Some compilers let groups that have left go on after a barrier; give a group without work empty loops";
  }
  return {};
}

// The early returns of files that are compiled together with `shared`.
std::vector<std::string> early_returns(const std::vector<Definition>& definitions,
                                       const std::vector<Definition>& shared) {
  std::vector<Definition> all = shared;
  all.insert(all.end(), definitions.begin(), definitions.end());
  const Names barriers = with_users({"barrier", "work_group_barrier"}, all),
              tickets = with_users({"is_last_group"}, all);
  std::vector<std::string> found;
  for (const Definition& definition : definitions)
    if (const std::string text = early_return(definition, barriers, tickets); definition.is_function && !text.empty())
      found.push_back(text);
  return found;
}

std::vector<std::string> early_returns(const std::string& text) {
  return early_returns(KernelReader(text).definitions(), {});
}

}  // namespace

TEST_SUITE("kernel files") {
  TEST_CASE("no function returns before a barrier") {
    const std::filesystem::path root = std::filesystem::path(TILEWRIGHT_TEST_SOURCE) / "cl";
    std::map<std::string, std::vector<Definition>> folders;
    std::size_t with_barriers = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".cl") continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      const KernelReader file(text);
      const std::string path = entry.path().lexically_relative(root).generic_string();
      std::vector<Definition>& folder = folders[entry.path().parent_path().filename().string()];
      for (Definition definition : file.definitions()) {
        definition.file = "cl/" + path + ": ";
        folder.push_back(std::move(definition));
      }
      with_barriers += std::ranges::any_of(file.definitions(), [](const Definition& definition) {
        return std::ranges::any_of(definition.body, [](const Token& t) { return t.text == "barrier"; });
      });
    }
    for (const auto& [name, definitions] : folders)
      for (const std::string& text :
           early_returns(definitions, name == "common" ? std::vector<Definition>() : folders["common"]))
        FAIL_CHECK(text);
    CHECK(with_barriers > 30);
  }

  TEST_CASE("returns before barriers are found in each form") {
    const std::string kernel = "KERNEL(WG, 1, 1)\nvoid f(const int n,\n       __global float* a) {\n";
    CHECK(early_returns(kernel + "  if (n == 0) return;\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n").size() == 1);
    CHECK(early_returns(kernel + "  if (n == 0) {\n    return;\n  }\n  if (n > 1) barrier(CLK_LOCAL_MEM_FENCE);\n}\n")
              .size() == 1);
    CHECK(early_returns("#define MEET() \\\n  barrier(CLK_LOCAL_MEM_FENCE)\n" + kernel +
                        "  if (n == 0) return;\n  MEET();\n}\n")
              .size() == 1);
    CHECK(early_returns("INLINE int g(int n,\n             int m) { barrier(n); return m; }\n" + kernel +
                        "  if (n == 0) return;\n  g(n, n);\n}\n")
              .size() == 1);
    CHECK(early_returns(
              "INLINE int g(int n) {\n  if (n > 2) return 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  return 2;\n}\n")
              .size() == 1);
  }

  TEST_CASE("other returns are none before a barrier") {
    const std::string kernel = "KERNEL(WG, 1, 1)\nvoid f(const int n) {\n";
    const std::string barrier = "  barrier(CLK_LOCAL_MEM_FENCE);\n";
    CHECK(early_returns(kernel + barrier + "  if (n == 0) return;\n  a[0] = n;\n}\n").empty());
    CHECK(early_returns(kernel + "  // return before\n" + barrier + "}\n").empty());
    // The next function meets one.
    CHECK(early_returns("void g(int n) {\n  if (n == 0) return;\n}\n" + kernel + barrier + "}\n").empty());
    CHECK(early_returns("INLINE int g(int n,\n             int m) { return m; }\n" + kernel + barrier + "}\n").empty());
    // Both branches of an #if open a loop that one brace closes.
    CHECK(early_returns("void g(int n) {\n#if A\n  for (;;) {\n#else\n  if (n) {\n#endif\n  }\n  return;\n}\n" +
                        kernel + barrier + "}\n")
              .empty());
    CHECK(early_returns("INLINE bool is_last_group(int n) {\n" + barrier + "  return n;\n}\n" + kernel +
                        "  if (n > 1 && !is_last_group(n)) return;\n" + barrier + "}\n")
              .empty());
  }
}

}  // namespace tilewright::test
