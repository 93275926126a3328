// Detects when the driver must not be used: at the end of the process, and in a child made by fork().
// At the end of the process, the driver's static objects may be gone. In a child, its threads are missing and data that
// its locks guard may be inconsistent.
#pragma once

namespace tilewright::detail {

/// Whether static objects are being destroyed.
bool process_is_ending() noexcept;

/// Makes process_is_ending() true before any present static object is destroyed, and before the driver removes its
/// present state. Drivers set up part of themselves at the first compilation and launch, so call this again afterwards.
void expect_end_of_process() noexcept;

/// Whether the calling thread runs main().
bool is_main_thread() noexcept;

/// The process in which an object was made.
class OwnProcess {
 public:
  OwnProcess() noexcept;

  /// False in a child made by fork().
  bool is_current() const noexcept;

  /// Throws Error(device_lost) in a child made by fork().
  void check() const;

  bool driver_is_usable() const noexcept { return is_current() && !process_is_ending(); }

 private:
  unsigned long forks_;
};

/// The process in which the library first called the driver.
const OwnProcess& process_of_driver() noexcept;

/// Keeps an object that can neither be used nor destroyed any more, where leak checkers find it.
void keep_forever(const void* object) noexcept;

/// Destroys an object that holds OpenCL objects, or keeps it if the driver must not be used.
struct DriverDelete {
  OwnProcess process{};

  template <class T>
  void operator()(T* object) const noexcept {
    if (process.driver_is_usable())
      delete object;
    else
      keep_forever(object);
  }
};

}  // namespace tilewright::detail
