#pragma once

namespace tilewright::tool {

/// Opens the standard streams that are closed (`tilewright ... >&-`), so that no file that is opened later takes their
/// place and gets what is printed. What is written to one that was closed still fails.
void open_standard_streams();

}  // namespace tilewright::tool
