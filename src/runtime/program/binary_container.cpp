#include "runtime/program/binary_container.hpp"

#include "runtime/system/little_endian.hpp"
#include "runtime/system/sha256.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t prefix_bytes = container_magic.size() + 1 + 2 * u64_bytes;

// Removes a number, or a text with its length, from the front. Returns false if there are too few bytes.
bool take_u64(std::string_view& bytes, std::uint64_t& number) {
  if (bytes.size() < u64_bytes) return false;
  number = read_u64(bytes);
  bytes.remove_prefix(u64_bytes);
  return true;
}

bool take_text(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (!take_u64(bytes, size) || size > bytes.size()) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

bool decode(std::string_view bytes, Fields& fields) {
  while (!bytes.empty()) {
    auto& [name, value] = fields.emplace_back();
    if (!take_text(bytes, name) || !take_text(bytes, value)) return false;
  }
  return true;
}

}  // namespace

std::string pack_binary(const Fields& fields, std::string_view binary) {
  const std::string encoded = encode(fields);
  std::string container(container_magic);
  container += static_cast<char>(container_format);
  append_u64(container, encoded.size());
  append_u64(container, binary.size());
  container += encoded;
  container += binary;
  container += sha256(container);
  return container;
}

UnpackedBinary unpack_binary(std::string_view container) {
  if (container.size() < prefix_bytes + sha256_bytes) return {.problem = "too short"};
  if (!container.starts_with(container_magic)) return {.problem = "not a program binary of this library"};
  if (container[container_magic.size()] != static_cast<char>(container_format)) return {.problem = "another format"};
  const std::uint64_t field_bytes = read_u64(container.substr(container_magic.size() + 1));
  const std::uint64_t binary_bytes = read_u64(container.substr(container_magic.size() + 1 + u64_bytes));
  const std::uint64_t content_bytes = container.size() - prefix_bytes - sha256_bytes;
  if (field_bytes > content_bytes || binary_bytes != content_bytes - field_bytes)
    return {.problem = "its size differs from the one that it states"};
  const auto checked = container.substr(0, container.size() - sha256_bytes);
  if (sha256(checked) != container.substr(checked.size())) return {.problem = "its checksum is wrong"};

  UnpackedBinary result;
  if (!decode(container.substr(prefix_bytes, field_bytes), result.fields)) return {.problem = "malformed fields"};
  result.binary = checked.substr(prefix_bytes + field_bytes);
  return result;
}

std::string first_difference(const BinaryKey& key, const Fields& stored) {
  for (std::size_t i = 0; i < key.fields.size(); ++i)
    if (i >= stored.size() || stored[i] != key.fields[i]) return key.fields[i].first;
  return {};
}

}  // namespace tilewright::detail
