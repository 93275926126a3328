// Fuzzes journals of interrupted tuning runs.
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#include "support/profiles.hpp"
#include "tools/temporary_directory.hpp"
#include "tuning/journal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewright;
  static const test::TemporaryDirectory place;
  static const DeviceProfile device = test::typical_gpu();
  static const std::string header = [] {
    tuning::Journal(place.file("first"), device, false);
    std::string line = place.read("first");
    return line.substr(0, line.find('\n') + 1);
  }();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {bytes, header + bytes}) {
    const std::string path = place.write("journal", text);
    try {
      const tuning::Journal journal(path, device, true);
    } catch (const std::runtime_error&) {
    }
  }
  return 0;
}
