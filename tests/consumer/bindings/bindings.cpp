// A program that uses C++ bindings and JSON with settings other than the library's. JSON has no exceptions, and CLHPP
// has none unless CL_HPP_ENABLE_EXCEPTIONS is defined. Failures in the library must still be thrown as its Error.
// Usage: bindings KERNELS RECORDS. KERNELS is a copy of cl/ whose local_column.cl has no kernel of the library; RECORDS
// is a damaged file of records.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define JSON_NOEXCEPTION
#include <CL/opencl.hpp>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <tilewright/tilewright.hpp>
#include <vector>

namespace {

int failures = 0;

void expect(bool condition, const std::string& what) {
  std::cout << (condition ? "right: " : "WRONG: ") << what << std::endl;
  failures += !condition;
}

// Calls the functions that the library uses as well, so that the compiler has to emit them.
void use_own_bindings(const cl::Context& context, const cl::Device& device) {
  cl_int status = CL_SUCCESS;
  cl::Program program(context, std::string("__kernel void f(__global float* x) { x[get_global_id(0)] = 7; }"), false,
                      &status);
  program.build("");
  cl::Kernel kernel(program, "f", &status);
  cl::CommandQueue queue(context, device, cl::QueueProperties::None, &status);
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, 16, nullptr, &status);
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(4), cl::NDRange(4));
  std::vector<float> values(4);
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, 16, values.data());
  std::vector<cl::Kernel> kernels;
  program.createKernels(&kernels);
  expect(values[3] == 7 && kernels.size() == 1 && !program.getInfo<CL_PROGRAM_KERNEL_NAMES>().empty() &&
             kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() != "" && context.getInfo<CL_CONTEXT_DEVICES>().size() == 1,
         "the program's own bindings");
#if !defined(CL_HPP_ENABLE_EXCEPTIONS)
  const cl::Kernel missing(program, "missing", &status);
  expect(status == CL_INVALID_KERNEL_NAME, "the program's own bindings do not throw");
#else
  try {
    const cl::Kernel missing(program, "missing");
    expect(false, "the program's own bindings throw");
  } catch (const cl::Error& error) {
    expect(error.err() == CL_INVALID_KERNEL_NAME, "the program's own bindings throw");
  }
#endif
}

void use_own_json() {
  const auto values = nlohmann::json::parse("{\"a\": [1, 2.5, \"x\"], \"b\": {\"c\": null}}");
  expect(values.at("a").at(1).get<double>() == 2.5 && values.dump().size() > 20, "the program's own JSON");
  expect(nlohmann::json::parse("{", nullptr, false).is_discarded(), "the program's own JSON, damaged");
}

void expect_error(const std::string& what, const std::string& said, cl_int status,
                  void (*run)(const tilewright::Engine&), const tilewright::Engine& engine) {
  try {
    run(engine);
    expect(false, what + ": no error");
  } catch (const tilewright::Error& error) {
    expect(std::string(error.what()).find(said) != std::string::npos && error.opencl_status() == status,
           what + ": " + error.what());
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 64;
  const tilewright::Device found = tilewright::pick_device();
  const cl::Device device(found.id, true);
  const cl::Context context(device);
  use_own_bindings(context, device);
  use_own_json();

  const tilewright::Engine engine(context(), device());
  setenv("TILEWRIGHT_KERNEL_DIR", argv[1], 1);
  expect_error(
      "a kernel that is missing", "", CL_INVALID_KERNEL_NAME,
      [](const tilewright::Engine& used) {
        const tilewright::GemmPlan plan(used, {.m = 8, .n = 8, .k = 8},
                                        {.variant = "local_column", .configuration = {}});
      },
      engine);
  expect_error(
      "a kernel that does not compile", "local_tile", CL_BUILD_PROGRAM_FAILURE,
      [](const tilewright::Engine& used) {
        const tilewright::GemmPlan plan(used, {.m = 8, .n = 8, .k = 8}, {.variant = "local_tile", .configuration = {}});
      },
      engine);
  unsetenv("TILEWRIGHT_KERNEL_DIR");

  try {
    const auto records = tilewright::read_records<tilewright::GemmProblem>(argv[2], found.profile);
    expect(!records.problems.empty(), "a damaged file of records");
  } catch (const tilewright::Error& error) {
    expect(error.code() == tilewright::ErrorCode::invalid_records, error.what());
  }
  return failures == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::cout << "WRONG: " << error.what() << std::endl;
  return 1;
}
