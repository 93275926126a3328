#include "text/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tilewright::tool {

void open_standard_streams() {
  // open() takes the lowest descriptor that is free. The other way round than each is used: reading and writing fail.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace tilewright::tool
