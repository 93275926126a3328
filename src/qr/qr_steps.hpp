// The factorisation, products with Q, and columns of Q. They consist of the kernels of cl/qr/ and of products, which
// get parts of the call's workspace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "qr/block_reflector.hpp"

namespace tilewright::detail {

/// A matrix of reflectors, or to be factored, as an algorithm sees it: stored in an operand or in the workspace.
struct QrMatrix {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t ld = 0;
  std::uint64_t stride = 0;
  std::uint64_t batch_count = 1;
  std::uint64_t offset_alignment = 1;  ///< promise for the first element

  /// Returns the view without a buffer.
  QrView view() const { return qr_view({}, layout, ld, stride); }
};

/// A right-looking factorisation by panels. A panel is factored sub-panel by sub-panel: each is applied to the columns
/// of the panel on its right. Then the panel is applied to the trailing matrix A22.
///
///        P0   P1
///      +----+----+--------+      (R12; A22) = (I - V T^H V^H) (A12; A22)
///      | R  | R  |   R    |
///      | v  +----+--------+ P0   V, T: the block of reflectors of the panel, in the workspace
///      |    | R  |  A12   |
///      |    +  v +--------+ P1
///      |    |    |  A22   |
///      +----+----+--------+
class QrFactorisation {
 public:
  QrFactorisation(const Engine& engine, const QrMatrix& a, const QrShape& shape, const QrKernels& kernels,
                  const Choice& products);

  /// Returns the bytes of workspace of a call.
  std::uint64_t workspace_bytes() const;
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau,
               const WorkspaceRef& workspace) const;

 private:
  struct Panel {
    std::uint64_t begin = 0, end = 0;
    std::vector<BlockReflector> subpanels{};  // all but the last sub-panel, which has no columns on its right
    std::optional<BlockFactor> factor{};      // of several sub-panels
    std::optional<BlockReflector> trailing{};
  };

  void factor_panel(CommandChain& chain, const QrKernels& kernels, const Panel& panel, const QrView& a,
                    const QrVector& tau, const WorkspaceRef& workspace, const WorkspaceRef& plans) const;

  QrMatrix a_;
  QrShape shape_;
  QrScratch scratch_;
  std::uint64_t subpanel_bytes_ = 0, plan_bytes_ = 0;
  std::vector<Panel> panels_;
};

/// Blocks of reflectors of a factored matrix, each of which is expanded to V and T before it is used.
class QrBlocks {
 public:
  QrBlocks(const Engine& engine, const QrMatrix& a, std::uint64_t count, const QrShape& shape, QrScratch& scratch,
           const Choice& products);

  std::size_t size() const { return factors_.size(); }
  std::uint64_t first(std::size_t block) const { return block * width_; }
  std::uint64_t width(std::size_t block) const { return std::min(width_, count_ - first(block)); }
  std::uint64_t order(std::size_t block) const { return a_.rows - first(block); }
  std::uint64_t workspace_bytes() const;
  void explain(Explanation& explanation) const;
  void expand(CommandChain& chain, const QrKernels& kernels, std::size_t block, const QrView& a, const QrVector& tau,
              const QrScratch& scratch, const WorkspaceRef& workspace, const WorkspaceRef& plans) const;

 private:
  QrMatrix a_;
  std::uint64_t count_, width_;
  std::vector<BlockFactor> factors_;
};

/// C := op(Q) C or C := C op(Q).
class QrApplication {
 public:
  /// `a` has `count` reflectors. `lines`: columns of C on the left, rows on the right. C has the layout and the promise
  /// of alignment of A.
  QrApplication(const Engine& engine, const QrMatrix& a, std::uint64_t count, Side side, bool is_adjoint,
                const QrView& c, std::uint64_t lines, std::uint64_t batch_count, const QrShape& shape,
                const Choice& products);

  std::uint64_t workspace_bytes() const { return added_bytes(scratch_.bytes(), plan_bytes_); }
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau, const QrView& c,
               const WorkspaceRef& workspace) const;

 private:
  Side side_;
  bool is_forward_;  // whether the first block is applied first
  QrScratch scratch_;
  QrBlocks blocks_;
  std::uint64_t plan_bytes_ = 0;
  std::vector<BlockReflector> products_;
};

/// The first columns of Q, which overwrite the reflectors.
class QrGeneration {
 public:
  QrGeneration(const Engine& engine, const QrMatrix& a, std::uint64_t count, const QrShape& shape,
               const Choice& products);

  std::uint64_t workspace_bytes() const { return added_bytes(scratch_.bytes(), plan_bytes_); }
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau,
               const WorkspaceRef& workspace) const;

 private:
  QrMatrix a_;
  std::uint64_t count_;
  QrScratch scratch_;
  QrBlocks blocks_;
  std::uint64_t plan_bytes_ = 0;
  std::vector<BlockReflector> products_;
};

}  // namespace tilewright::detail
