#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "selection/member_count.hpp"
#include "tilewright/c/out_of_core.h"
#include "tilewright/out_of_core.hpp"

struct tilewright_host_plan : tilewright::c::Counted {
  explicit tilewright_host_plan(tilewright::OutOfCorePlan made) : plan(std::move(made)) {}
  tilewright::OutOfCorePlan plan;
};

using namespace tilewright;

namespace {

OutOfCoreCallbacks callbacks_from(const tilewright_out_of_core_callbacks* pointer) {
  static_assert(detail::member_count<OutOfCoreCallbacks>() == 3);
  OutOfCoreCallbacks callbacks;
  if (pointer == nullptr) return callbacks;
  const c::Input given(pointer);
  c::expect_zero(given->reserved1);
  void* const user = given->user;
  if (const auto progress = given->progress)
    callbacks.keep_going = [progress, user](const OutOfCoreProgress& so_far) {
      const tilewright_out_of_core_progress known = c::to_c(so_far);
      return progress(&known, user) == 0;
    };
  if (const auto tile_done = given->tile_done)
    callbacks.tile_done = [tile_done, user](const ResultTile& tile) {
      const tilewright_result_tile known = c::to_c(tile);
      tile_done(&known, user);
    };
  if (const auto has_tile = given->has_tile)
    callbacks.has_tile = [has_tile, user](const ResultTile& tile) {
      const tilewright_result_tile known = c::to_c(tile);
      return has_tile(&known, user) != 0;
    };
  return callbacks;
}

HostOperands operands_from(const tilewright_host_operands* given, const GemmProblem& problem) {
  c::Form form = c::real_form(problem);
  return c::from_c(*c::Input(given), form);
}

// Runs a plan and reports how far it came. Throws if it was cancelled.
void run(const OutOfCorePlan& plan, const tilewright_host_operands* operands,
         const tilewright_out_of_core_callbacks* callbacks, tilewright_out_of_core_progress* progress) {
  const HostOperands given = operands_from(operands, plan.problem());
  const OutOfCoreReport report = plan.run(given, callbacks_from(callbacks));
  if (progress != nullptr) c::write_output(progress, c::to_c(report.progress));
  if (report.cancelled)
    throw c::Failure(TILEWRIGHT_CANCELLED, "progress() cancelled the product after " +
                                               std::to_string(report.progress.tiles_done) + " of " +
                                               std::to_string(report.progress.tiles) + " tiles");
}

void expect_progress(const tilewright_out_of_core_progress* progress) {
  if (progress != nullptr) c::expect_output(progress);
}

OutOfCorePlan make_plan(const tilewright_engine* engine, const tilewright_gemm_problem* problem,
                        const tilewright_out_of_core_options* options) {
  const Engine& on = c::engine_of(engine);
  const GemmProblem wanted = c::from_c(*c::Input(problem));
  return OutOfCorePlan(on, wanted, c::nested<OutOfCoreOptions>(options));
}

}  // namespace

tilewright_status tilewright_host_plan_create(const tilewright_engine* engine, const tilewright_gemm_problem* problem,
                                              const tilewright_out_of_core_options* options,
                                              tilewright_host_plan** plan) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    *plan = new tilewright_host_plan(make_plan(engine, problem, options));
  });
}

tilewright_status tilewright_host_plan_retain(tilewright_host_plan* plan) { return c::retain(plan, "plan"); }

void tilewright_host_plan_release(tilewright_host_plan* plan) { c::release(plan); }

tilewright_status tilewright_host_plan_run(const tilewright_host_plan* plan, const tilewright_host_operands* operands,
                                           const tilewright_out_of_core_callbacks* callbacks,
                                           tilewright_out_of_core_progress* progress) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    expect_progress(progress);
    run(plan->plan, operands, callbacks, progress);
  });
}

tilewright_status tilewright_host_plan_explain(const tilewright_host_plan* plan, char** text) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    c::expect_argument(text, "text");
    *text = c::owned_text(c::Json{{"schedule", c::to_json(plan->plan.schedule())},
                                  {"explanation", c::to_json(plan->plan.explanation())}});
  });
}

tilewright_status tilewright_gemm_out_of_core(const tilewright_engine* engine, const tilewright_gemm_problem* problem,
                                              const tilewright_host_operands* operands,
                                              const tilewright_out_of_core_options* options,
                                              const tilewright_out_of_core_callbacks* callbacks,
                                              tilewright_out_of_core_progress* progress) {
  return c::guarded([&] {
    expect_progress(progress);
    const OutOfCorePlan plan = make_plan(engine, problem, options);
    run(plan, operands, callbacks, progress);
  });
}

tilewright_status tilewright_min_memory_out_of_core(const tilewright_engine* engine,
                                                    const tilewright_gemm_problem* problem,
                                                    const tilewright_out_of_core_options* options, uint64_t* bytes) {
  return c::guarded([&] {
    c::expect_argument(bytes, "bytes");
    const Engine& on = c::engine_of(engine);
    const GemmProblem wanted = c::from_c(*c::Input(problem));
    *bytes = min_memory_out_of_core(on, wanted, c::nested<OutOfCoreOptions>(options));
  });
}

tilewright_status tilewright_measure_transfer_speeds(const tilewright_engine* engine, int32_t type,
                                                     tilewright_transfer_speeds* speeds) {
  return c::guarded([&] {
    c::expect_output(speeds);
    const Engine& on = c::engine_of(engine);
    c::write_output(speeds, c::to_c(transfer_speeds(on, c::from_c(type, DataType::f32))));
  });
}
