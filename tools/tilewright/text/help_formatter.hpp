#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "text/page.hpp"

namespace tilewright::tool {

/// CLI11's help, wrapped between words at the page's width.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Page& page) : page_(page) {}

  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  Page page_;
};

}  // namespace tilewright::tool
