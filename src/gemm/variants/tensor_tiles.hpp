// Shared by the variants that multiply rows of bytes on NVIDIA's tensor cores: cl/gemm/tensor_core_tiles.cl. A and B
// are copied to local memory in 16-byte vectors. If their rows do not consist of whole sectors of 32 bytes, the
// parameter "align" of a configuration makes a launch copy them to rows that do. That copy is required if elements are
// not of 16 bits and rows do not run along k, or if elements are multiplied in parts.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "gemm/variants/wave_time.hpp"

namespace tilewright::detail {

/// Cycles per step of k of a work-group whose operands come in whole vectors, and its tile.
struct TileTime {
  std::int64_t tile_m, tile_n;
  double step;               ///< per group that shares the compute unit
  double alone;              ///< minimum, however few groups share the compute unit
  std::int64_t local_bytes;  ///< local memory, which limits how many groups share a compute unit
  std::int64_t items;        ///< work-items, whose registers limit it, too
  std::int64_t ahead;        ///< steps of k that are being copied while one is multiplied
};

/// Groups that a compute unit runs at a time, each with so much local memory and so many work-items.
std::int64_t groups_at_once(std::int64_t local_bytes, std::int64_t items);

/// A problem as such a variant computes it, with copies of operands only if needed (align = 0), or also to get whole
/// sectors (align = 1).
struct TensorProblem {
  const CoreProduct& problem;
  std::int64_t align;
  bool has_boxes = false;  ///< whether the launch can copy tiles as boxes (cl/gemm/tensor_boxes.cl)

  /// Parts of each element that are multiplied: 2 for fp32_split, otherwise 1.
  std::int64_t planes() const;
  /// Elements per 128-byte row of a tile.
  std::int64_t row() const;
  /// Lines of B that local memory has for tile_n columns. If rows of B run across k, a multiple of 64 (B_LINES).
  std::int64_t lines_of_b(std::int64_t tile_n) const;
  /// Bytes of `lines` lines of a tile of depth tile_k.
  std::int64_t tile_bytes(std::int64_t lines, std::int64_t tile_k) const;

  /// Whether the kernel copies A and B as boxes: it can, and their rows begin at multiples of 16 bytes.
  bool by_boxes() const;

  GroupTime time(const TileTime& in_vectors, const WaveConstants& constants) const;
  double copying_cycles(const DeviceProfile& device) const;

  /// The -D options for the stored operands, and for the stores of C.
  std::string options() const;
  /// The -D options for the copies of A and B to local memory. execution() sets them, because boxes need a device that
  /// has them.
  std::string copy_options() const;

  /// The execution of the copies and the product, by groups of `items` work-items.
  Execution execution(const DeviceProfile& device, const TileGroups& tiles, std::int64_t items,
                      const Division& division) const;

  /// The tensor maps of A and B for tiles of tile_m x tile_n x tile_k.
  std::vector<TensorMap> maps(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k) const;
  /// The -D options of their boxes.
  std::string box_options(std::int64_t tile_m, std::int64_t tile_n) const;
};

/// A problem with a value of "align", and the cycles of its copies.
struct Alignment {
  TensorProblem problem;
  double copying_cycles;
};

/// The values of "align" that differ for a problem: 0, and 1 unless all rows are aligned or C is empty.
std::vector<Alignment> alignments(const CoreProduct& problem, const DeviceProfile& device, bool has_boxes);

/// Returns the fastest of some tiles, with rows of 128 bytes and the best "align". A work-group takes
/// time_of(tiles, tensor_problem, constants). Tiles that exceed local memory are left out, except the first, and those
/// that a triangle cannot have.
template <class Tiles, class TimeOf>
std::vector<ParameterValues> fastest_tiles(std::span<const Tiles> candidates, const CoreProduct& problem,
                                           const DeviceProfile& device, bool has_boxes, const TimeOf& time_of) {
  // All tiles take equally long for an empty C, on which work_of() is no bound.
  if (problem.m == 0 || problem.n == 0) candidates = candidates.first(3);
  const std::uint64_t memory = std::max(device.local_memory_bytes, device.static_local_memory_bytes);
  std::vector<TimedCandidate> all;
  const std::vector<Alignment> aligned = alignments(problem, device, has_boxes);
  all.reserve(candidates.size() * aligned.size());
  for (Tiles tiles : candidates) {
    if (problem.triangle && !numbers_tiles(tiles, problem)) continue;
    for (const auto& [tensor_problem, copying_cycles] : aligned) {
      tiles.tile_k = tensor_problem.row();
      tiles.align = tensor_problem.align;
      const auto bytes = static_cast<std::uint64_t>(stages_bytes(tiles, tensor_problem));
      if (bytes >= memory && !all.empty()) continue;
      all.push_back({tiles, time_of(tiles, tensor_problem, constants_of(device)), tile_groups(tiles, problem),
                     rules_of_slices(tiles), copying_cycles});
    }
  }
  return fastest(all, problem, device);
}

/// Bytes of `stages` tiles of both operands.
template <class Parameters>
std::int64_t stages_bytes(const Parameters& c, const TensorProblem& p) {
  return c.stages * p.tile_bytes(c.tile_m + p.lines_of_b(c.tile_n), c.tile_k);
}

/// Bytes of local memory: those of all stages, or of the part of a tile of C that is stored at a time, `staged` rows,
/// if that is larger.
template <class Parameters>
std::uint64_t ring_bytes(const Parameters& c, const CoreProduct& problem, std::int64_t staged) {
  const std::int64_t tiles = stages_bytes(c, TensorProblem{problem, 0});
  const std::int64_t rows = staged * (c.tile_n + 8) * 4;
  return static_cast<std::uint64_t>(std::max(tiles, rows));
}

constexpr const char* tensor_rows_file = "gemm/tensor_rows.cl";

}  // namespace tilewright::detail
