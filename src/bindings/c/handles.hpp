// The objects of the handles of engines and plans in the C interface.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "bindings/c/guard.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::c {

/// Counts the references to a handle, from 1 on.
struct Counted {
  mutable std::atomic<std::uint64_t> references{1};
};

/// The address of an object that is different for each type of plan.
template <class Plan>
inline constexpr char kind_of = 0;

}  // namespace tilewright::c

struct tilewright_engine : tilewright::c::Counted {
  explicit tilewright_engine(tilewright::Engine made) : engine(std::move(made)) {}
  tilewright::Engine engine;
};

struct tilewright_plan : tilewright::c::Counted {
  explicit tilewright_plan(const void* plan_kind) : kind(plan_kind) {}
  virtual ~tilewright_plan() = default;
  virtual const tilewright::Explanation& explanation() const = 0;
  virtual std::uint64_t workspace_bytes() const = 0;

  const void* kind;  // the address of kind_of<Plan>
};

namespace tilewright::c {

/// A plan of one operation.
template <class Plan>
struct PlanHandle final : tilewright_plan {
  explicit PlanHandle(Plan made) : tilewright_plan(&kind_of<Plan>), plan(std::move(made)) {}
  const Explanation& explanation() const override { return plan.explanation(); }
  std::uint64_t workspace_bytes() const override { return plan.workspace_bytes(); }

  Plan plan;
};

/// Returns the C++ plan. Throws Failure(TILEWRIGHT_INVALID_ARGUMENT) if the handle belongs to another operation.
template <class Plan>
const Plan& plan_of(const tilewright_plan* handle) {
  expect_argument(handle, "plan");
  if (handle->kind != &kind_of<Plan>)
    throw Failure(TILEWRIGHT_INVALID_ARGUMENT,
                  "the plan is one of another operation: " + handle->explanation().problem);
  return static_cast<const PlanHandle<Plan>*>(handle)->plan;
}

inline const Engine& engine_of(const tilewright_engine* handle) {
  expect_argument(handle, "engine");
  return handle->engine;
}

template <class Handle>
tilewright_status retain(Handle* handle, const char* name) noexcept {
  return guarded([&] {
    expect_argument(handle, name);
    handle->references.fetch_add(1, std::memory_order_relaxed);
  });
}

template <class Handle>
void release(Handle* handle) noexcept {
  if (handle != nullptr && handle->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete handle;
}

}  // namespace tilewright::c
