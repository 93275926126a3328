// Triangular matrices as data, and the smallest numbers of a device.
#pragma once

#include "differential/draws.hpp"
#include "support/device_under_test.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::test::differential {

using verification::LowerTriangle, verification::TriangleKind;

/// The smallest numbers of the device under test.
template <class T>
verification::SmallNumbers<T> small_numbers() {
  return verification::SmallNumbers<T>(device_under_test().id);
}

inline TriangleKind draw_triangle_kind(Random& random, const Exclusions& without, bool is_unit) {
  const TriangleKind kind =
      random.pick({TriangleKind::dominant, TriangleKind::dominant, TriangleKind::alternating, TriangleKind::arrow,
                   TriangleKind::scaled, TriangleKind::tiny, TriangleKind::huge, TriangleKind::any_size});
  if (has_scales(kind) && is_unit) return TriangleKind::dominant;
  return has_scales(kind) && without.subnormal ? TriangleKind::scaled : kind;
}

}  // namespace tilewright::test::differential
