// Settings of the BLAS library, from the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::blas {

enum class Mode { automatic, always, never };

/// The variables TILEWRIGHT_BLAS and TILEWRIGHT_BLAS_*.
struct Settings {
  Mode mode = Mode::automatic;
  std::string host;                    ///< path of the host's BLAS; empty: it is searched
  std::optional<bool> wide_integers;   ///< whether the host's plain names take 64-bit integers; empty: it is asked
  std::vector<std::string> routines;   ///< known names of routines that may use the device; empty: all
  double min_flops = 1e7;              ///< smaller calls stay on the host, unless the mode is `always`
  std::uint64_t memory = 0;            ///< bytes of device memory; 0: nine tenths of the device's
  Accuracy accuracy = Accuracy::full;  ///< of f32 products
  std::string report;  ///< empty: none; "1": text to standard error; otherwise a file for JSON, with %p for the process
};

/// Reads the environment. A value that cannot be understood counts as not set, because nothing may be printed.
Settings read_settings();

}  // namespace tilewright::blas
