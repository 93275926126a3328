#include "kernels/element_type.hpp"
#include "runtime/device/driver_quirks.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one type, equal in every run. A device that interprets kernels gets few and small ones.
class TrmmCases {
 public:
  TrmmCases(DataType type, Breadth breadth, bool is_interpreted)
      : type_(type), breadth_(breadth), is_interpreted_(is_interpreted), random_(static_cast<std::uint64_t>(type)) {}

  // Every layout, side, triangle, transpose and diagonal.
  std::vector<std::string> forms() {
    ShuffledValues<std::uint64_t> order(
        is_interpreted_ ? std::vector<std::uint64_t>{9} : std::vector<std::uint64_t>{21, 70, 150}, 1);
    ShuffledValues<TrmmData> data({TrmmData::uniform, TrmmData::integers, TrmmData::nans}, 2);
    std::vector<std::string> cases;
    std::size_t turn = 0;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
            for (const Diag diag : {Diag::non_unit, Diag::unit}) {
              if (trans == Transpose::conjugate_transpose && !is_complex(type_) && diag == Diag::unit) continue;
              if (is_interpreted_ && turn++ % 5 != 0) continue;
              TrmmCase test{.side = side, .uplo = uplo, .trans = trans, .diag = diag, .data = data.next()};
              finish(test, order.next());
              test.layout = layout;
              cases.push_back(to_string(test));
            }
    return cases;
  }

  // Orders at the edges of vectors, tiles and blocks.
  std::vector<std::string> orders() {
    std::vector<std::uint64_t> orders{0, 1, 17, 64, 65, 130, 200};
    if (breadth_ != Breadth::quick) orders.insert(orders.end(), {2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 127, 129, 257});
    if (breadth_ == Breadth::full) orders.insert(orders.end(), {511, 513, 770});
    if (is_interpreted_) orders = {1, 17};
    std::vector<std::string> cases;
    for (const std::uint64_t order : orders) cases.push_back(to_string(drawn(order)));
    return cases;
  }

  // Products that share A, and products with matrices of their own; more of them than blocks, and fewer.
  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t order :
         is_interpreted_ ? std::vector<std::uint64_t>{5} : std::vector<std::uint64_t>{5, 33, 140, 330})
      for (const bool shares_a : {false, true}) {
        TrmmCase test = drawn(order);
        test.count = order < 20 ? 20 : 2;
        test.shares_a = shares_a;
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Everything outside the diagonal as one product. CPUs compute it only if register_blocked is chosen.
  std::vector<std::string> ranges() {
    std::vector<std::string> cases;
    if (is_interpreted_) return cases;
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        TrmmCase test = drawn(150);
        test.side = side;
        test.uplo = uplo;
        test.data = TrmmData::nans;
        finish(test, 150);
        test.products = {"register_blocked", {{"tile_m", 8}, {"tile_n", 8}, {"item_n", 4}, {"vector_n", 4}}};
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // One product that replaces B. CPUs compute it by default.
  std::vector<std::string> whole() {
    std::vector<std::string> cases;
    if (is_interpreted_) return cases;
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Diag diag : {Diag::non_unit, Diag::unit}) {
          TrmmCase test = drawn(150);
          test.side = side;
          test.uplo = uplo;
          test.diag = diag;
          test.data = TrmmData::nans;
          finish(test, 150);
          test.products = {"packed_panel", {{"block_k", 64}}};
          cases.push_back(to_string(test));
        }
    return cases;
  }

  // One product of T and a copy of B, which GPUs with FP64 tensor cores compute by default.
  std::vector<std::string> copies() {
    std::vector<std::string> cases;
    for (const std::uint64_t order : {std::uint64_t{65}, std::uint64_t{200}})
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Diag diag : {Diag::non_unit, Diag::unit}) {
            TrmmCase test = drawn(order);
            test.side = side;
            test.uplo = uplo;
            test.diag = diag;
            test.data = diag == Diag::unit ? TrmmData::uniform : TrmmData::nans;
            finish(test, order);
            test.products = {"tensor_f64", {}};
            cases.push_back(to_string(test));
          }
    return cases;
  }

  // The alpha that reads nothing, and a B that exceeds the caches.
  std::vector<std::string> extremes() {
    std::vector<std::string> cases;
    for (const std::uint64_t order : {std::uint64_t{20}, std::uint64_t{150}}) {
      if (is_interpreted_ && order > 20) continue;
      TrmmCase test = drawn(order);
      test.alpha = 0;
      cases.push_back(to_string(test));
    }
    if (breadth_ == Breadth::quick || is_interpreted_) return cases;
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        TrmmCase test = drawn(200);
        test.side = side;
        test.uplo = uplo;
        test.m = side == Side::left ? 200 : 6000;
        test.n = side == Side::left ? 6000 : 200;
        cases.push_back(to_string(test));
      }
    return cases;
  }

 private:
  // Returns a case in a random form.
  TrmmCase drawn(std::uint64_t order) {
    TrmmCase test{.side = random_.pick({Side::left, Side::right}),
                  .uplo = random_.pick({Uplo::lower, Uplo::upper}),
                  .trans = random_.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose}),
                  .diag = random_.pick({Diag::non_unit, Diag::unit}),
                  .data = random_.pick({TrmmData::uniform, TrmmData::integers, TrmmData::nans})};
    finish(test, order);
    return test;
  }

  // Sets the sizes, the scalar and the storage.
  void finish(TrmmCase& test, std::uint64_t order) {
    const auto line =
        is_interpreted_ ? random_.pick<std::uint64_t>({1, 3}) : random_.pick<std::uint64_t>({1, 3, 16, 33, 70, 130});
    test.type = type_;
    test.m = test.side == Side::left ? order : line;
    test.n = test.side == Side::left ? line : order;
    test.layout = random_.pick({Layout::row_major, Layout::column_major});
    test.alpha = random_.pick({1.0, -1.5, 2.0});
    if (is_complex(type_) && random_.chance(50)) test.alpha = {2, -1};
    const auto gap = [&] { return random_.pick<std::uint64_t>({0, 1, 3, 16}); };
    test.gaps = {gap(), gap()};
    test.offsets = {gap(), gap()};
    const std::vector<Memory> memories = memories_of(breadth_);
    test.memory = memories[random_.below(memories.size())];
    if (is_interpreted_ || random_.chance(breadth_ == Breadth::quick ? 80 : 50)) test.products = {"naive", {}};
    test.seed = 1 + random_.below(1000000);
  }

  DataType type_;
  Breadth breadth_;
  bool is_interpreted_;
  RandomStream random_;
};

std::vector<CheckPart> trmm_parts(const DeviceProfile& device, const std::string&, Breadth breadth) {
  std::vector<CheckPart> parts;
  for (const detail::ElementType& element : detail::element_types()) {
    const DataType type = element.type;
    if (detail::is_integer(type)) continue;
    const std::string name(element.name);
    if (std::string why = detail::why_unsupported(type, device); !why.empty()) {
      parts.push_back({.name = name, .skipped = std::move(why)});
      continue;
    }
    TrmmCases cases(type, breadth, detail::quirks_of(device.vendor).is_simulator);
    parts.push_back({.name = name + " forms", .cases = cases.forms()});
    parts.push_back({.name = name + " orders", .cases = cases.orders()});
    parts.push_back({.name = name + " batches", .cases = cases.batches()});
    parts.push_back({.name = name + " ranges", .cases = cases.ranges()});
    parts.push_back({.name = name + " whole", .cases = cases.whole()});
    if (device.fp64_tensor_cores && detail::part_of(type) == DataType::f64)
      parts.push_back({.name = name + " copies", .cases = cases.copies()});
    parts.push_back({.name = name + " extremes", .cases = cases.extremes()});
  }
  return parts;
}

CaseResult run_trmm(const Engine& engine, const std::string& text) {
  const TrmmCase test = parse_trmm_case(text);
  CaseResult result{.wrong = try_trmm_case(engine, test)};
  if (test.m > 0 && test.n > 0) result.kernels.push_back("trmm " + std::string(to_string(test.type)));
  return result;
}

}  // namespace

CheckedOperation checked_trmm() {
  return {.name = "trmm",
          .variants = [] { return std::vector<std::string>{"trmm"}; },
          .parts = trmm_parts,
          .run = run_trmm};
}

}  // namespace tilewright::verification
