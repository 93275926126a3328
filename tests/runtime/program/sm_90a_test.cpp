// sm_90a instructions, which are comments in the PTX of NVIDIA's compiler.
#include "runtime/program/sm_90a.hpp"

#include <doctest/doctest.h>

#include "runtime/program/kernel_source.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {

using detail::has_sm_90a_instructions;
using detail::with_sm_90a_instructions;

TEST_SUITE("instructions of sm_90a") {
  const std::string ptx =
      "// comment: //sm_80 stays\n.version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n"
      "{\n// begin inline asm\n//sm_90a wgmma.fence.sync.aligned;\n// end inline asm\n"
      "\t//sm_90a { .reg .pred add; wgmma.mma_async {%f1, %f2}, %rd1; }\n}\n";

  TEST_CASE("the instructions are uncommented, and the target becomes sm_90a") {
    CHECK(with_sm_90a_instructions(ptx) ==
          "// comment: //sm_80 stays\n.version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n"
          "{\n// begin inline asm\nwgmma.fence.sync.aligned;\n// end inline asm\n"
          "\t{ .reg .pred add; wgmma.mma_async {%f1, %f2}, %rd1; }\n}\n");
  }

  TEST_CASE("directives of a kernel's body are moved to its header") {
    CHECK(with_sm_90a_instructions(".target sm_90\n.entry one(\n.param .u64 a\n)\n.reqntid 64, 1, 1\n{\n"
                                   "//sm_90a_entry .minnctapersm 3\n//sm_90a x;\n}\n"
                                   ".entry two()\n{\n{ y; }\n\t//sm_90a_entry .minnctapersm 2\n}\n") ==
          ".target sm_90a\n.entry one(\n.param .u64 a\n)\n.reqntid 64, 1, 1\n.minnctapersm 3\n{\n\nx;\n}\n"
          ".entry two()\n.minnctapersm 2\n{\n{ y; }\n\t\n}\n");
  }

  TEST_CASE("bytes after the PTX are left out") {
    CHECK(with_sm_90a_instructions(ptx + '\0' + "//sm_90a x") == with_sm_90a_instructions(ptx));
  }

  TEST_CASE("text that is not PTX for sm_90, or has lost the instructions, is refused") {
    const auto refuse = [](const std::string& text) {
      return expect_error(ErrorCode::build_failed, [&] { with_sm_90a_instructions(text); });
    };
    CHECK(mentions(refuse(""), "not PTX for sm_90"));
    CHECK(mentions(refuse("\x7f"
                          "ELF"),
                   "not PTX for sm_90"));
    CHECK(mentions(refuse(".target sm_80\n//sm_90a x\n"), "not PTX for sm_90"));
    CHECK(mentions(refuse(".target sm_90a\n//sm_90a x\n"), "another target"));
    CHECK(mentions(refuse(".target sm_90\nret;\n"), "dropped"));
    CHECK(mentions(refuse(".target sm_90\n{\n//sm_90a x\n//sm_90a_entry .y\n}\n"), "in no kernel"));
    CHECK(mentions(refuse(std::string(".target sm_90\n") + '\0' + "//sm_90a x"), "dropped"));
  }

  TEST_CASE("a program gets the instructions if its source asks for them") {
    CHECK(has_sm_90a_instructions(detail::kernel_source({"common/ptx_warpgroup.cl"})));
    CHECK_FALSE(has_sm_90a_instructions(detail::kernel_source({"gemm/tensor_core.cl", "common/ptx_memory.cl"})));
  }
}

}  // namespace tilewright::test
