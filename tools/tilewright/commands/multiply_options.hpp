// The command line of `multiply`, for dense and for sparse matrices.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "algorithm_options.hpp"
#include "cli_names.hpp"
#include "commands/epilogue_inputs.hpp"
#include "commands/matrix_output.hpp"
#include "group_options.hpp"
#include "product_options.hpp"
#include "text/json_output.hpp"

namespace tilewright::tool {

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
  EpilogueOptions epilogue;
  ChoiceOptions forced;
  AlgorithmOptions algorithm;
  GroupOptions group;
  std::string device;
  std::uint64_t memory = 0;  ///< bytes of device memory; 0: matrices are read, and must fit
  bool resume = false;

  void add_to(CLI::App& command);
};

/// The scalar of an option, which was checked.
std::complex<double> scalar_of(const std::string& text);

/// A number, or the two parts of a complex one.
Json scalar_json(const std::string& text);

/// The type that takes the elements of both as they are, of integers and floats as those floats that are stored.
/// Throws UsageError where there is none.
DataType common_type(DataType left, DataType right);

/// Throws UsageError if a finite factor would become infinite in the type of T's arithmetic. The library checks the
/// factors of integer products. `can_convert` says whether another --type helps.
template <class T>
void require_finite(std::string_view name, const std::string& text, bool can_convert = true);

/// `multiply` where A is sparse; the exit status.
int multiply_sparse(const MultiplyOptions& options);

/// `multiply` with a limit on the device's memory, on matrices that stay in their files; the exit status.
int multiply_out_of_core(const MultiplyOptions& options);

}  // namespace tilewright::tool
