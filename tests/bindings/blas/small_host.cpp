// A library with the names of a host's BLAS, whose integers have the type INTEGER, and whose functions compute nothing
// but isamax().
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

INTEGER place_of_largest(INTEGER n, const float* x, INTEGER step) {
  if (n < 1 || step < 1) return 0;
  INTEGER place = 1;
  for (INTEGER i = 1; i < n; ++i)
    if (x[i * step] > x[(place - 1) * step]) place = i + 1;
  return place;
}

}  // namespace

#if defined(FORTRAN_NAMES)
EXPORT INTEGER isamax_(const INTEGER* n, const float* x, const INTEGER* step) { return place_of_largest(*n, x, *step); }
EXPORT int small_host_() { return 1; }
#endif
EXPORT std::uint64_t cblas_isamax(INTEGER n, const float* x, INTEGER step) {
  const INTEGER place = place_of_largest(n, x, step);
  return place > 0 ? static_cast<std::uint64_t>(place) - 1 : 0;
}
EXPORT int scipy_small_host_() { return 2; }
EXPORT int cblas_small_host() { return 3; }
