// The constants of the model of time in wave_time.hpp. Those of the library are fitted to timings on an H200, and some
// to timings on an H100 (docs/notebook/wave-model.md). A device may have its own (fitted_times.hpp).
#pragma once

#include <string>

#include "runtime/device/driver_quirks.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Cycles of launches and of adding slices of k.
struct LaunchTime {
  double first = 9010;         ///< launch of the product
  double last_group = 1030;    ///< per tile, until the last group sees its slices
  double rate_of_slice = 1e9;  ///< bytes per cycle at which a group writes its slice
  double rate_of_group = 27;   ///< bytes per cycle at which the last group reads all slices
  double second = 9470;        ///< another launch that adds the slices
  double rate_of_sums = 19.4;  ///< bytes per cycle and compute unit that this launch reads
};

/// Factors of the times in a table of tiles.
struct TableFactors {
  double step = 1, alone = 1, start = 1, finish = 1;
};

struct WaveConstants {
  double memory_rate = 14.2;  ///< bytes per cycle and compute unit from memory

  /// tensor_core, per step of k of 16-bit elements: warps multiply, read tiles from local memory, and copy tiles there.
  struct Warps {
    double element = 8e-4;           ///< per element of the tile of C
    double read = 0.005;             ///< per line that a warp reads
    double line = 0.016;             ///< per line of the tiles of A and B
    double alone = 4.56;             ///< minimum of a step
    double alone_element = 0.00443;  ///< and per element of a warp's part
  } warps{};

  /// tensor_warpgroup, per step of k of 16-bit elements.
  struct Warpgroups {
    double element = 4.4e-4, line = 0.005;
    double alone = 4, alone_column = 0.0234;  ///< minimum of a step, and per column of the tile
  } warpgroups{};

  /// Both of them.
  struct TensorTiles {
    double parts = 2.8;                                     ///< how much longer a step takes with elements in two parts
    double beside_copies = 0.77;                            ///< share of a step that narrow copies cannot hide
    double copied_elements = 0.196, copied_vectors = 0.32;  ///< per line and step, times the vectors in 16 bytes
    double latency = 1700;                                  ///< from the copy of a tile to its multiplication
    double memory_latency = 1500;                          ///< of chunks that pass through registers, if memory is read
    double start = 3000;                                   ///< per wave
    double stored_vectors = 0.17, stored_elements = 0.25;  ///< per element of the tile of C
    double read_rate = 60;                                 ///< bytes per cycle and compute unit from the cache
    double split = 1.25;                                   ///< factor of reads of rows that begin within a sector
    double not_hidden = 0.3;  ///< share of the shorter of the times of reads and of memory that the other does not hide
    double moved_by_boxes = 0.88;                ///< share of the time that others take to move matrices
    double copying = 7000, copying_rate = 7.69;  ///< a launch that copies an operand, bytes per cycle and unit
    LaunchTime launches{.second = 7000};
  } tensor{};

  struct Table {
    TableFactors factors{};
    double read_rate;
    LaunchTime launches;
  };
  Table tensor_f64{.read_rate = 120,
                   .launches = {.first = 1586,
                                .last_group = 2711,
                                .rate_of_slice = 54.3,
                                .rate_of_group = 27.2,
                                .second = 16773,
                                .rate_of_sums = 20.7}};
  Table async_tile{.read_rate = 16.4,
                   .launches = {.first = 5356,
                                .last_group = 1625,
                                .rate_of_slice = 20.0,
                                .rate_of_group = 25.0,
                                .second = 24000,
                                .rate_of_sums = 88.0}};

  /// group_reduction: factors of its time for elements of 16 bits, which are converted; of 16 bits if a thin side of
  /// few lines meets rows that are not whole vectors, or if rows along k are read in vectors of eight; and of 32 and 64
  /// bits.
  struct Reduction {
    double half = 1.29, half_by_elements = 1.05, half_by_eights = 0.9, single_precision = 1, double_precision = 1.3;
    double read_rate = 22.4;
    LaunchTime launches{};
  } reduction{};

  /// team_per_product, in words of four bytes: cycles of a warp to read a word from local memory, to multiply and add,
  /// and of 32 work-items to copy or store a word; per wave. A step takes at least `alone` per word that a work-item
  /// reads, and `copied_alone` per element that it copies, of any type and however often.
  struct Teams {
    double read = 0.265, multiply_add = 0.466;
    double copied = 9.4, stored = 7.7;
    double alone = 10.5, copied_alone = 57, start = 610;
  } teams{};
};

/// Calls use(name, constant) for every constant. Names are those of the fields.
template <class Constants, class Use>
void for_each_constant(Constants& c, const Use& use) {
  const auto launches = [&](const std::string& of, auto& time) {
    use(of + ".first", time.first);
    use(of + ".last_group", time.last_group);
    use(of + ".rate_of_slice", time.rate_of_slice);
    use(of + ".rate_of_group", time.rate_of_group);
    use(of + ".second", time.second);
    use(of + ".rate_of_sums", time.rate_of_sums);
  };
  const auto table = [&](const std::string& of, auto& times) {
    use(of + ".step", times.factors.step);
    use(of + ".alone", times.factors.alone);
    use(of + ".start", times.factors.start);
    use(of + ".finish", times.factors.finish);
    use(of + ".read_rate", times.read_rate);
    launches(of, times.launches);
  };
  use("memory_rate", c.memory_rate);
  use("warps.element", c.warps.element);
  use("warps.read", c.warps.read);
  use("warps.line", c.warps.line);
  use("warps.alone", c.warps.alone);
  use("warps.alone_element", c.warps.alone_element);
  use("warpgroups.element", c.warpgroups.element);
  use("warpgroups.line", c.warpgroups.line);
  use("warpgroups.alone", c.warpgroups.alone);
  use("warpgroups.alone_column", c.warpgroups.alone_column);
  use("tensor.parts", c.tensor.parts);
  use("tensor.beside_copies", c.tensor.beside_copies);
  use("tensor.copied_elements", c.tensor.copied_elements);
  use("tensor.copied_vectors", c.tensor.copied_vectors);
  use("tensor.latency", c.tensor.latency);
  use("tensor.memory_latency", c.tensor.memory_latency);
  use("tensor.start", c.tensor.start);
  use("tensor.stored_vectors", c.tensor.stored_vectors);
  use("tensor.stored_elements", c.tensor.stored_elements);
  use("tensor.read_rate", c.tensor.read_rate);
  use("tensor.split", c.tensor.split);
  use("tensor.not_hidden", c.tensor.not_hidden);
  use("tensor.moved_by_boxes", c.tensor.moved_by_boxes);
  use("tensor.copying", c.tensor.copying);
  use("tensor.copying_rate", c.tensor.copying_rate);
  launches("tensor", c.tensor.launches);
  table("tensor_f64", c.tensor_f64);
  table("async_tile", c.async_tile);
  use("reduction.half", c.reduction.half);
  use("reduction.half_by_elements", c.reduction.half_by_elements);
  use("reduction.half_by_eights", c.reduction.half_by_eights);
  use("reduction.single_precision", c.reduction.single_precision);
  use("reduction.double_precision", c.reduction.double_precision);
  use("reduction.read_rate", c.reduction.read_rate);
  launches("reduction", c.reduction.launches);
  use("teams.read", c.teams.read);
  use("teams.multiply_add", c.teams.multiply_add);
  use("teams.copied", c.teams.copied);
  use("teams.stored", c.teams.stored);
  use("teams.alone", c.teams.alone);
  use("teams.copied_alone", c.teams.copied_alone);
  use("teams.start", c.teams.start);
}

/// Whether the model predicts times on a device: NVIDIA's GPUs.
inline bool has_wave_times(const DeviceProfile& device) {
  return device.type == DeviceType::gpu && quirks_of(device.vendor).takes_ptx;
}

inline const WaveConstants& constants_of(const DeviceProfile& device) {
  static constexpr WaveConstants of_library{};
  return device.wave_constants ? *device.wave_constants : of_library;
}

}  // namespace tilewright::detail
