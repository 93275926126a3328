#pragma once

namespace tilewright::tuning {

/// Throws SystemError where this process cannot open as many files as a trial may take (a driver's compiler, its cache,
/// a child process): drivers answer with all kinds of failures then, and none of them is the kernel's.
void require_descriptors();

}  // namespace tilewright::tuning
