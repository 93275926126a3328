#include "kernels/element_type.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "gemm/variant.hpp"
#include "kernels/host_type.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {

using namespace detail;

TEST_SUITE("element types") {
  TEST_CASE("the type table agrees with the host types") {
    for (const ElementType& entry : element_types()) {
      CAPTURE(entry.name);
      CHECK(&element_type(entry.type) == &entry);
      CHECK(to_string(entry.type) == entry.name);
      CHECK(find_data_type(entry.name) == entry.type);
      CHECK(accumulator_of(accumulator_of(entry.type)) == accumulator_of(entry.type));
      const bool has_bits = !entry.numpy_number || entry.type == DataType::u8;
      const std::string kind = has_bits ? "u" : is_integer(entry.type) ? "i" : is_complex(entry.type) ? "c" : "f";
      CHECK(entry.numpy == (entry.bytes == 1 ? "|" : "<") + kind + std::to_string(entry.bytes));
      CHECK(part_of(entry.type) == (is_complex(entry.type) ? accumulator_of(part_of(entry.type)) : entry.type));
      with_host_type(entry.type, [&]<class T>(std::type_identity<T>) {
        CHECK(HostType<T>::type == entry.type);
        CHECK(HostType<Accumulator<T>>::type == entry.accumulator);
        CHECK(sizeof(T) == entry.bytes);
        CHECK(static_cast<double>(std::numeric_limits<Part<T>>::epsilon()) / 2 == entry.roundoff);
      });
    }
    CHECK_FALSE(find_data_type("f128"));
    CHECK_FALSE(find_data_type(""));
  }

  TEST_CASE("kernels get a storage option only if it differs from the accumulator") {
    CHECK(element_options(DataType::f16) == " -DACCUM_BITS=32 -DSTORED_AS_HALF=1");
    CHECK(element_options(DataType::bf16) == " -DACCUM_BITS=32 -DSTORED_AS_BFLOAT=1");
    CHECK(element_options(DataType::f16, DataType::f32) == " -DACCUM_BITS=32 -DSTORED_AS_HALF=1 -DC_STORED_AS_ACCUM=1");
    CHECK(element_options(DataType::f32) == " -DACCUM_BITS=32");
    CHECK(element_options(DataType::f64) == " -DACCUM_BITS=64");
    constexpr const char* integers = " -DACCUM_BITS=32 -DACCUM_IS_INTEGER=1";
    CHECK(element_options(DataType::i8) == integers + std::string(" -DSTORED_AS_CHAR=1 -DC_STORED_AS_ACCUM=1"));
    CHECK(element_options(DataType::u8) == integers + std::string(" -DSTORED_AS_UCHAR=1 -DC_STORED_AS_ACCUM=1"));
    CHECK(element_options(DataType::i32) == integers);
    CHECK(element_options(DataType::c64) == " -DACCUM_BITS=32 -DCOMPLEX=1");
    CHECK(element_options(DataType::c128) == " -DACCUM_BITS=64 -DCOMPLEX=1");
  }

  TEST_CASE("a number that is not a type is refused by every function") {
    const auto none = static_cast<DataType>(99);
    const std::string message = expect_error(ErrorCode::unsupported_type, [&] { element_type(none); });
    CHECK(to_string(none) == "unknown");
    CHECK(message.find("f16, bf16, f32, f64, i8, u8, i32, c64, c128") != std::string::npos);
    expect_error(ErrorCode::unsupported_type, [&] { accumulator_of(none); });
    const GemmProblem problem{.type = none, .m = 4, .n = 4, .k = 4};
    expect_error(ErrorCode::unsupported_type, [&] { return explain_gemm(typical_cpu(), problem); });
    expect_error(ErrorCode::unsupported_type, [&] { return gemm_support(typical_cpu(), "naive", problem); });
  }

  TEST_CASE("a variant accepts every type, or gives a reason") {
    for (const GemmVariant* const variant : Operation<GemmProblem>::variants())
      for (const ElementType& entry : element_types()) {
        const auto& types = variant->needs.types;
        const bool takes = std::find(types.begin(), types.end(), part_of(entry.type)) != types.end();
        if (!may_multiply(entry.type) || takes) continue;
        CAPTURE(variant->name);
        REQUIRE(variant->needs.why_no_other_type != nullptr);
        const Support support =
            gemm_support(typical_nvidia_gpu(), variant->name, {.type = entry.type, .m = 64, .n = 64, .k = 64});
        CHECK_FALSE(support.supported);
        CHECK(support.reason == variant->needs.why_no_other_type);
      }
    for (const char* const variant : {"naive", "row_per_item", "private_row", "local_column", "local_tile",
                                      "register_strip", "register_blocked", "packed_panel", "group_reduction"})
      for (const ElementType& entry : element_types())
        if (may_multiply(entry.type))
          CHECK(gemm_support(typical_cpu(), variant, {.type = entry.type, .m = 64, .n = 64, .k = 64}).supported);
  }
}

}  // namespace tilewright::test
