#include "device_group/useful_devices.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "out_of_core/staging.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright::detail {
namespace {

// Fraction of the ideal gain that the model must promise. On two H100s of one host, other guests of the host changed
// the times of copies by a factor of two between calls. The gain must outweigh a part of this.
constexpr double worthwhile = .25;

// Copies and products overlap, except for the first uploads and the last downloads.
constexpr double not_overlapped = .25;

// Name of the limit, also in reports.
constexpr std::string_view copies_in_host = "copies in host memory";

// Part of all operations below which devices without copies are worth less than the threads that they keep from
// copying.
constexpr double negligible = .05;

double seconds_of(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

bool is_limited_by_copies(const ExpectedTime& time) { return time.limit == copies_in_host; }

// Devices in use that are staged, or that are not.
std::vector<std::size_t> numbers_of(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used,
                                    bool staged) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (used[i] && devices[i].is_staged == staged) numbers.push_back(i);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return devices[a].flops > devices[b].flops; });
  return numbers;
}

double flops_of(const std::vector<PlannedDevice>& devices, const std::vector<std::size_t>& numbers) {
  double flops = 0;
  for (const std::size_t device : numbers) flops += devices[device].flops;
  return flops;
}

// Sets of fewer devices: half of them each time, rounded up. A call that makes a plan for another set takes several
// times as long.
std::vector<std::vector<bool>> smaller_sets(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used) {
  const std::vector<std::size_t> staged = numbers_of(devices, used, true), in_place = numbers_of(devices, used, false);
  std::vector<std::vector<bool>> sets;
  const auto add = [&](std::size_t of_staged, bool with_in_place) {
    std::vector<bool>& set = sets.emplace_back(devices.size());
    for (std::size_t i = 0; i < of_staged; ++i) set[staged[i]] = true;
    for (const std::size_t device : in_place) set[device] = with_in_place;
  };
  if (!in_place.empty() && !staged.empty()) add(staged.size(), false);
  const std::size_t least = in_place.empty() ? 1 : 0;
  for (std::size_t count = staged.size(); count > least;) {
    count = count == 1 ? 0 : (count + 1) / 2;
    add(count, true);
  }
  if (!in_place.empty() && staged.size() > 1) add(1, false);
  return sets;
}

// Returns the expected times with and without a device that is not used, and what limits them.
std::string why_left_out(std::size_t device, const std::vector<PlannedDevice>& devices, std::vector<bool> used,
                         double work, const CopiesOf& copies, const std::function<double(std::size_t)>& rate) {
  const double without = expected_time(devices, used, work, copies, rate).seconds;
  used[device] = true;
  const ExpectedTime with = expected_time(devices, used, work, copies, rate);
  return "expected " + general_text(with.seconds, 3) + " s with it, limited by " + std::string(with.limit) + ", and " +
         general_text(without, 3) + " s without it";
}

}  // namespace

GroupCopies copies_of_blocks(const std::vector<CellBlock>& blocks, const std::vector<bool>& staged,
                             const LineBytes& lines, const CopiedBytes& cell, bool is_shared) {
  GroupCopies copies;
  std::set<std::uint64_t> rows, columns;  // that staged devices read
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const CellBlock& block = blocks[i];
    const double cells = static_cast<double>(block.cells()), inputs = lines.of(block);
    copies.devices.push_back({inputs + cells * cell.up, cells * cell.down});
    if (!staged[i] || block.cells() == 0) continue;
    copies.in_host += cells * (cell.up + cell.down) + (is_shared ? 0 : inputs);
    for (std::uint64_t row = 0; row < block.rows; ++row) rows.insert(block.row + row);
    for (std::uint64_t column = 0; column < block.columns; ++column) columns.insert(block.column + column);
  }
  if (is_shared)
    copies.in_host += static_cast<double>(rows.size()) * lines.row + static_cast<double>(columns.size()) * lines.column;
  return copies;
}

ExpectedTime expected_time(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used, double work,
                           const CopiesOf& copies, const std::function<double(std::size_t)>& rate) {
  double flops = 0, link = 0;
  std::size_t staged = 0;
  const GroupCopies all = copies(used);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!used[i]) continue;
    flops += devices[i].flops;
    if (!devices[i].is_staged) continue;
    ++staged;
    const CopiedBytes& bytes = all.devices[i];
    link = std::max({link, seconds_of(bytes.up, devices[i].upload), seconds_of(bytes.down, devices[i].download)});
  }
  if (!(flops > 0)) return {std::numeric_limits<double>::infinity(), "products"};
  const double computing = work / flops, in_host = staged == 0 ? 0 : seconds_of(all.in_host, rate(staged));
  const double copying = std::max(link, in_host);
  return {std::max(computing, copying) + not_overlapped * std::min(computing, copying),
          computing >= copying ? "products"
          : link >= in_host    ? "links"
                               : copies_in_host};
}

std::vector<bool> useful_devices(const std::vector<PlannedDevice>& devices, double work, const CopiesOf& copies,
                                 const std::function<double(std::size_t)>& rate) {
  std::vector<bool> best(devices.size(), devices.size() == 1);
  if (devices.size() == 1) return best;
  std::vector<bool> takes_part(devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) takes_part[i] = devices[i].flops > 0;
  const std::vector<std::size_t> staged = numbers_of(devices, takes_part, true);
  const std::vector<std::size_t> in_place = numbers_of(devices, takes_part, false);
  for (const std::size_t device : in_place) best[device] = true;
  double flops = flops_of(devices, in_place);
  double least = expected_time(devices, best, work, copies, rate).seconds, flops_of_best = flops;
  std::vector<bool> used = best;
  for (const std::size_t device : staged) {
    used[device] = true;
    flops += devices[device].flops;
    const double ideal_gain = 1 - flops_of_best / flops;
    const double needed = expected_time(devices, used, work, copies, rate).seconds;
    if (needed > least * (1 - worthwhile * ideal_gain)) continue;
    least = needed;
    flops_of_best = flops;
    best = used;
  }
  const double of_staged = flops_of(devices, numbers_of(devices, best, true));
  if (!in_place.empty() && flops_of(devices, in_place) < negligible * of_staged &&
      is_limited_by_copies(expected_time(devices, best, work, copies, rate)))
    for (const std::size_t device : in_place) best[device] = false;
  return best;
}

DeviceChoice choice_of_devices(const std::vector<PlannedDevice>& devices, const std::vector<bool>& used, double work,
                               const CopiesOf& copies, const std::function<double(std::size_t)>& rate) {
  DeviceChoice choice{used, std::vector<std::string>(devices.size())};
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (!used[i] && devices[i].flops > 0) choice.reasons[i] = why_left_out(i, devices, used, work, copies, rate);
  std::vector<std::vector<bool>> sets = smaller_sets(devices, used);
  const std::size_t staged = numbers_of(devices, used, true).size();
  if (staged == 0 || !(rate(staged) > 0)) sets.clear();
  if (!sets.empty()) sets.insert(sets.begin(), used);
  for (const std::vector<bool>& set : sets)
    choice.sets.push_back({set, expected_time(devices, set, work, copies, rate).seconds});
  if (sets.empty()) choice.sets.push_back({used});
  return choice;
}

double host_copy_rate(unsigned threads) {
  static std::mutex mutex;
  static std::map<unsigned, double> rates;
  const unsigned most = std::max(1U, std::thread::hardware_concurrency());
  const unsigned measured = std::bit_floor(std::clamp(threads, 1U, most));
  const std::lock_guard lock(mutex);
  double& rate = rates[measured];
  if (rate > 0) return rate;
  constexpr std::uint64_t row = 32 << 10, rows = 4096;  // larger than the caches of a processor
  constexpr int repetitions = 3;
  // Copies of chunks keep threads waiting for each other. Four H200s copied 50 to 57 GB/s where threads alone copy 78.
  constexpr double part_of_threads = .8;
  const std::vector<std::byte> source(row * rows, std::byte{1});
  std::vector<std::byte> target(row * rows);
  RowCopier copier(measured);
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    copier.copy({target.data(), source.data(), row, row, row, rows, true});
    least = std::min(least, watch.seconds());
  }
  rate = part_of_threads * static_cast<double>(row * rows) / std::max(least, 1e-9);
  return rate;
}

}  // namespace tilewright::detail
