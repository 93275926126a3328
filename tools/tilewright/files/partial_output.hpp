// A matrix file that grows tile by tile and that a later process can continue. The matrix is in FILE.partial.
// FILE.journal lists the finished tiles. If that name is taken by a foreign file, the journal is FILE.journal-2 and so
// on. A journal is recognised by its first line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "files/mapped_matrix.hpp"
#include "files/npy_header.hpp"
#include "runtime/system/descriptor.hpp"

namespace tilewright::tool {

/// Row and column of a tile's first element.
using TileCorner = std::pair<std::uint64_t, std::uint64_t>;

/// The content of a journal.
struct Journal {
  std::string heading;  ///< one line that identifies the product
  std::set<TileCorner> done;
};

/// State of FILE.partial.
enum class PartialState {
  none,        ///< does not exist
  unfinished,  ///< an earlier run left it
  in_use,      ///< another process is writing it
  foreign,     ///< no journal shows that this command wrote it
};

class PartialOutput {
 public:
  /// Returns the name of FILE.partial, which is next to the file that `path` leads to through symbolic links.
  static std::string name_of(const std::string& path);
  /// Changes nothing and does not disturb other processes.
  static PartialState state(const std::string& path);

  /// Starts a file and reserves its disk space. Never touches an existing FILE.partial or foreign files. Throws
  /// FileError(not_a_file, cannot_write), also if FILE.partial exists or the disk is full; then no files are left.
  PartialOutput(const std::string& path, const NpyHeader& header, const std::string& heading);
  /// Continues the file of an earlier run; journal() then lists the finished tiles. Throws FileError(not_a_file,
  /// cannot_write), also if another process is writing the file or it is not a matrix with this header.
  PartialOutput(const std::string& path, const NpyHeader& header);
  /// An uncommitted file stays, with its journal, to be continued.
  ~PartialOutput() = default;
  PartialOutput(const PartialOutput&) = delete;
  PartialOutput& operator=(const PartialOutput&) = delete;

  /// The elements of the matrix, writable. Null until restart() if an earlier run ended before it reserved the disk
  /// space.
  std::byte* data() const { return file_.data() == nullptr ? nullptr : file_.data() + offset_; }
  /// The journal's content when the file was opened.
  const Journal& journal() const { return journal_; }

  /// Discards the tiles of an earlier run. Throws FileError(cannot_write), also if the disk is full; if the disk
  /// space was not reserved before, then no files are left.
  void restart(const std::string& heading);
  /// Records a finished tile.
  void note(const TileCorner& corner);

  /// Renames FILE.partial to FILE and removes the journal.
  void commit();

 private:
  void create_journal(const std::string& heading);
  void create_partial();
  void open_journal();
  void open_partial();
  void read_journal();
  bool append_heading(const detail::Descriptor& journal, const std::string& heading);
  void reserve_space();
  void map();
  void allocate();
  void remove_files() const;
  [[noreturn]] void fail(const std::string& action) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string path_, target_, partial_, journal_path_;
  std::string header_;  // the file's header text
  std::uint64_t file_bytes_ = 0;
  detail::Descriptor journal_file_{-1}, descriptor_{-1};
  std::uint64_t offset_ = 0;
  MappedFile file_;
  Journal journal_;
};

}  // namespace tilewright::tool
