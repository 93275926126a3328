// Fuzzes configurations as users type them.
#include <cstdint>
#include <string_view>

#include "fuzz/input_file.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  try {
    const auto configuration = Configuration::parse({reinterpret_cast<const char*>(data), size});
    fuzz::require(Configuration::parse(to_string(configuration)) == configuration);
  } catch (const Error&) {
  }
  return 0;
}
