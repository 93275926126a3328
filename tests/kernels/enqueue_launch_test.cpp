// The message of a launch that OpenCL refuses.
#include "kernels/enqueue_launch.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernels/kernel_arguments.hpp"
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

  TEST_CASE("a missing kernel and a wrong argument are reported by name and position") {
    const cl::Program program(shared_context(), "__kernel void two(__global int* x, short y) { x[0] = y; }");
    program.build();
    const std::string missing =
        expect_error(ErrorCode::opencl_failure, [&] { const detail::LaunchKernel kernel(program, "to"); });
    CHECK(mentions(missing, "CL_INVALID_KERNEL_NAME"));
    CHECK(mentions(missing, "no kernel 'to'"));

    const detail::LaunchKernel kernel(program, "two");
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE, 4);
    const detail::Launch launch{
        .kernel = "two", .arguments = {detail::argument::workspace(0)}, .global = {1}, .local = {1}};
    detail::CallValues call;
    call.workspaces = {{.buffer = buffer()}};
    const std::string wrong =
        expect_error(ErrorCode::opencl_failure, [&] { detail::set_arguments(kernel(), launch, {}, call); });
    CHECK(mentions(wrong, "CL_INVALID_ARG_SIZE"));
    CHECK(mentions(wrong, "argument 2 of 2 of kernel 'two' was set to a value of 8 bytes"));
  }
}

}  // namespace tilewright::test
