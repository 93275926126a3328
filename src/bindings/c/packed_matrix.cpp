#include "tilewright/c/packed_matrix.h"

#include "bindings/c/parts.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/packed_matrix.hpp"

struct tilewright_packed_matrix : tilewright::c::Counted {
  explicit tilewright_packed_matrix(tilewright::PackedMatrix made) : packed(std::move(made)) {}
  tilewright::PackedMatrix packed;
};

using namespace tilewright;

const PackedMatrix* c::packed(const tilewright_packed_matrix* given) {
  return given == nullptr ? nullptr : &given->packed;
}

tilewright_status tilewright_packed_matrix_create(const tilewright_plan* plan, int32_t input, cl_command_queue queue,
                                                  const tilewright_matrix* source, cl_uint num_waits,
                                                  const cl_event* waits, tilewright_packed_matrix** packed) {
  return c::guarded([&] {
    c::expect_argument(source, "source");
    c::expect_argument(packed, "packed");
    const GemmPlan& of = c::plan_of<GemmPlan>(plan);
    if (input == 0) throw c::bad_value(input, "tilewright_gemm_input");
    const GemmInput wanted = c::from_c(input, GemmInput{});
    const MatrixRef from{source->buffer, source->offset};
    *packed = new tilewright_packed_matrix(PackedMatrix(of, wanted, queue, from, c::events(num_waits, waits)));
  });
}

tilewright_status tilewright_packed_matrix_retain(tilewright_packed_matrix* packed) {
  return c::retain(packed, "packed");
}

void tilewright_packed_matrix_release(tilewright_packed_matrix* packed) { c::release(packed); }

tilewright_status tilewright_packed_matrix_ready(const tilewright_packed_matrix* packed, cl_event* event) {
  return c::guarded([&] {
    c::expect_argument(packed, "packed");
    c::expect_argument(event, "event");
    const cl_event ready = packed->packed.ready();
    detail::check(clRetainEvent(ready), "clRetainEvent");
    *event = ready;
  });
}

tilewright_status tilewright_packed_matrix_bytes(const tilewright_packed_matrix* packed, uint64_t* bytes) {
  return c::guarded([&] {
    c::expect_argument(packed, "packed");
    c::expect_argument(bytes, "bytes");
    *bytes = packed->packed.bytes();
  });
}
