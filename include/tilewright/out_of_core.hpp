// Products of matrices in host memory that may be larger than the device's memory: C = alpha op(A) op(B) + beta C.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// The matrices and scalars of one call. Matrices are in host memory, aligned to their element type.
///
/// C shares no element with A, B or `c_in`. Their rows may interleave, as the rows of blocks of one matrix do. A and B
/// may overlap or be the same matrix.
struct HostOperands {
  Scalar alpha = 1;         ///< 0: A and B are not read and may be null
  const void* a = nullptr;  ///< first element of A
  const void* b = nullptr;  ///< first element of B
  Scalar beta = 0;          ///< 0: C is not read
  void* c = nullptr;        ///< first element of C

  /// First element of the matrix that beta scales, stored with the layout and leading dimension of C. Null or equal to
  /// `c`: C itself. Lets an interrupted product resume.
  const void* c_in = nullptr;
};

/// How matrices in host memory reach the kernels.
enum class TileTransfer {
  automatic,  ///< in_place if the device is the host's processor and needs no alignment, otherwise staged
  staged,     ///< tiles are copied through pinned host memory to the device's memory and back
  in_place,   ///< kernels read and write the caller's memory; for devices that are the host's processor
};

/// Returns "automatic", "staged" or "in_place"; "unknown" for a value that is no TileTransfer.
[[nodiscard]] TILEWRIGHT_API std::string_view to_string(TileTransfer transfer);

/// Speeds of a device and its link, by which tiles are chosen and work is divided. Each is finite and at least 0; 0
/// means unknown and counts as free.
struct TransferSpeeds {
  double upload = 0;       ///< bytes per second from pinned host memory to the device
  double download = 0;     ///< bytes per second from the device to pinned host memory
  double host_copy = 0;    ///< bytes per second that one thread copies from host memory to pinned memory
  double flops = 0;        ///< floating-point operations per second of large products
  double tile_update = 0;  ///< elements of C per second that a product reads and writes, in addition to its arithmetic
  double launch = 0;       ///< seconds that the shortest product takes

  friend bool operator==(const TransferSpeeds&, const TransferSpeeds&) = default;
};

/// Returns the speeds of a device for products of one type, f32 or f64.
///
/// The first call measures them, which takes up to a second and up to 256 MiB of device memory. The engine remembers
/// them. They are also stored next to the device's tuning records, for other processes with the same driver and version
/// of the library. The environment variable TILEWRIGHT_RECORDS=off prevents that. If an OutOfCorePlan takes less than
/// half of the time that stored speeds predict, they are measured again, but only once.
///
/// Throws Error with
///   unsupported_type                            the type is neither f32 nor f64, or the device lacks it
///   build_failed                                the driver rejected a kernel
///   out_of_memory, device_lost, opencl_failure  the device failed
[[nodiscard]] TILEWRIGHT_API TransferSpeeds transfer_speeds(const Engine& engine, DataType type);

/// Sizes of the tiles of C and the slabs of A and B. In options, 0 lets the library choose.
struct TileSizes {
  std::uint64_t m = 0;  ///< rows of a tile of C
  std::uint64_t n = 0;  ///< columns of a tile of C
  std::uint64_t k = 0;  ///< columns of a slab of op(A), rows of a slab of op(B)

  friend bool operator==(const TileSizes&, const TileSizes&) = default;
};

/// Limits and choices for a product of matrices in host memory. The defaults suit most products.
struct OutOfCoreOptions {
  /// Bytes that the call may allocate through OpenCL at any moment: tiles, slabs, workspace and pinned memory together.
  /// Compiled programs do not count. 0: nine tenths of the device's memory.
  std::uint64_t memory = 0;

  /// Threads that copy to and from pinned memory, including the caller's. The others live during run(). At most 256.
  unsigned copy_threads = 1;

  TileTransfer transfer = TileTransfer::automatic;  ///< how matrices reach the kernels
  TileSizes tile{};                                 ///< sizes of tiles and slabs; 0: the library chooses
  std::optional<TransferSpeeds> speeds{};           ///< used instead of the measured speeds
  Choice choice{};  ///< variant of the products of all tiles; empty: chosen for each size
};

/// How a product is computed: each tile of C stays on the device while slabs of A and B are streamed to it.
struct TileSchedule {
  TileTransfer transfer = TileTransfer::staged;  ///< never automatic
  Choice choice{};                               ///< variant of the products, as in the options
  TileSizes tile{};                              ///< the last tile or slab along a dimension may be smaller
  std::uint64_t tiles_m = 0;                     ///< tiles along the rows of C
  std::uint64_t tiles_n = 0;                     ///< tiles along the columns of C
  std::uint64_t tiles_k = 0;                     ///< slabs along k
  bool by_columns = false;                       ///< whether tiles of C follow each other along columns, not rows
  std::uint64_t slots_a = 0;                     ///< slabs of A that the device holds
  std::uint64_t slots_b = 0;                     ///< slabs of B that the device holds
  std::uint64_t slots_c = 0;                     ///< tiles of C that the device holds
  std::uint64_t chunk_bytes = 0;                 ///< bytes of one chunk of pinned memory
  unsigned chunks_up = 0;                        ///< chunks of pinned memory for uploads
  unsigned chunks_down = 0;                      ///< chunks of pinned memory for downloads
  std::uint64_t tile_bytes = 0;                  ///< device memory for slabs and tiles
  std::uint64_t workspace_bytes = 0;             ///< device memory for the workspace of the products
  std::uint64_t staging_bytes = 0;               ///< pinned memory
  std::uint64_t bytes_up = 0;                    ///< predicted bytes of all uploads
  std::uint64_t bytes_down = 0;                  ///< predicted bytes of all downloads
  double upload_seconds = 0;                     ///< predicted time of all uploads alone
  double download_seconds = 0;                   ///< predicted time of all downloads alone
  double copy_seconds = 0;                       ///< predicted time of all copies between host and pinned memory
  double compute_seconds = 0;                    ///< predicted time of all products alone
  double seconds = 0;                            ///< predicted time of the call, in which these steps overlap

  /// Returns the number of tiles of C.
  [[nodiscard]] std::uint64_t tiles() const { return tiles_m * tiles_n; }
  /// Returns the bytes that the call allocates through OpenCL.
  [[nodiscard]] std::uint64_t memory() const { return tile_bytes + workspace_bytes + staging_bytes; }
};

/// Returns a summary of several lines for people: tiles, memory, transfers and predicted times.
[[nodiscard]] TILEWRIGHT_API std::string to_string(const TileSchedule& schedule);

/// Returns the schedule with the shortest predicted time. Compiles nothing, but measures the device's speeds if the
/// options hold none and none are stored, which takes up to a second.
///
/// The problem is one product of f32 or f64 without an epilogue. Its `offset_alignment` is ignored.
///
/// Throws Error with
///   unsupported_type           the type is neither f32 nor f64, or C has another type, or there is an epilogue
///   invalid_batch              the problem is a batch
///   invalid_leading_dimension  a leading dimension is smaller than a row (or column) of its matrix
///   size_overflow              a matrix has more bytes than 64-bit offsets can address
///   invalid_configuration      a speed is negative or not finite, or the device cannot allocate tiles of these sizes
///   out_of_memory              options.memory is too small; the message holds the least that suffices
///   device_lost, opencl_failure, build_failed   measuring the speeds failed
[[nodiscard]] TILEWRIGHT_API TileSchedule schedule_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                               const OutOfCoreOptions& options = {});

/// Returns the smallest OutOfCoreOptions::memory with which a product can be computed.
///
/// Throws Error with
///   unsupported_type           the type is neither f32 nor f64, or C has another type, or there is an epilogue
///   invalid_batch              the problem is a batch
///   invalid_leading_dimension  a leading dimension is smaller than a row (or column) of its matrix
///   size_overflow              a matrix has more bytes than 64-bit offsets can address
///   invalid_configuration      a speed is negative or not finite, or the device cannot allocate tiles of these sizes
///   out_of_memory              the device cannot even allocate the smallest tiles
[[nodiscard]] TILEWRIGHT_API std::uint64_t min_memory_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                                  const OutOfCoreOptions& options = {});

/// A tile of C: a rectangle, with rows and columns counted as the caller's layout stores C.
struct ResultTile {
  std::uint64_t number = 0;   ///< position in the order in which tiles are started, from 0 on
  std::uint64_t row = 0;      ///< first row
  std::uint64_t column = 0;   ///< first column
  std::uint64_t rows = 0;     ///< number of rows
  std::uint64_t columns = 0;  ///< number of columns
};

/// Returns the tile of a schedule with this number, from 0 to schedule.tiles() - 1. Consecutive tiles share a row or a
/// column of tiles. Lets a program list the tiles of a product that it resumes.
/// Throws Error(invalid_configuration) if the schedule has no tile with this number.
[[nodiscard]] TILEWRIGHT_API ResultTile tile_of(const GemmProblem& problem, const TileSchedule& schedule,
                                                std::uint64_t number);

/// How far a call has come.
struct OutOfCoreProgress {
  std::uint64_t tiles = 0;       ///< tiles of the product
  std::uint64_t tiles_done = 0;  ///< tiles that are complete in C, including those that has_tile() left out
  std::uint64_t bytes_up = 0;    ///< bytes of the uploads that were enqueued
  std::uint64_t bytes_down = 0;  ///< bytes of the downloads that were enqueued
  double work_done = 0;          ///< fraction of the product that is done or enqueued, up to 1
  double seconds = 0;            ///< time since the call began
};

/// Functions of the caller that run() calls in its own thread while the device works. Each may be empty.
///
/// An exception cancels the product: no further tile is started, tile_done() is called for every tile that is still
/// finished, and run() then throws the exception. If several calls throw, run() throws the first exception and drops
/// the others.
struct OutOfCoreCallbacks {
  /// Called repeatedly until it returns false, which cancels the product.
  std::function<bool(const OutOfCoreProgress&)> keep_going{};
  /// Called once for each tile when it is complete in C. A call that throws counts as a report of its tile.
  std::function<void(const ResultTile&)> tile_done{};
  /// Called once for each tile before it is started. Returns true if C already holds the tile, which is then left out.
  std::function<bool(const ResultTile&)> has_tile{};
};

/// The outcome of a call.
struct OutOfCoreReport {
  bool cancelled = false;        ///< whether keep_going() returned false
  OutOfCoreProgress progress{};  ///< at the end of the call
};

/// A tile of C that a failed device has written in part.
struct PartialTile {
  ResultTile tile{};      ///< the whole tile
  ResultTile complete{};  ///< the part that is complete in C: the first rows or columns of the tile, or none
  /// Whether the rest of the tile still has its old content, which holds for TileTransfer::staged. Otherwise its
  /// content is unspecified.
  bool is_rest_unchanged = false;
};

/// The Error of OutOfCorePlan::run() if the device failed while it wrote to C. Its code(), operand() and
/// opencl_status() are those of the failure. Its message names the tiles, unless the host has no memory for that.
class TILEWRIGHT_API PartlyWritten : public Error {
 public:
  /// `tiles` is not null.
  PartlyWritten(const Error& error, std::shared_ptr<const std::vector<PartialTile>> tiles) noexcept
      : Error(error), tiles_(std::move(tiles)) {}

  /// Returns the tiles that C holds in part. All other tiles are complete or unchanged.
  const std::vector<PartialTile>& tiles() const noexcept { return *tiles_; }

 private:
  std::shared_ptr<const std::vector<PartialTile>> tiles_;  // copies of exceptions must not throw
};

/// A product of matrices in host memory with its schedule and compiled kernels. Run it as often as you like, from one
/// thread at a time. Several plans of one engine may run at the same time.
///
/// Accuracy: |C' - C| <= gamma_(k+2) |alpha| |A| |B| + gamma_(s+1) |beta| |C| element by element, where C' is the
/// result and s is the number of slabs along k, TileSchedule::tiles_k. A sum over s slabs is rounded s times.
class OutOfCorePlan {
 public:
  /// Chooses a schedule and compiles its kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds
  /// warm. Measures the device's speeds if the options hold none and none are stored, which takes up to a second.
  ///
  /// The problem is one product of f32 or f64 without an epilogue. Its `offset_alignment` is ignored.
  ///
  /// Throws Error with
  ///   unsupported_type           the type is neither f32 nor f64, or C has another type, or there is an epilogue
  ///   invalid_batch              the problem is a batch
  ///   invalid_leading_dimension  a leading dimension is smaller than a row (or column) of its matrix
  ///   size_overflow              a matrix has more bytes than 64-bit offsets can address
  ///   unknown_variant, unknown_parameter, unsupported_variant   options.choice is wrong for the products of the tiles
  ///   invalid_configuration      a speed is negative or not finite, options.choice has an invalid value, or the device
  ///                              cannot allocate tiles of these sizes
  ///   out_of_memory              options.memory is too small; the message holds the least that suffices
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   device_lost, opencl_failure
  TILEWRIGHT_API OutOfCorePlan(const Engine& engine, const GemmProblem& problem, const OutOfCoreOptions& options = {});
  TILEWRIGHT_API ~OutOfCorePlan();
  TILEWRIGHT_API OutOfCorePlan(OutOfCorePlan&&) noexcept;
  TILEWRIGHT_API OutOfCorePlan& operator=(OutOfCorePlan&&) noexcept;

  /// Computes C = alpha op(A) op(B) + beta C and returns when C is complete; other operations return earlier.
  /// Uses its own queues. The first call allocates device and pinned memory, which the plan keeps. When the call has
  /// returned or thrown, none of its commands is still running.
  ///
  /// With TileTransfer::in_place, operands whose rows interleave share one buffer, and so do A and B if they are the
  /// same matrix. If such operands span more bytes than one buffer of the device may have, TileTransfer::automatic
  /// stages them, and in_place throws out_of_memory.
  ///
  /// If the product is cancelled or the call throws, each tile of C is complete or unchanged, and tile_done() has been
  /// called once for each complete tile. With has_tile(), another call can compute the other tiles, also if beta is not
  /// 0. The only exception is a device that fails while it writes to C. The call then throws PartlyWritten, which lists
  /// the partly written tiles. With TileTransfer::staged it also says which rows or columns of them are complete, and
  /// the others are unchanged. With in_place their content is unspecified.
  ///
  /// If both a callback and the device fail, the call throws
  ///   the callback's exception   if it came first and every tile is complete or unchanged
  ///   the device's Error         if the device failed first, or tiles are partly written; if a callback threw before
  ///                              the device failed, std::rethrow_if_nested() of the Error throws its exception
  ///
  /// All operands are checked before anything is enqueued.
  /// Throws what callbacks throw, and Error, whose operand() names the culprit, with
  ///   invalid_scalar        alpha or beta has an imaginary part
  ///   null_object           a matrix that is read or written is null
  ///   invalid_offset        a pointer is not aligned to the element type
  ///   overlapping_operands  C shares elements with A, B or c_in
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API OutOfCoreReport run(const HostOperands& operands, const OutOfCoreCallbacks& callbacks = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GemmProblem& problem() const;    ///< the problem, as passed to the constructor
  [[nodiscard]] TILEWRIGHT_API const TileSchedule& schedule() const;  ///< tiles, memory and predicted times

  /// Returns which kernels run, and why: one part for each size that a product of a tile and its slabs has.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Plans and runs a product of matrices in host memory in one call. Blocks until C is complete. A repeated problem is
/// faster with an OutOfCorePlan, which keeps its kernels and its memory.
/// Throws what OutOfCorePlan's constructor and OutOfCorePlan::run() throw.
TILEWRIGHT_API OutOfCoreReport gemm_out_of_core(const Engine& engine, const GemmProblem& problem,
                                                const HostOperands& operands, const OutOfCoreOptions& options = {},
                                                const OutOfCoreCallbacks& callbacks = {});

}  // namespace tilewright
