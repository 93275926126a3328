#include "verification/transpose/transpose_cases.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "kernels/element_type.hpp"
#include "transpose/variant.hpp"
#include "verification/common/edge_sizes.hpp"
#include "verification/common/shuffled_values.hpp"

namespace tilewright::verification {
namespace {

using Sizes = std::vector<std::uint64_t>;

Sizes sizes_round(const std::vector<std::int64_t>& edges, Breadth breadth) {
  std::set<std::uint64_t> sizes{1, 2, 3, 7, 13};
  if (breadth != Breadth::quick) sizes.insert({31, 61});
  for (const std::uint64_t edge : sizes_of(edges, breadth == Breadth::quick ? 32 : 300)) {
    sizes.insert({edge - 1, edge, edge + 1});
    if (edge <= 64) sizes.insert(2 * edge + 1);
  }
  return {sizes.begin(), sizes.end()};
}

struct Shape {
  std::uint64_t granule = 1;  // leading dimensions and offsets are multiples of it, as vectors require
  std::array<std::uint64_t, 2> gaps{};
  std::array<std::uint64_t, 2> offsets{};
};

const std::vector<Shape> shapes = {{1, {0, 0}, {0, 0}},  {1, {3, 1}, {1, 7}},    {1, {5, 0}, {0, 16}},
                                   {16, {0, 0}, {0, 0}}, {8, {8, 16}, {16, 48}}, {4, {4, 0}, {0, 4}}};

// Returns the most similar case that the variant supports.
TransposeCase fitted(const DeviceProfile& device, const TransposeCase& test) {
  const auto fits = [&](const TransposeCase& changed) {
    return transpose_support(device, test.variant, problem_of(changed)).supported;
  };
  TransposeCase same_gaps = test;
  same_gaps.gaps[1] = test.gaps[0];
  TransposeCase square = same_gaps;
  square.n = test.m;
  TransposeCase dense = test;
  dense.gaps = {0, 0};
  for (const TransposeCase& changed : {test, same_gaps, square, dense})
    if (fits(changed)) return changed;
  return test;
}

std::uint64_t seed_of(const TransposeCase& common) {
  std::uint64_t seed = common.element.bytes() + (common.element.number() ? 100U : 0U);
  for (const char c : common.variant + to_string(common.configuration))
    seed = seed * 31 + static_cast<unsigned char>(c);
  return seed;
}

}  // namespace

std::vector<TransposeCase> transpose_cases(const DeviceProfile& device, const TransposeCase& common, bool batches,
                                           Breadth breadth) {
  const std::uint64_t seed = seed_of(common);
  const auto& variant = detail::find_variant<TransposeProblem>(common.variant);
  const detail::Edges edges = variant.edges(detail::values_of(variant, common.configuration));
  ShuffledValues<std::uint64_t> m(sizes_round(edges.m, breadth), seed + 1);
  ShuffledValues<std::uint64_t> n(sizes_round(edges.n, breadth), seed + 2);
  ShuffledValues<Shape> shapes_in_turn(shapes, seed + 3);
  ShuffledValues<Memory> memories(memories_of(breadth), seed + 4);
  ShuffledValues<Layout> layouts({Layout::row_major, Layout::column_major}, seed + 5);
  const auto number = common.element.number();
  const bool scales = number && detail::why_unsupported(*number, device).empty();
  ShuffledValues<double> factors(scales ? std::vector<double>{1, -0.7, 0, 2} : std::vector<double>{1}, seed + 6);
  ShuffledValues<std::uint64_t> batches_in_turn(batches ? Sizes{1, 3, 1, 2} : Sizes{1}, seed + 7);

  std::size_t count = std::max({m.size(), n.size(), shapes.size()});
  if (breadth == Breadth::quick) count = 6;
  if (breadth == Breadth::full) count *= 3;
  std::vector<TransposeCase> cases;
  for (std::size_t i = 0; i < count; ++i) {
    TransposeCase test = common;
    const Shape shape = shapes_in_turn.next();
    const auto rounded = [&](std::uint64_t size) { return (size + shape.granule - 1) / shape.granule * shape.granule; };
    test.layout = layouts.next();
    test.m = rounded(m.next());
    test.n = rounded(n.next());
    test.gaps = shape.gaps;
    test.offsets = shape.offsets;
    test.offset_alignment = shape.granule;
    test.alpha = factors.next();
    test.memory = memories.next();
    test.matrices = batches_in_turn.next();
    test.shared = test.matrices == 2 && !common.in_place;
    test.seed = seed % 1000 + i;
    cases.push_back(fitted(device, test));
  }
  return cases;
}

}  // namespace tilewright::verification
