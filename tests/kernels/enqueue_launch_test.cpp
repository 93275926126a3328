// The message of a launch that OpenCL refuses.
#include "kernels/enqueue_launch.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {

TEST_SUITE("enqueue launch") {
  TEST_CASE("wrong work-groups are reported with the size that the kernel requires") {
    const cl::Program program(shared_context(),
                              "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(__global int* x)"
                              "{ x[get_global_id(0)] = 1; }");
    program.build();
    const detail::LaunchKernel kernel(program, "fixed");
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, 1024);
    const cl_mem memory = buffer();
    REQUIRE(clSetKernelArg(kernel(), 0, sizeof memory, &memory) == CL_SUCCESS);
    const cl::CommandQueue queue = make_queue();
    detail::Launch launch{.kernel = "fixed", .global = {16, 4}, .local = {8, 1}, .max_groups = {64, 64, 64}};
    std::vector<cl::Event> parts;
    const auto enqueue = [&] { return detail::enqueue_launch(queue(), kernel, launch, {0, 1}, {}, parts); };
    const std::string message = expect_error(ErrorCode::opencl_failure, [&] { enqueue(); });
    CHECK(mentions(message, "CL_INVALID_WORK_GROUP_SIZE"));
    CHECK(mentions(message, "'fixed'"));
    CHECK(mentions(message, "16 x 4 work-items in work-groups of 8 x 1"));
    CHECK(mentions(message, "reqd_work_group_size is 4 x 2 x 1"));

    launch.local = {4, 2};
    enqueue().wait();
  }
}

}  // namespace tilewright::test
