#include <span>
#include <stdexcept>
#include <utility>

#include "compare/lapack/lapack_contender.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/cholesky_inverse.hpp"
#include "tilewright/least_squares.hpp"
#include "tilewright/lu.hpp"
#include "tilewright/qr.hpp"
#include "tilewright/symm.hpp"
#include "tilewright/triangular.hpp"
#include "tilewright/trmm.hpp"

namespace tilewright::tool {
namespace {

constexpr Layout layout = Layout::column_major;

template <class Problem, class Operands>
using Function = Event (*)(const Engine&, cl_command_queue, const Problem&, const Operands&, std::span<const cl_event>,
                           const Choice&);

template <class Plan, class Problem, class Operands>
TilewrightCall call_of(Function<Problem, Operands> function, const Problem& problem, const Operands& operands,
                       const LapackBuffers& buffers, const Choice& choice) {
  const Session& session = buffers.session();
  return {[=, &session] { function(session.engine(), session.queue(), problem, operands, {}, choice).wait(); },
          [=, &session] { return Plan(session.engine(), problem, choice).explanation(); }};
}

Batch batch_of(const LapackProblem& p) {
  if (p.batch == 1) return {};
  return {.count = p.batch, .stride_a = p.m * p.n, .stride_b = p.rows_of_b() * p.columns_of_b()};
}

TilewrightCall call_getrf(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GetrfPlan>(getrf,
                            GetrfProblem{.type = p.type, .layout = layout, .m = p.m, .n = p.n, .batch = batch_of(p)},
                            GetrfOperands{.a = {on.a()}, .pivots = {on.pivots()}, .info = {on.info()}}, on, choice);
}

TilewrightCall call_getrs(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GetrsPlan>(
      getrs,
      GetrsProblem{.type = p.type, .layout = layout, .trans = p.trans, .n = p.n, .nrhs = p.nrhs, .batch = batch_of(p)},
      GetrsOperands{.a = {on.a()}, .pivots = {on.pivots()}, .b = {on.b()}}, on, choice);
}

TilewrightCall call_gesv(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GesvPlan>(
      gesv, GesvProblem{.type = p.type, .layout = layout, .n = p.n, .nrhs = p.nrhs, .batch = batch_of(p)},
      GesvOperands{.a = {on.a()}, .pivots = {on.pivots()}, .info = {on.info()}, .b = {on.b()}}, on, choice);
}

TilewrightCall call_getri(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GetriPlan>(getri, GetriProblem{.type = p.type, .layout = layout, .n = p.n, .batch = batch_of(p)},
                            GetriOperands{.a = {on.a()}, .pivots = {on.pivots()}, .b = {on.b()}}, on, choice);
}

TilewrightCall call_potrf(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<PotrfPlan>(
      potrf, PotrfProblem{.type = p.type, .layout = layout, .uplo = p.uplo, .n = p.n, .batch = batch_of(p)},
      PotrfOperands{.a = {on.a()}, .info = {on.info()}}, on, choice);
}

TilewrightCall call_potrs(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<PotrsPlan>(
      potrs,
      PotrsProblem{.type = p.type, .layout = layout, .uplo = p.uplo, .n = p.n, .nrhs = p.nrhs, .batch = batch_of(p)},
      PotrsOperands{.a = {on.a()}, .b = {on.b()}}, on, choice);
}

TilewrightCall call_posv(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<PosvPlan>(
      posv,
      PosvProblem{.type = p.type, .layout = layout, .uplo = p.uplo, .n = p.n, .nrhs = p.nrhs, .batch = batch_of(p)},
      PosvOperands{.a = {on.a()}, .b = {on.b()}, .info = {on.info()}}, on, choice);
}

TilewrightCall call_potri(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<PotriPlan>(
      potri, PotriProblem{.type = p.type, .layout = layout, .uplo = p.uplo, .n = p.n, .batch = batch_of(p)},
      PotriOperands{.a = {on.a()}}, on, choice);
}

TilewrightCall call_geqrf(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GeqrfPlan>(geqrf,
                            GeqrfProblem{.type = p.type, .layout = layout, .m = p.m, .n = p.n, .batch = batch_of(p)},
                            GeqrfOperands{.a = {on.a()}, .tau = {on.tau()}}, on, choice);
}

TilewrightCall call_ormqr(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  Batch batch = batch_of(p);
  std::swap(batch.stride_b, batch.stride_c);
  return call_of<OrmqrPlan>(ormqr,
                            OrmqrProblem{.type = p.type,
                                         .layout = layout,
                                         .side = p.side,
                                         .trans = p.trans,
                                         .m = p.rows_of_b(),
                                         .n = p.columns_of_b(),
                                         .k = p.n,
                                         .batch = batch},
                            OrmqrOperands{.a = {on.a()}, .tau = {on.tau()}, .c = {on.b()}}, on, choice);
}

TilewrightCall call_orgqr(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<OrgqrPlan>(
      orgqr, OrgqrProblem{.type = p.type, .layout = layout, .m = p.m, .n = p.n, .k = p.n, .batch = batch_of(p)},
      OrgqrOperands{.a = {on.a()}, .tau = {on.tau()}}, on, choice);
}

TilewrightCall call_gels(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<GelsPlan>(
      gels,
      GelsProblem{
          .type = p.type, .layout = layout, .trans = p.trans, .m = p.m, .n = p.n, .nrhs = p.nrhs, .batch = batch_of(p)},
      GelsOperands{.a = {on.a()}, .b = {on.b()}, .info = {on.info()}}, on, choice);
}

// trsm and trmm.
template <class Plan, class Problem, class Operands>
TilewrightCall call_triangle(Function<Problem, Operands> function, const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  return call_of<Plan>(function,
                       Problem{.type = p.type,
                               .layout = layout,
                               .side = p.side,
                               .uplo = p.uplo,
                               .trans = p.trans,
                               .diag = p.diag,
                               .m = p.rows_of_b(),
                               .n = p.columns_of_b(),
                               .batch = batch_of(p)},
                       Operands{.a = {on.a()}, .b = {on.b()}}, on, choice);
}

TilewrightCall call_trsm(const LapackBuffers& on, const Choice& choice) {
  return call_triangle<TrsmPlan, TrsmProblem, TrsmOperands>(trsm, on, choice);
}

TilewrightCall call_trmm(const LapackBuffers& on, const Choice& choice) {
  return call_triangle<TrmmPlan, TrmmProblem, TrmmOperands>(trmm, on, choice);
}

// The result is written to B's place, from a copy of B.
TilewrightCall call_symm(const LapackBuffers& on, const Choice& choice) {
  const LapackProblem& p = on.problem();
  Batch batch = batch_of(p);
  batch.stride_c = batch.stride_b;
  return call_of<SymmPlan>(
      symm,
      SymmProblem{.type = p.type,
                  .layout = layout,
                  .symmetry = p.operation->is_hermitian() ? Symmetry::hermitian : Symmetry::symmetric,
                  .side = p.side,
                  .uplo = p.uplo,
                  .m = p.rows_of_b(),
                  .n = p.columns_of_b(),
                  .batch = batch},
      SymmOperands{.a = {on.a()}, .b = {on.original_b()}, .c = {on.b()}}, on, choice);
}

struct NamedCall {
  std::string_view name;
  TilewrightCall (*make)(const LapackBuffers&, const Choice&);
};
constexpr NamedCall calls[] = {
    {"getrf", call_getrf}, {"getrs", call_getrs}, {"gesv", call_gesv},   {"getri", call_getri},
    {"potrf", call_potrf}, {"potrs", call_potrs}, {"posv", call_posv},   {"potri", call_potri},
    {"geqrf", call_geqrf}, {"ormqr", call_ormqr}, {"orgqr", call_orgqr}, {"gels", call_gels},
    {"trsm", call_trsm},   {"trmm", call_trmm},   {"symm", call_symm},   {"hemm", call_symm}};

}  // namespace

TilewrightCall tilewright_lapack_call(const LapackBuffers& buffers, const Choice& choice) {
  for (const NamedCall& call : calls)
    if (call.name == buffers.problem().operation->name) return call.make(buffers, choice);
  throw std::logic_error("an operation of LAPACK has no call");
}

}  // namespace tilewright::tool
