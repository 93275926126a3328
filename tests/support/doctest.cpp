// doctest itself, once for all test programs.
#define DOCTEST_CONFIG_IMPLEMENT  // works after a precompiled header that has read doctest.h without it
#include <doctest/doctest.h>
