// Fuzzes device names as users type them.
#include <cstdint>
#include <string_view>

#include "fuzz/input_file.hpp"
#include "tilewright/device.hpp"
#include "tilewright/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  try {
    fuzz::require(pick_device({reinterpret_cast<const char*>(data), size}).id != nullptr);
  } catch (const Error&) {
  }
  return 0;
}
