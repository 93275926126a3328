// The matrices of `multiply --memory`, which stay in their files, and the line by which a later call recognises them.
#pragma once

#include <optional>
#include <string>

#include "commands/products/multiply_options.hpp"
#include "files/mapped_matrix.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::tool {

struct ProductFiles {
  /// Maps the files. Throws FileError.
  explicit ProductFiles(const MultiplyOptions& options);

  /// Returns the product of the matrices. Throws UsageError for types and scalars, std::runtime_error for sizes.
  GemmProblem problem(const MultiplyOptions& options) const;

  /// Returns one line that identifies the product. Tiles of an earlier run count only if their line is equal.
  std::string heading(const MultiplyOptions& options, const GemmProblem& problem) const;

  MappedMatrix a, b;
  std::optional<MappedMatrix> c_in;
};

/// The part of a schedule that a later run repeats, so that its tiles have the bits of an uninterrupted run.
struct Tiling {
  TileSizes tile;
  TileTransfer transfer = TileTransfer::automatic;
};

/// Appends a schedule's tiling to the heading.
std::string with_tiling(const std::string& heading, const TileSchedule& schedule);

/// Returns the tiling from a line that with_tiling() made of the same heading; nothing for other lines.
std::optional<Tiling> tiling_of(const std::string& line, const std::string& heading);

}  // namespace tilewright::tool
