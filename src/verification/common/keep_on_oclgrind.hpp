#pragma once

#include <memory>

#include "tilewright/engine.hpp"

namespace tilewright::verification {

/// Keeps something until the process ends, on Oclgrind's device only. Oclgrind 21.10 gives a new buffer the number of
/// one that was released and with it the old one's size in its shadow memory; what kernels write past that size it
/// then takes for uninitialised. So nothing is released there.
void keep_on_oclgrind(const Engine& engine, std::shared_ptr<const void> object);

}  // namespace tilewright::verification
