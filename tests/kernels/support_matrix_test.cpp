// The README's table of operations and element types: each cell is what the library answers.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/system/text_file.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

struct Operation {
  const char* name;
  const char* header;
  std::function<void(DataType)> prepare;  ///< throws Error(unsupported_type) for a type that it lacks
};

std::vector<Operation> operations() {
  const Engine& e = shared_engine();
  constexpr std::uint64_t n = 0;  // problems without work need no kernels
  using T = DataType;
  return {{"`gemm`", "gemm.hpp", [&](T t) { GemmPlan(e, {.type = t, .m = n, .n = n, .k = n}); }},
          {"`gemv`", "gemv.hpp", [&](T t) { GemvPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`ger`", "gemv.hpp", [&](T t) { GerPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`symv trmv syr syr2`", "symv.hpp, trmv.hpp, syr.hpp", [&](T t) { SymvPlan(e, {.type = t, .n = n}); }},
          {"`spmm`: csr, csc, coo", "spmm.hpp",
           [&](T t) {
             const RowStatistics rows{.rows = n, .columns = n};
             (void)explain_spmm(e.profile(), {.type = t, .m = n, .n = n, .k = n}, rows);
           }},
          {"`transpose`, in place too", "transpose.hpp", [&](T t) { TransposePlan(e, {.type = t, .m = n, .n = n}); }},
          {"`matrix_add`", "matrix_add.hpp", [&](T t) { MatrixAddPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`copy swap`", "vector.hpp", [&](T t) { VectorPlan(e, VectorFunction::copy, {.type = t, .n = n}); }},
          {"`axpy axpby scal hadamard dot dotc nrm2 asum iamax`", "vector.hpp",
           [&](T t) { VectorPlan(e, VectorFunction::axpy, {.type = t, .n = n}); }},
          {"`trsm trsv`", "triangular.hpp", [&](T t) { TrsmPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`trmm`", "trmm.hpp", [&](T t) { TrmmPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`symm`: hemm too", "symm.hpp", [&](T t) { SymmPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`syrk syr2k gemmt`", "rank_k.hpp", [&](T t) { SyrkPlan(e, {.type = t, .n = n, .k = n}); }},
          {"`getrf getrs gesv getri det`", "lu.hpp", [&](T t) { GetrfPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`geqrf ormqr orgqr`: unmqr, ungqr too", "qr.hpp", [&](T t) { GeqrfPlan(e, {.type = t, .m = n, .n = n}); }},
          {"`gels`", "least_squares.hpp", [&](T t) { GelsPlan(e, {.type = t, .m = n, .n = n, .nrhs = n}); }},
          {"`potrf potrs posv`", "cholesky.hpp", [&](T t) { PotrfPlan(e, {.type = t, .n = n}); }},
          {"`potri`", "cholesky_inverse.hpp", [&](T t) { PotriPlan(e, {.type = t, .n = n}); }},
          {"`strassen`", "strassen.hpp",
           [&](T t) { StrassenPlan(e, {.product = {.type = t, .m = n, .n = n, .k = n}, .levels = 0}); }},
          {"`gemm_out_of_core`, `DeviceGroup`: matrices in host memory", "out_of_core.hpp, device_group.hpp",
           [&](T t) { OutOfCorePlan(e, {.type = t, .m = n, .n = n, .k = n}); }}};
}

bool has_type(const Operation& operation, DataType type) {
  try {
    operation.prepare(type);
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unsupported_type) return false;
    throw;
  }
}

}  // namespace

TEST_SUITE("support matrix") {
  TEST_CASE("the README's table of operations and types is what the library answers") {
    if (!shared_engine().profile().fp64) return;
    std::string table = "| operation | header |";
    const std::vector<DataType> types{DataType::f32, DataType::f64, DataType::f16, DataType::bf16, DataType::i8,
                                      DataType::u8,  DataType::i32, DataType::c64, DataType::c128};
    for (const DataType type : types) table += ' ' + std::string(to_string(type)) + " |";
    table += "\n|---|---|";
    for (std::size_t i = 0; i < types.size(); ++i) table += "---|";
    table += '\n';
    for (const Operation& operation : operations()) {
      table += std::string("| ") + operation.name + " | `" + operation.header + "` |";
      for (const DataType type : types) table += has_type(operation, type) ? " yes |" : " |";
      table += '\n';
      count_cases();
    }
    count_kernel_of("support matrix");
    const std::string page = detail::read_text(TILEWRIGHT_TEST_SOURCE "/README.md").value_or("");
    CHECK_MESSAGE(page.find(table) != std::string::npos, "the table of README.md should be:\n", table);
  }
}

}  // namespace tilewright::test
