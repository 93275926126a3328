#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tilewright::verification {

/// How many cases a sweep has. `quick` is for interpreters, sanitizers and interactive use. `edges` covers every tile
/// edge with two of a form's programs, for the tuner. `full` is for long runs.
enum class Breadth { quick, edges, normal, full };

inline std::string_view to_string(Breadth breadth) {
  switch (breadth) {
    case Breadth::quick:
      return "quick";
    case Breadth::edges:
      return "edges";
    case Breadth::normal:
      return "normal";
    case Breadth::full:
      return "full";
  }
  throw std::invalid_argument("invalid Breadth value");
}

/// Throws std::invalid_argument if the word is unknown.
inline Breadth parse_breadth(std::string_view word) {
  for (const Breadth breadth : {Breadth::quick, Breadth::edges, Breadth::normal, Breadth::full})
    if (word == to_string(breadth)) return breadth;
  throw std::invalid_argument("unknown breadth '" + std::string(word) + "'");
}

}  // namespace tilewright::verification
