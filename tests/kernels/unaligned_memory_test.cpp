// Complex matrices in host memory that begins one real number past a boundary of their elements (CL_MEM_USE_HOST_PTR,
// which some drivers use in place). Every operation on them must find what it finds in aligned memory, and must not
// move aligned vectors.
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/element_type.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/host_bytes.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

using Size = std::uint64_t;
using Refs = const std::vector<MatrixRef>&;

const Choice naive{"naive", {}};
constexpr Size right_sides = 3;  // of right-hand sides

// Contents of an operand before the call.
enum class Content { matrix, integers };

struct CallMemory {
  Size count = 0;
  Content content = Content::matrix;
};

struct ComplexCall {
  std::string name;
  std::vector<CallMemory> operands;
  Size workspace_bytes = 0;
  std::function<void(cl_command_queue, Refs, const WorkspaceRef&)> run;
};

// One call or more of each operation on complex matrices of order n. Every plan compiles its kernels, so the quick
// level has a third of the groups.
class ComplexCalls {
 public:
  ComplexCalls(DataType type, Size n) : type_(type), n_(n), square_{n * n}, lines_{right_sides * n}, vector_{n} {
    DailyShare share(3);
    if (share.selects_next()) add_products();
    if (share.selects_next()) add_moves();
    if (share.selects_next()) add_triangular();
    if (share.selects_next()) add_cholesky();
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian}) {
      if (share.selects_next()) add_structured_products(symmetry);
      for (const char* variant : {"rows", "tiles"})
        if (share.selects_next()) add_triangles_and_vectors({variant, {}}, symmetry);
    }
    if (share.selects_next()) add_lu();
    if (share.selects_next()) add_qr();
  }

  const std::vector<ComplexCall>& all() const { return calls_; }

 private:
  // operands_of(refs) are those of the plan, without the workspace.
  template <class Plan, class OperandsOf>
  void add(const char* name, std::vector<CallMemory> operands, Plan made, OperandsOf operands_of) {
    const auto plan = std::make_shared<Plan>(std::move(made));
    calls_.push_back({name, std::move(operands), plan->workspace_bytes(),
                      [=](cl_command_queue queue, Refs of, const WorkspaceRef& lent) {
                        auto given = operands_of(of);
                        given.workspace = lent;
                        plan->enqueue(queue, given).wait();
                      }});
  }

  void add_products() {
    for (const Transpose trans : {Transpose::no, Transpose::conjugate_transpose}) {
      add("gemm", {square_, square_, square_},
          GemmPlan(engine_, {.type = type_, .trans_a = trans, .trans_b = trans, .m = n_, .n = n_, .k = n_}, naive),
          [](Refs of) {
            return GemmOperands{.alpha = {1, 2}, .a = of[0], .b = of[1], .beta = 2, .c = of[2]};
          });
      add("gemv", {square_, vector_, vector_},
          GemvPlan(engine_, {.type = type_, .trans = trans, .m = n_, .n = n_, .incx = -1, .incy = -1}, naive),
          [](Refs of) { return GemvOperands{.a = of[0], .x = of[1], .beta = 2, .y = of[2]}; });
    }
    add("ger", {vector_, vector_, square_}, GerPlan(engine_, {.type = type_, .m = n_, .n = n_, .incx = -1}, naive),
        [](Refs of) { return GerOperands{.x = of[0], .y = of[1], .a = of[2]}; });
  }

  void add_moves() {
    add("transpose", {square_, square_}, TransposePlan(engine_, {.type = type_, .m = n_, .n = n_}),
        [](Refs of) { return TransposeOperands{.a = of[0], .b = of[1]}; });
    add("transpose of a square in place", {square_},
        TransposePlan(engine_, {.type = type_, .m = n_, .n = n_, .in_place = true}),
        [](Refs of) { return TransposeOperands{.a = of[0]}; });
    add("transpose in place", {lines_},
        TransposePlan(engine_, {.type = type_, .m = n_, .n = right_sides, .in_place = true}),
        [](Refs of) { return TransposeOperands{.a = of[0]}; });
  }

  void add_triangular() {
    for (const Side side : {Side::left, Side::right}) {
      const Size m = side == Side::left ? n_ : right_sides, n = side == Side::left ? right_sides : n_;
      for (const Transpose trans : {Transpose::no, Transpose::conjugate_transpose}) {
        add("trsm", {square_, lines_},
            TrsmPlan(engine_, {.type = type_, .side = side, .trans = trans, .m = m, .n = n}, naive), [](Refs of) {
              return TrsmOperands{.alpha = {1, 2}, .a = of[0], .b = of[1]};
            });
        add("trmm", {square_, lines_},
            TrmmPlan(engine_, {.type = type_, .side = side, .trans = trans, .m = m, .n = n}, naive), [](Refs of) {
              return TrmmOperands{.alpha = {1, 2}, .a = of[0], .b = of[1]};
            });
      }
    }
    add("trsm of as many columns as rows", {square_, square_},
        TrsmPlan(engine_, {.type = type_, .m = n_, .n = n_}, naive),
        [](Refs of) { return TrsmOperands{.a = of[0], .b = of[1]}; });
    add("trsm of zeros", {square_, square_}, TrsmPlan(engine_, {.type = type_, .m = n_, .n = n_}, naive),
        [](Refs of) { return TrsmOperands{.alpha = 0, .a = of[0], .b = of[1]}; });
    for (const std::int64_t incx : {1, -1})
      add("trsv", {square_, vector_}, TrsvPlan(engine_, {.type = type_, .n = n_, .incx = incx}, naive),
          [](Refs of) { return TrsvOperands{.a = of[0], .x = of[1]}; });
  }

  void add_structured_products(Symmetry symmetry) {
    for (const Side side : {Side::left, Side::right}) {
      const Size m = side == Side::left ? n_ : right_sides, n = side == Side::left ? right_sides : n_;
      add("symm", {square_, lines_, lines_},
          SymmPlan(engine_, {.type = type_, .symmetry = symmetry, .side = side, .m = m, .n = n}, naive),
          [](Refs of) { return SymmOperands{.a = of[0], .b = of[1], .beta = 2, .c = of[2]}; });
    }
    for (const double alpha : {0.0, 2.0})
      add("syrk", {square_, square_}, SyrkPlan(engine_, {.type = type_, .symmetry = symmetry, .n = n_, .k = n_}, naive),
          [=](Refs of) { return SyrkOperands{.alpha = alpha, .a = of[0], .beta = 3, .c = of[1]}; });
    add("syr2k", {square_, square_, square_},
        Syr2kPlan(engine_, {.type = type_, .symmetry = symmetry, .n = n_, .k = n_}, naive),
        [](Refs of) { return Syr2kOperands{.a = of[0], .b = of[1], .beta = 3, .c = of[2]}; });
    add("gemmt", {square_, square_, square_}, GemmtPlan(engine_, {.type = type_, .n = n_, .k = n_}, naive),
        [](Refs of) { return GemmtOperands{.a = of[0], .b = of[1], .beta = 3, .c = of[2]}; });
  }

  void add_triangles_and_vectors(const Choice& choice, Symmetry symmetry) {
    for (const std::int64_t incx : {1, -1}) {
      for (const double alpha : {0.0, 2.0})
        add("symv", {square_, vector_, vector_},
            SymvPlan(engine_, {.type = type_, .symmetry = symmetry, .n = n_, .incx = incx}, choice),
            [=](Refs of) { return SymvOperands{.alpha = alpha, .a = of[0], .x = of[1], .beta = 3, .y = of[2]}; });
      add("trmv", {square_, vector_}, TrmvPlan(engine_, {.type = type_, .n = n_, .incx = incx}, choice),
          [](Refs of) { return TrmvOperands{.a = of[0], .x = of[1]}; });
      add("syr", {vector_, square_},
          SyrPlan(engine_, {.type = type_, .symmetry = symmetry, .n = n_, .incx = incx}, choice),
          [](Refs of) { return SyrOperands{.x = of[0], .a = of[1]}; });
      add("syr2", {vector_, vector_, square_},
          Syr2Plan(engine_, {.type = type_, .symmetry = symmetry, .n = n_, .incx = incx}, choice),
          [](Refs of) { return Syr2Operands{.x = of[0], .y = of[1], .a = of[2]}; });
    }
  }

  void add_cholesky() {
    add("potrf", {square_, info_}, PotrfPlan(engine_, {.type = type_, .n = n_}, naive),
        [](Refs of) { return PotrfOperands{.a = of[0], .info = of[1]}; });
    add("potrs", {square_, lines_}, PotrsPlan(engine_, {.type = type_, .n = n_, .nrhs = right_sides}, naive),
        [](Refs of) { return PotrsOperands{.a = of[0], .b = of[1]}; });
    add("posv", {square_, lines_, info_}, PosvPlan(engine_, {.type = type_, .n = n_, .nrhs = right_sides}, naive),
        [](Refs of) { return PosvOperands{.a = of[0], .b = of[1], .info = of[2]}; });
    add("potri", {square_}, PotriPlan(engine_, {.type = type_, .n = n_}, naive),
        [](Refs of) { return PotriOperands{.a = of[0]}; });
  }

  void add_lu() {
    const CallMemory pivots{n_, Content::integers};
    add("getrf", {square_, pivots, info_}, GetrfPlan(engine_, {.type = type_, .m = n_, .n = n_}, naive),
        [](Refs of) { return GetrfOperands{.a = of[0], .pivots = of[1], .info = of[2]}; });
    add("getrs", {square_, pivots, lines_},
        GetrsPlan(engine_, {.type = type_, .trans = Transpose::conjugate_transpose, .n = n_, .nrhs = right_sides},
                  naive),
        [](Refs of) { return GetrsOperands{.a = of[0], .pivots = of[1], .b = of[2]}; });
    add("gesv", {square_, pivots, info_, lines_},
        GesvPlan(engine_, {.type = type_, .n = n_, .nrhs = right_sides}, naive),
        [](Refs of) { return GesvOperands{.a = of[0], .pivots = of[1], .info = of[2], .b = of[3]}; });
    if (type_ == DataType::c128)
      add("gesv with refinements", {square_, pivots, info_, lines_, info_},
          GesvPlan(engine_, {.type = type_, .n = n_, .nrhs = right_sides, .refinements = 3}, naive), [](Refs of) {
            return GesvOperands{.a = of[0], .pivots = of[1], .info = of[2], .b = of[3], .iterations = of[4]};
          });
    add("getri", {square_, pivots, square_}, GetriPlan(engine_, {.type = type_, .n = n_}, naive),
        [](Refs of) { return GetriOperands{.a = of[0], .pivots = of[1], .b = of[2]}; });
    add("det", {square_, pivots, CallMemory{2}}, DetPlan(engine_, {.type = type_, .n = n_}, naive),
        [](Refs of) { return DetOperands{.a = of[0], .pivots = of[1], .determinant = of[2]}; });
  }

  void add_qr() {
    const Transpose adjoint = Transpose::conjugate_transpose;
    add("geqrf", {square_, vector_}, GeqrfPlan(engine_, {.type = type_, .m = n_, .n = n_}, naive),
        [](Refs of) { return GeqrfOperands{.a = of[0], .tau = of[1]}; });
    add("ormqr", {square_, vector_, lines_},
        OrmqrPlan(engine_, {.type = type_, .trans = adjoint, .m = n_, .n = right_sides, .k = n_}, naive),
        [](Refs of) { return OrmqrOperands{.a = of[0], .tau = of[1], .c = of[2]}; });
    add("orgqr", {square_, vector_}, OrgqrPlan(engine_, {.type = type_, .m = n_, .n = n_, .k = n_}, naive),
        [](Refs of) { return OrgqrOperands{.a = of[0], .tau = of[1]}; });
    for (const Transpose trans : {Transpose::no, adjoint})
      add("gels", {square_, lines_, info_},
          GelsPlan(engine_, {.type = type_, .trans = trans, .m = n_, .n = n_, .nrhs = right_sides}, naive),
          [](Refs of) { return GelsOperands{.a = of[0], .b = of[1], .info = of[2]}; });
  }

  const Engine& engine_ = shared_engine();
  DataType type_;
  Size n_;
  CallMemory square_, lines_, vector_, info_{1, Content::integers};
  std::vector<ComplexCall> calls_;
};

// The bytes of an operand: a matrix with a positive diagonal that outweighs the rest of its rows, or 0, 1, 2 ...
template <class Real>
std::vector<std::byte> bytes_before(const CallMemory& operand, Size n) {
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& value) {
    bytes.resize(bytes.size() + sizeof(value));
    std::memcpy(bytes.data() + bytes.size() - sizeof(value), &value, sizeof(value));
  };
  for (Size at = 0; at < operand.count; ++at) {
    const Size row = at / n, column = at % n;
    if (operand.content == Content::integers)
      append(static_cast<std::int64_t>(at));
    else if (row == column)
      append(std::complex<Real>(static_cast<Real>(n), 0));
    else
      append(std::complex<Real>(static_cast<Real>((3 * row + 5 * column) % 7) / 8 - Real(0.5),
                                static_cast<Real>((5 * row + 2 * column) % 5) / 8 - Real(0.25)));
  }
  return bytes;
}

// The bytes of all operands after the call, in memory that begins `shift` bytes after a page boundary; integers are
// aligned, because no type has them.
template <class Real>
std::vector<std::vector<std::byte>> run_in_place(const ComplexCall& call, Size n, std::size_t shift) {
  const cl::CommandQueue queue = make_queue();
  std::vector<std::vector<std::byte>> bytes;
  std::vector<std::unique_ptr<HostBytes>> memory;
  std::vector<MatrixRef> refs;
  for (const CallMemory& operand : call.operands) {
    bytes.push_back(bytes_before<Real>(operand, n));
    const bool is_matrix = operand.content == Content::matrix;
    memory.push_back(std::make_unique<HostBytes>(bytes.back().size(), is_matrix ? shift : 0));
    const cl::Buffer& buffer = memory.back()->buffer;
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes.back().size(), bytes.back().data());
    refs.push_back({buffer(), 0});
  }
  const HostBytes lent(call.workspace_bytes + 1, shift);
  call.run(queue(), refs, {lent.buffer(), 0});
  for (std::size_t i = 0; i < memory.size(); ++i)
    queue.enqueueReadBuffer(memory[i]->buffer, CL_TRUE, 0, bytes[i].size(), bytes[i].data());
  return bytes;
}

// At the quick level one of the two types each day, because their kernels have the same code.
template <class Real>
void check_all(DataType type) {
  if (test_level() == TestLevel::quick && (test_seed() % 2 == 0) != (type == DataType::c64)) return;
  if (const std::string reason = detail::why_unsupported(type, shared_engine().profile()); !reason.empty()) {
    count_skip("unaligned memory of " + std::string(to_string(type)), reason);
    return;
  }
  for (const Size n : {Size{5}, Size{70}}) {
    if (n == 5 && test_level() == TestLevel::quick) continue;
    const ComplexCalls calls(type, n);
    for (const ComplexCall& call : calls.all()) {
      CAPTURE(call.name);
      CAPTURE(n);
      const bool same = run_in_place<Real>(call, n, sizeof(Real)) == run_in_place<Real>(call, n, 0);
      CHECK(same);
      count_cases();
    }
  }
  count_kernel_of("unaligned memory of " + std::string(to_string(type)));
}

TEST_CASE("complex matrices and workspaces begin at any number: c64") { check_all<float>(DataType::c64); }

TEST_CASE("complex matrices and workspaces begin at any number: c128") { check_all<double>(DataType::c128); }

}  // namespace
}  // namespace tilewright::test
