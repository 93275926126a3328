// The whole public interface.
#pragma once

#include "tilewright/cache.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/log.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/opencl.hpp"
#include "tilewright/packed_matrix.hpp"
#include "tilewright/records.hpp"
#include "tilewright/version.hpp"
