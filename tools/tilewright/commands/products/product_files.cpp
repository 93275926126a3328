#include "commands/products/product_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/shape.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/json_output.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

Transpose stored_transpose(const NpyHeader& header, bool wanted) {
  return header.fortran_order == wanted ? Transpose::no : Transpose::yes;
}

void check_type(std::string_view name, DataType found, DataType wanted) {
  if (found == wanted) return;
  throw UsageError(
      fmt::format("{} is {}, but the product is in {}; --memory does not convert: store all matrices in one type", name,
                  tilewright::to_string(found), tilewright::to_string(wanted)));
}

}  // namespace

ProductFiles::ProductFiles(const MultiplyOptions& options) : a(options.a), b(options.b) {
  if (!options.c_in.empty()) c_in.emplace(options.c_in);
}

GemmProblem ProductFiles::problem(const MultiplyOptions& options) const {
  const NpyHeader &header_a = a.header(), &header_b = b.header();
  GemmProblem problem;
  problem.type = header_a.type;
  if (problem.type != DataType::f32 && problem.type != DataType::f64)
    throw UsageError(
        fmt::format("--memory takes f32 and f64 matrices, but A is {}", tilewright::to_string(header_a.type)));
  check_type("B", header_b.type, problem.type);
  for (const auto& [name, scalar] : {std::pair("--alpha", &options.alpha), std::pair("--beta", &options.beta)})
    problem.type == DataType::f64 ? require_finite<double>(name, *scalar, false)
                                  : require_finite<float>(name, *scalar, false);
  for (const std::string& type : {options.type, options.type_c})
    if (!type.empty() && type != tilewright::to_string(problem.type))
      throw UsageError(
          fmt::format("the matrices are {}, and --memory does not convert them to {}; leave --type and --c-type out",
                      tilewright::to_string(problem.type), type));
  problem.accuracy = parse_accuracy(options.accuracy);
  const bool trans_a = options.trans_a || options.conjugate_a, trans_b = options.trans_b || options.conjugate_b;
  problem.trans_a = stored_transpose(header_a, trans_a);
  problem.trans_b = stored_transpose(header_b, trans_b);
  problem.m = trans_a ? header_a.columns : header_a.rows;
  problem.k = trans_a ? header_a.rows : header_a.columns;
  problem.n = trans_b ? header_b.rows : header_b.columns;
  if (const std::uint64_t b_rows = trans_b ? header_b.columns : header_b.rows; b_rows != problem.k)
    throw std::runtime_error(fmt::format("op(A) is {} x {} but op(B) is {} x {}: the inner sizes must be equal",
                                         problem.m, problem.k, b_rows, problem.n));
  if (!c_in) return problem;
  const NpyHeader& c = c_in->header();
  check_type("the matrix of --c-in", c.type, problem.type);
  if (c.rows != problem.m || c.columns != problem.n)
    throw std::runtime_error(fmt::format("the matrix of --c-in is {} x {}, the product is {} x {}", c.rows, c.columns,
                                         problem.m, problem.n));
  if (c.fortran_order)
    throw UsageError(
        "the matrix of --c-in is in Fortran order, but --memory needs C order; convert it with "
        "numpy.ascontiguousarray()");
  return problem;
}

std::string ProductFiles::heading(const MultiplyOptions& options, const GemmProblem& problem) const {
  return Json{{"tilewright", "partial product"},
              {"format", 2},
              {"problem", to_string(problem)},
              {"alpha", options.alpha},
              {"beta", options.beta},
              {"a", a.fingerprint()},
              {"b", b.fingerprint()},
              {"c_in", c_in ? c_in->fingerprint() : ""}}
      .dump();
}

std::string with_tiling(const std::string& heading, const TileSchedule& schedule) {
  const TileSizes& tile = schedule.tile;
  return fmt::format("{} {} {} {} {}", heading, tile.m, tile.n, tile.k, tilewright::to_string(schedule.transfer));
}

std::optional<Tiling> tiling_of(const std::string& line, const std::string& heading) {
  if (!line.starts_with(heading + ' ')) return std::nullopt;
  const std::vector<std::string> words = detail::split_words(line.substr(heading.size()));
  if (words.size() < 4) return std::nullopt;
  const auto m = detail::find_whole<std::uint64_t>(words[0]), n = detail::find_whole<std::uint64_t>(words[1]),
             k = detail::find_whole<std::uint64_t>(words[2]);
  if (!m || !n || !k || *m == 0 || *n == 0) return std::nullopt;
  Tiling tiling;
  tiling.tile = {*m, *n, *k};
  for (const TileTransfer known : {TileTransfer::staged, TileTransfer::in_place})
    if (words[3] == tilewright::to_string(known)) tiling.transfer = known;
  return tiling;
}

}  // namespace tilewright::tool
