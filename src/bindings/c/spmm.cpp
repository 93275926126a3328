#include "tilewright/c/spmm.h"

#include "bindings/c/plan_calls.hpp"
#include "tilewright/spmm.hpp"

using namespace tilewright;

tilewright_status tilewright_spmm_plan_create(const tilewright_engine* engine, const tilewright_spmm_problem* problem,
                                              const tilewright_sparse_structure* structure,
                                              const tilewright_choice* choice, cl_uint num_waits, const cl_event* waits,
                                              tilewright_plan** plan) {
  return c::make_plan<SpmmPlan>(
      engine, problem, plan, [&] { return c::from_c(*c::Input(structure)); }, [&] { return c::choice_from(choice); },
      [&] { return c::events(num_waits, waits); });
}

tilewright_status tilewright_spmm_plan_statistics(const tilewright_plan* plan, tilewright_row_statistics* statistics) {
  return c::guarded([&] {
    c::expect_output(statistics);
    c::write_output(statistics, c::to_c(c::plan_of<SpmmPlan>(plan).statistics()));
  });
}

tilewright_status tilewright_spmm_plan_structure_bytes(const tilewright_plan* plan, uint64_t* bytes) {
  return c::guarded([&] {
    c::expect_argument(bytes, "bytes");
    *bytes = c::plan_of<SpmmPlan>(plan).structure_bytes();
  });
}
