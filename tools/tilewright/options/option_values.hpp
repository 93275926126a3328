// Validators of option values. Their messages state the expected value in one short line.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/cli_names.hpp"

namespace tilewright::tool {

/// A decimal number from `least` to `most`, without sign or fraction. Use with transform(): it strips leading zeros,
/// which CLI11 would read as octal.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// A number of bytes, at least 1, with optional suffix k, M, G or T for powers of 1024: "512M", "1.5G". Use with
/// transform(), which replaces the text by the plain number.
CLI::Validator byte_size();

/// A real number that fits into a double. `infinite` also allows "inf" and "nan".
CLI::Validator real_number(bool infinite = false);

/// Parses a complex number: "2", "1+2i", "-0.5i" or "i". Returns nothing if the text is malformed.
std::optional<std::complex<double>> parse_complex(const std::string& text);

/// A complex number as parse_complex() accepts it. Allows "inf" and "nan" as real parts.
CLI::Validator complex_number();

/// A real number above 0 and at most `most`.
CLI::Validator positive_number(double most);

/// One of the words `known`. `kind` is their common noun in the singular, for messages.
CLI::Validator one_of(std::string kind, std::vector<std::string> known);

}  // namespace tilewright::tool
