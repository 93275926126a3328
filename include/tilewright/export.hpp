#pragma once

/// Marks what a shared library of Tilewright offers. Everything else in it is hidden.
#if defined(__GNUC__)
#define TILEWRIGHT_API __attribute__((visibility("default")))
#else
#define TILEWRIGHT_API
#endif
