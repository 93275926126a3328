#include <algorithm>

#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/cholesky/cholesky_case.hpp"
#include "verification/common/system_sweep.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one function and type, equal in every run.
class CholeskyCases {
 public:
  CholeskyCases(CholeskyCall call, DataType type, const SystemSweep& sweep)
      : call_(call),
        type_(type),
        sweep_(sweep),
        random_(10 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(call)) {}

  std::vector<CaseGroup> groups() {
    return {{"forms", forms()}, {"orders", orders()}, {"batches", batches()}, {"extremes", extremes()}};
  }

 private:
  // Every layout and triangle, for one block and for several.
  std::vector<std::string> forms() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.form_orders())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          CholeskyCase test = drawn(TriangleKind::dominant, n);
          test.storage.layout = layout;
          test.uplo = uplo;
          cases.push_back(to_string(test));
        }
    return cases;
  }

  std::vector<std::string> orders() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.orders(random_, type_))
      cases.push_back(to_string(drawn(TriangleKind::dominant, n)));
    return cases;
  }

  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.batch_orders())
      for (const bool second : {false, true}) {
        CholeskyCase test = drawn(TriangleKind::dominant, n);
        test.storage.count = sweep_.count_for(n);
        if (call_ == CholeskyCall::potrs)
          test.storage.shares_a = second;
        else if (second && test.factors())
          test.info_gap = 1 + random_.below(3);
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Diagonals of any size, and matrices that are not positive definite.
  std::vector<std::string> extremes() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.extreme_orders()) {
      for (const TriangleKind kind :
           {TriangleKind::scaled, TriangleKind::tiny, TriangleKind::huge, TriangleKind::any_size}) {
        // The inverses of the others overflow.
        if (call_ == CholeskyCall::potri && kind != TriangleKind::scaled) continue;
        cases.push_back(to_string(drawn(kind, n)));
      }
      for (const bool has_nan : {false, true}) {
        CholeskyCase test = drawn(TriangleKind::dominant, n);
        if (!test.factors()) continue;
        test.storage.count = n <= 20 ? 3 : 1;
        test.indefinite = 1 + random_.below(n);
        test.has_nan = has_nan;
        cases.push_back(to_string(test));
      }
    }
    return cases;
  }

  // Returns a case in a random form.
  CholeskyCase drawn(TriangleKind kind, std::uint64_t n) {
    CholeskyCase test{.call = call_, .uplo = random_.pick({Uplo::lower, Uplo::upper}), .n = n, .data = kind};
    test.nrhs = test.solves() ? sweep_.draw_nrhs(random_) : 0;
    test.storage = sweep_.draw_case(random_, type_);
    return test;
  }

  CholeskyCall call_;
  DataType type_;
  const SystemSweep& sweep_;
  RandomStream random_;
};

std::vector<CheckPart> cholesky_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const CholeskyCall call = value_of(cholesky_calls, "call", name);
  const SystemSweep sweep(device, breadth);
  return system_parts(
      device, [&](DataType type) { return CholeskyCases(call, type, sweep).groups(); }, SystemTypes::real_and_complex);
}

CaseResult run_cholesky(const Engine& engine, const std::string& text) {
  const CholeskyCase test = parse_cholesky_case(text);
  CaseResult result{.wrong = try_cholesky_case(engine, test)};
  if (test.n > 0)
    result.kernels.push_back(std::string(word_for(cholesky_calls, test.call)) + ' ' + kernels_of(test.storage));
  return result;
}

}  // namespace

CheckedOperation checked_cholesky() {
  return {.name = "cholesky",
          .variants = [] { return names_of(cholesky_calls); },
          .has_functions = true,
          .parts = cholesky_parts,
          .run = run_cholesky};
}

}  // namespace tilewright::verification
