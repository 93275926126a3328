#include "bindings/c/input.hpp"

namespace tilewright::c {

void expect_size(std::uint32_t struct_size, std::span<const std::size_t> sizes, const char* name) {
  const bool is_known = std::find(sizes.begin(), sizes.end(), struct_size) != sizes.end();
  // Structs consist of whole words of 64 bits.
  const bool may_be_newer =
      struct_size > sizes.back() && struct_size <= max_struct_size && struct_size % sizeof(std::uint64_t) == 0;
  if (is_known || may_be_newer) return;
  const std::string text(name);
  throw Failure(TILEWRIGHT_UNSUPPORTED_STRUCT,
                "struct_size of " + text + " is " + std::to_string(struct_size) + "; set it to sizeof(" + text + ")");
}

void expect_zeros(const void* given, std::uint32_t struct_size, std::size_t known, const char* name) {
  const char* const bytes = static_cast<const char*>(given);
  for (std::size_t i = known; i < struct_size; ++i)
    if (bytes[i] != 0)
      throw Failure(TILEWRIGHT_UNSUPPORTED_STRUCT,
                    std::string(name) + " has " + std::to_string(struct_size) +
                        " bytes, but this library knows the first " + std::to_string(known) + ", and byte " +
                        std::to_string(i) + " is not 0; leave newer members at 0, or install a newer library");
}

Failure bad_value(std::int32_t value, const char* enumeration) {
  return {TILEWRIGHT_INVALID_ARGUMENT,
          std::to_string(value) + " is no " + enumeration + "; use one of its constants, or 0 for the default"};
}

void expect_zero(std::uint32_t reserved) {
  if (reserved != 0)
    throw Failure(TILEWRIGHT_UNSUPPORTED_STRUCT,
                  "a reserved member is " + std::to_string(reserved) + "; set all members of a struct to 0 first");
}

}  // namespace tilewright::c
