// The matrices of `multiply --memory`, which stay in their files, and how a later call knows them again.
#pragma once

#include <optional>
#include <string>

#include "commands/multiply_options.hpp"
#include "files/mapped_matrix.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::tool {

struct ProductFiles {
  /// Throws FileError.
  explicit ProductFiles(const MultiplyOptions& options);

  /// The product of the matrices. Throws UsageError for types and scalars, std::runtime_error for sizes.
  GemmProblem problem(const MultiplyOptions& options) const;

  /// One line that identifies the product. Tiles of an earlier run count only if it is the same.
  std::string heading(const MultiplyOptions& options, const GemmProblem& problem) const;

  MappedMatrix a, b;
  std::optional<MappedMatrix> c_in;
};

/// The part of a schedule that a later run repeats, so that its tiles have the bits of an uninterrupted run.
struct Tiling {
  TileSizes tile;
  TileTransfer transfer = TileTransfer::automatic;
};

/// The heading, followed by the tiling of a schedule.
std::string with_tiling(const std::string& heading, const TileSchedule& schedule);

/// The tiling in a line that with_tiling() made of the same heading; nothing for other lines.
std::optional<Tiling> tiling_of(const std::string& line, const std::string& heading);

}  // namespace tilewright::tool
