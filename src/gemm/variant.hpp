// What a GEMM variant says of itself. The selector, the plan, the tests and the command read these structs and know
// nothing else of any variant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/problem.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// A rule that a configuration keeps, and why.
struct GemmConstraint {
  const char* rule;
  const char* reason;
  bool (*holds)(const Configuration&, const GemmProblem&, const DeviceProfile&);
};

/// What a kernel argument is bound to. a, b, c and workspace take two arguments: the buffer and an offset in elements;
/// an image is a workspace of that kind; batch takes what BATCH_ARGUMENTS stands for in the kernel file.
enum class Operand { m, n, k, alpha, beta, a, b, c, lda, ldb, ldc, workspace, image, index, offset, batch };

struct KernelArgument {
  Operand operand;
  std::uint64_t value = 0;  ///< which workspace, or the value of an index or offset
};

/// Device memory beside the operands.
struct Workspace {
  enum class Kind { buffer, float4_image } kind = Kind::buffer;
  std::uint64_t bytes = 0;
  std::size_t width = 0;  ///< images, in texels
  std::size_t height = 0;
};

/// A copy of A or B in a workspace.
struct Preparation {
  Operand input;            ///< a or b
  std::uint64_t workspace;  ///< which one it fills
  std::string form;         ///< what the copy looks like: equal for copies that may stand for one another
};

/// One kernel launch of a plan.
struct Pass {
  const char* kernel = "gemm";
  std::vector<KernelArgument> arguments{};
  std::vector<std::size_t> global{};      ///< of one product; the products of a batch multiply the third dimension
  std::vector<std::size_t> local{};       ///< empty: the driver chooses
  std::optional<Preparation> prepares{};  ///< such a pass is left out where A and B are not read
  bool shared = false;                    ///< once for all products of a batch
  double work_per_group = 0;              ///< multiply-adds, where that is not the same for all problems of the same k
  std::string defines{};                  ///< -D options that only a plan with this launch needs
  /// Work-groups of one enqueue along each dimension, at most: DeviceProfile::max_work_groups, as launches() notes.
  std::array<std::size_t, 3> most_groups{};
};

/// A variant: its kernel file, its parameters and how it is launched. Every function takes a normalized problem.
struct GemmVariant {
  const char* name;
  const char* summary;
  const char* file;                         ///< below cl/
  std::vector<const char*> shared_files{};  ///< what comes before it in the source, below cl/ too
  std::vector<GemmParameter> parameters;
  std::vector<Configuration> strategies;
  std::vector<GemmConstraint> constraints;

  /// Empty where the variant can do the problem on the device, else why it cannot.
  std::string (*unsupported)(const GemmProblem&, const DeviceProfile&);

  /// Configurations to use untuned, best first; the first one that keeps the constraints is taken.
  std::vector<Configuration> (*preferences)(const GemmProblem&, const DeviceProfile&);

  /// Parameters that only the launch depends on: no -D options, so that one program serves all their values.
  std::vector<std::string_view> launch_parameters{};

  /// -D options beside the parameters themselves; may be null.
  std::string (*extra_defines)(const Configuration&, const GemmProblem&);

  std::uint64_t (*local_bytes)(const Configuration&, const GemmProblem&);
  /// What a work-item of the kernel "gemm" takes that may not be in registers: its arrays, see kept_across_barriers().
  std::uint64_t (*private_bytes)(const Configuration&, const GemmProblem&, const DeviceProfile&);
  std::optional<Ability> needs{};    ///< probed before the first program is compiled
  bool static_local_memory = false;  ///< may take what DeviceProfile::static_local_memory_bytes says
  std::vector<Workspace> (*workspaces)(const Configuration&, const GemmProblem&,
                                       const DeviceProfile&);  ///< may be null: none
  /// The launches, one of which is that of the kernel "gemm"; launches() is what to ask.
  std::vector<Pass> (*passes)(const Configuration&, const GemmProblem&, const DeviceProfile&);
};

// The variants, each in the file of its name.
extern const GemmVariant naive;
extern const GemmVariant row_per_item;
extern const GemmVariant private_row;
extern const GemmVariant local_column;
extern const GemmVariant local_tile;
extern const GemmVariant register_strip;
extern const GemmVariant register_blocked;
extern const GemmVariant image_tile;
extern const GemmVariant packed_panel;
extern const GemmVariant skinny;
extern const GemmVariant tensor_f64;
extern const GemmVariant async_tile;

/// A variant's passes with the dimensions of a batch and the device's limits.
std::vector<Pass> launches(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                           const DeviceProfile& device);

/// The arguments that every gemm kernel takes, in their order.
std::vector<KernelArgument> gemm_arguments();

/// The launch of kernels that compute a row of C per work-item, "wg" of them in a group.
std::vector<Pass> pass_over_rows(const Configuration& configuration, const GemmProblem& problem,
                                 const DeviceProfile& device);

/// The work of a configuration's product.
struct GroupWork {
  double groups;     ///< work-groups, or work-items where the driver chooses the groups
  double per_group;  ///< relative, comparable between problems of one configuration
};
GroupWork group_work(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                     const DeviceProfile& device);

/// Elements per work-group along one dimension -> work-groups that cover `size`.
std::size_t groups(std::uint64_t size, std::int64_t per_group);

/// `size` rounded up to a multiple of `multiple`.
std::uint64_t rounded_up(std::uint64_t size, std::int64_t multiple);

/// The bytes of rows x columns elements, or the largest number there is where they are more: no device has so many.
std::uint64_t bytes_of(std::uint64_t rows, std::uint64_t columns, std::size_t element);

/// Drops configurations from the front of a list, which has the largest tiles first, until one gives the product at
/// least `wanted` work-groups, with tiles (tile_m x tile_n) that are not twice as large as the C of each product of a
/// batch; the last one stays whatever it gives.
std::vector<Configuration> that_fill(const GemmVariant& variant, const GemmProblem& problem,
                                     const DeviceProfile& device, double wanted,
                                     std::vector<Configuration> largest_first);

/// In OpenCL C a vector has 2, 4, 8 or 16 elements; 1 is the element itself.
bool is_vector_width(std::int64_t width);

/// The private memory of each of `items` work-items with `arrays` bytes of private arrays, in a kernel whose barriers
/// stand around `steps` unrolled steps. A CPU runs the items of a group one after another from barrier to barrier, so
/// for every item its compiler keeps whatever it computed before, several times the arrays; a GPU has the arrays alone.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps);

/// For variants that every device can run.
inline std::string always_supported(const GemmProblem&, const DeviceProfile&) { return {}; }
inline std::uint64_t no_local_memory(const Configuration&, const GemmProblem&) { return 0; }
inline std::uint64_t no_private_arrays(const Configuration&, const GemmProblem&, const DeviceProfile&) { return 0; }

}  // namespace tilewright::detail
