#include "support/operation_calls.hpp"

#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernels/element_type.hpp"
#include "support/device_under_test.hpp"
#include "tilewright/tilewright.hpp"

namespace tilewright::test {
namespace {

const Choice naive{"naive", {}};

CallOperand reads(OperandName name, const char* label, std::uint64_t bytes) {
  return {name, label, bytes, true, false};
}
CallOperand writes(OperandName name, const char* label, std::uint64_t bytes) {
  return {name, label, bytes, false, true};
}
CallOperand changes(OperandName name, const char* label, std::uint64_t bytes) {
  return {name, label, bytes, true, true};
}

// Collects calls on matrices of order n.
class Calls {
 public:
  explicit Calls(std::uint64_t n) : n_(n), vector_(4 * n), matrix_(4 * n * n) {}

  std::vector<OperationCall> all() {
    add_products();
    add_epilogue();
    add_batch_by_offsets();
    add_sparse_product();
    add_strassen();
    add_matrix_vector();
    add_triangles_and_vectors();
    add_moves();
    add_vectors();
    add_reductions();
    add_triangular();
    add_structured_products();
    add_rank_k();
    add_cholesky();
    add_lu();
    add_qr();
    if (detail::why_unsupported(DataType::f64, engine_.profile()).empty()) add_refinement();
    return std::move(calls_);
  }

 private:
  static constexpr auto a = OperandName::a, b = OperandName::b, c = OperandName::c, x = OperandName::x,
                        y = OperandName::y, z = OperandName::z, result = OperandName::result;
  using Arguments = const CallArguments&;

  template <class Enqueue>
  void add(const char* name, std::vector<CallOperand> operands, Enqueue enqueue, std::uint64_t workspace_bytes = 0) {
    calls_.push_back({name, std::move(operands), workspace_bytes, std::move(enqueue)});
  }

  // operands_of(arguments) are those of the plan, without the workspace.
  template <class Plan, class OperandsOf>
  void add_plan(const char* name, std::vector<CallOperand> operands, Plan made, OperandsOf operands_of) {
    const auto plan = std::make_shared<Plan>(std::move(made));
    add(
        name, std::move(operands),
        [=](Arguments call) {
          auto given = operands_of(call.operands);
          given.workspace = call.workspace;
          given.event = call.event;
          return plan->enqueue(call.queue, given, call.waits);
        },
        plan->workspace_bytes());
  }

  void add_products() {
    GemmProblem problem{.m = n_, .n = n_, .k = n_, .offset_alignment = 1};
    const auto product = [](const std::vector<MatrixRef>& of) {
      return GemmOperands{.a = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
    };
    const std::vector<CallOperand> abc{reads(a, "A", matrix_), reads(b, "B", matrix_), changes(c, "C", matrix_)};
    add_plan("gemm", abc, GemmPlan(engine_, problem, naive), product);
    add_plan("gemm with a workspace", abc, GemmPlan(engine_, problem, {"local_tile", {{"padded", 1}}}), product);
    problem.layout = Layout::column_major;
    add_plan("gemm, beta = 0", {reads(a, "A", matrix_), reads(b, "B", matrix_), writes(c, "C", matrix_)},
             GemmPlan(engine_, problem, naive),
             [](const std::vector<MatrixRef>& of) { return GemmOperands{.a = of[0], .b = of[1], .c = of[2]}; });
    problem.type = DataType::c64;
    problem.trans_a = Transpose::conjugate_transpose;
    add_plan("gemm of complex numbers",
             {reads(a, "A", 2 * matrix_), reads(b, "B", 2 * matrix_), changes(c, "C", 2 * matrix_)},
             GemmPlan(engine_, problem, naive), product);
  }

  void add_epilogue() {
    const GemmProblem problem{
        .m = n_,
        .n = n_,
        .k = n_,
        .offset_alignment = 1,
        .epilogue = {.scale = EpilogueVector::per_column, .bias = EpilogueVector::per_row, .residual = true}};
    add_plan("gemm with an epilogue",
             {reads(a, "A", matrix_), reads(b, "B", matrix_), writes(c, "C", matrix_),
              reads(OperandName::scale, "scale", vector_), reads(OperandName::bias, "bias", vector_),
              reads(OperandName::residual, "residual", matrix_)},
             GemmPlan(engine_, problem, naive), [](const std::vector<MatrixRef>& of) {
               return GemmOperands{
                   .a = of[0], .b = of[1], .c = of[2], .scale = of[3], .bias = of[4], .residual = of[5]};
             });
  }

  void add_batch_by_offsets() {
    const GemmProblem problem{.m = n_, .n = n_, .k = n_, .offset_alignment = 1, .batch = {.count = 2}};
    const auto places = std::make_shared<std::vector<std::uint64_t>>(std::vector<std::uint64_t>{n_ * n_, 0});
    const Engine& engine = engine_;
    add("gemm by offsets", {reads(a, "A", 2 * matrix_), reads(b, "B", 2 * matrix_), changes(c, "C", 2 * matrix_)},
        [=, &engine](Arguments call) {
          const auto& of = call.operands;
          return gemm(
              engine, call.queue, problem,
              {.a = of[0], .b = of[1], .beta = 0.5, .c = of[2], .offsets = {.a = *places, .b = *places, .c = *places}},
              call.waits, naive);
        });
  }

  void add_sparse_product() {
    std::vector<cl_int> offsets(n_ + 1);
    std::iota(offsets.begin(), offsets.end(), 0);
    const cl::Buffer structure(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * (n_ + 1),
                               offsets.data());
    add_plan("spmm", {reads(a, "A", vector_), reads(b, "B", matrix_), changes(c, "C", matrix_)},
             SpmmPlan(engine_, {.layout_b = Layout::column_major, .m = n_, .n = n_, .k = n_, .nonzeros = n_},
                      {.offsets = {structure()}, .columns = {structure()}}, {"chunk_per_item", {{"chunk", 64}}}),
             [](const std::vector<MatrixRef>& of) {
               return SpmmOperands{.values = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
             });
  }

  void add_strassen() {
    const std::uint64_t even = n_ + n_ % 2, bytes = 4 * even * even;
    const GemmProblem product{.m = even, .n = even, .k = even, .offset_alignment = 1};
    add_plan("strassen", {reads(a, "A", bytes), reads(b, "B", bytes), changes(c, "C", bytes)},
             StrassenPlan(engine_, {.product = product, .levels = 1}, naive), [](const std::vector<MatrixRef>& of) {
               return StrassenOperands{.a = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
             });
  }

  void add_matrix_vector() {
    const std::vector<CallOperand> axy{reads(a, "A", matrix_), reads(x, "x", vector_), changes(y, "y", vector_)};
    const auto product = [](const std::vector<MatrixRef>& of) {
      return GemvOperands{.a = of[0], .x = of[1], .beta = 0.5, .y = of[2]};
    };
    GemvProblem problem{.m = n_, .n = n_, .offset_alignment = 1};
    add_plan("gemv", axy, GemvPlan(engine_, problem, naive), product);
    problem.incx = problem.incy = -1;
    add_plan("gemv of reversed vectors", axy, GemvPlan(engine_, problem, naive), product);
    add_plan("ger", {reads(x, "x", vector_), reads(y, "y", vector_), changes(a, "A", matrix_)},
             GerPlan(engine_, {.m = n_, .n = n_, .incx = -1, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return GerOperands{.x = of[0], .y = of[1], .a = of[2]}; });
  }

  void add_triangles_and_vectors() {
    using Refs = const std::vector<MatrixRef>&;
    const CallOperand of_a = reads(a, "A", matrix_), of_x = reads(x, "x", vector_), new_a = changes(a, "A", matrix_);
    add_plan("symv", {of_a, of_x, changes(y, "y", vector_)}, SymvPlan(engine_, {.n = n_, .offset_alignment = 1}),
             [](Refs of) { return SymvOperands{.a = of[0], .x = of[1], .beta = 0.5, .y = of[2]}; });
    add_plan("trmv", {of_a, changes(x, "x", vector_)}, TrmvPlan(engine_, {.n = n_, .offset_alignment = 1}),
             [](Refs of) { return TrmvOperands{.a = of[0], .x = of[1]}; });
    add_plan("syr", {of_x, new_a}, SyrPlan(engine_, {.n = n_, .offset_alignment = 1}),
             [](Refs of) { return SyrOperands{.x = of[0], .a = of[1]}; });
    add_plan("syr2 of a reversed vector", {of_x, reads(y, "y", vector_), new_a},
             Syr2Plan(engine_, {.n = n_, .incx = -1, .offset_alignment = 1}, {"rows", {}}),
             [](Refs of) { return Syr2Operands{.x = of[0], .y = of[1], .a = of[2]}; });
  }

  void add_moves() {
    TransposeProblem problem{.m = n_, .n = n_ + 1, .offset_alignment = 1};
    add_plan("transpose", {reads(a, "A", 4 * n_ * (n_ + 1)), writes(b, "B", 4 * n_ * (n_ + 1))},
             TransposePlan(engine_, problem),
             [](const std::vector<MatrixRef>& of) { return TransposeOperands{.a = of[0], .b = of[1]}; });
    problem.in_place = true;
    add_plan("transpose in place", {changes(a, "A", 4 * n_ * (n_ + 1))}, TransposePlan(engine_, problem),
             [](const std::vector<MatrixRef>& of) { return TransposeOperands{.a = of[0]}; });
    add_plan("matrix_add", {reads(a, "A", matrix_), reads(b, "B", matrix_), writes(c, "C", matrix_)},
             MatrixAddPlan(engine_, {.trans_b = Transpose::yes, .m = n_, .n = n_}),
             [](const std::vector<MatrixRef>& of) {
               return MatrixAddOperands{.a = of[0], .beta = 1, .b = of[1], .c = of[2]};
             });
  }

  // `places` are those of the operands in VectorOperands.
  void add_vector(const char* name, VectorFunction function, const VectorProblem& problem,
                  const std::vector<CallOperand>& operands, const std::vector<MatrixRef VectorOperands::*>& places,
                  Scalar alpha = 2, Scalar beta = 3) {
    add_plan(name, operands, VectorPlan(engine_, function, problem), [=](const std::vector<MatrixRef>& of) {
      VectorOperands given{.alpha = alpha, .beta = beta};
      for (std::size_t i = 0; i < places.size(); ++i) given.*places[i] = of[i];
      return given;
    });
  }

  void add_vectors() {
    using enum VectorFunction;
    using V = VectorOperands;
    const VectorProblem p{.n = n_};
    const CallOperand in{reads(x, "x", vector_)}, in_y{reads(y, "y", vector_)}, out_y{writes(y, "y", vector_)};
    const CallOperand x_too{changes(x, "x", vector_)}, y_too{changes(y, "y", vector_)};
    const std::vector<MatrixRef V::*> xy{&V::x, &V::y};
    add_vector("axpy", axpy, p, {in, y_too}, xy);
    add_vector("axpby", axpby, p, {in, y_too}, xy);
    add_vector("axpby, beta = 0", axpby, p, {in, out_y}, xy, 2, 0);
    add_vector("scal", scal, p, {x_too}, {&V::x});
    add_vector("scal by 0", scal, p, {writes(x, "x", vector_)}, {&V::x}, 0);
    add_vector("hadamard", hadamard, p, {in, in_y, changes(z, "z", vector_)}, {&V::x, &V::y, &V::z});
    add_vector("copy", VectorFunction::copy, p, {in, out_y}, xy);
    add_vector("swap", VectorFunction::swap, p, {x_too, y_too}, xy);
  }

  // Long enough for two launches where n is large.
  void add_reductions() {
    using enum VectorFunction;
    using V = VectorOperands;
    const std::uint64_t n = n_ * n_ * n_, bytes = 4 * n;
    const VectorProblem p{.n = n, .summation = Summation::compensated};
    const CallOperand in{reads(x, "x", bytes)}, number{writes(result, "the result", 4)};
    const std::vector<MatrixRef V::*> places{&V::x, &V::result};
    add_vector("dot", dot, p, {in, reads(y, "y", bytes), number}, {&V::x, &V::y, &V::result});
    add_vector("nrm2", nrm2, p, {in, number}, places);
    add_vector("asum", asum, p, {in, number}, places);
    add_vector("iamax", iamax, p, {in, writes(result, "the result", 8)}, places);
  }

  void add_triangular() {
    add_plan("trsm", {reads(a, "A", matrix_), changes(b, "B", nrhs_ * vector_)},
             TrsmPlan(engine_, {.m = n_, .n = nrhs_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return TrsmOperands{.a = of[0], .b = of[1]}; });
    add_plan("trsm of complex numbers", {reads(a, "A", 2 * matrix_), changes(b, "B", 2 * nrhs_ * vector_)},
             TrsmPlan(engine_, {.type = DataType::c64, .m = n_, .n = nrhs_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return TrsmOperands{.a = of[0], .b = of[1]}; });
    for (const bool reversed : {false, true})
      add_plan(reversed ? "trsv of a reversed vector" : "trsv", {reads(a, "A", matrix_), changes(x, "x", vector_)},
               TrsvPlan(engine_, {.n = n_, .incx = reversed ? -1 : 1, .offset_alignment = 1}, naive),
               [](const std::vector<MatrixRef>& of) { return TrsvOperands{.a = of[0], .x = of[1]}; });
  }

  void add_structured_products() {
    add_plan("trmm", {reads(a, "A", matrix_), changes(b, "B", 3 * vector_)},
             TrmmPlan(engine_, {.m = n_, .n = 3, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return TrmmOperands{.a = of[0], .b = of[1]}; });
    add_plan("symm", {reads(a, "A", matrix_), reads(b, "B", 3 * vector_), changes(c, "C", 3 * vector_)},
             SymmPlan(engine_, {.m = n_, .n = 3, .offset_alignment = 1}, naive), [](const std::vector<MatrixRef>& of) {
               return SymmOperands{.a = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
             });
  }

  void add_rank_k() {
    add_plan("syrk", {reads(a, "A", matrix_), changes(c, "C", matrix_)},
             SyrkPlan(engine_, {.n = n_, .k = n_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return SyrkOperands{.a = of[0], .beta = 0.5, .c = of[1]}; });
    const std::vector<CallOperand> abc{reads(a, "A", matrix_), reads(b, "B", matrix_), changes(c, "C", matrix_)};
    add_plan("syr2k", abc, Syr2kPlan(engine_, {.n = n_, .k = n_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) {
               return Syr2kOperands{.a = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
             });
    add_plan("gemmt", abc, GemmtPlan(engine_, {.n = n_, .k = n_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) {
               return GemmtOperands{.a = of[0], .b = of[1], .beta = 0.5, .c = of[2]};
             });
  }

  void add_cholesky() {
    add_plan("potrf", {changes(a, "A", matrix_), changes(OperandName::info, "info", 8)},
             PotrfPlan(engine_, {.n = n_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return PotrfOperands{.a = of[0], .info = of[1]}; });
    add_plan("potrs", {reads(a, "A", matrix_), changes(b, "B", nrhs_ * vector_)},
             PotrsPlan(engine_, {.n = n_, .nrhs = nrhs_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return PotrsOperands{.a = of[0], .b = of[1]}; });
    add_plan("posv",
             {changes(a, "A", matrix_), changes(b, "B", nrhs_ * vector_), changes(OperandName::info, "info", 8)},
             PosvPlan(engine_, {.n = n_, .nrhs = nrhs_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return PosvOperands{.a = of[0], .b = of[1], .info = of[2]}; });
    add_plan("potri", {changes(a, "A", matrix_)}, PotriPlan(engine_, {.n = n_, .offset_alignment = 1}, naive),
             [](const std::vector<MatrixRef>& of) { return PotriOperands{.a = of[0]}; });
  }

  void add_lu() {
    using Refs = const std::vector<MatrixRef>&;
    const CallOperand of_a = reads(a, "A", matrix_), of_b = changes(b, "B", nrhs_ * vector_);
    const CallOperand pivots = reads(OperandName::pivots, "pivots", 8 * n_);
    add_plan("getrf",
             {changes(a, "A", matrix_), changes(OperandName::pivots, "pivots", 8 * n_),
              changes(OperandName::info, "info", 8)},
             GetrfPlan(engine_, {.m = n_, .n = n_, .offset_alignment = 1}, naive),
             [](Refs of) { return GetrfOperands{.a = of[0], .pivots = of[1], .info = of[2]}; });
    add_plan("getrs", {of_a, pivots, of_b}, GetrsPlan(engine_, {.n = n_, .nrhs = nrhs_, .offset_alignment = 1}, naive),
             [](Refs of) { return GetrsOperands{.a = of[0], .pivots = of[1], .b = of[2]}; });
    add_plan("gesv",
             {changes(a, "A", matrix_), changes(OperandName::pivots, "pivots", 8 * n_),
              changes(OperandName::info, "info", 8), of_b},
             GesvPlan(engine_, {.n = n_, .nrhs = nrhs_, .offset_alignment = 1}, naive),
             [](Refs of) { return GesvOperands{.a = of[0], .pivots = of[1], .info = of[2], .b = of[3]}; });
    add_plan("getri", {of_a, pivots, changes(b, "B", matrix_)},
             GetriPlan(engine_, {.n = n_, .offset_alignment = 1}, naive),
             [](Refs of) { return GetriOperands{.a = of[0], .pivots = of[1], .b = of[2]}; });
    add_plan("det", {of_a, pivots, writes(OperandName::determinant, "determinant", 8)},
             DetPlan(engine_, {.n = n_}, naive),
             [](Refs of) { return DetOperands{.a = of[0], .pivots = of[1], .determinant = of[2]}; });
  }

  void add_qr() {
    using Refs = const std::vector<MatrixRef>&;
    const CallOperand of_a = changes(a, "A", matrix_), tau = reads(OperandName::tau, "tau", vector_);
    add_plan("geqrf", {of_a, changes(OperandName::tau, "tau", vector_)},
             GeqrfPlan(engine_, {.m = n_, .n = n_, .offset_alignment = 1}, naive),
             [](Refs of) { return GeqrfOperands{.a = of[0], .tau = of[1]}; });
    add_plan("ormqr", {reads(a, "A", matrix_), tau, changes(c, "C", 3 * vector_)},
             OrmqrPlan(engine_, {.m = n_, .n = 3, .k = n_, .offset_alignment = 1}, naive),
             [](Refs of) { return OrmqrOperands{.a = of[0], .tau = of[1], .c = of[2]}; });
    add_plan("orgqr", {of_a, tau}, OrgqrPlan(engine_, {.m = n_, .n = n_, .k = n_, .offset_alignment = 1}, naive),
             [](Refs of) { return OrgqrOperands{.a = of[0], .tau = of[1]}; });
    add_plan("gels", {of_a, changes(b, "B", 2 * vector_), writes(OperandName::info, "info", 8)},
             GelsPlan(engine_, {.m = n_, .n = n_, .nrhs = 2, .offset_alignment = 1}, naive),
             [](Refs of) { return GelsOperands{.a = of[0], .b = of[1], .info = of[2]}; });
  }

  void add_refinement() {
    add_plan(
        "gesv with refinements",
        {reads(a, "A", 2 * matrix_), changes(OperandName::pivots, "pivots", 8 * n_),
         changes(OperandName::info, "info", 8), changes(b, "B", 4 * vector_),
         changes(OperandName::iterations, "iterations", 8)},
        GesvPlan(engine_, {.type = DataType::f64, .n = n_, .nrhs = 2, .offset_alignment = 1, .refinements = 2}, naive),
        [](const std::vector<MatrixRef>& of) {
          return GesvOperands{.a = of[0], .pivots = of[1], .info = of[2], .b = of[3], .iterations = of[4]};
        });
  }

  const Engine& engine_ = shared_engine();
  static constexpr std::uint64_t nrhs_ = 17;  // on CPUs, systems with fewer right-hand sides take one launch
  std::uint64_t n_;
  std::uint64_t vector_, matrix_;  // bytes in f32
  std::vector<OperationCall> calls_;
};

}  // namespace

std::vector<OperationCall> operation_calls(std::uint64_t n) { return Calls(n).all(); }

CallBuffers::CallBuffers(const OperationCall& call) {
  for (const CallOperand& operand : call.operands) {
    std::vector<cl_long> content(operand.bytes / sizeof(cl_long) + 1);
    if (std::string_view(operand.label) == "pivots") std::iota(content.begin(), content.end(), 0);
    buffers_.emplace_back(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, operand.bytes, content.data());
  }
}

std::vector<MatrixRef> CallBuffers::refs() const {
  std::vector<MatrixRef> refs;
  for (const cl::Buffer& buffer : buffers_) refs.push_back({buffer(), 0});
  return refs;
}

}  // namespace tilewright::test
