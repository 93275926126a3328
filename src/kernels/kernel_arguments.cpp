#include "kernels/kernel_arguments.hpp"

#include <array>
#include <span>
#include <string>

#include "kernels/host_type.hpp"

namespace tilewright::detail {
namespace {

// Describes an argument that the driver refused. Called only after a failure.
Error argument_error(cl_int status, cl_kernel kernel, cl_uint position, std::size_t bytes) {
  Error plain = opencl_error(status, "clSetKernelArg");
  std::array<char, 256> name{};
  cl_uint count = 0;
  if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, name.size(), name.data(), nullptr) != CL_SUCCESS ||
      clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr) != CL_SUCCESS)
    return plain;
  return {plain.code(),
          std::string(plain.what()) + ": argument " + std::to_string(position + 1) + " of " + std::to_string(count) +
              " of kernel '" + name.data() + "' was set to a value of " + std::to_string(bytes) + " bytes",
          status};
}

// Sets or skips arguments one after another.
class Setter {
 public:
  Setter(cl_kernel kernel, const FixedValues& fixed) : kernel_(kernel), fixed_(fixed) {}

  template <class T>
  void value(const T& v) {
    const cl_int status = clSetKernelArg(kernel_, position_, sizeof v, &v);
    if (status != CL_SUCCESS) throw argument_error(status, kernel_, position_, sizeof v);
    ++position_;
  }
  void index(std::uint64_t v) { fixed_.wide_index ? value(static_cast<cl_long>(v)) : value(static_cast<cl_int>(v)); }
  void offset(std::uint64_t v) { value(static_cast<cl_ulong>(v)); }
  void scalar(const std::complex<double>& v) {
    with_host_type(fixed_.scalar_type, [&]<class T>(std::type_identity<T>) {
      if constexpr (is_complex_host_type<T>)
        value(T(v));
      else
        value(static_cast<T>(v.real()));
    });
  }
  void part(const MatrixRef& ref) {
    value(ref.buffer);
    offset(ref.offset);
  }

  void batch() {
    if (fixed_.batch_offsets != nullptr) return value(fixed_.batch_offsets);
    for (const std::uint64_t stride : fixed_.batch_strides) offset(stride);
  }

  void skip(cl_uint arguments = 1) { position_ += arguments; }

  cl_uint batch_arguments() const {
    return fixed_.batch_offsets != nullptr ? 1 : static_cast<cl_uint>(fixed_.batch_strides.size());
  }

 private:
  cl_kernel kernel_;
  const FixedValues& fixed_;
  cl_uint position_ = 0;
};

// Sets the arguments that are equal in all calls, or, if `call` is not null, those that each call changes.
void set_each(Setter& set, const Launch& launch, std::span<const KernelArgument> arguments, const FixedValues& fixed,
              const CallValues* call) {
  using enum KernelArgument::Kind;
  for (const auto& [kind, value] : arguments) {
    switch (kind) {
      case index:
        call == nullptr ? set.index(value) : set.skip();
        break;
      case offset:
        call == nullptr ? set.offset(value) : set.skip();
        break;
      case batch:
        call == nullptr ? set.batch() : set.skip(set.batch_arguments());
        break;
      case size:
        call != nullptr ? set.index(call->size) : set.skip();
        break;
      case scalar:
        call != nullptr ? set.scalar(call->scalars[value]) : set.skip();
        break;
      case matrix:
        call != nullptr ? set.part(call->matrices[value]) : set.skip(2);
        break;
      case workspace:
        call != nullptr ? set.part(call->workspaces[value]) : set.skip(2);
        break;
      case image:
        call != nullptr ? set.value(call->workspaces[value].buffer) : set.skip();
        break;
      case map:
        call == nullptr ? set.value(launch.maps[value]) : set.skip();
        break;
      case inserted:
        set_each(set, launch, fixed.inserted, fixed, call);
        break;
    }
  }
}

}  // namespace

void set_fixed_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& values) {
  Setter set(kernel, values);
  set_each(set, launch, launch.arguments, values, nullptr);
}

void set_call_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& fixed, const CallValues& call) {
  Setter set(kernel, fixed);
  set_each(set, launch, launch.arguments, fixed, &call);
}

void set_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& fixed, const CallValues& call) {
  set_fixed_arguments(kernel, launch, fixed);
  set_call_arguments(kernel, launch, fixed, call);
}

}  // namespace tilewright::detail
