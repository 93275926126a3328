#include "verification/gemm/conformance_cases.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <set>
#include <utility>

#include "kernels/element_type.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/gemm/tile_edges.hpp"

namespace tilewright::verification {
namespace {

using Sizes = std::vector<std::uint64_t>;

constexpr double scalars[] = {0, 1, -0.7};

// Returns a whole scalar, which keeps the sums of integers exact so that bits can be compared. Integer types get a
// scalar so large that results wrap around modulo 2^32.
double whole(double scalar, DataType type) {
  if (scalar != -0.7) return scalar;
  return detail::is_integer(type) ? -123456789 : -2;
}

Sizes sizes_round(const Sizes& edges, Breadth breadth) {
  std::set<std::uint64_t> sizes{1, 2, 3, 7, 13};
  if (breadth == Breadth::normal || breadth == Breadth::full) sizes.insert({31, 61});
  for (const std::uint64_t edge : edges) {
    // Large products are slow on an interpreter, so large tiles are tested only at their first edge, 0.
    if (breadth == Breadth::quick && edge > 16) continue;
    sizes.insert({edge - 1, edge, edge + 1});
    if (breadth == Breadth::full || edge <= 32) sizes.insert(2 * edge + 1);
  }
  sizes.erase(0);
  return {sizes.begin(), sizes.end()};
}

Sizes with_zero(Sizes sizes) {
  sizes.push_back(0);
  return sizes;
}

struct Shape {
  std::uint64_t granule = 1;  // sizes, gaps and offsets are multiples of it, as vector loads require
  std::array<std::uint64_t, 3> gaps{};
  std::array<std::uint64_t, 3> offsets{};
};

const std::vector<Shape> unaligned_shapes = {
    {1, {0, 0, 0}, {0, 0, 0}}, {1, {3, 0, 1}, {1, 7, 2}}, {1, {0, 5, 9}, {0, 16, 0}}, {1, {1, 1, 1}, {16, 0, 5}}};
const std::vector<Shape> aligned_shapes = {
    {4, {0, 4, 0}, {0, 0, 4}}, {8, {8, 0, 16}, {16, 48, 16}}, {16, {0, 16, 0}, {0, 0, 16}}};

struct BatchKind {
  std::uint64_t products = 1;
  bool by_offsets = false;
  std::array<bool, 2> shared{};
};

// Half of the entries are single products.
const std::vector<BatchKind> batch_kinds = {{},
                                            {},
                                            {},
                                            {.products = 3},
                                            {.products = 2, .shared = {false, true}},
                                            {.products = 3, .by_offsets = true},
                                            {.products = 2, .shared = {true, false}}};

// Returns the largest power of two up to 16 that divides all offsets, as gemm() would.
std::uint64_t alignment_of(const std::array<std::uint64_t, 3>& offsets) {
  std::uint64_t alignment = 16;
  for (const std::uint64_t offset : offsets)
    while (offset % alignment != 0) alignment /= 2;
  return alignment;
}

// Adds cases past the first blocks of k, with few rows and columns to keep them cheap. They cover large edges, and k so
// large that the roundings of C, one per block, add up.
void add_deep_cases(std::vector<GemmCase>& cases, const GemmCase& common, const TileEdges& edges, Breadth breadth) {
  GemmCase test = common;
  test.m = breadth == Breadth::quick ? 3 : 15;
  test.n = breadth == Breadth::quick ? 5 : 67;
  const auto add = [&](std::uint64_t k, DataKind data, double alpha, double beta) {
    test.k = k;
    test.data = data;
    test.alpha = alpha;
    test.beta = beta;
    cases.push_back(test);
    ++test.seed;
  };
  const std::uint64_t largest = !edges.deep.empty() ? edges.deep.back() : !edges.k.empty() ? edges.k.back() : 16;
  const bool is_costly = breadth == Breadth::quick && edges.is_large;
  add((is_costly ? 1 : 4) * largest + 1, DataKind::faint, 1, 1);
  if (breadth == Breadth::quick) return;
  for (const std::uint64_t edge : edges.deep) {
    add(edge + 1, DataKind::integers, -2, 1);
    add(2 * edge + 1, DataKind::positive, detail::is_integer(test.type) ? whole(-0.7, test.type) : -0.7, 1);
  }
}

std::uint64_t seed_of(const std::string& variant, const Configuration& configuration, const Form& form) {
  std::uint64_t seed = 0;
  for (const char c : variant + to_string(configuration)) seed = seed * 31 + static_cast<unsigned char>(c);
  return seed * 16 + 8 * static_cast<std::uint64_t>(form.type) + (form.layout == Layout::column_major ? 4U : 0U) +
         (form.trans_a != Transpose::no ? 2U : 0U) + (form.trans_b != Transpose::no ? 1U : 0U);
}

// Sets imaginary parts of alpha and beta; whole ones for integers, whose sums must stay exact.
void add_imaginary_parts(GemmCase& test, std::uint64_t turn) {
  const auto part = [&](bool has_one, double value) {
    return !has_one ? 0 : test.data == DataKind::integers ? std::round(4 * value) : value;
  };
  test.alpha.imag(part(turn % 4 == 1 || turn % 4 == 3, 0.6));
  test.beta.imag(part(turn % 4 == 2 || turn % 4 == 3, -0.3));
}

}  // namespace

std::vector<Form> forms_of(DataType type) {
  std::vector<Transpose> transposes{Transpose::no, Transpose::yes};
  if (is_complex(type)) transposes.push_back(Transpose::conjugate_transpose);
  std::vector<Form> forms;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Transpose trans_a : transposes)
      for (const Transpose trans_b : transposes) forms.push_back({type, layout, trans_a, trans_b});
  return forms;
}

std::vector<GemmCase> conformance_cases(const std::string& variant, const Configuration& configuration,
                                        const Form& form, Breadth breadth) {
  const TileEdges edges = tile_edges(variant, configuration);
  const std::uint64_t seed = seed_of(variant, configuration, form);
  ShuffledValues<std::uint64_t> m(sizes_round(edges.m, breadth), seed + 1);
  ShuffledValues<std::uint64_t> n(sizes_round(edges.n, breadth), seed + 2);
  ShuffledValues<std::uint64_t> k(with_zero(sizes_round(edges.k, breadth)), seed + 3);
  std::vector<std::pair<double, double>> pairs;
  for (const double alpha : scalars)
    for (const double beta : scalars) pairs.emplace_back(alpha, beta);
  ShuffledValues<std::pair<double, double>> scalar_pairs(pairs, seed + 4);
  ShuffledValues<DataKind> data({DataKind::uniform, DataKind::positive, DataKind::faint, DataKind::integers}, seed + 5);
  ShuffledValues<int> specials({1, 0, 0, 0}, seed + 6);
  ShuffledValues<Memory> memories(memories_of(breadth), seed + 7);
  ShuffledValues<BatchKind> batches(batch_kinds, seed + 10);
  ShuffledValues<Shape> unaligned(unaligned_shapes, seed + 8);
  ShuffledValues<Shape> aligned(breadth == Breadth::edges ? std::vector{aligned_shapes.back()} : aligned_shapes,
                                seed + 9);

  std::size_t count = std::max({m.size(), n.size(), k.size(), pairs.size()});
  if (breadth == Breadth::quick) count = std::min<std::size_t>(count, edges.is_large ? 1 : 4);
  if (breadth == Breadth::edges) count = std::max({m.size(), n.size(), k.size()});
  if (breadth == Breadth::full) count *= 3;

  std::vector<GemmCase> cases;
  for (std::size_t i = 0; i < count + count / 2; ++i) {
    const Shape shape = i < count ? unaligned.next() : aligned.next();
    const auto rounded = [&](std::uint64_t size) { return (size + shape.granule - 1) / shape.granule * shape.granule; };
    const auto [alpha, beta] = scalar_pairs.next();
    const BatchKind batch = form.batches ? batches.next() : BatchKind{};
    GemmCase test{.variant = variant,
                  .configuration = configuration,
                  .type = form.type,
                  .type_c = form.type_c,
                  .accuracy = form.accuracy,
                  .layout = form.layout,
                  .trans_a = form.trans_a,
                  .trans_b = form.trans_b,
                  .m = rounded(m.next()),
                  .n = rounded(n.next()),
                  .k = rounded(k.next()),
                  .gaps = shape.gaps,
                  .offsets = shape.offsets,
                  .offset_alignment = alignment_of(shape.offsets),
                  .alpha = alpha,
                  .beta = beta,
                  .data = data.next(),
                  .specials = specials.next() == 1 && !detail::is_integer(form.type),
                  .memory = memories.next(),
                  .products = batch.products,
                  .by_offsets = batch.by_offsets,
                  .shared = batch.shared,
                  .epilogue = form.epilogue,
                  .seed = seed % 1000 + i};
    if (test.data == DataKind::integers || detail::is_integer(test.type))
      for (std::complex<double>* scalar : {&test.alpha, &test.beta}) *scalar = whole(scalar->real(), test.type);
    if (is_complex(form.type)) add_imaginary_parts(test, i + i / 4);  // some callers take every fourth case
    cases.push_back(std::move(test));
  }
  const GemmCase common{.variant = variant,
                        .configuration = configuration,
                        .type = form.type,
                        .type_c = form.type_c,
                        .accuracy = form.accuracy,
                        .layout = form.layout,
                        .trans_a = form.trans_a,
                        .trans_b = form.trans_b,
                        .epilogue = form.epilogue,
                        .seed = seed % 1000 + cases.size()};
  add_deep_cases(cases, common, edges, breadth);
  return cases;
}

}  // namespace tilewright::verification
