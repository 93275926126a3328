// What the variants have in common that multiply on NVIDIA's tensor cores by rows of bytes:
// cl/gemm/tensor_core_tiles.cl. A and B are copied to local memory in vectors of 16 bytes. Where their rows are not
// made of these, a launch may copy them to such rows first: parameter "align" of a configuration. It must where
// elements are not of 16 bits and rows do not run along k, or where elements are multiplied by parts.
#pragma once

#include "gemm/variants/wave_time.hpp"

namespace tilewright::detail {

/// What a work-group takes whose operands come in whole vectors, in cycles for each step of k, and its tile.
struct TileTime {
  double tile_m, tile_n;
  double step;         ///< taken from the groups that share its compute unit
  double alone;        ///< at least, however few share it
  double local_bytes;  ///< which limit how many do
};

/// A problem as such a variant does it, without copies of operands (align = 0) or with them where they are needed.
struct TensorProblem {
  const GemmProblem& problem;
  std::int64_t align;

  /// Parts of each element that are multiplied: 2 for fp32_split.
  std::int64_t planes() const;
  /// Elements of a row of a tile, of 128 bytes.
  std::int64_t row() const;
  /// Of tiles of both operands in local memory.
  std::int64_t tile_bytes(std::int64_t lines, std::int64_t tile_k) const;

  GroupTime time(const TileTime& in_vectors) const;
  double copying_cycles(const DeviceProfile& device) const;

  /// The -D options of the copies of A and B to local memory and of the stores of C.
  std::string options() const;

  /// Those of the slices of k, and the copies.
  std::vector<Workspace> workspaces(const Slices& slices, const TileGroups& tiles) const;

  /// The copies and the product, by groups of `items` work-items.
  std::vector<Launch> launches(const DeviceProfile& device, const TileGroups& tiles, std::int64_t items,
                               const Slices& slices) const;
};

struct RankedConfiguration {
  double cycles;
  Configuration configuration;
};

/// Those of the least cycles, the fastest first: as many as may be wanted where a device takes not all.
std::vector<Configuration> fastest(std::vector<RankedConfiguration> ranked);

/// Whether "align" changes nothing.
bool has_aligned_rows(const GemmProblem& problem);

/// The local memory of `stages` tiles of both operands, or of a tile of C of which as many rows as `staged` are stored
/// at a time.
std::uint64_t ring_bytes(const Configuration& configuration, const GemmProblem& problem, std::int64_t staged);

bool is_power_of_two(std::int64_t value);

constexpr const char* tensor_rows_file = "gemm/tensor_rows.cl";

}  // namespace tilewright::detail
