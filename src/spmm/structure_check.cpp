#include "spmm/structure_check.hpp"

#include <string>

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::invalid_structure, OperandName::a, message);
}

// The names and numbers of lines, for messages. Lines are the rows of csr and the columns of csc, whose starts the
// offsets hold.
struct Lines {
  const char* line;   ///< "row"
  const char* other;  ///< "column"
  std::uint64_t lines, others;
};

Lines lines_of(const SpmmProblem& p) {
  return p.format == SparseFormat::csc ? Lines{"column", "row", p.k, p.m} : Lines{"row", "column", p.m, p.k};
}

std::string at(std::uint64_t position) { return " at position " + std::to_string(position); }

template <class Index>
void check_offsets(const SpmmProblem& p, const Lines& names, std::span<const Index> offsets) {
  const std::string line = names.line;
  const auto base = static_cast<Index>(p.index_base);
  if (offsets[0] != base)
    refuse("the offset of " + line + " 0 is " + std::to_string(offsets[0]) + ", but must be " + std::to_string(base));
  for (std::size_t i = 0; i < names.lines; ++i) {
    const Index begin = offsets[i], end = offsets[i + 1];
    if (end < begin)
      refuse("offsets decrease: " + line + ' ' + std::to_string(i) + " begins at " + std::to_string(begin) +
             " and ends at " + std::to_string(end));
    if (static_cast<std::uint64_t>(end - base) > p.nonzeros)
      refuse(line + ' ' + std::to_string(i) + " ends at " + std::to_string(end) + ", past the " +
             std::to_string(p.nonzeros) + " stored elements");
  }
  if (static_cast<std::uint64_t>(offsets[names.lines] - base) != p.nonzeros)
    refuse("the last offset is " + std::to_string(offsets[names.lines]) + ", but there are " +
           std::to_string(p.nonzeros) + " stored elements" + (base == 1 ? " counted from 1 on" : ""));
}

template <class Index>
bool is_within(Index index, std::uint64_t base, std::uint64_t size) {
  return index >= static_cast<Index>(base) && static_cast<std::uint64_t>(index) - base < size;
}

template <class Index>
[[noreturn]] void refuse_index(const char* what, Index index, std::uint64_t base, std::uint64_t size,
                               const std::string& where) {
  refuse(std::string(what) + " index " + std::to_string(index) + where + " is not within " + std::to_string(base) +
         " to " + std::to_string(size + base - 1));
}

template <class Index>
void check_lines(const SpmmProblem& p, const Lines& names, std::span<const Index> offsets,
                 std::span<const Index> indices, bool canonical) {
  check_offsets(p, names, offsets);
  for (std::size_t i = 0; i < names.lines; ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]) - p.index_base;
    const auto end = static_cast<std::size_t>(offsets[i + 1]) - p.index_base;
    for (std::size_t x = begin; x < end; ++x) {
      const auto where = [&] { return at(x) + " (" + names.line + ' ' + std::to_string(i) + ")"; };
      if (!is_within(indices[x], p.index_base, names.others))
        refuse_index(names.other, indices[x], p.index_base, names.others, where());
      if (canonical && x > begin && indices[x] <= indices[x - 1])
        refuse(std::string(names.other) + " index " + std::to_string(indices[x]) + where() +
               " does not increase: it follows " + std::to_string(indices[x - 1]));
    }
  }
}

template <class Index>
void check_places(const SpmmProblem& p, std::span<const Index> rows, std::span<const Index> columns, bool canonical) {
  for (std::size_t x = 0; x < rows.size(); ++x) {
    if (!is_within(rows[x], p.index_base, p.m)) refuse_index("row", rows[x], p.index_base, p.m, at(x));
    if (!is_within(columns[x], p.index_base, p.k)) refuse_index("column", columns[x], p.index_base, p.k, at(x));
    if (!canonical || x == 0 || rows[x] > rows[x - 1] || (rows[x] == rows[x - 1] && columns[x] > columns[x - 1]))
      continue;
    refuse("row " + std::to_string(rows[x]) + " and column " + std::to_string(columns[x]) + at(x) +
           " do not increase: they follow row " + std::to_string(rows[x - 1]) + " and column " +
           std::to_string(columns[x - 1]));
  }
}

}  // namespace

template <class Index>
void check_structure(const SpmmProblem& p, const HostStructure<Index>& structure, StructureCheck check) {
  const bool canonical = check == StructureCheck::canonical;
  if (p.format == SparseFormat::coo) return check_places(p, structure.rows, structure.columns, canonical);
  const auto& indices = p.format == SparseFormat::csr ? structure.columns : structure.rows;
  check_lines(p, lines_of(p), structure.offsets, indices, canonical);
}

template void check_structure(const SpmmProblem&, const HostStructure<std::int32_t>&, StructureCheck);
template void check_structure(const SpmmProblem&, const HostStructure<std::int64_t>&, StructureCheck);

}  // namespace tilewright::detail
