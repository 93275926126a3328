#include "bindings/blas/decision.hpp"

#include <algorithm>

#include "bindings/blas/host_library.hpp"
#include "bindings/blas/operations.hpp"

namespace tilewright::blas {
namespace {

constexpr double large_call = 1e8;  // flops of calls whose speed is typical of the host
// Seconds in large calls before the device is measured, which takes about two seconds: once for each machine if the
// result can be kept, otherwise in every process.
constexpr double enough_seconds = 1, enough_without_place = 40;

// The device must be predicted to be this much faster, because predictions err.
constexpr double margin = 1.1;

// Gains that were missed must exceed the time to open the device by this factor: the program may end at any time.
constexpr double patience = 4;

constexpr std::size_t max_known_times = 64;

}  // namespace

void Decision::BestSpeed::note(double flops) {
  if (flops > first_) {
    second_ = first_;
    first_ = flops;
  } else {
    second_ = std::max(second_, flops);
  }
}

double Decision::device_seconds(const Calibration& calibration, const Call& call, double flops,
                                const BlasDevice* device) {
  if (device == nullptr || !device->is_tiled(call)) return calibration.device_seconds(call, flops);
  const std::unique_lock lock(predicting_, std::try_to_lock);
  if (!lock.owns_lock()) return -1;
  const GemmProblem problem = gemm_problem(call, settings_.accuracy);
  for (const KnownTime& known : known_times_)
    if (known.problem == problem) return known.seconds;
  const double seconds = device->scheduled_seconds(problem);
  if (known_times_.size() >= max_known_times) known_times_.erase(known_times_.begin());
  known_times_.push_back({problem, seconds});
  return seconds;
}

const char* Decision::reason_for_host(const Call& call, double flops, const BlasDevice* device, void* host) {
  std::unique_lock lock(mutex_);
  if (!has_read_) {
    has_read_ = true;
    host_library_ = library_of(host);
    calibration_ = read_calibration(host_library_);
  }
  if (!calibration_) return "the speeds are not known yet";
  if (calibration_->device_is_host) return "the device is the host's processor";
  double& host_flops = calibration_->host_flops[precision_of(call.type)];
  host_flops = std::max(host_flops, host_speeds_[precision_of(call.type)].get());
  if (host_flops == 0) return "the speeds are not known yet";
  const Calibration known = *calibration_;
  lock.unlock();  // predictions may take long
  const double on_host = known.host_seconds(call, flops), on_device = device_seconds(known, call, flops, device);
  if (on_device < 0) return "another thread measures the device";
  if (margin * on_device >= on_host) return "the host is faster";
  if (device != nullptr) return nullptr;
  const double gain = on_host - on_device;
  lock.lock();
  missed_gain_ += gain;
  const bool pays = gain > known.opening_seconds || missed_gain_ > patience * known.opening_seconds;
  return pays ? nullptr : "opening the device does not pay yet";
}

bool Decision::is_measured(const std::string& device) {
  const std::lock_guard lock(mutex_);
  if (!calibration_) return false;
  if (calibration_->device == device) return true;
  calibration_.reset();
  host_seconds_ = enough_without_place;
  return false;
}

bool Decision::note_host(const Call& call, double flops, double seconds) {
  if (flops < large_call || seconds <= 0) return false;
  const std::lock_guard lock(mutex_);
  host_speeds_[precision_of(call.type)].note(flops / seconds);
  host_seconds_ += seconds;
  if (calibration_ || host_seconds_ < enough_seconds) return false;
  if (host_seconds_ < enough_without_place && !can_be_kept()) return false;
  host_seconds_ = -1e300;  // measures only once
  return true;
}

void Decision::measure(const BlasDevice& device, double opening_seconds) {
  Calibration measured{.device = device.identity(),
                       .device_is_host = device.is_host(),
                       .is_in_place = device.works_in_place(),
                       .opening_seconds = opening_seconds};
  if (!measured.device_is_host)
    for (const DataType type : {DataType::f32, DataType::f64})
      if (type == DataType::f32 || device.engine().profile().fp64)
        measured.device_speeds[precision_of(type)] = transfer_speeds(device.engine(), type);
  std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < host_speeds_.size(); ++i) measured.host_flops[i] = host_speeds_[i].get();
  calibration_ = measured;
  const std::string host_library = host_library_;
  lock.unlock();  // another process may hold the file
  keep_calibration(measured, host_library);
}

}  // namespace tilewright::blas
