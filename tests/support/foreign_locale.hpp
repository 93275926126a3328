// Locales that write numbers and letters differently from the C locale.
#pragma once

#include <clocale>
#include <cstdlib>
#include <locale>
#include <optional>
#include <string>
#include <vector>

#include "support/environment.hpp"
#include "tools/temporary_directory.hpp"

namespace tilewright::test {

/// Locales of the C library, compiled with localedef; empty without localedef.
class LocaleDirectory {
 public:
  LocaleDirectory() {
    add("comma.UTF-8", numeric("<U002C>"), "UTF-8");      // "1,5", as in Germany
    add("two-bytes.UTF-8", numeric("<U066B>"), "UTF-8");  // a decimal point of two bytes, as in Afghanistan
    add("tr_TR.ISO-8859-9", "tr_TR", "ISO-8859-9");       // the lower-case letter of I is not i
    path_.emplace("LOCPATH", place_.file(""));
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::string numeric(const char* point) const {
    std::string text = std::string("LC_NUMERIC\ndecimal_point \"") + point +
                       "\"\nthousands_sep \"<U002E>\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    for (const char* const part : {"LC_CTYPE", "LC_COLLATE", "LC_MONETARY", "LC_TIME", "LC_MESSAGES"})
      text += std::string(part) + "\ncopy \"POSIX\"\nEND " + part + "\n";
    return place_.write(std::string(point) + ".source", text);
  }

  void add(const std::string& name, const std::string& source, const std::string& encoding) {
    const std::string command =
        "localedef -c -i '" + source + "' -f " + encoding + " '" + place_.file(name) + "' >/dev/null 2>&1";
    // The status is not 0 after warnings.
    [[maybe_unused]] const int status = std::system(command.c_str());
    if (std::filesystem::exists(place_.file(name) + "/LC_NUMERIC")) names_.push_back(name);
  }

  TemporaryDirectory place_;
  std::vector<std::string> names_;
  std::optional<ScopedEnvironment> path_;
};

/// Puts the process into a foreign locale for a scope. std::locale::global() has a decimal comma and thousands
/// separators, and setlocale() selects this locale of the C library.
class ForeignLocale {
 public:
  explicit ForeignLocale(const std::string& name = {})
      : c_(std::setlocale(LC_ALL, nullptr)), cpp_(std::locale::global(std::locale(std::locale(), new Numbers))) {
    if (!name.empty()) is_set_ = std::setlocale(LC_ALL, name.c_str()) != nullptr;
  }
  ~ForeignLocale() {
    std::locale::global(cpp_);
    std::setlocale(LC_ALL, c_.c_str());
  }
  ForeignLocale(const ForeignLocale&) = delete;
  ForeignLocale& operator=(const ForeignLocale&) = delete;

  bool is_set() const { return is_set_; }

 private:
  struct Numbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  std::string c_;
  std::locale cpp_;
  bool is_set_ = true;
};

}  // namespace tilewright::test
