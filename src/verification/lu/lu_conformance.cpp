#include <algorithm>

#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/system_sweep.hpp"
#include "verification/lu/lu_case.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one function and type, equal in every run.
class LuCases {
 public:
  LuCases(LuTask task, DataType type, const SystemSweep& sweep)
      : task_(task),
        type_(type),
        sweep_(sweep),
        random_(10 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(task)) {}

  std::vector<CaseGroup> groups() {
    return {{"forms", forms()},
            {"orders", orders()},
            {"batches", batches()},
            {"extremes", extremes()},
            {"refined", refined()}};
  }

 private:
  // Layouts, transposes, and matrices that are not square, for one panel and for several.
  std::vector<std::string> forms() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.form_orders())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose}) {
          if (trans != Transpose::no && task_ != LuTask::getrs) continue;
          LuCase test = drawn(n);
          test.trans = trans;
          test.storage.layout = layout;
          cases.push_back(to_string(test));
          if (task_ != LuTask::getrf) continue;
          test.m = n / 3;
          cases.push_back(to_string(test));
          test.m = n == 150 ? 700 : 4 * n;
          cases.push_back(to_string(test));
        }
    return cases;
  }

  std::vector<std::string> orders() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.orders(random_, type_)) {
      LuCase test = drawn(n);
      if (does_factor()) test.matrix = random_.pick({LuKind::uniform, LuKind::positive, LuKind::integers});
      cases.push_back(to_string(test));
    }
    // More rows than a work-group holds.
    if (task_ == LuTask::getrf && !sweep_.is_quick()) {
      LuCase tall = drawn(40);
      tall.m = 3000;
      cases.push_back(to_string(tall));
    }
    return cases;
  }

  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.batch_orders())
      for (const bool second : {false, true}) {
        LuCase test = drawn(n);
        test.storage.count = sweep_.count_for(n);
        if (second && !does_factor() && n != 18)
          test.storage.shares_a = true;
        else if (second)
          test.gap = 1 + random_.below(3);
        cases.push_back(to_string(test));
      }
    return cases;
  }

  // Pivots of any size, and singular matrices.
  std::vector<std::string> extremes() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.extreme_orders()) {
      if (does_factor())
        for (const LuKind kind : {LuKind::scattered, LuKind::scaled_rows, LuKind::deficient, LuKind::tiny, LuKind::huge,
                                  LuKind::any_size}) {
          if (kind == LuKind::scattered && task_ == LuTask::gesv) continue;  // X may overflow
          LuCase test = drawn(n);
          test.matrix = kind;
          cases.push_back(to_string(test));
        }
      else
        for (const TriangleKind kind : {TriangleKind::scaled, TriangleKind::tiny, TriangleKind::huge}) {
          if (kind != TriangleKind::scaled && task_ == LuTask::getri) continue;  // the inverse would overflow
          LuCase test = drawn(n);
          test.factors = kind;
          cases.push_back(to_string(test));
        }
      for (const LuPivot pivot : {LuPivot::zero, LuPivot::nan}) {
        if (task_ != LuTask::det) continue;
        LuCase test = drawn(n);
        test.pivot = pivot;
        cases.push_back(to_string(test));
      }
    }
    return cases;
  }

  // gesv with factors in f32 or c64.
  std::vector<std::string> refined() {
    if (task_ != LuTask::gesv || !is_refined(type_)) return {};
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.orders(random_, type_)) {
      LuCase test = drawn(n);
      test.refinements = default_refinements;
      cases.push_back(to_string(test));
    }
    return cases;
  }

  bool does_factor() const { return task_ == LuTask::getrf || task_ == LuTask::gesv; }

  // Returns a case of a square matrix in a random form.
  LuCase drawn(std::uint64_t n) {
    LuCase test{.task = task_, .m = n, .n = n};
    if (test.does_solve()) test.nrhs = sweep_.draw_nrhs(random_);
    if (task_ == LuTask::getrs)
      test.trans = is_complex(type_) ? random_.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
                                     : random_.pick({Transpose::no, Transpose::yes});
    test.storage = sweep_.draw_case(random_, type_);
    return test;
  }

  LuTask task_;
  DataType type_;
  const SystemSweep& sweep_;
  RandomStream random_;
};

std::vector<CheckPart> lu_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const LuTask task = value_of(lu_words, "call", name);
  const SystemSweep sweep(device, breadth);
  return system_parts(
      device, [&](DataType type) { return LuCases(task, type, sweep).groups(); }, SystemTypes::real_and_complex);
}

CaseResult run_lu_case(const Engine& engine, const std::string& text) {
  const LuCase test = parse_lu_case(text);
  CaseResult result{.wrong = try_lu_case(engine, test)};
  if (test.m > 0 && test.n > 0)
    result.kernels.push_back(std::string(to_string(test.task)) + ' ' + kernels_of(test.storage));
  return result;
}

}  // namespace

CheckedOperation checked_lu() {
  return {.name = "lu",
          .variants = [] { return names_of(lu_words); },
          .has_functions = true,
          // The host fills a part of the workspace.
          .skips_uninitialised = [](const std::string&) { return true; },
          .parts = lu_parts,
          .run = run_lu_case};
}

}  // namespace tilewright::verification
