// What variants of spmm have in common.
#pragma once

#include <span>

#include "kernels/variant.hpp"
#include "selection/operation.hpp"
#include "spmm/problem.hpp"

namespace tilewright::detail {

using SpmmVariant = Variant<SpmmCore>;

template <>
struct Operation<SpmmCore> {
  static constexpr std::string_view name = "spmm";
  static std::uint64_t batch(const SpmmCore& core) { return is_batched(core) ? core.batch.count : 0; }
  static double depth(const SpmmCore& core) { return core.a.mean; }

  // See selection/operation.hpp. Records are of products whose B is row-major, as variants see them.
  static std::span<const SpmmVariant* const> variants();
  static SpmmCore normalized(const SpmmCore& core) { return core; }
  static std::string unsupported_type(const SpmmCore& core, const DeviceProfile& device);
  static DataType stored_type(const SpmmCore& core) { return core.type; }
  static UntunedChoice<SpmmCore> untuned(const SpmmCore& core, const DeviceProfile& device);
  static bool is_trivial(const SpmmCore& core) { return is_empty(core) || core.a.nonzeros == 0; }
  static double work(const SpmmCore& core);  ///< a multiply-add, or the end of a row, counts for two
  static bool same_kind(const SpmmCore& left, const SpmmCore& right);
  static double distance(const SpmmCore& left, const SpmmCore& right);
  static std::string key(const SpmmCore& core);
  static std::string label(const SpmmCore& core);  ///< "1000 x 2000 with 16000, n 32"
  static std::size_t hash(const SpmmCore& core);
};

/// What every kernel of spmm computes with.
inline std::vector<DataType> sums_of_reals() { return {DataType::f32, DataType::f64}; }
inline constexpr const char* only_reals = "spmm multiplies f32 and f64";

/// The steps of a chunk, where a configuration divides the walk over all rows; 0 where it does not.
std::uint64_t steps_of_chunk(const Configuration& configuration);

/// Whether chunks are held in local memory, so that none may have more steps than the others.
inline bool holds_chunks(const SpmmVariant& variant) { return variant.local_bytes != no_local_memory<SpmmCore>; }

/// The chunks that the walk is divided into; before that is done, how many there would be if all were full.
std::uint64_t chunks_of(const Configuration& configuration, const SpmmCore& core);

/// The steps of a chunk where the walk is long enough for one: the work of what computes a column of it.
double work_of_chunk(const Configuration& configuration, const SpmmCore& core);

/// The arguments that every kernel takes, in their order: SPMM_ARGUMENTS of cl/spmm/operands.cl.
std::vector<KernelArgument> spmm_arguments(const SpmmCore& core);

/// The same with those of chunks between the structure and A: CHUNK_ARGUMENTS of cl/spmm/chunks.cl.
std::vector<KernelArgument> chunk_arguments(const Configuration& configuration, const SpmmCore& core);

/// The launch that puts together one row that lies in several chunks; a plan has as many of it as there are such rows.
inline constexpr const char* divided_rows_kernel = "add_parts";
Launch divided_rows_launch(const Configuration& configuration, const SpmmCore& core, const DeviceProfile& device);

/// For variants whose groups, of "wg" work-items, have a chunk and a column each.
std::vector<Launch> launches_of_groups_with_chunks(const Configuration& configuration, const SpmmCore& core,
                                                   const DeviceProfile& device);

/// Two sums of each chunk and column: of the row that it begins with, and of the one that it ends in.
std::vector<Workspace> parts_of_chunks(const Configuration& configuration, const SpmmCore& core, const DeviceProfile&);

/// Work-items of the kernels beside the main one: 16 x copy in a group of rows_of_b, and those of a group of add_parts.
struct SideItems {
  std::size_t copy = 1, parts = 1;
};
SideItems side_items(const DeviceProfile& device);

/// -D options of every program but those of the configuration.
std::string spmm_defines(const SpmmCore& core, const DeviceProfile& device);

}  // namespace tilewright::detail
