#include "tilewright/c/device_group.h"

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "tilewright/device_group.hpp"

struct tilewright_group : tilewright::c::Counted {
  explicit tilewright_group(tilewright::DeviceGroup made) : group(std::move(made)) {}
  tilewright::DeviceGroup group;
};

using namespace tilewright;

tilewright_status tilewright_group_create(const tilewright_engine* const* engines, uint64_t count,
                                          tilewright_group** group) {
  return c::guarded([&] {
    c::expect_argument(group, "group");
    if (count > 0) c::expect_argument(engines, "engines");
    std::vector<Engine> members;
    for (std::uint64_t i = 0; i < count; ++i) members.push_back(c::engine_of(engines[i]));
    *group = new tilewright_group(DeviceGroup(std::move(members)));
  });
}

tilewright_status tilewright_group_create_all(tilewright_group** group) {
  return c::guarded([&] {
    c::expect_argument(group, "group");
    *group = new tilewright_group(DeviceGroup::all());
  });
}

tilewright_status tilewright_group_retain(tilewright_group* group) { return c::retain(group, "group"); }

void tilewright_group_release(tilewright_group* group) { c::release(group); }

tilewright_status tilewright_group_size(const tilewright_group* group, uint64_t* count) {
  return c::guarded([&] {
    c::expect_argument(group, "group");
    c::expect_argument(count, "count");
    *count = group->group.engines().size();
  });
}

tilewright_status tilewright_group_gemm(const tilewright_group* group, const tilewright_gemm_problem* problem,
                                        const tilewright_host_operands* operands,
                                        const tilewright_device_group_options* options, char** report) {
  return c::guarded([&] {
    c::expect_argument(group, "group");
    const GemmProblem wanted = c::from_c(*c::Input(problem));
    c::Form form = c::real_form(wanted);
    const HostOperands given = c::from_c(*c::Input(operands), form);
    const DeviceGroupReport done = group->group.gemm(wanted, given, c::nested<DeviceGroupOptions>(options));
    if (report != nullptr) *report = c::owned_text(c::to_json(done));
  });
}

tilewright_status tilewright_group_release_memory(const tilewright_group* group) {
  return c::guarded([&] {
    c::expect_argument(group, "group");
    group->group.release_memory();
  });
}
