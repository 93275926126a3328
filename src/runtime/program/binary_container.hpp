// The stored form of a program binary, with everything that shows whether it is intact and the requested one.
// Drivers do not check this: PoCL ends the process on a truncated binary and runs one with a changed byte.
#pragma once

#include <string>
#include <string_view>

#include "runtime/program/binary_key.hpp"

namespace tilewright::detail {

constexpr unsigned container_format = 1;

/// The first bytes of every container, in this format and in others.
constexpr std::string_view container_magic = "TILEBIN";

/// Packs fields and a binary into a container. Its parts, in this order:
/// - "TILEBIN", and the number of the format in one byte;
/// - the sizes of the fields and of the binary in bytes, with 64 bits each;
/// - the fields, the binary, and the SHA-256 of everything before.
///
/// The fields are the key's, then two that only describe: the program's name and the names of its kernels.
std::string pack_binary(const Fields& fields, std::string_view binary);

struct UnpackedBinary {
  std::string problem;  ///< why it cannot be used; the other members are then empty
  Fields fields{};
  std::string_view binary{};  ///< a part of the unpacked bytes
};

/// Checks sizes and checksum before it interprets anything. Accepts any bytes.
UnpackedBinary unpack_binary(std::string_view container);

/// Returns the first field in which a container differs from the key; empty if it is the requested one.
std::string first_difference(const BinaryKey& key, const Fields& stored);

}  // namespace tilewright::detail
