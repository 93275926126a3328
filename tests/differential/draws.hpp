// Random draws of sizes, values and scalars, the same on every machine.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test::differential {

/// A stream of random numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits() { return verification::random_bits(seed_, index_++); }
  /// Below `end`; 0 where `end` is 0.
  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : bits() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }
  /// From 0 to below 1.
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  /// From -1 to below 1.
  double symmetric() { return 2 * unit() - 1; }

  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

/// What a run leaves out.
struct Exclusions {
  bool subnormal = false;  ///< numbers near and below the smallest normal one
  bool promises = false;   ///< offset_alignment of more than 16 elements
};

/// The kinds of numbers that operands consist of.
enum class Values {
  uniform,    ///< [-1, 1), or the whole range of a type of integers
  positive,   ///< (0, 1]
  integers,   ///< -4 to 4, or 0 to 8 without a sign: sums of products are exact
  scaled,     ///< magnitudes that are many powers of two apart
  subnormal,  ///< magnitudes about the smallest normal number
  special,    ///< uniform, with a few infinities and NaN
};

std::string_view to_string(Values values);

/// Where the random numbers of a case come from. `form` decides what is compiled, and is shared by many cases.
struct Draw {
  const Exclusions& without;
  const DeviceProfile& device;
  Random form;
  Random random;
};

/// Any kind that is not excluded; `special` only where it is allowed.
Values draw_values(Draw& draw, DataType type, bool special_allowed);

/// Whether numbers of a kind are integers.
bool has_whole_values(DataType type, Values values);

/// A number of the type. The imaginary part is 0 unless the type is complex.
std::complex<long double> draw_number(Random& random, DataType type, Values values);

/// 0, 1, an edge of a block, or any size up to `most`; small sizes come as often as large ones.
std::uint64_t draw_size(Random& random, std::uint64_t most);

/// Matrices of a batch: mostly one, else none, a few, or many small ones.
std::uint64_t draw_count(Random& random);

/// The largest size in a batch of so many matrices, where it is `most` for a few.
inline std::uint64_t largest_size(std::uint64_t count, std::uint64_t most) {
  constexpr std::uint64_t few = 6, small = 12;
  return count > few ? std::min(most, small) : most;
}

/// A type of the list that the device computes in, f32 more often than the others.
DataType draw_type(Draw& draw, std::initializer_list<DataType> types);

/// The choice for products: often the simplest variant, which is compiled once for each form.
Choice draw_products(Draw& draw);

/// A promise for a problem's offset_alignment.
std::uint64_t draw_promise(Draw& draw);

/// An offset in elements that keeps a promise.
std::uint64_t draw_offset(Random& random, std::uint64_t promise);

Layout draw_layout(Random& random);

/// An increment from -4 to 4, not 0; mostly 1.
std::int64_t draw_increment(Random& random);

/// A real scalar. `is_whole`: an integer, so that results stay exact.
double draw_scalar(Random& random, bool is_whole);

/// The same with an imaginary part where the type is complex.
std::complex<double> draw_scalar(Random& random, DataType type, bool is_whole);

}  // namespace tilewright::test::differential
