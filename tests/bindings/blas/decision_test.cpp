#include "bindings/blas/decision.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tilewright::blas {
namespace {

// An empty directory for calibrations.
class Place {
 public:
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "tilewright-XXXXXX").string();
    path_ = mkdtemp(name.data());
    setenv("TILEWRIGHT_DATA_DIR", path_.c_str(), 1);
    unsetenv("TILEWRIGHT_RECORDS");
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    unsetenv("TILEWRIGHT_DATA_DIR");
    std::filesystem::remove_all(path_);
  }
  std::filesystem::path file() const { return path_ / "blas.json"; }

 private:
  std::filesystem::path path_;
};

// A device with 10 Tflop/s over a link of 10 GB/s, and a host with 100 Gflop/s.
Calibration fast_device() {
  const TransferSpeeds speeds{.upload = 1e10, .download = 1e10, .host_copy = 1e10, .flops = 1e13, .launch = 1e-5};
  return {
      .device = "GPU, driver 1", .opening_seconds = 0.3, .host_flops = {1e11, 1e11}, .device_speeds = {speeds, speeds}};
}

Call product(std::uint64_t size, DataType type = DataType::f64) {
  static double memory[1] = {};
  return {
      .routine = Routine::gemm, .type = type, .m = size, .n = size, .k = size, .a = memory, .b = memory, .c = memory};
}

bool uses_device(Decision& decision, const Call& call) {
  return decision.reason_for_host(call, flops_of(call), nullptr, nullptr) == nullptr;
}

}  // namespace

TEST_SUITE("BLAS decision") {
  TEST_CASE("calibrations survive their file, and damaged files are ignored") {
    const Place place;
    CHECK(!read_calibration(""));
    keep_calibration(fast_device(), "");
    const std::optional<Calibration> read = read_calibration("");
    REQUIRE(read);
    CHECK(read->device == "GPU, driver 1");
    CHECK(read->opening_seconds == 0.3);
    CHECK(read->host_flops == fast_device().host_flops);
    CHECK(read->device_speeds == fast_device().device_speeds);
    setenv("OMP_NUM_THREADS", "3", 1);  // another speed of the host
    CHECK(!read_calibration(""));
    unsetenv("OMP_NUM_THREADS");
    CHECK(!read_calibration("/lib/other.so"));  // another BLAS of the host
    keep_calibration(fast_device(), "/lib/\xff.so");
    CHECK(read_calibration("/lib/\xff.so"));  // not UTF-8
    CHECK(read_calibration(""));              // other speeds stay
    for (const char* text : {"", "{", "[]", "null", "{\"library\": 3}"}) {
      std::ofstream(place.file()) << text;
      CHECK(!read_calibration(""));
    }
    keep_calibration(fast_device(), "");
    CHECK(read_calibration(""));
    CHECK(std::filesystem::exists(place.file().string() + ".broken"));
    setenv("TILEWRIGHT_RECORDS", "off", 1);
    CHECK(!read_calibration(""));
    unsetenv("TILEWRIGHT_RECORDS");
  }

  TEST_CASE("nothing is known before the host has computed for a second") {
    const Place place;
    const Settings settings;
    Decision decision(settings);
    const Call call = product(1000);
    CHECK(!uses_device(decision, call));
    CHECK(!decision.note_host(call, 2e9, 0.9));
    CHECK(!decision.note_host(product(10), 2e3, 5));  // small calls say nothing
    CHECK(decision.note_host(call, 2e9, 0.2));
    CHECK(!decision.note_host(call, 2e9, 99));  // only once
  }

  TEST_CASE("a process that cannot keep its measurement must run longer") {
    const Place place;
    setenv("TILEWRIGHT_RECORDS", "off", 1);
    const Settings settings;
    Decision decision(settings);
    CHECK(!decision.note_host(product(1000), 2e9, 30));
    CHECK(decision.note_host(product(1000), 2e9, 11));
    unsetenv("TILEWRIGHT_RECORDS");
  }

  TEST_CASE("the faster side computes") {
    const Place place;
    keep_calibration(fast_device(), "");
    const Settings settings;
    Decision decision(settings);
    CHECK(!uses_device(decision, product(100)));   // transfers cost more than they save
    CHECK(!uses_device(decision, product(1000)));  // saves less than it costs to open the device
    CHECK(uses_device(decision, product(4000)));
    Call thin = product(4000);
    thin.k = 8;
    CHECK(!uses_device(decision, thin));
  }

  TEST_CASE("many calls together pay for opening the device") {
    const Place place;
    keep_calibration(fast_device(), "");
    const Settings settings;
    Decision decision(settings);
    int calls = 0;
    while (!uses_device(decision, product(1000)) && calls < 10000) ++calls;
    CHECK(calls > 10);
    CHECK(calls < 1000);
  }

  TEST_CASE("a faster host than the stored one is noticed") {
    const Place place;
    keep_calibration(fast_device(), "");
    const Settings settings;
    Decision decision(settings);
    const Call call = product(4000);
    decision.note_host(call, flops_of(call), flops_of(call) / 1e11);
    decision.note_host(call, flops_of(call), flops_of(call) / 2e13);
    CHECK(uses_device(decision, call));  // a single one may be an error of the clock
    decision.note_host(call, flops_of(call), flops_of(call) / 2e13);
    CHECK(!uses_device(decision, call));
    CHECK(uses_device(decision, product(4000, DataType::f32)));  // the other precision is not known to be faster
  }

  TEST_CASE("a device that is the host's processor, or lacks the type, gains nothing") {
    const Place place;
    Calibration calibration = fast_device();
    calibration.device_speeds[1].flops = 0;
    keep_calibration(calibration, "");
    const Settings settings;
    {
      Decision decision(settings);
      CHECK(!uses_device(decision, product(8000)));
      CHECK(uses_device(decision, product(8000, DataType::f32)));
    }
    calibration.device_is_host = true;
    keep_calibration(calibration, "");
    Decision decision(settings);
    CHECK(!uses_device(decision, product(8000, DataType::f32)));
  }

  TEST_CASE("speeds of another device are forgotten, and the device is measured soon") {
    const Place place;
    keep_calibration(fast_device(), "");
    const Settings settings;
    Decision decision(settings);
    CHECK(uses_device(decision, product(4000)));
    CHECK(decision.is_measured("GPU, driver 1"));
    CHECK(!decision.is_measured("GPU, driver 2"));
    CHECK(!uses_device(decision, product(4000)));
    CHECK(decision.note_host(product(1000), 2e9, 0.01));
  }

  TEST_CASE("every routine has a finite predicted time") {
    const Calibration calibration = fast_device();
    for (int routine = 0; routine <= static_cast<int>(last_routine); ++routine) {
      Call call = product(500);
      call.routine = static_cast<Routine>(routine);
      CAPTURE(to_string(call.routine));
      CHECK(to_string(call.routine) != "unknown");
      CHECK(flops_of(call) > 0);
      CHECK(std::isfinite(calibration.device_seconds(call, flops_of(call))));
      CHECK(calibration.device_seconds(call, flops_of(call)) > 0);
    }
  }
}

}  // namespace tilewright::blas
