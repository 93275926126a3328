#include "verification/spmm/device_sparse.hpp"

#include <algorithm>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {
namespace {

constexpr std::uint64_t first = 3;  // index of each array's first element in its buffer

std::vector<std::uint64_t> offsets_of(const std::vector<Place>& places, std::uint64_t lines,
                                      std::uint64_t Place::*line) {
  std::vector<std::uint64_t> offsets(lines + 1, 0);
  for (const Place& place : places) ++offsets[place.*line + 1];
  for (std::uint64_t i = 0; i < lines; ++i) offsets[i + 1] += offsets[i];
  return offsets;
}

template <class Index>
cl::Buffer uploaded(const cl::Context& context, const std::vector<std::uint64_t>& values, std::uint64_t base) {
  std::vector<Index> indices(first, -1);
  for (const std::uint64_t value : values) indices.push_back(static_cast<Index>(value + base));
  return {context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, indices.size() * sizeof(Index), indices.data()};
}

}  // namespace

HostSparse stored_as(SparseFormat format, std::vector<Place>& places, std::uint64_t m, std::uint64_t k,
                     std::uint64_t seed) {
  if (format == SparseFormat::csc)
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& left, const Place& right) { return left.column < right.column; });
  if (format == SparseFormat::coo)
    for (std::size_t x = places.size(); x > 1; --x) std::swap(places[x - 1], places[random_bits(seed, x) % x]);
  HostSparse result;
  if (format == SparseFormat::csr) result.offsets = offsets_of(places, m, &Place::row);
  if (format == SparseFormat::csc) result.offsets = offsets_of(places, k, &Place::column);
  for (const Place& place : places) {
    if (format != SparseFormat::csr) result.rows.push_back(place.row);
    if (format != SparseFormat::csc) result.columns.push_back(place.column);
  }
  return result;
}

DeviceSparse::DeviceSparse(const cl::Context& context, const HostSparse& host, IndexType type, std::uint64_t base) {
  const auto upload = [&](const std::vector<std::uint64_t>& values) {
    return type == IndexType::i32 ? uploaded<std::int32_t>(context, values, base)
                                  : uploaded<std::int64_t>(context, values, base);
  };
  offsets_ = upload(host.offsets);
  rows_ = upload(host.rows);
  columns_ = upload(host.columns);
}

SparseStructure DeviceSparse::structure() const { return {{offsets_(), first}, {rows_(), first}, {columns_(), first}}; }

}  // namespace tilewright::verification
