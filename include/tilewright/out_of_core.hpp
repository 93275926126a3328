// Products of matrices in host memory, which may be larger than the device's: C = alpha op(A) op(B) + beta C.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// The matrices and scalars of one product, as BLAS has them: pointers to the first elements of A, B and C in host
/// memory, aligned to their type. If beta = 0, C is not read. If alpha = 0 or k = 0, A and B are not read and may be
/// null. C shares no element with A, B or c_in, but their rows may interleave: they may be blocks of one matrix.
struct HostOperands {
  Scalar alpha = 1;
  const void* a = nullptr;
  const void* b = nullptr;
  Scalar beta = 0;
  void* c = nullptr;
  /// The matrix that beta scales, stored with C's layout and leading dimension; null or equal to `c`: C itself. Lets an
  /// interrupted product resume.
  const void* c_in = nullptr;
};

/// How tiles come to the device.
enum class TileTransfer {
  automatic,  ///< what is faster on the device
  staged,     ///< through pinned host memory into the device's, and back
  in_place,   ///< kernels use the caller's memory where it is: for devices that are the host's processor
};

/// "automatic", "staged" or "in_place".
TILEWRIGHT_API std::string_view to_string(TileTransfer transfer);

/// What a device and its link can do: what schedules are chosen by. Bytes and operations per second.
struct TransferSpeeds {
  double upload = 0;       ///< from pinned host memory to the device
  double download = 0;     ///< and back
  double host_copy = 0;    ///< from host memory to pinned memory, one thread
  double flops = 0;        ///< of large products in the type
  double tile_update = 0;  ///< elements of C that are read and written again, beside the product
  double launch = 0;       ///< seconds that a product takes at least

  friend bool operator==(const TransferSpeeds&, const TransferSpeeds&) = default;
};

/// The speeds of a device for products of one type, f32 or f64. Measured when first asked for, which takes a second or
/// less and up to 256 MiB of device memory, then kept: in the engine, and beside the device's tuning records for other
/// processes with the same driver and library (not where TILEWRIGHT_RECORDS is "off"). Where an OutOfCorePlan takes
/// less than half of the second or more that it expected by kept ones, these are measured anew, once.
TILEWRIGHT_API TransferSpeeds transfer_speeds(const Engine& engine, DataType type);

/// How large a product's tiles are to be, and what the device may keep; 0: the model chooses.
struct TileSizes {
  std::uint64_t m = 0;  ///< rows of a tile of C
  std::uint64_t n = 0;  ///< columns of it
  std::uint64_t k = 0;  ///< depth of the slabs of A and B

  friend bool operator==(const TileSizes&, const TileSizes&) = default;
};

struct OutOfCoreOptions {
  /// Bytes that the call may allocate through OpenCL at any moment: tiles, slabs, workspace and pinned memory together.
  /// 0: nine tenths of the device's memory. Compiled programs do not count.
  std::uint64_t memory = 0;
  /// Threads that copy to and from pinned memory; 1 is the caller's alone. The others live during run().
  unsigned copy_threads = 1;
  TileTransfer transfer = TileTransfer::automatic;
  TileSizes tile{};
  std::optional<TransferSpeeds> speeds{};  ///< instead of the measured ones
  Choice choice{};                         ///< of the products of all tiles; empty: the selector's, for each size
};

/// How a product is done: in tiles of C that stay on the device while slabs of A and B are streamed by.
struct TileSchedule {
  TileTransfer transfer = TileTransfer::staged;
  Choice choice{};                             ///< OutOfCoreOptions::choice
  TileSizes tile{};                            ///< the last ones of a row, column or depth may be smaller
  std::uint64_t tiles_m = 0, tiles_n = 0;      ///< of C
  std::uint64_t tiles_k = 0;                   ///< slabs along k
  bool by_columns = false;                     ///< tiles of C follow one another along columns, else along rows
  std::uint64_t slots_a = 0, slots_b = 0;      ///< slabs of A and of B that the device keeps
  std::uint64_t slots_c = 0;                   ///< tiles of C on the device
  std::uint64_t chunk_bytes = 0;               ///< of pinned memory
  unsigned chunks_up = 0, chunks_down = 0;     ///< how many of them
  std::uint64_t tile_bytes = 0;                ///< device memory for slabs and tiles
  std::uint64_t workspace_bytes = 0;           ///< what products take beside
  std::uint64_t staging_bytes = 0;             ///< pinned memory
  std::uint64_t bytes_up = 0, bytes_down = 0;  ///< over the link
  double upload_seconds = 0, download_seconds = 0, copy_seconds = 0, compute_seconds = 0;  ///< each for itself
  double seconds = 0;                                                                      ///< all of them, overlapped

  std::uint64_t tiles() const { return tiles_m * tiles_n; }
  std::uint64_t memory() const { return tile_bytes + workspace_bytes + staging_bytes; }
};

/// Several lines for people: what is done, what it takes, what is expected.
TILEWRIGHT_API std::string to_string(const TileSchedule& schedule);

/// The schedule that a product is expected to be fastest with; compiles nothing, but may measure, see
/// transfer_speeds(). Of the problem's members those of a single product of f32 or f64 count, without an epilogue;
/// `offset_alignment` means nothing. Throws Error(unsupported_type, invalid_batch, invalid_leading_dimension,
/// size_overflow, invalid_configuration), and out_of_memory where the memory does not suffice, with the least that
/// does.
TILEWRIGHT_API TileSchedule schedule_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                 const OutOfCoreOptions& options = {});

/// The least memory that a product can be done with. Throws what schedule_out_of_core() throws.
TILEWRIGHT_API std::uint64_t min_memory_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                    const OutOfCoreOptions& options = {});

/// A tile of C in elements, as the caller stores C.
struct ResultTile {
  std::uint64_t number = 0;  ///< in the schedule's order
  std::uint64_t row = 0, column = 0;
  std::uint64_t rows = 0, columns = 0;
};

/// The tile of a schedule with this number, from 0 to schedule.tiles() - 1, in the order in which run() starts tiles.
/// Consecutive tiles share a row or a column of tiles. Lets a program list the tiles of a product that it resumes.
/// Throws Error(invalid_configuration) if there is no tile with this number.
[[nodiscard]] TILEWRIGHT_API ResultTile tile_of(const GemmProblem& problem, const TileSchedule& schedule,
                                                std::uint64_t number);

struct OutOfCoreProgress {
  std::uint64_t tiles = 0, tiles_done = 0;  ///< those that were left out count as done
  std::uint64_t bytes_up = 0, bytes_down = 0;
  double work_done = 0;  ///< part of the product that is done or enqueued, up to 1
  double seconds = 0;    ///< since the call began
};

/// Functions of the caller, which run() calls in its own thread while commands are at work. An exception cancels the
/// product: no tile is started after it, tile_done() is still called for every tile that is finished, and then run()
/// throws the first exception. Later ones are dropped.
struct OutOfCoreCallbacks {
  /// Called again and again until it returns false, which cancels the product.
  std::function<bool(const OutOfCoreProgress&)> keep_going{};
  /// Called once for each tile when it is whole in C. A tile counts as reported even if the call throws.
  std::function<void(const ResultTile&)> tile_done{};
  /// Called once for each tile before it is started; true if C has it already.
  std::function<bool(const ResultTile&)> has_tile{};
};

struct OutOfCoreReport {
  bool cancelled = false;
  OutOfCoreProgress progress{};
};

/// A problem with its schedule and compiled kernels. Not for several threads at once; the engine may be.
class OutOfCorePlan {
 public:
  /// Throws what schedule_out_of_core() and GemmPlan's constructor throw.
  TILEWRIGHT_API OutOfCorePlan(const Engine& engine, const GemmProblem& problem, const OutOfCoreOptions& options = {});
  TILEWRIGHT_API ~OutOfCorePlan();
  TILEWRIGHT_API OutOfCorePlan(OutOfCorePlan&&) noexcept;
  TILEWRIGHT_API OutOfCorePlan& operator=(OutOfCorePlan&&) noexcept;

  /// C = alpha op(A) op(B) + beta C. Returns when C is done: unlike other calls of the library, this one blocks. Uses
  /// queues of its own, and device and pinned memory that the first call allocates and the plan keeps.
  /// The error bound of gemm() holds, except that |beta| |C| has the factor gamma_(tiles_k + 1).
  ///
  /// If the product is cancelled or the call throws, each tile of C is done or as it was, and tile_done() has been
  /// called once for each that is done: has_tile() lets another call do the others, with beta != 0, too. The exception
  /// is a device that fails while it writes to C. Then the call throws an Error whose message names the tiles that are
  /// partly written, and their content is unspecified. If a callback has thrown before, std::rethrow_if_nested() of
  /// that Error throws the callback's exception. When the call has returned or thrown, no command of it is at work.
  ///
  /// Throws Error(null_object, invalid_offset, overlapping_operands, device_lost, out_of_memory, opencl_failure) and
  /// what callbacks throw. With TileTransfer::in_place, operands that interleave over more bytes than one buffer of the
  /// device may have are out_of_memory.
  TILEWRIGHT_API OutOfCoreReport run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks = {}) const;

  TILEWRIGHT_API const GemmProblem& problem() const;
  TILEWRIGHT_API const TileSchedule& schedule() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and run in one call. Throws what they throw.
TILEWRIGHT_API OutOfCoreReport gemm_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                const HostOperands& operands, const OutOfCoreOptions& options = {},
                                                const OutOfCoreCallbacks& callbacks = {});

}  // namespace tilewright
