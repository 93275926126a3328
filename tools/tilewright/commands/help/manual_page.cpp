#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "commands/help/command_tree.hpp"
#include "tilewright/version.hpp"

namespace tilewright::tool {
namespace {

// Escapes man's control characters, and hyphens so that they can be copied as ASCII.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

void add_option(std::string& page, const OptionText& option) {
  page += ".TP\n";
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  if (option.takes_value && !option.is_positional) names += " \\fIVALUE\\fR";
  page += names + '\n';
  std::string help = option.help;
  if (option.is_required) help += help.empty() ? "required" : "; required";
  if (!option.default_value.empty()) help += fmt::format(" (default: {})", option.default_value);
  page += escaped(help) + '\n';
}

void add_command(std::string& page, const CommandText& command) {
  std::string arguments;
  for (const OptionText& option : command.options)
    if (option.is_positional) arguments += fmt::format(" \\fI{}\\fR", escaped(option.names.front()));
  page += fmt::format(".SS \"tilewright {}{}\"\n{}.\n", escaped(command.path), arguments, escaped(command.help));
  for (const OptionText& option : command.options) add_option(page, option);
  if (!command.footer.empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(command.footer));
  for (const CommandText& part : command.parts) add_command(page, part);
}

constexpr std::string_view ending = R"(.SH EXIT STATUS
0 if everything was done and verified; 1 if something could not be done or is wrong; 2 if the command line cannot be
understood.
.SH ENVIRONMENT
.TP
\fBTILEWRIGHT_DEVICE\fR
the device to use without \fB\-\-device\fR
.TP
\fBTILEWRIGHT_CACHE\fR
off, ro, rw or refresh: whether compiled programs are loaded and stored
.TP
\fBTILEWRIGHT_CACHE_DIR\fR
the directory of compiled programs
.TP
\fBTILEWRIGHT_DATA_DIR\fR
the directory of tuning records
.TP
\fBTILEWRIGHT_RECORDS\fR
off: ignore tuning records
.SH FILES
.TP
\fI~/.cache/tilewright\fR
compiled programs; any of them can be deleted
.TP
\fI~/.local/share/tilewright\fR
tuning records
)";

}  // namespace

std::string manual_page(const CommandText& program) {
  std::string page = fmt::format(
      ".\\\" Written by the build from the command itself.\n"
      ".TH TILEWRIGHT 1 \"\" \"Tilewright {}\" \"User Commands\"\n"
      ".SH NAME\n"
      "tilewright \\- matrix products on any OpenCL device\n"
      ".SH SYNOPSIS\n"
      "\\fBtilewright\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Multiplies matrices on the OpenCL devices of this machine, measures their speed, and finds and stores the "
      "fastest kernels for each device.\n"
      ".SH OPTIONS\n",
      escaped(version));
  for (const OptionText& option : program.options) add_option(page, option);
  page += ".SH COMMANDS\n";
  for (const CommandText& command : program.parts) add_command(page, command);
  return page += ending;
}

}  // namespace tilewright::tool
