#define DOCTEST_CONFIG_IMPLEMENT  // said of itself, as a precompiled header may have read doctest.h before
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "support/progress.hpp"
