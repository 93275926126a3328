// Numbers over the whole range of a type.
#pragma once

#include "support/device_under_test.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/small_numbers.hpp"

namespace tilewright::test {

using verification::RandomStream;

/// The smallest numbers of the device.
template <class T>
verification::SmallNumbers<T> small_numbers() {
  return verification::SmallNumbers<T>(device_under_test().id);
}

/// The exponent of the smallest positive number in the device's arithmetic.
template <class T>
int min_exponent() {
  return small_numbers<T>().min_exponent();
}

}  // namespace tilewright::test
