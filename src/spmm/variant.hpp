// Types and functions that all variants of spmm share.
#pragma once

#include <span>

#include "kernels/variant.hpp"
#include "selection/operation.hpp"
#include "spmm/problem.hpp"
#include "spmm/slots.hpp"

namespace tilewright::detail {

using SpmmVariant = Variant<SpmmCore>;

template <>
struct Operation<SpmmCore> {
  static constexpr std::string_view name = "spmm";
  static std::uint64_t batch(const SpmmCore& core) { return is_batched(core) ? core.batch.count : 0; }
  static double depth(const SpmmCore& core) { return core.a.mean; }

  // See selection/operation.hpp. Records describe products with a row-major B, as variants see them.
  static std::span<const SpmmVariant* const> variants();
  static SpmmCore normalized(const SpmmCore& core) { return core; }
  static std::string unsupported_type(const SpmmCore& core, const DeviceProfile& device);
  static DataType stored_type(const SpmmCore& core) { return core.type; }
  static UntunedChoice<SpmmCore> untuned(const SpmmCore& core, const DeviceProfile& device);
  static bool is_trivial(const SpmmCore& core) { return is_empty(core) || core.a.nonzeros == 0; }
  static double work(const SpmmCore& core);  ///< operations; a multiply-add and the end of a row count as two each
  static bool same_kind(const SpmmCore& left, const SpmmCore& right);
  static double distance(const SpmmCore& left, const SpmmCore& right);
  static std::string label(const SpmmCore& core);  ///< "1000 x 2000 with 16000, n 32"
};

/// The needs of every variant of spmm.
inline constexpr Needs<SpmmCore> reals{.types = {DataType::f32, DataType::f64},
                                       .why_no_other_type = "spmm multiplies f32 and f64"};

/// The steps of a chunk if the variant divides the walk over all rows into chunks, otherwise 0.
std::uint64_t steps_of_chunk(const SpmmVariant& variant, const ParameterValues& values);

/// Whether chunks are held in local memory, which limits their steps.
inline bool holds_chunks(const SpmmVariant& variant) { return static_cast<bool>(variant.memory.local_bytes); }

// For variants that walk in chunks of `chunk` steps.

/// The number of chunks of the walk. Before the walk is divided: their number if all chunks were full.
std::uint64_t chunks_of(std::int64_t chunk, const SpmmCore& core);

/// The steps of a chunk, or of the whole walk if it is shorter.
double work_of_chunk(std::int64_t chunk, const SpmmCore& core);

/// The arguments that every kernel takes, in their order: SPMM_ARGUMENTS of cl/spmm/operands.cl.
std::vector<KernelArgument> spmm_arguments(const SpmmCore& core);

/// The arguments of kernels that walk in chunks: CHUNK_ARGUMENTS of cl/spmm/chunks.cl.
std::vector<KernelArgument> chunk_arguments(std::int64_t chunk, const SpmmCore& core);

/// The name of the kernel that adds the partial sums of one row that lies in several chunks.
inline constexpr const char* divided_rows_kernel = "add_parts";

/// The execution of a main kernel, and of the launch that adds the partial sums of one divided row. A plan has one such
/// launch per row. The workspace holds two partial sums per chunk and column: of the chunk's first row, and of its
/// last.
Execution with_divided_rows(Launch main, std::int64_t chunk, const SpmmCore& core, const DeviceProfile& device);

/// The parameters of variants whose groups compute a chunk and a column each.
struct GroupsWithChunks {
  std::int64_t chunk;  ///< rows plus stored elements of a group
  std::int64_t wg;     ///< work-items of a group
};
Execution execution_of_groups(const GroupsWithChunks& c, const SpmmCore& core, const DeviceProfile& device);

/// Work-items of the kernels next to the main one.
struct SideItems {
  std::size_t copy = 1;   ///< a group of rows_of_b has 16 x copy
  std::size_t parts = 1;  ///< a group of add_parts has so many
};
SideItems side_items(const DeviceProfile& device);

/// The -D options of every program, without those of the configuration.
std::string spmm_defines(const SpmmCore& core, const DeviceProfile& device);

}  // namespace tilewright::detail
