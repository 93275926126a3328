// Products with a block of reflectors, H(0) H(1) .. = I - V T V^H.
#pragma once

#include <optional>
#include <vector>

#include "kernels/command_chain.hpp"
#include "qr/qr_kernels.hpp"
#include "qr/qr_scratch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// A block of `width` reflectors of `order` elements that is multiplied by a matrix with `lines` columns (Side::left)
/// or rows (Side::right).
struct BlockProblem {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Side side = Side::left;
  bool is_adjoint = false;  ///< multiplies by the conjugate transpose of the block
  std::uint64_t order = 0;
  std::uint64_t width = 0;
  std::uint64_t lines = 0;
  std::uint64_t batch_count = 1;
  std::uint64_t alignment = 1;  ///< of all offsets
};

/// The three products of a multiplication in place.
///
///   left:   W = V^H C,  X = op(T) W,  C = C - V X
///   right:  W = C V,    X = W op(T),  C = C - X V^H
class BlockReflector {
 public:
  /// The views serve only for their leading dimensions and strides.
  BlockReflector(const Engine& engine, const BlockProblem& problem, const QrView& v, const QrView& t, const QrView& c,
                 const QrView& w, const QrView& x, const Choice& choice);

  std::uint64_t workspace_bytes() const;
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const QrView& v, const QrView& t, const QrView& c, const QrView& w, const QrView& x,
               const WorkspaceRef& plans) const;

 private:
  bool is_left_;
  GemmPlan first_, factor_, update_;
};

/// The triangular factor T of a block whose V is known: G = V^H V, then T from G and tau.
class BlockFactor {
 public:
  BlockFactor(const Engine& engine, const BlockProblem& problem, const QrView& v, const QrView& g,
              const Choice& choice);

  std::uint64_t workspace_bytes() const { return gram_.workspace_bytes(); }
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& v, const QrVector& tau, const QrView& g,
               const QrView& t, const WorkspaceRef& plans) const;

 private:
  std::uint64_t width_, batch_count_;
  GemmPlan gram_;
};

}  // namespace tilewright::detail
