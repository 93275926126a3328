#include "runtime/program/program_binary.hpp"

#include <algorithm>
#include <vector>

#include "runtime/system/plain_text.hpp"

namespace tilewright::detail {
namespace {

std::string joined(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ";") + name;
  return text;
}

// The names of the kernels in a PTX text: what follows ".entry". Empty if the text is not PTX.
std::vector<std::string> entries_of_ptx(std::string_view text) {
  constexpr std::string_view entry = ".entry ";
  std::vector<std::string> names;
  for (auto at = text.find(entry); at != std::string_view::npos; at = text.find(entry, at)) {
    at += entry.size();
    const auto end = text.find_first_of("( \t\r\n", at);
    if (end != std::string_view::npos) names.emplace_back(text.substr(at, end - at));
  }
  return names;
}

}  // namespace

std::string kernel_names(const cl::Program& program, std::string_view binary) {
  std::size_t size = 0;
  const cl_int status = clGetProgramInfo(program(), CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size);
  std::string names(status == CL_SUCCESS ? size : 0, '\0');
  if (!names.empty())
    check(clGetProgramInfo(program(), CL_PROGRAM_KERNEL_NAMES, size, names.data(), nullptr), "clGetProgramInfo");
  names = joined(split(names.c_str(), ';'));  // up to the NUL
  if (names.empty()) names = joined(entries_of_ptx(binary));
  if (names.empty()) throw opencl_error(status, "clGetProgramInfo, asked for the names of the kernels");
  return names;
}

std::size_t place_of_binary(std::size_t device, std::size_t devices, std::span<const std::size_t> sizes) {
  if (sizes.size() == devices && device < devices && sizes[device] != 0) return device;
  // PoCL lists all devices of the context, but only the sizes of the devices that the program was built for.
  const auto is_binary = [](std::size_t size) { return size != 0; };
  const auto only = std::find_if(sizes.begin(), sizes.end(), is_binary);
  if (only == sizes.end()) throw Error(ErrorCode::opencl_failure, "the driver has no binary of the program");
  if (std::any_of(only + 1, sizes.end(), is_binary))
    throw Error(ErrorCode::opencl_failure, "the driver has binaries of the program, but not for this device");
  return static_cast<std::size_t>(only - sizes.begin());
}

std::string fetch_binary(const cl::Program& program, const cl::Device& device) {
  const auto devices = program.getInfo<CL_PROGRAM_DEVICES>();
  const auto sizes = program.getInfo<CL_PROGRAM_BINARY_SIZES>();
  const auto found =
      std::find_if(devices.begin(), devices.end(), [&](const cl::Device& other) { return other() == device(); });
  const std::size_t index = place_of_binary(static_cast<std::size_t>(found - devices.begin()), devices.size(), sizes);
  // Null pointers skip the binaries of other devices.
  std::string binary(sizes[index], '\0');
  std::vector<unsigned char*> targets(sizes.size(), nullptr);
  targets[index] = reinterpret_cast<unsigned char*>(binary.data());
  check(clGetProgramInfo(program(), CL_PROGRAM_BINARIES, targets.size() * sizeof(targets[0]), targets.data(), nullptr),
        "clGetProgramInfo");
  return binary;
}

cl::Program program_from_binary(const cl::Context& context, const cl::Device& device, std::string_view binary,
                                const std::string& options, const std::string& kernels) {
  const cl_device_id id = device();
  const std::size_t size = binary.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  cl_int device_status = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(context(), 1, &id, &size, &bytes, &device_status, &status));
  check(status, "clCreateProgramWithBinary");
  check(device_status, "clCreateProgramWithBinary");
  check(clBuildProgram(program(), 1, &id, options.c_str(), nullptr, nullptr), "clBuildProgram");

  // By name, because clCreateKernelsInProgram() finds none in NVIDIA's programs for another device than the first.
  const std::vector<std::string> names = split(kernels, ';');
  if (names.empty()) throw Error(ErrorCode::opencl_failure, "its kernels have no names");
  for (const std::string& name : names) const cl::Kernel kernel(program, name.c_str());
  return program;
}

}  // namespace tilewright::detail
