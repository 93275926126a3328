#include <algorithm>

#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/common/system_sweep.hpp"
#include "verification/triangular/triangular_case.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one function and type, equal in every run.
class TriangularCases {
 public:
  TriangularCases(TriangularCall call, DataType type, const SystemSweep& sweep)
      : call_(call), type_(type), sweep_(sweep), random_(10 * static_cast<std::uint64_t>(type) + is_vector()) {}

  std::vector<CaseGroup> groups() {
    return {{"forms", forms()}, {"orders", orders()}, {"batches", batches()}, {"extremes", extremes()}};
  }

 private:
  bool is_vector() const { return call_ == TriangularCall::trsv; }

  // Every layout, side, triangle, transpose and diagonal; some of them if kernels are interpreted.
  std::vector<std::string> forms() {
    ShuffledValues<std::uint64_t> order(sweep_.form_orders(), 1);
    std::size_t turn = 0;
    std::vector<std::string> cases;
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const auto& [side, side_word] : side_words)
        for (const auto& [uplo, uplo_word] : uplo_words)
          for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
            for (const auto& [diag, diag_word] : diag_words) {
              if (is_vector() && side == Side::right) continue;
              if (trans == Transpose::conjugate_transpose && !is_complex(type_) &&
                  (sweep_.is_quick() || diag == Diag::unit))
                continue;
              if (sweep_.is_interpreted() && turn++ % 5 != 0) continue;
              TriangularCase test{.side = side, .uplo = uplo, .trans = trans, .diag = diag};
              test.data = random_.pick({TriangleKind::dominant, TriangleKind::alternating, TriangleKind::arrow});
              finish(test, order.next());
              test.storage.layout = layout;
              cases.push_back(to_string(test));
            }
    return cases;
  }

  std::vector<std::string> orders() {
    std::vector<std::string> cases;
    for (const std::uint64_t order : sweep_.orders(random_, type_))
      cases.push_back(to_string(drawn(TriangleKind::dominant, order)));
    return cases;
  }

  // Systems that share A, and systems with matrices of their own.
  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t order : sweep_.batch_orders())
      for (const bool shares_a : {false, true}) {
        TriangularCase test = drawn(TriangleKind::dominant, order);
        test.storage.count = sweep_.count_for(order);
        test.storage.shares_a = shares_a;
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Diagonals of any size, and the alpha that reads nothing.
  std::vector<std::string> extremes() {
    std::vector<std::string> cases;
    for (const std::uint64_t order : sweep_.extreme_orders()) {
      for (const TriangleKind kind :
           {TriangleKind::scaled, TriangleKind::tiny, TriangleKind::huge, TriangleKind::any_size})
        cases.push_back(to_string(drawn(kind, order)));
      if (is_vector()) continue;
      TriangularCase test = drawn(TriangleKind::dominant, order);
      test.alpha = 0;
      cases.push_back(to_string(test));
    }
    return cases;
  }

  // Returns a case in a random form.
  TriangularCase drawn(TriangleKind kind, std::uint64_t order) {
    TriangularCase test{.side = is_vector() ? Side::left : random_.pick({Side::left, Side::right}),
                        .uplo = random_.pick({Uplo::lower, Uplo::upper}),
                        .trans = random_.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose}),
                        .data = kind};
    if (!has_scales(kind) && random_.chance(40)) test.diag = Diag::unit;
    finish(test, order);
    return test;
  }

  // Sets the sizes, the scalars and the storage.
  void finish(TriangularCase& test, std::uint64_t order) {
    test.call = call_;
    order = std::min(order, largest_order(test.data, type_));
    const std::uint64_t nrhs = sweep_.draw_nrhs(random_);
    test.m = test.side == Side::left ? order : nrhs;
    test.n = is_vector() ? 1 : test.side == Side::left ? nrhs : order;
    if (is_vector())
      test.incx = random_.pick<std::int64_t>({1, 3, -1, -2});
    else if (!has_scales(test.data))
      test.alpha = {random_.pick({1.0, -1.5, 2.0}), is_complex(type_) ? random_.pick({0.0, 1.0, -2.0}) : 0};
    test.storage = sweep_.draw_case(random_, type_);
  }

  TriangularCall call_;
  DataType type_;
  const SystemSweep& sweep_;
  RandomStream random_;
};

std::vector<CheckPart> triangular_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const TriangularCall call = value_of(triangular_calls, "call", name);
  const SystemSweep sweep(device, breadth);
  return system_parts(
      device, [&](DataType type) { return TriangularCases(call, type, sweep).groups(); },
      SystemTypes::real_and_complex);
}

CaseResult run_triangular(const Engine& engine, const std::string& text) {
  const TriangularCase test = parse_triangular_case(text);
  CaseResult result{.wrong = try_triangular_case(engine, test)};
  if (test.m > 0 && test.n > 0)
    result.kernels.push_back(std::string(word_for(triangular_calls, test.call)) + ' ' + kernels_of(test.storage));
  return result;
}

}  // namespace

CheckedOperation checked_triangular() {
  return {.name = "triangular",
          .variants = [] { return names_of(triangular_calls); },
          .has_functions = true,
          .parts = triangular_parts,
          .run = run_triangular};
}

}  // namespace tilewright::verification
