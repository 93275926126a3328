#include "tuning/measure/descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "runtime/system/error_text.hpp"
#include "tuning/measure/evaluation.hpp"

namespace tilewright::tuning {

void require_descriptors() {
  std::array<int, 24> opened{};
  std::size_t count = 0;
  int error = 0;
  for (; count < opened.size(); ++count) {
    opened[count] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (opened[count] < 0) {
      error = errno;
      break;
    }
  }
  for (std::size_t i = 0; i < count; ++i) close(opened[i]);
  if (error == EMFILE || error == ENFILE || error == ENOMEM)
    throw SystemError("only " + std::to_string(count) + " files can be opened, but tuning needs " +
                      std::to_string(opened.size()) + ": " + detail::error_text(error) +
                      (error == EMFILE ? "; raise the limit (ulimit -n)" : ""));
}

}  // namespace tilewright::tuning
