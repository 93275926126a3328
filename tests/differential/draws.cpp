#include "differential/draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/element_type.hpp"

namespace tilewright::test::differential {
namespace {

// Exponents of 2 of the magnitudes that are drawn.
struct Exponents {
  int spread;    // of scaled numbers, above and below 0
  int smallest;  // of the smallest normal number
  int fraction;  // bits of the fraction
};

Exponents exponents_of(DataType type) {
  switch (detail::part_of(type)) {
    case DataType::f64:
      return {200, -1022, 52};
    case DataType::f16:
      return {3, -14, 10};
    case DataType::bf16:
      return {25, -126, 7};
    default:
      return {25, -126, 23};
  }
}

long double draw_real(Random& random, DataType type, Values values) {
  const Exponents exponents = exponents_of(type);
  const auto scale = [&](int first, int last) {
    return first + static_cast<int>(random.below(static_cast<std::uint64_t>(last - first + 1)));
  };
  if (detail::is_integer(type) && values == Values::uniform) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    if (type == DataType::i8) return static_cast<std::int8_t>(bits);
    if (type == DataType::u8) return static_cast<std::uint8_t>(bits);
    return static_cast<std::int32_t>(bits);
  }
  switch (values) {
    case Values::uniform:
      break;
    case Values::positive:
      return 1 - random.unit();
    case Values::integers:
      return static_cast<long double>(random.below(9)) - (type == DataType::u8 ? 0 : 4);
    case Values::scaled:
      return std::ldexp(static_cast<long double>(random.symmetric()), scale(-exponents.spread, exponents.spread));
    case Values::subnormal:
      return std::ldexp(static_cast<long double>(random.symmetric()),
                        exponents.smallest + scale(-exponents.fraction, 6));
    case Values::special:
      if (random.chance(2))
        return random.pick({std::numeric_limits<long double>::quiet_NaN(), std::numeric_limits<long double>::infinity(),
                            -std::numeric_limits<long double>::infinity()});
      break;
  }
  return random.symmetric();
}

}  // namespace

std::string_view to_string(Values values) {
  constexpr std::array<std::string_view, 6> names{"uniform", "positive", "integers", "scaled", "subnormal", "special"};
  return names.at(static_cast<std::size_t>(values));
}

Values draw_values(Draw& draw, DataType type, bool special_allowed) {
  if (detail::is_integer(type)) return draw.random.pick({Values::integers, Values::uniform});
  const Values values = draw.random.pick({Values::uniform, Values::uniform, Values::positive, Values::integers,
                                          Values::integers, Values::scaled, Values::subnormal, Values::special});
  if (values == Values::subnormal && draw.without.subnormal) return Values::uniform;
  if (values == Values::special && !special_allowed) return Values::uniform;
  return values;
}

bool has_whole_values(DataType type, Values values) { return detail::is_integer(type) || values == Values::integers; }

std::complex<long double> draw_number(Random& random, DataType type, Values values) {
  const long double real = draw_real(random, type, values);
  return {real, is_complex(type) ? draw_real(random, type, values) : 0};
}

std::uint64_t draw_size(Random& random, std::uint64_t most) {
  const std::uint64_t kind = random.below(24);
  if (kind == 0) return std::min(most, random.below(2));
  if (kind <= 6) {
    const std::uint64_t block = random.pick<std::uint64_t>({4, 8, 16, 32, 64, 128, 256});
    return std::min(most, block + random.below(3) - 1);
  }
  return static_cast<std::uint64_t>(std::exp(random.unit() * std::log(static_cast<double>(most) + 1)));
}

std::uint64_t draw_count(Random& random) {
  const std::uint64_t kind = random.below(100);
  if (kind < 70) return 1;
  if (kind < 72) return 0;
  return kind < 95 ? 2 + random.below(5) : 7 + random.below(150);
}

DataType draw_type(Draw& draw, std::initializer_list<DataType> types) {
  const DataType type = draw.form.chance(30) ? DataType::f32 : draw.form.pick(types);
  return detail::why_unsupported(type, draw.device).empty() ? type : DataType::f32;
}

Choice draw_products(Draw& draw) { return {draw.form.chance(65) ? "naive" : "", {}}; }

std::uint64_t draw_promise(Draw& draw) {
  const std::uint64_t promise = draw.form.pick<std::uint64_t>({1, 1, 2, 8, 16, 16, 16, 64, 256, 1024, 4096});
  return draw.without.promises ? std::min<std::uint64_t>(promise, 16) : promise;
}

std::uint64_t draw_offset(Random& random, std::uint64_t promise) {
  return promise * random.below(promise > 64 ? 2 : 4) * (promise == 1 ? random.below(9) : 1);
}

Layout draw_layout(Random& random) { return random.pick({Layout::row_major, Layout::column_major}); }

std::int64_t draw_increment(Random& random) {
  if (random.chance(40)) return 1;
  const auto size = static_cast<std::int64_t>(1 + random.below(4));
  return random.chance(50) ? size : -size;
}

double draw_scalar(Random& random, bool is_whole) {
  return is_whole ? random.pick({1.0, 1.0, 0.0, -1.0, 2.0, -3.0}) : random.pick({1.0, 1.0, 0.0, -1.0, 0.37, -1.7});
}

std::complex<double> draw_scalar(Random& random, DataType type, bool is_whole) {
  const double real = draw_scalar(random, is_whole);
  return {real, is_complex(type) && random.chance(60) ? draw_scalar(random, is_whole) : 0};
}

}  // namespace tilewright::test::differential
