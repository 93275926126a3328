// A matrix file that grows tile by tile and can be continued by a later process. The matrix is in FILE.partial. The
// tiles that are done are listed in FILE.journal, or in FILE.journal-2 and so on where that name belongs to a file of
// somebody else: a journal is recognised by its first line.
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
  std::string heading;  ///< one line that identifies what is computed
  std::set<TileCorner> done;
};

/// What FILE.partial is.
enum class PartialState {
  none,        ///< there is no such file
  unfinished,  ///< an earlier run left it
  in_use,      ///< another process is writing it
  foreign,     ///< no journal says that this command wrote it
};

class PartialOutput {
 public:
  static PartialState state(const std::string& path);

  /// Begins a file and reserves its disk space. Neither FILE.partial nor a journal of somebody else is touched. Throws
  /// FileError(not_a_file, cannot_write), also where FILE.partial exists or the disk is full; then nothing is left.
  PartialOutput(const std::string& path, const NpyHeader& header, const std::string& heading);
  /// Continues the file of an earlier run, after which journal() tells what is done. Throws FileError(not_a_file,
  /// cannot_write), also where another process is writing the file or it is not such a matrix.
  PartialOutput(const std::string& path, const NpyHeader& header);
  /// A file that is not committed stays, with its journal, to be continued.
  ~PartialOutput() = default;
  PartialOutput(const PartialOutput&) = delete;
  PartialOutput& operator=(const PartialOutput&) = delete;

  /// The elements of the matrix, to be written. Null after an earlier run ended before its disk space was reserved,
  /// until restart() is called.
  std::byte* data() const { return file_.data() == nullptr ? nullptr : file_.data() + offset_; }
  /// What the journal said when the file was opened.
  const Journal& journal() const { return journal_; }

  /// Forgets the tiles of an earlier run.
  void restart(const std::string& heading);
  /// Records that a tile is complete.
  void note(const TileCorner& corner);

  /// Gives the file its name and removes the journal.
  void commit();

 private:
  void create_journal();
  void create_partial();
  void open_journal();
  void open_partial();
  void read_journal();
  void append_heading(const std::string& heading);
  void reserve_space();
  void map();
  void remove_files() const;
  [[noreturn]] void fail(const std::string& action) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string path_, target_, partial_, journal_path_;
  std::string header_;  // of the file, as text
  std::uint64_t file_bytes_ = 0;
  detail::Descriptor journal_file_{-1}, descriptor_{-1};
  std::uint64_t offset_ = 0;
  MappedFile file_;
  Journal journal_;
};

}  // namespace tilewright::tool
