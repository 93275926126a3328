#include "pocl_threads.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace tilewright::tool {
namespace {

bool has_pinned = false;

}  // namespace

void pin_pocl(int argc, char** argv) {
  char** const command = std::find_if(argv + 1, argv + argc, [](const char* word) { return *word != '-'; });
  if (command != argv + argc && *command == std::string_view("run")) return;
  if (std::getenv("POCL_AFFINITY") != nullptr) return;
  if (std::thread::hardware_concurrency() == sysconf(_SC_NPROCESSORS_ONLN))
    has_pinned = setenv("POCL_AFFINITY", "1", 0) == 0;
}

bool has_pinned_pocl() { return has_pinned; }

}  // namespace tilewright::tool
