#include "triangular/steps.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/index_in.hpp"
#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

struct Rows {
  std::uint64_t first, end;
  std::uint64_t count() const { return end - first; }
};

class Builder {
 public:
  Builder(const TrsmSystem& system, std::uint64_t block) : system_(system), block_(block) {}

  // Solves blocks [first, end). `scales`: no step has multiplied these rows by alpha yet.
  void solve(std::uint64_t first, std::uint64_t end, bool scales) {
    if (end - first == 1) {
      result.steps.push_back({.kind = TrsmStep::Kind::solve, .scales = scales, .block = first});
      return;
    }
    const std::uint64_t middle = first + std::bit_floor(end - first - 1);
    const auto solve_part = [&](bool is_upper_part, bool scales_part) {
      is_upper_part ? solve(first, middle, scales_part) : solve(middle, end, scales_part);
    };
    solve_part(!system_.is_upper, scales);
    const Rows above = rows(first, middle), below = rows(middle, end);
    system_.is_upper ? multiply(below, above, scales) : multiply(above, below, scales);
    solve_part(system_.is_upper, false);
  }

  TrsmSteps result{};

 private:
  Rows rows(std::uint64_t first, std::uint64_t end) const {
    return {first * block_, std::min(end * block_, system_.order)};
  }

  void multiply(const Rows& solved, const Rows& rest, bool scales) {
    const std::uint64_t a = rest.first * system_.t_row_step + solved.first * system_.t_column_step;
    const std::uint64_t first_solved = solved.first * system_.b_row_step, first_rest = rest.first * system_.b_row_step;
    const std::uint64_t alignment = alignment_of_parts(system_.problem.offset_alignment, {a, first_solved, first_rest});
    result.steps.push_back({.kind = TrsmStep::Kind::product,
                            .scales = scales,
                            .product = index_in(result.products, product(solved.count(), rest.count(), alignment)),
                            .a = a,
                            .solved = first_solved,
                            .rest = first_rest});
  }

  GemmProblem product(std::uint64_t solved, std::uint64_t rest, std::uint64_t alignment) const {
    const TrsmProblem& p = system_.problem;
    GemmProblem problem{.type = p.type, .k = solved, .ldc = p.ldb, .offset_alignment = alignment};
    problem.batch.count = p.batch.count;
    problem.batch.stride_c = p.batch.stride_b;
    if (p.side == Side::left) {
      problem.trans_a = p.trans;
      problem.m = rest;
      problem.n = p.n;
      problem.lda = p.lda;
      problem.ldb = p.ldb;
      problem.batch.stride_a = p.batch.stride_a;
      problem.batch.stride_b = p.batch.stride_b;
    } else {
      problem.trans_b = p.trans;
      problem.m = p.m;
      problem.n = rest;
      problem.lda = p.ldb;
      problem.ldb = p.lda;
      problem.batch.stride_a = p.batch.stride_b;
      problem.batch.stride_b = p.batch.stride_a;
    }
    return problem;
  }

  const TrsmSystem& system_;
  std::uint64_t block_;
};

}  // namespace

TrsmSteps trsm_steps(const TrsmSystem& system, std::uint64_t block) {
  Builder builder(system, block);
  builder.solve(0, (system.order + block - 1) / block, true);
  return std::move(builder.result);
}

TrsmSteps trsm_steps_by_rows(const TrsmSystem& system, std::uint64_t block) {
  TrsmSteps result;
  const std::uint64_t blocks = (system.order + block - 1) / block;
  for (std::uint64_t x = 0; x < blocks; ++x) {
    const std::uint64_t which = system.is_upper ? blocks - 1 - x : x;
    const std::uint64_t rest =
        system.is_upper ? which * block : system.order - std::min(system.order, (which + 1) * block);
    result.steps.push_back({.kind = TrsmStep::Kind::solve, .scales = x == 0, .block = which});
    if (rest > 0) result.steps.push_back({.kind = TrsmStep::Kind::update, .scales = x == 0, .rest = rest});
  }
  return result;
}

}  // namespace tilewright::detail
