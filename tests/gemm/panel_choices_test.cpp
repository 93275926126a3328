// The panels that tests of triangular and symmetric products choose on all devices.
#include "support/panel_choices.hpp"

#include <doctest/doctest.h>

#include <string>

#include "gemm/core_problem.hpp"
#include "gemm/problem.hpp"
#include "gemm/selector.hpp"
#include "kernels/configuration_check.hpp"
#include "support/profiles.hpp"
#include "support/run_report.hpp"

namespace tilewright::test {

TEST_SUITE("panel choices") {
  TEST_CASE("all panels fit the private memory of a GPU's work-item, for every type and form of A") {
    const DeviceProfile device = typical_hopper();
    CHECK(device.private_memory_bytes == 20480);  // the least that GPUs are taken to have
    const auto& variant = detail::find_variant<GemmProblem>("packed_panel");
    for (const Choice& choice : panel_choices)
      for (const DataType type :
           {DataType::f16, DataType::bf16, DataType::f32, DataType::f64, DataType::c64, DataType::c128})
        for (const Transpose trans : {Transpose::no, Transpose::yes}) {
          const GemmProblem problem{.type = type, .trans_a = trans, .m = 523, .n = 523, .k = 523};
          const auto values = detail::values_of(variant, choice.configuration);
          const detail::CoreProduct product =
              detail::core_of({detail::normalized(problem), {}, {}}, device, variant, values).problem;
          CAPTURE(to_string(choice.configuration));
          CAPTURE(to_string(type));
          CHECK(detail::violation(variant, values, product, device) == "");
          count_cases();
        }
  }
}

}  // namespace tilewright::test
