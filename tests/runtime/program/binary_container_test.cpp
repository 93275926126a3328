// Containers of program binaries: a change of any byte is detected.
#include "runtime/program/binary_container.hpp"

#include <doctest/doctest.h>

#include <string>

#include "runtime/system/little_endian.hpp"
#include "runtime/system/sha256.hpp"

namespace tilewright::test {
namespace {

using namespace detail;

DeviceProfile some_device() {
  DeviceProfile device;
  device.platform_name = "platform";
  device.platform_version = "OpenCL 1.2";
  device.name = "device";
  device.vendor_name = "maker";
  device.device_version = "OpenCL 1.2 of the device";
  device.driver_version = "1.0";
  return device;
}

BinaryKey key_of(const DeviceProfile& device, const ProgramRequest& request = {"f", "source", "-DX=1"}) {
  return make_binary_key(driver_environment(device), request);
}

const std::string binary("a binary\0with any bytes\xff", 24);

// Gives a container a correct checksum for its contents.
std::string resealed(std::string container) {
  container.resize(container.size() - sha256_bytes);
  return container + sha256(container);
}

void put_u64(std::string& container, std::size_t position, std::uint64_t number) {
  std::string bytes;
  append_u64(bytes, number);
  container.replace(position, bytes.size(), bytes);
}

}  // namespace

TEST_SUITE("binary container") {
  TEST_CASE("a packed binary is unpacked unchanged") {
    const BinaryKey key = key_of(some_device());
    const std::string container = pack_binary(key.fields, binary);
    const UnpackedBinary unpacked = unpack_binary(container);
    CHECK(unpacked.problem.empty());
    CHECK(unpacked.binary == binary);
    CHECK(unpacked.fields == key.fields);
    CHECK(first_difference(key, unpacked.fields).empty());
    CHECK(unpack_binary(pack_binary({}, "")).problem.empty());
  }

  TEST_CASE("a container truncated at any length is refused") {
    const std::string container = pack_binary(key_of(some_device()).fields, binary);
    for (std::size_t size = 0; size < container.size(); ++size)
      CHECK_FALSE(unpack_binary(std::string_view(container).substr(0, size)).problem.empty());
    CHECK_FALSE(unpack_binary(container + '\0').problem.empty());
  }

  TEST_CASE("a container with any byte changed is refused") {
    const std::string container = pack_binary(key_of(some_device()).fields, binary);
    for (std::size_t i = 0; i < container.size(); ++i)
      for (const char mask : {'\x01', '\x80', '\xff'}) {
        std::string changed = container;
        changed[i] = static_cast<char>(changed[i] ^ mask);
        CAPTURE(i);
        CHECK_FALSE(unpack_binary(changed).problem.empty());
      }
    CHECK_FALSE(unpack_binary(std::string(container.size(), '\0')).problem.empty());
  }

  TEST_CASE("wrong lengths are refused before any allocation, even with a correct checksum") {
    const std::string container = pack_binary(key_of(some_device()).fields, binary);
    constexpr std::size_t field_bytes = 8, binary_bytes = 16, first_field = 24;
    for (const std::uint64_t number :
         {~std::uint64_t{0}, ~std::uint64_t{0} >> 1, std::uint64_t{1} << 40, std::uint64_t{0},
          std::uint64_t{container.size()}, ~std::uint64_t{0} - container.size()})
      for (const std::size_t position : {field_bytes, binary_bytes, first_field}) {
        std::string changed = container;
        put_u64(changed, position, number);
        CAPTURE(number);
        CAPTURE(position);
        const UnpackedBinary unpacked = unpack_binary(resealed(changed));
        // A field length of 0 only changes the names of the fields.
        CHECK((!unpacked.problem.empty() || !first_difference(key_of(some_device()), unpacked.fields).empty()));
      }
  }

  TEST_CASE("every part of the key changes the key, and a difference names its field") {
    const BinaryKey key = key_of(some_device());
    CHECK(key.hash.size() == 64);
    CHECK(key_of(some_device()).hash == key.hash);
    const auto differs = [&](const BinaryKey& other, const std::string& name) {
      CAPTURE(name);
      CHECK(other.hash != key.hash);
      CHECK(first_difference(key, other.fields) == name);
    };
    const auto with = [](std::string DeviceProfile::*part) {
      DeviceProfile device = some_device();
      device.*part += 'x';
      return key_of(device);
    };
    differs(key_of(some_device(), {"f", "source ", "-DX=1"}), "source_sha256");
    differs(key_of(some_device(), {"f", "source", "-DX=2"}), "options");
    differs(with(&DeviceProfile::platform_name), "platform_name");
    differs(with(&DeviceProfile::platform_version), "platform_version");
    differs(with(&DeviceProfile::name), "device_name");
    differs(with(&DeviceProfile::vendor_name), "device_vendor");
    differs(with(&DeviceProfile::device_version), "device_version");
    differs(with(&DeviceProfile::driver_version), "driver_version");
    DeviceProfile narrow = some_device();
    narrow.address_bits = 32;
    differs(key_of(narrow), "address_bits");
    Fields other = key.fields;
    other[0].second = "2";
    CHECK(first_difference(key, other) == "format");
    other = key.fields;
    other[1].second = "0.0.0";
    CHECK(first_difference(key, other) == "library");
    CHECK(key_of(narrow).environment != key.environment);
    CHECK(key_of(some_device(), {"f", "other", ""}).environment == key.environment);
  }

  TEST_CASE("fields with the same concatenation have different encodings") {
    CHECK(encode({{"a", "bc"}}) != encode({{"ab", "c"}}));
    CHECK(encode({{"a", "b"}, {"c", "d"}}) != encode({{"a", "bcd"}}));
  }
}

}  // namespace tilewright::test
