#include "files/zip_archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>

#include "files/file_error.hpp"

namespace tilewright::tool {
namespace {

std::string message_of(zip_error_t* error) {
  std::string message = zip_error_strerror(error);
  zip_error_fini(error);
  return message;
}

}  // namespace

void ZipArchive::Close::operator()(zip* archive) const { zip_discard(archive); }

void ZipMember::Close::operator()(zip_file* file) const { zip_fclose(file); }

ZipArchive::ZipArchive(const std::string& path) : path_(path) {
  const detail::Descriptor opened = open_regular_file(path);
  bytes_ = size_of_file(opened, path);
  int code = ZIP_ER_OPEN;
  const int owned = fcntl(opened.get(), F_DUPFD_CLOEXEC, 0);
  if (owned >= 0) archive_.reset(zip_fdopen(owned, 0, &code));
  if (archive_) return;
  if (owned >= 0) close(owned);
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string message = message_of(&error);
  if (code == ZIP_ER_OPEN)
    throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + message);
  throw FileError(FileErrorCode::not_npz, path, "is not an archive of NumPy arrays (.npz), or damaged: " + message);
}

bool ZipArchive::has(const std::string& name) const { return zip_name_locate(archive_.get(), name.c_str(), 0) >= 0; }

ZipMember::ZipMember(const ZipArchive& archive, const std::string& name) : ByteSource(archive.path() + ": " + name) {
  constexpr zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat(archive.archive_.get(), name.c_str(), 0, &stat) != 0)
    throw FileError(FileErrorCode::missing_member, archive.path(), fmt::format("has no member '{}'", name));
  file_.reset(zip_fopen_index(archive.archive_.get(), stat.index, 0));
  if (!file_ || (stat.valid & needed) != needed)
    throw FileError(FileErrorCode::damaged, this->name(),
                    std::string("cannot be read: ") + zip_strerror(archive.archive_.get()));
  constexpr std::uint64_t max_growth = 1032;  // largest compression ratio of deflate
  const bool stored = stat.comp_method == ZIP_CM_STORE;
  if (!stored && stat.comp_method != ZIP_CM_DEFLATE)
    throw FileError(FileErrorCode::unsupported_format, this->name(),
                    "is not compressed with deflate, the only supported method");
  const std::uint64_t packed = std::min<std::uint64_t>(stat.comp_size, archive.bytes_);
  if (stat.size > packed * (stored ? 1 : max_growth))
    throw FileError(FileErrorCode::damaged, this->name(),
                    fmt::format("announces {} bytes, more than its {} compressed bytes can hold", stat.size, packed));
  left_ = stat.size;
}

void ZipMember::fail() const {
  throw FileError(FileErrorCode::damaged, name(), std::string("is damaged: ") + zip_file_strerror(file_.get()));
}

void ZipMember::get(char* target, std::size_t bytes, std::string_view what) {
  while (bytes > 0) {
    const zip_int64_t count = zip_fread(file_.get(), target, bytes);
    if (count < 0) fail();
    if (count == 0)
      throw FileError(FileErrorCode::truncated, name(),
                      fmt::format("truncated: {} more bytes of {} expected", bytes, what));
    target += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

void ZipMember::finish() {
  char more = 0;
  const zip_int64_t count = zip_fread(file_.get(), &more, 1);
  if (count < 0) fail();
  if (count > 0 || left() > 0) throw FileError(FileErrorCode::trailing_data, name(), "continues after its data");
}

}  // namespace tilewright::tool
