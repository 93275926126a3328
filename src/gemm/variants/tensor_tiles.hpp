// Shared by the variants that multiply rows of bytes on NVIDIA's tensor cores: cl/gemm/tensor_core_tiles.cl. A and B
// are copied to local memory in 16-byte vectors. If their rows do not consist of whole vectors, the parameter "align"
// of a configuration makes a launch copy them to rows that do. That copy is required if elements are not of 16 bits and
// rows do not run along k, or if elements are multiplied in parts.
#pragma once

#include "gemm/variants/wave_time.hpp"

namespace tilewright::detail {

/// Cycles per step of k of a work-group whose operands come in whole vectors, and its tile.
struct TileTime {
  double tile_m, tile_n;
  double step;         ///< per group that shares the compute unit
  double alone;        ///< minimum, however few groups share the compute unit
  double local_bytes;  ///< local memory, which limits how many groups share a compute unit
};

/// A problem as such a variant computes it, with copies of operands only if needed (align = 0), or also to get whole
/// vectors (align = 1).
struct TensorProblem {
  const GemmProblem& problem;
  std::int64_t align;

  /// Parts of each element that are multiplied: 2 for fp32_split, otherwise 1.
  std::int64_t planes() const;
  /// Elements per 128-byte row of a tile.
  std::int64_t row() const;
  /// Bytes of `lines` lines of a tile of depth tile_k.
  std::int64_t tile_bytes(std::int64_t lines, std::int64_t tile_k) const;

  GroupTime time(const TileTime& in_vectors) const;
  double copying_cycles(const DeviceProfile& device) const;

  /// The -D options for the copies of A and B to local memory and for the stores of C.
  std::string options() const;

  /// Workspaces of the slices of k and of the copies.
  std::vector<Workspace> workspaces(const Slices& slices, const TileGroups& tiles) const;

  /// Launches of the copies and the product, by groups of `items` work-items.
  std::vector<Launch> launches(const DeviceProfile& device, const TileGroups& tiles, std::int64_t items,
                               const Slices& slices) const;
};

struct RankedConfiguration {
  double cycles;
  Configuration configuration;
};

/// The configurations with the least cycles, fastest first: enough of them for devices that cannot run all.
std::vector<Configuration> fastest(std::vector<RankedConfiguration> ranked);

/// Whether "align" changes nothing.
bool has_aligned_rows(const GemmProblem& problem);

/// Bytes of local memory: those of `stages` tiles of both operands, or of the part of a tile of C that is stored at a
/// time, `staged` rows, if that is larger.
std::uint64_t ring_bytes(const Configuration& configuration, const GemmProblem& problem, std::int64_t staged);

constexpr const char* tensor_rows_file = "gemm/tensor_rows.cl";

}  // namespace tilewright::detail
