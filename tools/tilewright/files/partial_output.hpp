// A matrix file that grows tile by tile and can be gone on with: FILE.partial, beside which FILE.journal tells what is
// done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "files/mapped_matrix.hpp"
#include "files/npy_header.hpp"
#include "runtime/system/descriptor.hpp"

namespace tilewright::tool {

/// Row and column of a tile's first element.
using TileCorner = std::pair<std::uint64_t, std::uint64_t>;

/// What was noted of an earlier run.
struct Journal {
  std::string heading;  ///< one line that tells what is computed
  std::set<TileCorner> done;
};

class PartialOutput {
 public:
  /// Whether an earlier run left something for this path.
  static bool exists(const std::string& path);

  /// Begins a file, and takes its disk space at once, or goes on with the one that is there. Throws
  /// FileError(not_a_file, cannot_write): also where another process is writing it, or the disk is full, which leaves
  /// what was there.
  PartialOutput(const std::string& path, const NpyHeader& header, bool resume);
  /// What is not committed stays to be gone on with.
  ~PartialOutput() = default;
  PartialOutput(const PartialOutput&) = delete;
  PartialOutput& operator=(const PartialOutput&) = delete;

  /// The matrix, to be written.
  std::byte* data() const { return file_.data() + offset_; }
  /// What the journal told when the file was opened; nothing of a file that is begun.
  const Journal& journal() const { return journal_; }

  /// Begins the journal anew.
  void begin_journal(const std::string& heading);
  /// Notes a tile that is whole.
  void note(const TileCorner& corner);

  /// Gives the file its name and removes the journal.
  void commit();

 private:
  void open_files(bool resume);
  void make_room(const std::string& header, std::uint64_t bytes);
  void read_journal();
  [[noreturn]] void fail(const std::string& action) const;

  std::string path_, target_, partial_, journal_path_;
  detail::Descriptor descriptor_{-1}, journal_file_{-1};
  std::uint64_t offset_ = 0;
  MappedFile file_;
  Journal journal_;
};

}  // namespace tilewright::tool
