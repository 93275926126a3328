#include "runtime/system/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "runtime/system/error_text.hpp"
#include "runtime/system/log.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
FileLock::FileLock(const std::string& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)) {
  using namespace std::chrono;
  if (descriptor_.get() < 0) throw Error(ErrorCode::invalid_records, path + " cannot be opened: " + error_text(errno));
  const auto end = steady_clock::now() + seconds(30);
  auto pause = milliseconds(1);
  while (flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    if (error != EWOULDBLOCK) {
      log(path + " cannot be locked (" + error_text(error) +
          "): if two processes store at the same time, one result may be lost");
      return;
    }
    if (steady_clock::now() > end)
      throw Error(ErrorCode::invalid_records, path + " has been locked by another process for half a minute");
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, milliseconds(20));
  }
}

}  // namespace tilewright::detail
