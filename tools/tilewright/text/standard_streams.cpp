#include "text/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tilewright::tool {

void open_standard_streams() {
  // open() returns the lowest free descriptor. The access mode is the opposite of the stream's, so that reads and
  // writes fail.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace tilewright::tool
