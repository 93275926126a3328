// Builds zip archives byte by byte, with wrong headers on request.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::test {

struct ZipEntry {
  std::string name;
  std::string content;
  bool deflated = true;
  std::uint64_t announced = ~std::uint64_t{0};  ///< announced size of the content; default: the true size
  std::uint32_t checksum_error = 0;             ///< added to the correct checksum
  std::uint16_t method = 8;                     ///< compression method in the header of a deflated member
};

inline std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::string deflated(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);  // without a header
  std::string result(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

inline std::string zip_file(const std::vector<ZipEntry>& entries) {
  std::string file, directory;
  for (const ZipEntry& entry : entries) {
    const std::string data = entry.deflated ? deflated(entry.content) : entry.content;
    const auto* const bytes = reinterpret_cast<const Bytef*>(entry.content.data());
    const std::uint64_t checksum = crc32(0, bytes, static_cast<uInt>(entry.content.size())) + entry.checksum_error;
    const std::uint64_t size = entry.announced == ~std::uint64_t{0} ? entry.content.size() : entry.announced;
    const std::string common = little_endian(20, 2) + little_endian(0, 2) +
                               little_endian(entry.deflated ? entry.method : 0, 2) + little_endian(0, 4) +
                               little_endian(checksum, 4) + little_endian(data.size(), 4) + little_endian(size, 4) +
                               little_endian(entry.name.size(), 2) + little_endian(0, 2);
    directory += "PK\x01\x02" + little_endian(20, 2) + common + std::string(10, '\0') + little_endian(file.size(), 4) +
                 entry.name;
    file += "PK\x03\x04" + common + entry.name + data;
  }
  const std::string counts = little_endian(entries.size(), 2);
  const std::string end = std::string("PK\x05\x06") + std::string(4, '\0') + counts + counts +
                          little_endian(directory.size(), 4) + little_endian(file.size(), 4) + std::string(2, '\0');
  return file + directory + end;
}

}  // namespace tilewright::test
