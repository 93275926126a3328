#include "qr/block_reflector.hpp"

#include <algorithm>

#include "kernels/explanation.hpp"

namespace tilewright::detail {
namespace {

GemmProblem product_of(const BlockProblem& p, std::uint64_t m, std::uint64_t n, std::uint64_t k, const QrView& a,
                       const QrView& b, const QrView& c) {
  return {.type = p.type,
          .layout = p.layout,
          .m = m,
          .n = n,
          .k = k,
          .lda = a.ld,
          .ldb = b.ld,
          .ldc = c.ld,
          .offset_alignment = p.alignment,
          .batch = {.count = p.batch_count, .stride_a = a.stride, .stride_b = b.stride, .stride_c = c.stride}};
}

Transpose adjoint_of(DataType type) { return is_complex(type) ? Transpose::conjugate_transpose : Transpose::yes; }

GemmProblem first_product(const BlockProblem& p, const QrView& v, const QrView& c, const QrView& w) {
  if (p.side == Side::right) return product_of(p, p.lines, p.width, p.order, c, v, w);
  GemmProblem product = product_of(p, p.width, p.lines, p.order, v, c, w);
  product.trans_a = adjoint_of(p.type);
  return product;
}

GemmProblem factor_product(const BlockProblem& p, const QrView& t, const QrView& w, const QrView& x) {
  const bool is_left = p.side == Side::left;
  GemmProblem product =
      is_left ? product_of(p, p.width, p.lines, p.width, t, w, x) : product_of(p, p.lines, p.width, p.width, w, t, x);
  if (p.is_adjoint) (is_left ? product.trans_a : product.trans_b) = adjoint_of(p.type);
  return product;
}

GemmProblem update_product(const BlockProblem& p, const QrView& v, const QrView& x, const QrView& c) {
  if (p.side == Side::left) return product_of(p, p.order, p.lines, p.width, v, x, c);
  GemmProblem product = product_of(p, p.lines, p.order, p.width, x, v, c);
  product.trans_b = adjoint_of(p.type);
  return product;
}

GemmProblem gram_product(const BlockProblem& p, const QrView& v, const QrView& g) {
  GemmProblem product = product_of(p, p.width, p.width, p.order, v, v, g);
  product.trans_a = adjoint_of(p.type);
  return product;
}

}  // namespace

BlockReflector::BlockReflector(const Engine& engine, const BlockProblem& problem, const QrView& v, const QrView& t,
                               const QrView& c, const QrView& w, const QrView& x, const Choice& choice)
    : is_left_(problem.side == Side::left),
      first_(engine, first_product(problem, v, c, w), choice),
      factor_(engine, factor_product(problem, t, w, x), choice),
      update_(engine, update_product(problem, v, x, c), choice) {}

std::uint64_t BlockReflector::workspace_bytes() const {
  return std::max({first_.workspace_bytes(), factor_.workspace_bytes(), update_.workspace_bytes()});
}

void BlockReflector::explain(Explanation& explanation) const {
  for (const GemmPlan* plan : {&first_, &factor_, &update_}) add_part(explanation, plan->explanation());
}

void BlockReflector::enqueue(CommandChain& chain, const QrView& v, const QrView& t, const QrView& c, const QrView& w,
                             const QrView& x, const WorkspaceRef& plans) const {
  const auto multiply = [&](const GemmPlan& plan, const QrView& left, const QrView& right, const QrView& result) {
    chain.plan(plan, GemmOperands{.a = left.at, .b = right.at, .c = result.at}, plans);
  };
  const auto subtract = [&](const QrView& left, const QrView& right) {
    chain.plan(update_, GemmOperands{.alpha = -1, .a = left.at, .b = right.at, .beta = 1, .c = c.at}, plans);
  };
  if (is_left_) {
    multiply(first_, v, c, w);
    multiply(factor_, t, w, x);
    subtract(v, x);
  } else {
    multiply(first_, c, v, w);
    multiply(factor_, w, t, x);
    subtract(x, v);
  }
}

BlockFactor::BlockFactor(const Engine& engine, const BlockProblem& problem, const QrView& v, const QrView& g,
                         const Choice& choice)
    : width_(problem.width), batch_count_(problem.batch_count), gram_(engine, gram_product(problem, v, g), choice) {}

void BlockFactor::explain(Explanation& explanation) const { add_part(explanation, gram_.explanation()); }

void BlockFactor::enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& v, const QrVector& tau,
                          const QrView& g, const QrView& t, const WorkspaceRef& plans) const {
  chain.plan(gram_, GemmOperands{.a = v.at, .b = v.at, .c = g.at}, plans);
  kernels.triangular_factor(chain, width_, g, tau, t, batch_count_);
}

}  // namespace tilewright::detail
