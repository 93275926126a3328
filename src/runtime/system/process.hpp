// When the driver has to be left alone: while the process ends, as static objects of its own may be gone, and in a
// child made by fork(), where its threads are missing and what its locks guard may be half done.
#pragma once

namespace tilewright::detail {

/// Whether static objects are being destroyed.
bool process_is_ending() noexcept;

/// Makes process_is_ending() true before any static object is destroyed that exists by now, and before the driver
/// takes down what it has set up by now: drivers set up part of themselves when they first compile and launch, so this
/// is to be called again after that.
void expect_end_of_process() noexcept;

/// Whether this is the thread that main() runs in.
bool is_main_thread() noexcept;

/// The process that something was made in.
class OwnProcess {
 public:
  OwnProcess() noexcept;

  /// False in a child made by fork().
  bool is_this_one() const noexcept;

  /// Throws Error(device_lost) in a child made by fork().
  void check() const;

  bool driver_is_usable() const noexcept { return is_this_one() && !process_is_ending(); }

 private:
  unsigned long forks_;
};

/// The process in which the library first asked the driver for anything.
const OwnProcess& process_of_driver() noexcept;

/// Keeps an object that can neither be used nor destroyed any more, where leak checkers find it.
void keep_for_ever(const void* object) noexcept;

/// Destroys what holds OpenCL objects, or keeps it where the driver has to be left alone.
struct DriverDelete {
  OwnProcess process{};

  template <class T>
  void operator()(T* object) const noexcept {
    if (process.driver_is_usable())
      delete object;
    else
      keep_for_ever(object);
  }
};

}  // namespace tilewright::detail
