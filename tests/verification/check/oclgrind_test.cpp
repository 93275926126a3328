// The reports of Oclgrind, shortened to one of each fault.
#include "verification/check/oclgrind.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tilewright::test {
namespace {

std::string uninitialised(const std::string& address, const std::string& item) {
  return "Uninitialized value written to global memory address " + address + "\n\tKernel: gemm\n\tEntity: Global(" +
         item + ",0,0)\n\tAt line 66 (column 1) of gemm/operands.cl:\n\t\n\n";
}

std::string race(const std::string& address, const std::string& item, const std::string& line) {
  return "Read-write data race at local memory address " + address + "\n\tKernel: gemm\n\t\n\tFirst entity:  Global(" +
         item + ",0,0)\n\tAt line 118 (column 9) of gemm/x.cl:\n\t\n\tSecond entity: Global(0,0,0)\n\tAt line " + line +
         " (column 5) of gemm/x.cl:\n\t\n\n";
}

}  // namespace

TEST_SUITE("oclgrind reports") {
  TEST_CASE("each fault is reported once") {
    const std::string reports = '\n' + uninitialised("0x10", "0") + uninitialised("0x14", "1") +
                                race("0x20", "8", "70") + uninitialised("0x18", "2") + race("0x24", "9", "70") +
                                race("0x28", "9", "71");
    const std::string distinct = verification::distinct_reports(reports);
    CHECK(distinct ==
          "Uninitialized value written to global memory address 0x10\n\tKernel: gemm\n\tEntity: Global(0,0,0)\n"
          "\tAt line 66 (column 1) of gemm/operands.cl:\n\n"
          "Read-write data race at local memory address 0x20\n\tKernel: gemm\n\tFirst entity:  Global(8,0,0)\n"
          "\tAt line 118 (column 9) of gemm/x.cl:\n\tSecond entity: Global(0,0,0)\n"
          "\tAt line 70 (column 5) of gemm/x.cl:\n\n"
          "Read-write data race at local memory address 0x28\n\tKernel: gemm\n\tFirst entity:  Global(9,0,0)\n"
          "\tAt line 118 (column 9) of gemm/x.cl:\n\tSecond entity: Global(0,0,0)\n"
          "\tAt line 71 (column 5) of gemm/x.cl:\n\n"
          "The same faults in other work-items: 3 more reports\n");
  }

  TEST_CASE("other text is kept, and no text stays none") {
    CHECK(verification::distinct_reports("\n\nInvalid argument\n") == "Invalid argument\n");
    CHECK(verification::distinct_reports("\n\t\n\n").empty());
    CHECK(verification::distinct_reports("").empty());
  }
}

}  // namespace tilewright::test
