// Random sizes, values and scalars, identical on every machine.
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
#include "verification/common/random_stream.hpp"

namespace tilewright::test::differential {

using Random = verification::RandomStream;

/// Inputs that a run leaves out.
struct Exclusions {
  bool subnormal = false;  ///< numbers near and below the smallest normal one
  bool promises = false;   ///< offset_alignment of more than 16 elements
};

/// The kinds of numbers in operands.
enum class Values {
  uniform,    ///< [-1, 1), or the whole range of a type of integers
  positive,   ///< (0, 1]
  integers,   ///< -4 to 4, or 0 to 8 for unsigned types: sums of products are exact
  scaled,     ///< magnitudes many powers of two apart
  subnormal,  ///< magnitudes near the smallest normal number
  special,    ///< uniform, with a few infinities and NaN
};

std::string_view to_string(Values values);

/// The random streams of a case. `form` determines the compiled code and is shared by many cases.
struct Draw {
  const Exclusions& without;
  const DeviceProfile& device;
  Random form;
  Random random;
};

/// Any kind that is not excluded; `special` only if it is allowed.
Values draw_values(Draw& draw, DataType type, bool special_allowed);

/// Whether numbers of a kind are integers.
bool has_whole_values(DataType type, Values values);

/// A number of the type. The imaginary part is 0 unless the type is complex.
std::complex<long double> draw_number(Random& random, DataType type, Values values);

/// 0, 1, a block boundary, or any size up to `most`; small and large sizes are equally likely.
std::uint64_t draw_size(Random& random, std::uint64_t most);

/// Number of matrices in a batch: mostly one, otherwise none, a few, or many small ones.
std::uint64_t draw_count(Random& random);

/// The largest size in a batch of `count` matrices, if it is `most` for a few.
inline std::uint64_t largest_size(std::uint64_t count, std::uint64_t most) {
  constexpr std::uint64_t few = 6, small = 12;
  return count > few ? std::min(most, small) : most;
}

/// A type from the list that the device supports; f32 is the most likely.
DataType draw_type(Draw& draw, std::initializer_list<DataType> types);

/// The choice for products: often the simplest variant, which needs one compilation per form.
Choice draw_products(Draw& draw);

/// A value for a problem's offset_alignment.
std::uint64_t draw_promise(Draw& draw);

/// An offset in elements that is a multiple of the promised alignment.
std::uint64_t draw_offset(Random& random, std::uint64_t promise);

Layout draw_layout(Random& random);

/// An increment from -4 to 4, except 0; mostly 1.
std::int64_t draw_increment(Random& random);

/// A real scalar. `is_whole`: an integer, so that results stay exact.
double draw_scalar(Random& random, bool is_whole);

/// A scalar with an imaginary part if the type is complex.
std::complex<double> draw_scalar(Random& random, DataType type, bool is_whole);

}  // namespace tilewright::test::differential
