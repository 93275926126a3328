// Cases of rank-k updates in all their forms, for the tests of this folder.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "verification/rank_k/rank_k_case.hpp"

namespace tilewright::test {

/// The types of rank-k updates that the device supports.
inline std::vector<DataType> rank_k_types() {
  std::vector<DataType> all{DataType::f32, DataType::c64, DataType::f16, DataType::bf16};
  if (shared_engine().profile().fp64) all.insert(all.end(), {DataType::f64, DataType::c128});
  return all;
}

inline void check_case(const verification::RankKCase& test) {
  CAPTURE(to_string(test));
  CHECK(verification::try_rank_k_case(shared_engine(), test) == "");
  count_cases();
  count_kernel_of("rank-k updates");
}

/// Calls function(case) for every form of a call.
template <class Function>
void for_all_forms(verification::RankKCase test, const Function& function) {
  const bool is_gemmt = test.call == verification::RankKFunction::gemmt;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
        for (const Transpose trans_a : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
          for (const Transpose trans_b : {Transpose::no, Transpose::yes}) {
            if (is_gemmt ? symmetry == Symmetry::hermitian : trans_b == Transpose::yes) continue;
            test.layout = layout;
            test.uplo = uplo;
            test.symmetry = symmetry;
            test.trans_a = trans_a;
            test.trans_b = trans_b;
            function(test);
          }
}

}  // namespace tilewright::test
