// Protection of checks on Oclgrind from its reuse of buffer numbers.
#pragma once

#include <memory>

#include "tilewright/engine.hpp"

namespace tilewright::verification {

// Oclgrind 21.10 reuses the number of a released buffer for a new one, together with the old size in its shadow memory.
// It then reports elements past the old size as uninitialised. So no buffer may be released on its device.

/// Keeps an object until the process ends. Does nothing on devices other than Oclgrind.
void keep_on_oclgrind(const Engine& engine, std::shared_ptr<const void> object);

/// Makes the engine's shared workspace so large that no plan replaces it. Does nothing on devices other than Oclgrind.
void reserve_on_oclgrind(const Engine& engine);

}  // namespace tilewright::verification
