#pragma once

namespace tilewright::verification {

/// The child's side of run_check(): reads one request from standard input and answers on the file descriptor 3, a line
/// of JSON at a time: the device, each part, and each case before and after it ran. Returns the exit status.
int serve_check();

}  // namespace tilewright::verification
