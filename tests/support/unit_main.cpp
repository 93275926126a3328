// The main function of test programs that need no device, or find one themselves.
#include <doctest/doctest.h>

#include "support/progress.hpp"

int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
