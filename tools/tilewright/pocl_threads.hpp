// Binding of PoCL's threads to cores.
#pragma once

namespace tilewright::tool {

/// Binds PoCL's threads to cores. During short kernels the operating system does not migrate threads that share a core:
/// the same product takes up to twice as long, for the whole run. Does nothing if the environment decides already, and
/// if the process may use only some of the cores, because PoCL would ignore that restriction. Does nothing for
/// `tilewright run` either: the processes of an MPI program would all be bound to the same cores.
void pin_pocl(int argc, char** argv);

/// Whether pin_pocl() has set POCL_AFFINITY. Programs that this command starts must not inherit it then.
bool has_pinned_pocl();

}  // namespace tilewright::tool
