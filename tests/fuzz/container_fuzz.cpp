// Fuzzes stored program binaries.
#include <cstdint>
#include <string_view>

#include "fuzz/input_file.hpp"
#include "runtime/program/binary_container.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const detail::UnpackedBinary unpacked = detail::unpack_binary(bytes);
  if (unpacked.problem.empty()) fuzz::require(detail::pack_binary(unpacked.fields, unpacked.binary) == bytes);
  // The checksum stops a fuzzer, so the input is also packed with a right one: the parser must accept any contents.
  const std::string packed = detail::pack_binary({{"program", std::string(bytes)}}, bytes);
  const detail::UnpackedBinary again = detail::unpack_binary(packed);
  fuzz::require(again.problem.empty() && again.binary == bytes && detail::field(again.fields, "program") == bytes);
  return 0;
}
