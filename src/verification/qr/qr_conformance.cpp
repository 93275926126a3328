#include <algorithm>

#include "verification/check/system_parts.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/system_sweep.hpp"
#include "verification/qr/qr_case.hpp"

namespace tilewright::verification {
namespace {

// Draws the cases of one function and type, equal in every run.
class QrCases {
 public:
  QrCases(QrTask task, DataType type, const SystemSweep& sweep)
      : task_(task),
        type_(type),
        sweep_(sweep),
        random_(100 + 10 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(task)) {}

  std::vector<CaseGroup> groups() {
    return {{"forms", forms()}, {"orders", orders()}, {"batches", batches()}, {"extremes", extremes()}};
  }

 private:
  // Layouts, sides, transposes and shapes, for one panel and for several.
  std::vector<std::string> forms() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.form_orders())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Side side : {Side::left, Side::right})
          for (const bool is_adjoint : {false, true}) {
            if (side == Side::right && task_ != QrTask::ormqr) continue;
            if (is_adjoint && task_ != QrTask::ormqr && task_ != QrTask::gels) continue;
            QrCase test = drawn(n, n);
            test.side = side;
            test.trans = is_adjoint ? adjoint() : Transpose::no;
            test.storage.layout = layout;
            add(cases, test, n, n);
            add(cases, test, n == 150 ? 400 : 4 * n, n);
            if (task_ != QrTask::orgqr) add(cases, test, n / 3, n);
          }
    return cases;
  }

  std::vector<std::string> orders() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.orders(random_, type_)) {
      QrCase test = drawn(n, n);
      if (task_ == QrTask::geqrf) test.matrix = random_.pick({QrKind::uniform, QrKind::integers});
      // gels of a square matrix is as ill-conditioned as the matrix, but its residual is small all the same.
      add(cases, test, n + (task_ == QrTask::gels ? 5 : 0), n);
    }
    // More rows than a work-group holds.
    if (task_ == QrTask::geqrf && !sweep_.is_quick()) add(cases, drawn(40, 40), 3000, 40);
    return cases;
  }

  std::vector<std::string> batches() {
    std::vector<std::string> cases;
    for (const std::uint64_t n : sweep_.batch_orders())
      for (const bool second : {false, true}) {
        QrCase test = drawn(n, n);
        test.storage.count = sweep_.count_for(n);
        if (second && task_ == QrTask::ormqr && n != 18)
          test.storage.shares_a = true;
        else if (second)
          test.gap = 1 + random_.below(3);
        add(cases, test, n + n / 2, n);
      }
    return cases;
  }

  // Columns of any size, and matrices without full rank.
  std::vector<std::string> extremes() {
    std::vector<std::string> cases;
    if (task_ != QrTask::geqrf && task_ != QrTask::gels) return cases;
    for (const std::uint64_t n : sweep_.extreme_orders())
      for (const QrKind kind : {QrKind::graded, QrKind::deficient, QrKind::tiny, QrKind::huge}) {
        if (task_ == QrTask::gels && kind != QrKind::deficient) continue;  // X may overflow
        QrCase test = drawn(n, n);
        test.matrix = kind;
        add(cases, test, n + 9, n);
        if (kind == QrKind::deficient) add(cases, test, n, n + 9);
      }
    return cases;
  }

  Transpose adjoint() const { return is_complex(type_) ? Transpose::conjugate_transpose : Transpose::yes; }

  // Adds a case whose A, or the matrix of reflectors, is rows x columns.
  void add(std::vector<std::string>& cases, QrCase test, std::uint64_t rows, std::uint64_t columns) {
    const std::uint64_t steps = std::min(rows, columns);
    test.m = rows;
    test.n = columns;
    test.k = steps;
    if (task_ == QrTask::ormqr) {
      const std::uint64_t lines = sweep_.draw_nrhs(random_);
      test.m = test.side == Side::left ? rows : lines;
      test.n = test.side == Side::left ? lines : rows;
    }
    if ((task_ == QrTask::orgqr || task_ == QrTask::ormqr) && random_.chance(30)) test.k = steps - steps / 3;
    cases.push_back(to_string(test));
  }

  QrCase drawn(std::uint64_t m, std::uint64_t n) {
    QrCase test{.task = task_, .m = m, .n = n};
    if (task_ == QrTask::gels) test.nrhs = sweep_.draw_nrhs(random_);
    if (test.has_c() && random_.chance(50)) test.trans = adjoint();
    if (task_ == QrTask::ormqr) test.side = random_.pick({Side::left, Side::right});
    test.storage = sweep_.draw_case(random_, type_);
    return test;
  }

  QrTask task_;
  DataType type_;
  const SystemSweep& sweep_;
  RandomStream random_;
};

std::vector<CheckPart> qr_parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  const QrTask task = value_of(qr_words, "call", name);
  const SystemSweep sweep(device, breadth);
  return system_parts(
      device, [&](DataType type) { return QrCases(task, type, sweep).groups(); }, SystemTypes::real_and_complex);
}

CaseResult run_qr_case(const Engine& engine, const std::string& text) {
  const QrCase test = parse_qr_case(text);
  CaseResult result{.wrong = try_qr_case(engine, test)};
  if (test.m > 0 && test.n > 0)
    result.kernels.push_back(std::string(to_string(test.task)) + ' ' + kernels_of(test.storage));
  return result;
}

}  // namespace

CheckedOperation checked_qr() {
  return {.name = "qr",
          .variants = [] { return names_of(qr_words); },
          .has_functions = true,
          // The host fills a part of the workspace.
          .skips_uninitialised = [](const std::string&) { return true; },
          .parts = qr_parts,
          .run = run_qr_case};
}

}  // namespace tilewright::verification
