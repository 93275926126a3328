#include "bindings/blas/kept_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "bindings/blas/lines.hpp"

namespace tilewright::blas {
namespace {

std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

void KeptMemory::keep(const void* data, std::size_t bytes) {
  if (data == nullptr) return;
  drop(data);
  const std::lock_guard lock(mutex_);
  // A length beyond the address space reaches to its end.
  const std::uintptr_t begin = address(data), longest = std::numeric_limits<std::uintptr_t>::max() - begin;
  promises_.push_back({begin, begin + std::min<std::uintptr_t>(bytes, longest)});
}

void KeptMemory::drop(const void* data) {
  const std::lock_guard lock(mutex_);
  const auto promise = std::find_if(promises_.begin(), promises_.end(),
                                    [&](const Range& range) { return range.begin == address(data); });
  if (promise == promises_.end()) return;
  drop_copies(*promise);
  promises_.erase(promise);
}

std::uint64_t KeptMemory::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const Copy& copy : copies_) sum += copy.bytes;
  return sum;
}

bool KeptMemory::holds(const HostMatrix& matrix, std::size_t bytes) const {
  if (!matrix.exists() || matrix.is_written) return false;
  const std::lock_guard lock(mutex_);
  const std::uintptr_t begin = address(matrix.data);
  return is_promised({begin, begin + bytes});
}

bool KeptMemory::is_promised(const Range& range) const {
  return std::any_of(promises_.begin(), promises_.end(),
                     [&](const Range& promise) { return promise.begin <= range.begin && range.end <= promise.end; });
}

DeviceCopy KeptMemory::find(const Call& call, const HostMatrix& matrix) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const Copy& copy) {
    return copy.matrix.data == matrix.data && copy.matrix.rows == matrix.rows &&
           copy.matrix.columns == matrix.columns && copy.matrix.ld == matrix.ld && copy.type == call.type &&
           copy.layout == call.layout;
  });
  if (found == copies_.end()) return {};
  std::rotate(found, found + 1, copies_.end());
  return copies_.back().copy;
}

void KeptMemory::add(const Call& call, const HostMatrix& matrix, std::size_t bytes, DeviceCopy copy,
                     std::size_t copy_bytes, std::uint64_t budget) {
  const std::lock_guard lock(mutex_);
  const std::uintptr_t begin = address(matrix.data);
  if (!is_promised({begin, begin + bytes})) return;  // another thread dropped it during the call
  copies_.push_back({{begin, begin + bytes}, matrix, call.type, call.layout, std::move(copy), copy_bytes});
  std::uint64_t taken = 0;
  for (const Copy& kept : copies_) taken += kept.bytes;
  while (taken > budget) {
    taken -= copies_.front().bytes;
    copies_.erase(copies_.begin());
  }
  note_copies();
}

void KeptMemory::note_written(const HostMatrix& matrix, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  drop_copies({address(matrix.data), address(matrix.data) + bytes});
}

void KeptMemory::note_written(const Call& call) {
  if (!has_copies() || is_query(call)) return;
  for (const HostMatrix& matrix : matrices_of(call))
    if (matrix.exists() && matrix.is_written) note_written(matrix, extent_bytes(call, matrix));
}

void KeptMemory::release() {
  const std::lock_guard lock(mutex_);
  copies_.clear();
  note_copies();
}

void KeptMemory::drop_copies(const Range& range) {
  std::erase_if(copies_,
                [&](const Copy& copy) { return copy.range.begin < range.end && range.begin < copy.range.end; });
  note_copies();
}

}  // namespace tilewright::blas
