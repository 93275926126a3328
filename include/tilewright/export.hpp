// The macro of exported functions and classes.
#pragma once

/// Exports a function or class from a shared library of Tilewright. All other symbols are hidden.
#if defined(__GNUC__)
#define TILEWRIGHT_API __attribute__((visibility("default")))
#else
#define TILEWRIGHT_API
#endif
