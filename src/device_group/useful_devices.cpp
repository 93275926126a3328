#include "device_group/useful_devices.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "out_of_core/staging.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright::detail {
namespace {

// On two H100s of one host, other guests of the host changed the times of copies by a factor of two between calls. The
// gain must outweigh a part of this.
constexpr double worthwhile = 1.15;

// Copies and products overlap, except for the first uploads and the last downloads.
constexpr double not_overlapped = .25;

double seconds(double flops, double work, double bytes, double rate) {
  const double computing = work / flops;
  const double copying = rate > 0 ? bytes / rate : 0;
  return std::max(computing, copying) + not_overlapped * std::min(computing, copying);
}

}  // namespace

std::vector<bool> useful_devices(const std::vector<PlannedDevice>& devices, double work, const CopiedBytes& bytes,
                                 const std::function<double(std::size_t)>& rate) {
  std::vector<bool> useful(devices.size(), devices.size() == 1);
  if (devices.size() == 1) return useful;
  std::vector<std::size_t> staged;  // fastest first
  double flops = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!(devices[i].flops > 0)) continue;
    useful[i] = !devices[i].is_staged;
    if (useful[i])
      flops += devices[i].flops;
    else
      staged.push_back(i);
  }
  std::stable_sort(staged.begin(), staged.end(),
                   [&](std::size_t a, std::size_t b) { return devices[a].flops > devices[b].flops; });
  std::size_t best = 0;
  double least = flops > 0 ? work / flops : std::numeric_limits<double>::infinity();
  for (std::size_t count = 1; count <= staged.size(); ++count) {
    flops += devices[staged[count - 1]].flops;
    const double copied = bytes.divided + bytes.whole * static_cast<double>(count);
    const double needed = seconds(flops, work, copied, rate(count));
    if (needed * worthwhile > least) continue;
    least = needed;
    best = count;
  }
  for (std::size_t i = 0; i < best; ++i) useful[staged[i]] = true;
  return useful;
}

double host_copy_rate(unsigned threads) {
  static std::mutex mutex;
  static std::map<unsigned, double> rates;
  const std::lock_guard lock(mutex);
  double& rate = rates[threads];
  if (rate > 0) return rate;
  constexpr std::uint64_t row = 32 << 10, rows = 2048;
  constexpr int repetitions = 3;
  // Each byte is read and written by a thread, and read by a device.
  constexpr double part_of_threads = 2.0 / 3;
  const std::vector<std::byte> source(row * rows, std::byte{1});
  std::vector<std::byte> target(row * rows);
  RowCopier copier(threads);
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    copier.copy({target.data(), source.data(), row, row, row, rows});
    least = std::min(least, watch.seconds());
  }
  rate = part_of_threads * static_cast<double>(row * rows) / std::max(least, 1e-9);
  return rate;
}

}  // namespace tilewright::detail
