#include "kernels/element_type.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/symm/symm_case.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one function and type, equal in every run. A device that interprets kernels gets few and small
// ones.
class SymmCases {
 public:
  SymmCases(Symmetry symmetry, DataType type, Breadth breadth, bool is_interpreted)
      : symmetry_(symmetry),
        type_(type),
        breadth_(breadth),
        is_interpreted_(is_interpreted),
        random_(2 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(symmetry)) {}

  // Every layout, side and triangle.
  std::vector<std::string> forms() {
    ShuffledValues<std::uint64_t> order(
        is_interpreted_ ? std::vector<std::uint64_t>{9} : std::vector<std::uint64_t>{21, 70, 150}, 1);
    std::vector<std::string> cases;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          SymmCase test{.side = side, .uplo = uplo};
          finish(test, order.next());
          test.layout = layout;
          cases.push_back(to_string(test));
        }
    return cases;
  }

  // Orders at the edges of tiles, and those at which diagonal blocks are expanded instead of all of A.
  std::vector<std::string> orders() {
    std::vector<std::uint64_t> orders{0, 1, 17, 65, 130};
    if (breadth_ != Breadth::quick) orders.insert(orders.end(), {2, 7, 15, 16, 31, 32, 33, 63, 64, 200, 1024, 1300});
    if (is_interpreted_) orders = {1, 17};
    std::vector<std::string> cases;
    for (const std::uint64_t order : orders) cases.push_back(to_string(drawn(order)));
    return cases;
  }

  // One product that packs A from its triangle. CPUs compute it by default.
  std::vector<std::string> whole() {
    std::vector<std::string> cases;
    if (is_interpreted_) return cases;
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        SymmCase test{.side = side, .uplo = uplo};
        finish(test, 150);
        test.products = {"packed_panel", {{"block_k", 64}}};
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Products that share A, and products with matrices of their own.
  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t order :
         is_interpreted_ ? std::vector<std::uint64_t>{5} : std::vector<std::uint64_t>{5, 33, 90})
      for (const bool shares_a : {false, true}) {
        SymmCase test = drawn(order);
        test.count = order < 20 ? 20 : 2;
        test.shares_a = shares_a;
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // The scalars that read less.
  std::vector<std::string> scalars() {
    std::vector<std::string> cases;
    for (const double alpha : {0.0, 1.0})
      for (const double beta : {0.0, 1.0, -3.0}) {
        SymmCase test = drawn(is_interpreted_ ? 9 : 40);
        test.alpha = alpha;
        test.beta = beta;
        cases.push_back(to_string(test));
      }
    return cases;
  }

 private:
  // Returns a case in a random form.
  SymmCase drawn(std::uint64_t order) {
    SymmCase test{.side = random_.pick({Side::left, Side::right}), .uplo = random_.pick({Uplo::lower, Uplo::upper})};
    finish(test, order);
    return test;
  }

  // Sets the sizes, the scalars and the storage.
  void finish(SymmCase& test, std::uint64_t order) {
    const auto line =
        is_interpreted_ ? random_.pick<std::uint64_t>({1, 3}) : random_.pick<std::uint64_t>({1, 3, 16, 33, 62});
    test.symmetry = symmetry_;
    test.type = type_;
    test.m = test.side == Side::left ? order : line;
    test.n = test.side == Side::left ? line : order;
    test.layout = random_.pick({Layout::row_major, Layout::column_major});
    test.is_whole = size_of(type_) > 2 && random_.chance(40);
    test.alpha = random_.pick({1.0, -1.0, 2.0});
    test.beta = random_.pick({0.0, 1.0, -3.0});
    if (is_complex(type_) && random_.chance(50)) test.alpha = {2, -1};
    if (is_complex(type_) && random_.chance(30)) test.beta = {1, 2};
    const auto gap = [&] { return random_.pick<std::uint64_t>({0, 1, 3, 16}); };
    test.gaps = {gap(), gap(), gap()};
    test.offsets = {gap(), gap(), gap()};
    const std::vector<Memory> memories = memories_of(breadth_);
    test.memory = memories[random_.below(memories.size())];
    if (is_interpreted_ || random_.chance(breadth_ == Breadth::quick ? 80 : 50)) test.products = {"naive", {}};
    test.seed = 1 + random_.below(1000000);
  }

  Symmetry symmetry_;
  DataType type_;
  Breadth breadth_;
  bool is_interpreted_;
  RandomStream random_;
};

std::vector<CheckPart> symm_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const Symmetry symmetry = value_of(symm_calls, "call", name);
  std::vector<CheckPart> parts;
  for (const detail::ElementType& type : detail::element_types()) {
    if (detail::is_integer(type.type) || (symmetry == Symmetry::hermitian && !is_complex(type.type))) continue;
    const std::string of_type(type.name);
    if (std::string why = detail::why_unsupported(type.type, device); !why.empty()) {
      parts.push_back({.name = of_type, .skipped = std::move(why)});
      continue;
    }
    SymmCases cases(symmetry, type.type, breadth, detail::quirks_of(device.vendor).is_simulator);
    parts.push_back({.name = of_type + " forms", .cases = cases.forms()});
    parts.push_back({.name = of_type + " orders", .cases = cases.orders()});
    parts.push_back({.name = of_type + " batches", .cases = cases.batches()});
    parts.push_back({.name = of_type + " scalars", .cases = cases.scalars()});
    parts.push_back({.name = of_type + " whole", .cases = cases.whole()});
  }
  return parts;
}

CaseResult run_symm(const Engine& engine, const std::string& text) {
  const SymmCase test = parse_symm_case(text);
  CaseResult result{.wrong = try_symm_case(engine, test)};
  if (test.m > 0 && test.n > 0)
    result.kernels.push_back(std::string(word_for(symm_calls, test.symmetry)) + ' ' +
                             std::string(to_string(test.type)));
  return result;
}

}  // namespace

CheckedOperation checked_symm() {
  return {.name = "symm",
          .variants = [] { return names_of(symm_calls); },
          .has_functions = true,
          .parts = symm_parts,
          .run = run_symm};
}

}  // namespace tilewright::verification
