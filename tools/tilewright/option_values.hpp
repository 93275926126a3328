// Checks of options' values that say in one short line what is expected.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli_names.hpp"

namespace tilewright::tool {

/// A decimal number without sign or fraction, within the bounds. For transform(), as it takes leading zeros away, which
/// CLI11 would read as octal.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// A number of bytes from 1 on, with k, M, G or T for powers of 1024: "512M", "1.5G". transform() makes it a plain
/// number.
CLI::Validator byte_size();

/// A number that the type double holds without overflow. `infinite`: "inf" and "nan" are taken as well.
CLI::Validator real_number(bool infinite = false);

/// A complex number as people write it, "2", "1+2i", "-0.5i" or "i", of parts that are such numbers; nothing where the
/// text is none.
std::optional<std::complex<double>> parse_complex(const std::string& text);

/// What parse_complex() reads. "inf" and "nan" are taken as real parts.
CLI::Validator complex_number();

/// The same, above 0 and at most `most`.
CLI::Validator positive_number(double most);

/// One of the words. `kind` names what they are, in the singular.
CLI::Validator one_of(std::string kind, std::vector<std::string> known);

}  // namespace tilewright::tool
