// The check that this process can open enough files.
#pragma once

namespace tilewright::tuning {

/// Throws SystemError if this process cannot open as many files as a trial may need: for a driver's compiler, its cache
/// and a child process. Drivers then fail in many ways, none of which is the kernel's fault.
void require_descriptors();

}  // namespace tilewright::tuning
