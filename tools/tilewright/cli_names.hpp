// CLI11's classes by name: its own header takes seconds to compile, and few files need more.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name

class App;
class Option;
class ParseError;
class Validator;

}  // namespace CLI
