#include "tilewright/c/plan.h"

#include <string>
#include <vector>

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_memory.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/gemm_times.hpp"
#include "tilewright/gemv.hpp"
#include "tilewright/spmm.hpp"
#include "tilewright/strassen.hpp"
#include "tilewright/transpose.hpp"

using namespace tilewright;

namespace {

// Explains a problem with the C++ function of its operation.
template <auto explain, class Problem>
tilewright_status explained(cl_device_id device, const Problem* problem, const tilewright_choice* choice, char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    const DeviceProfile profile = describe_device(device);
    const auto wanted = c::from_c(*c::Input(problem));
    *text = c::owned_text(c::to_json(explain(profile, wanted, c::choice_from(choice))));
  });
}

std::vector<VariantInfo> variants_of(const std::string& operation) {
  if (operation == "gemm") return gemm_variants();
  if (operation == "transpose") return transpose_variants();
  if (operation == "spmm") return spmm_variants();
  throw c::Failure(TILEWRIGHT_INVALID_ARGUMENT,
                   "there are no variants of '" + operation + R"('; use "gemm", "transpose" or "spmm")");
}

}  // namespace

tilewright_status tilewright_plan_retain(tilewright_plan* plan) { return c::retain(plan, "plan"); }

void tilewright_plan_release(tilewright_plan* plan) { c::release(plan); }

tilewright_status tilewright_plan_workspace_bytes(const tilewright_plan* plan, uint64_t* bytes) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    c::expect_argument(bytes, "bytes");
    *bytes = plan->workspace_bytes();
  });
}

tilewright_status tilewright_plan_explain(const tilewright_plan* plan, char** text) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    c::expect_argument(text, "text");
    *text = c::owned_text(c::to_json(plan->explanation()));
  });
}

tilewright_status tilewright_list_variants(const char* operation, char** text) {
  return c::guarded([&] {
    c::expect_argument(operation, "operation");
    c::expect_argument(text, "text");
    *text = c::owned_text(c::to_json(variants_of(operation)));
  });
}

tilewright_status tilewright_explain_gemm(cl_device_id device, const tilewright_gemm_problem* problem,
                                          const tilewright_choice* choice, char** text) {
  return explained<&explain_gemm>(device, problem, choice, text);
}

tilewright_status tilewright_explain_gemv(cl_device_id device, const tilewright_gemv_problem* problem,
                                          const tilewright_choice* choice, char** text) {
  return explained<&explain_gemv>(device, problem, choice, text);
}

tilewright_status tilewright_explain_ger(cl_device_id device, const tilewright_ger_problem* problem,
                                         const tilewright_choice* choice, char** text) {
  return explained<&explain_ger>(device, problem, choice, text);
}

tilewright_status tilewright_explain_transpose(cl_device_id device, const tilewright_transpose_problem* problem,
                                               const tilewright_choice* choice, char** text) {
  return explained<&explain_transpose>(device, problem, choice, text);
}

tilewright_status tilewright_explain_strassen(cl_device_id device, const tilewright_strassen_problem* problem,
                                              const tilewright_choice* choice, char** text) {
  return explained<&explain_strassen>(device, problem, choice, text);
}

tilewright_status tilewright_gemm_memory_of(const tilewright_engine* engine, const tilewright_gemm_problem* problem,
                                            const tilewright_choice* choice, tilewright_gemm_memory* memory) {
  return c::guarded([&] {
    c::expect_output(memory);
    const Engine& on = c::engine_of(engine);
    const GemmProblem wanted = c::from_c(*c::Input(problem));
    c::write_output(memory, c::to_c(gemm_memory(on, wanted, c::choice_from(choice))));
  });
}

tilewright_status tilewright_gemm_seconds(cl_device_id device, const tilewright_gemm_problem* problem,
                                          const tilewright_choice* choice, double* seconds) {
  return c::guarded([&] {
    c::expect_argument(seconds, "seconds");
    const GemmTimes times(describe_device(device));
    const GemmProblem wanted = c::from_c(*c::Input(problem));
    *seconds = times.seconds(wanted, c::choice_from(choice)).value_or(0);
  });
}

double tilewright_strassen_error_factor(uint64_t k, uint32_t levels) { return strassen_error_factor(k, levels); }
