#pragma once

namespace tilewright::verification {

/// The child's side of run_check(). Reads one request from standard input and answers with lines of JSON on file
/// descriptor 3: the device, each part, and each case before and after it runs. Returns the exit status.
int serve_check();

}  // namespace tilewright::verification
