// A program binary as it is kept, with everything that tells whether it is whole and the one that is wanted. Drivers
// cannot tell: PoCL ends the process on a truncated binary and runs one with a changed byte.
#pragma once

#include <string>
#include <string_view>

#include "runtime/program/binary_key.hpp"

namespace tilewright::detail {

constexpr unsigned container_format = 1;

/// What every container begins with, of this format and of others.
constexpr std::string_view container_magic = "TILEBIN";

/// A container, in this order: "TILEBIN" and the format's number in one byte, the bytes of the fields and of the binary
/// (64 bits each), the fields, the binary, and the SHA-256 of all that.
/// The fields are the key's, then those that only describe: the program's name, the names of its kernels.
std::string pack_binary(const Fields& fields, std::string_view binary);

struct UnpackedBinary {
  std::string problem;  ///< why it cannot be used; the rest is empty then
  Fields fields{};
  std::string_view binary{};  ///< a part of what was unpacked
};

/// Checks sizes and checksum before anything is made of them. Any bytes may be given.
UnpackedBinary unpack_binary(std::string_view container);

/// The first field in which a container differs from the key; empty where it is the wanted one.
std::string first_difference(const BinaryKey& key, const Fields& stored);

}  // namespace tilewright::detail
