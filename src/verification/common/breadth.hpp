#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tilewright::verification {

/// How broadly cases sweep: quick is for interpreters, sanitizers and people who wait; edges meets every tile edge with
/// two of the programs that a form has, for the tuner; full is for a machine with time.
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
  throw std::invalid_argument("a breadth without a name");
}

/// Throws std::invalid_argument for a word that is none.
inline Breadth parse_breadth(std::string_view word) {
  for (const Breadth breadth : {Breadth::quick, Breadth::edges, Breadth::normal, Breadth::full})
    if (word == to_string(breadth)) return breadth;
  throw std::invalid_argument("unknown breadth '" + std::string(word) + "'");
}

}  // namespace tilewright::verification
