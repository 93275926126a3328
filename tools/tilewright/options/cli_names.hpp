// Forward declarations of CLI11's classes. CLI11's header takes seconds to compile, and few files need it.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name

class App;
class Option;
class ParseError;
class Validator;

}  // namespace CLI
