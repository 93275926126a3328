#include "tilewright/c/engine.h"

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"

using namespace tilewright;

namespace {

template <class Make>
tilewright_status make_engine(tilewright_engine** wanted, const Make& make) {
  return c::guarded([&] {
    c::expect_argument(wanted, "engine");
    *wanted = new tilewright_engine(make());
  });
}

}  // namespace

tilewright_status tilewright_engine_create(cl_context context, cl_device_id device, tilewright_engine** engine) {
  return make_engine(engine, [&] { return Engine(context, device); });
}

tilewright_status tilewright_engine_create_for_device(cl_device_id device, tilewright_engine** engine) {
  return make_engine(engine, [&] { return Engine(Device{.id = device, .profile = describe_device(device)}); });
}

tilewright_status tilewright_engine_from_queue(cl_command_queue queue, tilewright_engine** engine) {
  return make_engine(engine, [&] { return Engine::from_queue(queue); });
}

tilewright_status tilewright_engine_retain(tilewright_engine* engine) { return c::retain(engine, "engine"); }

void tilewright_engine_release(tilewright_engine* engine) { c::release(engine); }

tilewright_status tilewright_engine_context(const tilewright_engine* engine, cl_context* context) {
  return c::guarded([&] {
    c::expect_argument(context, "context");
    *context = c::engine_of(engine).context();
  });
}

tilewright_status tilewright_engine_device(const tilewright_engine* engine, cl_device_id* device) {
  return c::guarded([&] {
    c::expect_argument(device, "device");
    *device = c::engine_of(engine).device();
  });
}

tilewright_status tilewright_engine_probe(const tilewright_engine* engine, int32_t ability, char** text) {
  return c::guarded([&] {
    c::expect_argument(text, "text");
    if (ability == 0) throw c::bad_value(ability, "tilewright_ability");
    const Probe probe = c::engine_of(engine).probe(c::from_c(ability, Ability{}));
    *text = c::owned_text(c::Json{{"available", probe.available}, {"value", probe.value}, {"detail", probe.detail}});
  });
}

tilewright_status tilewright_engine_save_programs(const tilewright_engine* engine) {
  return c::guarded([&] { c::engine_of(engine).save_programs(); });
}

tilewright_status tilewright_engine_program_statistics(const tilewright_engine* engine,
                                                       tilewright_program_statistics* statistics) {
  return c::guarded([&] {
    c::expect_output(statistics);
    c::write_output(statistics, c::to_c(c::engine_of(engine).program_statistics()));
  });
}
