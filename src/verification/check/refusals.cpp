#include "verification/check/refusals.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string_view>

#include "runtime/program/build_log.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::verification {
namespace {

constexpr std::size_t longest_log = 1000;  // characters: errors after the first #error are mostly its consequences

bool is_in_name(char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '_'; }

// Replaces comments by spaces and joins continued lines.
std::string plain(const std::string& source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.compare(i, 2, "\\\n") == 0) {
      ++i;
    } else if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size()) - 1;
    } else if (source.compare(i, 2, "/*") == 0) {
      i = std::min(source.find("*/", i + 2), source.size() - 2) + 1;
      text += ' ';
    } else {
      text += source[i];
    }
  }
  return text;
}

// Returns a directive's keyword: "# define X" -> "define".
std::string keyword_of(std::string_view directive) {
  const auto first = directive.find_first_not_of("# \t");
  if (first == std::string_view::npos) return {};
  const auto end = directive.find_first_of(" \t(\"", first);
  return std::string(directive.substr(first, end - first));
}

// Returns a macro's name: "#define X(a) b" -> "X".
std::string macro_of(std::string_view define) {
  auto first = define.find("define") + 6;
  first = std::min(define.find_first_not_of(" \t", first), define.size());
  auto end = first;
  while (end < define.size() && is_in_name(define[end])) ++end;
  return std::string(define.substr(first, end - first));
}

// Converts options to directives: "-DX=1 -DY" -> "#define X 1", "#define Y 1".
std::vector<std::string> defines_of(const std::string& options) {
  std::vector<std::string> defines;
  for (const std::string& word : detail::split_words(options)) {
    if (!word.starts_with("-D")) continue;
    const auto equals = word.find('=');
    defines.push_back("#define " + word.substr(2, equals - 2) + ' ' +
                      (equals == std::string::npos ? "1" : word.substr(equals + 1)));
  }
  return defines;
}

// Returns the directives to preprocess for each form. If `notes_refusal` is set, an #error only defines a macro, and
// the rest of the directives is skipped, because their values may be meaningless.
std::string body_of(const std::vector<std::string>& directives, bool notes_refusal) {
  std::string body;
  int depth = 0;  // nesting of conditionals
  for (const std::string& directive : directives) {
    const std::string keyword = keyword_of(directive);
    const bool opens = keyword == "if" || keyword == "ifdef" || keyword == "ifndef";
    if (notes_refusal && opens && depth == 0) body += "#ifndef TILEWRIGHT_REFUSED\n";
    depth += opens ? 1 : keyword == "endif" ? -1 : 0;
    body += (notes_refusal && keyword == "error" ? "#define TILEWRIGHT_REFUSED" : directive) + '\n';
    if (notes_refusal && keyword == "endif" && depth == 0) body += "#endif\n";
  }
  if (notes_refusal) body += "#ifndef TILEWRIGHT_REFUSED\n#error \"not refused\"\n#endif\n#undef TILEWRIGHT_REFUSED\n";
  return body;
}

// Returns one source that preprocesses the directives once per form. It builds if no form is refused. If
// `notes_refusal` is set, it builds if all forms are refused.
std::string combined_source(const std::vector<std::string>& directives, std::span<const KernelForm> forms,
                            bool notes_refusal) {
  std::set<std::string> own;  // macros that one form defines and the next must not see
  for (const std::string& directive : directives)
    if (keyword_of(directive) == "define") own.insert(macro_of(directive));
  const std::string body = body_of(directives, notes_refusal);
  std::string text;
  for (const KernelForm& form : forms) {
    auto names = own;
    for (const std::string& define : defines_of(form.options)) {
      names.insert(macro_of(define));
      text += define + '\n';
    }
    text += body;
    for (const std::string& name : names) text += "#undef " + name + '\n';
  }
  return text + "__kernel void nothing(void) {}\n";
}

bool builds(const cl::Context& context, const cl::Device& device, const std::string& source, std::string& log,
            const std::string& options = "-cl-std=CL1.2") {
  const cl::Program program(context, source);
  const cl_device_id id = device();
  if (clBuildProgram(program(), 1, &id, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return true;
  log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
  return false;
}

// Returns the index of the first form for which `passes` fails, by bisection. Takes one build if all pass.
std::size_t first_failure(std::span<const KernelForm> forms,
                          const std::function<bool(std::span<const KernelForm>)>& passes) {
  if (forms.empty() || passes(forms)) return forms.size();
  std::size_t good = 0, bad = forms.size();  // the first `good` forms pass; the first `bad` do not all pass
  while (bad - good > 1) {
    const std::size_t middle = (good + bad) / 2;
    (passes(forms.subspan(good, middle - good)) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

std::vector<std::string> directives_of(const std::string& source) {
  std::vector<std::string> directives;
  for (const std::string& line : detail::split(plain(source), '\n')) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] != '#') continue;
    const std::string keyword = keyword_of(line);
    if (keyword != "line" && keyword != "pragma") directives.push_back(line.substr(first));
  }
  return directives;
}

std::string unused_macro(const std::string& source, const std::vector<KernelForm>& forms) {
  std::set<std::string> used;
  for (const std::string& line : detail::split(plain(source), '\n')) {
    std::size_t at = 0;
    if (const auto first = line.find_first_not_of(" \t"); first != std::string::npos && line[first] == '#') {
      const std::string keyword = keyword_of(line);
      if (keyword == "ifndef" || keyword == "error") continue;
      const std::string macro = keyword == "define" ? macro_of(line) : "";
      if (!macro.empty()) at = line.find(macro, line.find("define") + 6) + macro.size();
    }
    while (at < line.size()) {
      std::size_t end = at;
      while (end < line.size() && is_in_name(line[end])) ++end;
      if (end > at) used.insert(line.substr(at, end - at));
      at = end + 1;
    }
  }
  for (const KernelForm& form : forms)
    for (const std::string& define : defines_of(form.options))
      if (std::string name = macro_of(define); !used.contains(name)) return name;
  return {};
}

std::size_t first_refused(const cl::Context& context, const cl::Device& device, const std::string& source,
                          const std::vector<KernelForm>& forms, std::string& log) {
  const auto directives = directives_of(source);
  const std::size_t refused = first_failure(forms, [&](std::span<const KernelForm> some) {
    return builds(context, device, combined_source(directives, some, false), log);
  });
  if (refused == forms.size()) return refused;
  // That log has the lines of the combined source. The source itself gives the places of its files.
  if (!builds(context, device, source, log, forms[refused].options)) log = detail::with_source_places(log, source);
  if (log.size() > longest_log) log = log.substr(0, longest_log) + "\n[...]";
  return refused;
}

std::size_t first_accepted(const cl::Context& context, const cl::Device& device, const std::string& source,
                           const std::vector<KernelForm>& forms) {
  const auto directives = directives_of(source);
  std::string log;
  const auto all_refused = [&](std::span<const KernelForm> some) {
    return builds(context, device, combined_source(directives, some, true), log);
  };
  // True if the form fails to preprocess: a division by 0 before any #error also refuses.
  const auto is_refused = [&](const KernelForm& form) {
    return !builds(context, device, combined_source(directives, {&form, 1}, false), log);
  };
  const std::span all(forms);
  std::size_t at = 0;
  while (at < all.size()) {
    at += first_failure(all.subspan(at), all_refused);
    if (at == all.size() || !is_refused(all[at])) break;
    ++at;
  }
  return at;
}

}  // namespace tilewright::verification
