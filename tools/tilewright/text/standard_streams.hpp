#pragma once

namespace tilewright::tool {

/// Opens closed standard streams (`tilewright ... >&-`), so that no file opened later gets their descriptors and
/// receives printed text. Reading or writing such a stream still fails.
void open_standard_streams();

}  // namespace tilewright::tool
