#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "kernels/element_type.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/rank_k/rank_k_case.hpp"

namespace tilewright::verification {
namespace {

using Sizes = std::pair<std::uint64_t, std::uint64_t>;

// Draws the cases of one function and type, equal in every run.
class RankKCases {
 public:
  RankKCases(RankKFunction call, DataType type, const DeviceProfile& device, Breadth breadth)
      : call_(call),
        type_(type),
        breadth_(breadth),
        is_interpreted_(detail::quirks_of(device.vendor).is_simulator),
        random_(10 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(call)) {}

  std::vector<CaseGroup> groups() {
    return {{"forms", forms()}, {"sizes", sizes()}, {"batches", batches()}, {"scalars", scalars()}};
  }

 private:
  bool is_quick() const { return breadth_ == Breadth::quick; }

  // Every layout, triangle, symmetry and transpose; some of them if kernels are interpreted.
  std::vector<std::string> forms() {
    // One block; and several blocks, some of them at the edge.
    ShuffledValues<Sizes> size(is_interpreted_ ? std::vector<Sizes>{{9, 5}} : std::vector<Sizes>{{37, 12}, {301, 70}},
                               1);
    std::size_t turn = 0;
    std::vector<std::string> cases;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
          for (const Transpose trans_a : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
            for (const Transpose trans_b : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose}) {
              const bool is_gemmt = call_ == RankKFunction::gemmt;
              if (is_gemmt ? symmetry == Symmetry::hermitian : trans_b != Transpose::no) continue;
              if (!is_complex(type_) &&
                  (trans_a == Transpose::conjugate_transpose || trans_b == Transpose::conjugate_transpose))
                continue;
              if (is_interpreted_ && turn++ % 5 != 0) continue;
              RankKCase test = drawn(size.next(), 1);
              test.layout = layout;
              test.uplo = uplo;
              test.symmetry = symmetry;
              test.trans_a = trans_a;
              test.trans_b = trans_b;
              keep_scalars_real(test);
              // Both triangles and both symmetries, among others.
              if (const std::size_t form = cases.size() % 16; form == 0 || form == 5)
                test.products = {"register_blocked", drawn_tiles()};
              cases.push_back(to_string(test));
            }
    return cases;
  }

  // Sizes around blocks and vectors, and random ones.
  std::vector<std::string> sizes() {
    std::vector<Sizes> all{{0, 3}, {3, 0}, {1, 1}, {17, 130}};
    if (!is_interpreted_) all.insert(all.end(), {{200, 1}, {512, 96}});
    if (!is_interpreted_ && !is_quick())
      all.insert(all.end(), {{63, 64}, {64, 64}, {65, 300}, {128, 33}, {129, 257}, {256, 17}, {400, 100}, {523, 64}});
    if (breadth_ == Breadth::full) all.insert(all.end(), {{1000, 200}, {1025, 130}});
    for (int i = 0; i < (is_interpreted_ ? 0 : is_quick() ? 2 : 8); ++i)
      all.emplace_back(1 + random_.below(400), 1 + random_.below(150));
    std::vector<std::string> cases;
    for (const Sizes& size : all) cases.push_back(to_string(drawn(size, 1)));
    return cases;
  }

  // Updates that share A, and updates with matrices of their own: one block each, and several.
  std::vector<std::string> batches() {
    std::vector<Sizes> all{{5, 7}, {18, 3}};
    if (!is_interpreted_) all.emplace_back(270, 64);
    if (!is_interpreted_ && !is_quick()) all.insert(all.end(), {{1, 1}, {33, 40}, {150, 20}, {330, 90}});
    std::vector<std::string> cases;
    for (const Sizes& size : all)
      for (const bool shares_a : {false, true}) {
        RankKCase test = drawn(size, size.first < 20 && !is_interpreted_ ? 20 : 3);
        test.shares_a = shares_a;
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Scalars that read or write less, for one block and for several.
  std::vector<std::string> scalars() {
    std::vector<std::string> cases;
    for (const Sizes& size : is_interpreted_ ? std::vector<Sizes>{{7, 5}} : std::vector<Sizes>{{40, 9}, {280, 64}})
      for (const auto& [alpha, beta] : {std::pair(0.0, 0.0), {0.0, 1.0}, {0.0, -2.0}, {1.0, 0.0}, {1.0, 1.0}}) {
        RankKCase test = drawn(size, size.first < 100 ? 2 : 1);
        test.alpha = alpha;
        test.beta = beta;
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Returns a case in a random form.
  RankKCase drawn(const Sizes& size, std::uint64_t count) {
    constexpr std::uint64_t gaps[] = {0, 1, 3, 16}, offsets[] = {0, 1, 5, 16};
    RankKCase test{.call = call_,
                   .type = type_,
                   .layout = random_.pick({Layout::row_major, Layout::column_major}),
                   .uplo = random_.pick({Uplo::lower, Uplo::upper}),
                   .trans_a = random_.pick({Transpose::no, Transpose::yes}),
                   .n = size.first,
                   .k = size.second,
                   .alpha = random_.pick({1.0, 2.0, -0.75}),
                   .beta = random_.pick({0.0, 1.0, -3.0}),
                   .count = count};
    if (call_ == RankKFunction::gemmt) {
      test.trans_b = random_.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose});
    } else {
      test.symmetry = random_.pick({Symmetry::symmetric, Symmetry::hermitian});
    }
    if (is_complex(type_)) {
      test.alpha.imag(random_.pick({0.0, 1.0, -0.5}));
      test.beta.imag(random_.pick({0.0, 0.0, 2.0}));
    }
    keep_scalars_real(test);
    for (std::size_t x = 0; x < 3; ++x) {
      test.gaps[x] = gaps[random_.below(std::size(gaps))];
      test.offsets[x] = offsets[random_.below(std::size(offsets))];
    }
    test.data = random_.pick({DataKind::integers, DataKind::uniform, DataKind::positive});
    const std::vector<Memory> memories = memories_of(breadth_);
    test.memory = memories[random_.below(memories.size())];
    // The kernels that the selector chooses take long to compile, so most quick cases use `naive`. CPUs skip tiles only
    // if register_blocked is chosen.
    if (is_interpreted_ || random_.chance(is_quick() ? 80 : 50))
      test.products = {"naive", {}};
    else if (random_.chance(50))
      test.products = {"register_blocked", drawn_tiles()};
    test.seed = 1 + random_.below(1000000);
    return test;
  }

  // Square and oblong tiles, some of whose vectors cross the diagonal.
  Configuration drawn_tiles() {
    return random_.pick<Configuration>({{{"tile_m", 8}, {"tile_n", 8}, {"item_n", 4}, {"vector_n", 4}},
                                        {{"tile_m", 4}, {"tile_n", 32}, {"item_n", 8}, {"vector_n", 8}},
                                        {{"tile_m", 32}, {"tile_n", 8}, {"item_n", 4}, {"swizzle", 4}}});
  }

  // Hermitian updates have real scalars, except alpha of her2k.
  void keep_scalars_real(RankKCase& test) const {
    if (test.symmetry != Symmetry::hermitian) return;
    test.beta.imag(0);
    if (call_ == RankKFunction::syrk) test.alpha.imag(0);
  }

  RankKFunction call_;
  DataType type_;
  Breadth breadth_;
  bool is_interpreted_;
  RandomStream random_;
};

std::vector<CheckPart> rank_k_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const RankKFunction call = value_of(rank_k_functions, "call", name);
  std::vector<CheckPart> parts;
  for (const detail::ElementType& element : detail::element_types()) {
    const DataType type = element.type;
    if (detail::is_integer(type)) continue;
    const std::string of_type(element.name);
    if (std::string why = detail::why_unsupported(type, device); !why.empty()) {
      parts.push_back({.name = of_type, .skipped = std::move(why)});
      continue;
    }
    for (CaseGroup& group : RankKCases(call, type, device, breadth).groups())
      parts.push_back({.name = of_type + ' ' + group.name, .cases = std::move(group.cases)});
  }
  return parts;
}

CaseResult run_rank_k(const Engine& engine, const std::string& text) {
  const RankKCase test = parse_rank_k_case(text);
  CaseResult result{.wrong = try_rank_k_case(engine, test)};
  if (test.n > 0)
    result.kernels.push_back(std::string(word_for(rank_k_functions, test.call)) + ' ' +
                             std::string(to_string(test.type)) + ' ' + test.products.variant);
  return result;
}

}  // namespace

CheckedOperation checked_rank_k() {
  return {.name = "rank_k",
          .variants = [] { return names_of(rank_k_functions); },
          .has_functions = true,
          .parts = rank_k_parts,
          .run = run_rank_k};
}

}  // namespace tilewright::verification
