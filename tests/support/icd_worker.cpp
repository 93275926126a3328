// tilewright_icd_worker parent   truncates OCL_ICD_FILENAMES like the ICD loader, runs itself as a child and returns
//                                its status
// tilewright_icd_worker child    exits with 0 if the variable is complete

#include <cstdlib>
#include <cstring>
#include <string>

#include "support/child_process.hpp"

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  char* const drivers = std::getenv("OCL_ICD_FILENAMES");
  if (drivers == nullptr) return 64;
  if (what == "child") return std::string(drivers) == "first.so:second.so:third.so" ? 0 : 1;
  char* const colon = std::strchr(drivers, ':');
  if (what != "parent" || colon == nullptr) return 64;
  *colon = '\0';
  return tilewright::test::ChildProcess({argv[0], "child"}).wait();
}
