// Command line of `multiply`, for dense and sparse matrices.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "commands/products/epilogue_inputs.hpp"
#include "options/algorithm_options.hpp"
#include "options/cli_names.hpp"
#include "options/group_options.hpp"
#include "options/matrix_output.hpp"
#include "options/product_options.hpp"
#include "text/json_output.hpp"

namespace tilewright::tool {

/// Structure of a dense A: one of its triangles, "lower" or "upper", is read. At most one text is not empty.
struct StructureOptions {
  std::string symmetric;
  std::string hermitian;
  std::string triangular;
  bool has_unit_diagonal = false;  ///< of a triangular A, whose stored diagonal is not read

  bool is_used() const { return !(symmetric + hermitian + triangular).empty(); }
  Uplo uplo() const { return symmetric + hermitian + triangular == "lower" ? Uplo::lower : Uplo::upper; }
};

struct MultiplyOptions {
  std::string a;
  std::string b;
  MatrixOutput output;
  std::string c_in;
  bool trans_a = false;
  bool trans_b = false;
  bool conjugate_a = false;
  bool conjugate_b = false;
  std::string alpha = "1";
  std::string beta = "0";
  std::string type;
  std::string type_c;
  std::string accuracy = "full";
  StructureOptions structure;
  EpilogueOptions epilogue;
  ChoiceOptions forced;
  AlgorithmOptions algorithm;
  GroupOptions group;
  std::string device;
  std::uint64_t memory = 0;  ///< limit of device memory in bytes; 0: matrices are read whole and must fit
  bool resume = false;

  void add_to(CLI::App& command);
};

/// Returns the value of an option that a validator has checked.
std::complex<double> scalar_of(const std::string& text);

/// Returns a number, or an array of real and imaginary part.
Json scalar_json(const std::string& text);

/// Returns the type that holds the elements of both, except that integers become the other matrix's float type. Throws
/// UsageError if there is none.
DataType common_type(DataType left, DataType right);

/// Throws UsageError if a finite factor overflows T's arithmetic. The library checks the factors of integer products.
/// `can_convert` is true if another --type helps.
template <class T>
void require_finite(std::string_view name, const std::string& text, bool can_convert = true);

/// Runs `multiply` with a sparse A; returns the exit status.
int multiply_sparse(const MultiplyOptions& options);

/// Runs `multiply --memory` on matrices that stay in their files; returns the exit status.
int multiply_out_of_core(const MultiplyOptions& options);

}  // namespace tilewright::tool
