// Sparse products on the command line of `tilewright tune`.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "files/matrix_file.hpp"
#include "files/shapes_file.hpp"
#include "files/sparse_matrix.hpp"
#include "tune/operations.hpp"
#include "tuning/operations/spmm_tunable.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

/// Problems of sparse matrix files. A file is read once for all consecutive shapes that use it.
class SparseFiles {
 public:
  tuning::Problem problem(const SparseShape& shape) {
    if (!places_ || path_ != shape.file) {
      verification::HostCsr<double> matrix = by_rows<double>(read_sparse_file(shape.file), false, shape.file);
      if (matrix.nonzeros() == 0) throw UsageError(fmt::format("{} has no entries to multiply with", shape.file));
      places_ = std::make_shared<const tuning::SparsePlaces>(
          tuning::SparsePlaces{matrix.rows, matrix.columns, std::move(matrix.offsets), std::move(matrix.indices), {}});
      path_ = shape.file;
    }
    return tuning::tunable(shape.type, shape.n, places_);
  }

 private:
  std::string path_;
  std::shared_ptr<const tuning::SparsePlaces> places_;
};

tuning::Problem read_spmm_shape(std::string_view, const ProblemOptions&) {
  throw UsageError("--op spmm takes files of matrices and --columns instead of --shape");
}

std::vector<tuning::Problem> read_spmm_table(const std::string& path, const ProblemOptions& options) {
  SparseFiles files;
  std::vector<tuning::Problem> result;
  for (const SparseShape& shape : read_sparse_shapes(path, options.operation.sparse_type(options.product)))
    result.push_back(files.problem(shape));
  return result;
}

std::vector<tuning::Problem> read_spmm_files(const ProblemOptions& options) {
  const DataType type = options.operation.sparse_type(options.product);
  SparseFiles files;
  std::vector<tuning::Problem> result;
  for (const std::string& path : options.operation.files)
    for (const std::uint64_t n : options.operation.columns.empty() ? default_columns : options.operation.columns)
      result.push_back(files.problem({path, n, type}));
  return result;
}

}  // namespace

extern constinit const TuneOperation tune_spmm{tuning::spmm_operation, read_spmm_shape, read_spmm_table,
                                               read_spmm_files, nullptr};

}  // namespace tilewright::tool
