// tilewright_icd_worker parent   truncates OCL_ICD_FILENAMES like the ICD loader, checks that icd_filenames() is
// complete,
//                                runs itself as a child and returns its status
// tilewright_icd_worker child    exits with 0 if the variable is complete

#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/system/icd_environment.hpp"
#include "support/child_process.hpp"

namespace {

constexpr const char* all_drivers = "first.so:second.so:third.so";

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  char* const drivers = std::getenv("OCL_ICD_FILENAMES");
  if (drivers == nullptr) return 64;
  if (what == "child") return std::string(drivers) == all_drivers ? 0 : 1;
  char* const colon = std::strchr(drivers, ':');
  if (what != "parent" || colon == nullptr) return 64;
  *colon = '\0';
  if (tilewright::detail::icd_filenames() != all_drivers) return 2;
  return tilewright::test::ChildProcess({argv[0], "child"}).wait();
}
