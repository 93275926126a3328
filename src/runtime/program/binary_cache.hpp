// The cache of compiled programs between processes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/program/binary_key.hpp"
#include "runtime/program/binary_storage.hpp"
#include "tilewright/cache.hpp"

namespace tilewright::detail {

/// The binaries of one device's programs, kept between processes. load() and save() do not throw: a failure counts as a
/// miss, or as not saved. The debug callback receives the reason.
class BinaryCache {
 public:
  BinaryCache(const CacheOptions& options, const DeviceProfile& device);

  bool reads() const { return mode_ == CacheMode::read_only || mode_ == CacheMode::read_write; }
  bool writes() const { return mode_ == CacheMode::read_write || mode_ == CacheMode::refresh; }

  /// Whether the driver compiles when it is asked for a binary, and again for the sizes of the first launches. Binaries
  /// are then fetched when no one waits for them: see docs/design.md.
  bool fetching_is_costly() const { return fetching_is_costly_; }

  /// Whether the application's functions load and store the binaries.
  bool calls_application() const { return calls_application_; }

  BinaryKey key(const ProgramRequest& request) const { return make_binary_key(environment_, request); }

  struct Lookup {
    std::optional<cl::Program> program{};
    bool refused = false;  ///< there was a binary, but it was damaged or the driver refused it
  };
  Lookup load(const cl::Context& context, const cl::Device& device, const BinaryKey& key,
              const ProgramRequest& request) noexcept;

  /// Fetches a program's binary from the driver and stores it. Returns false if that fails.
  bool save(const cl::Program& program, const cl::Device& device, const BinaryKey& key,
            const std::string& name) noexcept;

 private:
  CacheMode mode_;
  bool fetching_is_costly_;
  bool calls_application_;
  Fields environment_;
  std::unique_ptr<BinaryStorage> storage_;
};

}  // namespace tilewright::detail
