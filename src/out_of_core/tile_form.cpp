#include "out_of_core/tile_form.hpp"

#include <array>
#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {
namespace {

void check_single(const GemmProblem& p) {
  if (p.type != DataType::f32 && p.type != DataType::f64)
    throw Error(ErrorCode::unsupported_type, "type is " + std::string(element_type(p.type).name) +
                                                 ", but products of matrices in host memory take f32 or f64");
  if (p.type_c && *p.type_c != p.type)
    throw Error(ErrorCode::unsupported_type, OperandName::c,
                "type_c is " + std::string(element_type(*p.type_c).name) +
                    ", but a C in host memory has the type of A and B; leave type_c unset");
  if (p.accuracy != Accuracy::full && p.type != DataType::f32)
    throw Error(ErrorCode::unsupported_type,
                "accuracy is " + std::string(to_string(p.accuracy)) + ", but products of f64 take only full");
  if (!(p.batch == Batch{}))
    throw Error(
        ErrorCode::invalid_batch,
        "the problem is a batch, but this call multiplies one pair of matrices; use a group of devices for batches");
  if (!(p.epilogue == GemmEpilogue{}))
    throw Error(ErrorCode::unsupported_type,
                "the problem has an epilogue, but products of matrices in host memory have none");
}

}  // namespace

StoredMatrix TileForm::a() const {
  const GemmProblem& p = problem;
  return p.trans_a == Transpose::no ? StoredMatrix{p.m, p.k, p.lda} : StoredMatrix{p.k, p.m, p.lda};
}
StoredMatrix TileForm::b() const {
  const GemmProblem& p = problem;
  return p.trans_b == Transpose::no ? StoredMatrix{p.k, p.n, p.ldb} : StoredMatrix{p.n, p.k, p.ldb};
}

TileForm tile_form(const GemmProblem& problem) {
  check_single(problem);
  TileForm form{problem, problem.layout == Layout::column_major};
  GemmProblem& p = form.problem;
  p.type_c.reset();
  for (Transpose* const trans : {&p.trans_a, &p.trans_b})
    if (*trans == Transpose::conjugate_transpose) *trans = Transpose::yes;
  if (form.is_swapped) {
    p.layout = Layout::row_major;
    std::swap(p.m, p.n);
    std::swap(p.lda, p.ldb);
    std::swap(p.trans_a, p.trans_b);
  }
  OperandLabel first{"A", OperandName::a}, second{"B", OperandName::b};
  const OperandLabel third{"C", OperandName::c};
  if (form.is_swapped) std::swap(first, second);
  p.lda = completed_ld(first, form.a().columns, p.lda);
  p.ldb = completed_ld(second, form.b().columns, p.ldb);
  p.ldc = completed_ld(third, form.c().columns, p.ldc);
  check_extent(first, form.a(), problem.layout, form.element());
  check_extent(second, form.b(), problem.layout, form.element());
  check_extent(third, form.c(), problem.layout, form.element());
  return form;
}

TileSchedule swapped_like(const TileForm& form, const TileSchedule& schedule) {
  if (!form.is_swapped) return schedule;
  TileSchedule result = schedule;
  std::swap(result.tile.m, result.tile.n);
  std::swap(result.tiles_m, result.tiles_n);
  std::swap(result.slots_a, result.slots_b);
  result.by_columns = !schedule.by_columns;
  return result;
}

TileRect rect_of_a(const TileForm& form, TileRange m, TileRange k) {
  if (form.problem.trans_a != Transpose::no) std::swap(m, k);
  return {m.begin, k.begin, m.size, k.size};
}

TileRect rect_of_b(const TileForm& form, TileRange k, TileRange n) {
  if (form.problem.trans_b != Transpose::no) std::swap(k, n);
  return {k.begin, n.begin, k.size, n.size};
}

TilePlace tile_place(const TileSchedule& schedule, std::uint64_t number) {
  const std::uint64_t length = schedule.by_columns ? schedule.tiles_m : schedule.tiles_n;
  const std::uint64_t line = number / length, along = number % length;
  const std::uint64_t place = line % 2 == 0 ? along : length - 1 - along;
  return schedule.by_columns ? TilePlace{place, line} : TilePlace{line, place};
}

bool halve(TileSizes& tile, std::uint64_t least) {
  std::uint64_t& side = tile.m >= tile.n ? tile.m : tile.n;
  constexpr std::uint64_t whole = 16;
  const std::uint64_t half = side > 2 * whole ? (side / 2 + whole - 1) / whole * whole : side / 2;
  if (half < std::max<std::uint64_t>(1, least)) return false;
  side = half;
  return true;
}

}  // namespace tilewright::detail

namespace tilewright {

ResultTile tile_of(const GemmProblem& problem, const TileSchedule& schedule, std::uint64_t number) {
  if (number >= schedule.tiles())
    throw Error(ErrorCode::invalid_configuration, "the number of the tile is " + std::to_string(number) +
                                                      ", but the schedule has only " +
                                                      std::to_string(schedule.tiles()) + " tiles");
  const detail::TilePlace place = detail::tile_place(schedule, number);
  const detail::TileRange m = detail::tile_range(problem.m, schedule.tile.m, place.i);
  const detail::TileRange n = detail::tile_range(problem.n, schedule.tile.n, place.j);
  return {number, m.begin, n.begin, m.size, n.size};
}

}  // namespace tilewright
