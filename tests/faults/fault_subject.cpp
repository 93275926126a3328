#include "faults/fault_subject.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <random>
#include <thread>
#include <utility>

#include "faults/fault_sample.hpp"
#include "faults/fault_shim.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/error.hpp"

namespace tilewright::test {
namespace {

using faults::Failure;

struct Status {
  cl_int status;
  ErrorCode code;
};
constexpr std::array<Status, 4> failing_statuses{{{CL_OUT_OF_RESOURCES, ErrorCode::out_of_memory},
                                                  {CL_OUT_OF_HOST_MEMORY, ErrorCode::out_of_memory},
                                                  {CL_INVALID_COMMAND_QUEUE, ErrorCode::device_lost},
                                                  {CL_INVALID_VALUE, ErrorCode::opencl_failure}}};

struct TryOutcome {
  std::string error{};  // empty: none
  ErrorCode code{};
  bool is_error = true;  // of the library's type
};

TryOutcome result_of(const Try& body) {
  try {
    body();
    return {};
  } catch (const Error& error) {
    return {error.what(), error.code()};
  } catch (const std::exception& error) {
    return {error.what(), {}, false};
  }
}

std::string as_text(const std::map<std::string, long>& live) {
  std::string text;
  for (const auto& [kind, count] : live) text += kind + ' ' + std::to_string(count) + ' ';
  return text;
}

// A driver's failure to build a program has its own error code.
bool is_right_code(const TryOutcome& outcome, const std::string& function, const Status& status, Failure failure) {
  if (failure == Failure::event) return true;  // status of the event, or of a wait for it
  return outcome.code == status.code || (function == "clBuildProgram" && outcome.code == ErrorCode::build_failed);
}

bool fail_call(const FaultSubject& subject, cl_command_queue queue, const std::string& function, unsigned call,
               Failure failure) {
  CAPTURE(subject.name);
  CAPTURE(function);
  CAPTURE(call);
  CAPTURE(static_cast<int>(failure));
  const Status& status = failing_statuses[call % failing_statuses.size()];
  const Try body = subject.start();
  subject.reset();
  faults::arm({.function = function, .call = call, .status = status.status, .failure = failure});
  const TryOutcome failed = result_of(body);
  const bool fired = faults::disarm();
  clFinish(queue);
  CHECK_MESSAGE(failed.is_error, "not an Error: " << failed.error);
  if (failed.error.empty()) {
    CHECK_MESSAGE(subject.is_right(), "no error, and a wrong result");
  } else {
    CHECK_MESSAGE(fired, "an error without a failure: " << failed.error);
    CHECK_MESSAGE(is_right_code(failed, function, status, failure),
                  to_string(failed.code) << " for " << status.status << ": " << failed.error);
  }
  subject.reset();
  const TryOutcome next = result_of(body);
  CHECK_MESSAGE(next.error.empty(), "the next call: " << next.error);
  if (next.error.empty()) CHECK_MESSAGE(subject.is_right(), "the next call's result is wrong");
  count_cases();
  return fired;
}

}  // namespace

LiveObjects::LiveObjects(bool with_events) : with_events_(with_events), before_(now()) {
  for (int quiet = 0; quiet < 5; ++quiet) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (auto later = now(); later != before_) {
      before_ = std::move(later);
      quiet = 0;
    }
  }
}

std::map<std::string, long> LiveObjects::now() const {
  auto live = faults::live_objects();
  if (!with_events_) live.erase("event");
  return live;
}

void LiveObjects::check_same(const std::string& what) const {
  for (int i = 0; i < 1000 && now() != before_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto after = now();
  CHECK_MESSAGE(before_ == after,
                what << ": references before: " << as_text(before_) << "and after: " << as_text(after));
}

void fail_all_calls(const FaultSubject& subject, cl_command_queue queue) {
  const LiveObjects live(!subject.keeps_events);
  std::map<std::string, unsigned> calls;
  {
    const Try once = subject.start();
    subject.reset();
    faults::arm({});
    const TryOutcome clean = result_of(once);
    faults::disarm();
    calls = faults::calls();
    REQUIRE_MESSAGE(clean.error.empty(), subject.name << ": " << clean.error);
    REQUIRE_MESSAGE(subject.is_right(), subject.name);
  }
  live.check_same(subject.name + ", nothing failed");
  std::vector<std::pair<std::string, unsigned>> sample;
  for (const auto& [function, count] : calls)
    for (const unsigned call : calls_to_fail(subject.name + function, count)) sample.emplace_back(function, call);
  std::mt19937 random = seeded_random(subject.name);
  std::shuffle(sample.begin(), sample.end(), random);
  constexpr std::size_t max_quick = 8;
  if (test_level() == TestLevel::quick) sample.resize(std::min(sample.size(), max_quick));
  unsigned injected = 0;
  for (const auto& [function, call] : sample)
    for (const Failure failure : {Failure::returned, Failure::event}) {
      if (failure == Failure::event && function.rfind("clEnqueue", 0) != 0) continue;
      if (fail_call(subject, queue, function, call, failure)) ++injected;
      live.check_same(subject.name + ", " + function + ", call " + std::to_string(call));
    }
  std::cout << subject.name << ": " << injected << " failures" << std::endl;
  CHECK(injected > 0);
}

FaultBuffers::FaultBuffers()
    : context_(cl::Device(device_under_test().id, true)), queue_(context_, cl::Device(device_under_test().id, true)) {}

MatrixRef FaultBuffers::add(const void* values, std::size_t bytes, std::size_t bytes_of_float) {
  const auto* const first = static_cast<const std::byte*>(values);
  all_.push_back({cl::Buffer(context_, CL_MEM_READ_WRITE, bytes), {first, first + bytes}, {}, bytes_of_float});
  return {all_.back().buffer()};
}

void FaultBuffers::reset() const {
  for (const Data& data : all_)
    queue_.enqueueWriteBuffer(data.buffer, CL_TRUE, 0, data.initial.size(), data.initial.data());
}

std::vector<std::byte> FaultBuffers::read(const Data& data) const {
  std::vector<std::byte> got(data.initial.size());
  queue_.enqueueReadBuffer(data.buffer, CL_TRUE, 0, got.size(), got.data());
  return got;
}

void FaultBuffers::accept_results() {
  for (Data& data : all_) data.right = read(data);
}

namespace {

template <class T>
bool are_close(const std::vector<std::byte>& got, const std::vector<std::byte>& right) {
  std::vector<T> left(got.size() / sizeof(T)), wanted(left.size());
  std::memcpy(left.data(), got.data(), got.size());
  std::memcpy(wanted.data(), right.data(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!(std::abs(left[i] - wanted[i]) <= static_cast<T>(1e-4) * (1 + std::abs(wanted[i])))) return false;
  return true;
}

}  // namespace

bool FaultBuffers::are_right() const {
  for (const Data& data : all_) {
    const std::vector<std::byte> got = read(data);
    const bool is_right = data.bytes_of_float == 4   ? are_close<float>(got, data.right)
                          : data.bytes_of_float == 8 ? are_close<double>(got, data.right)
                                                     : got == data.right;
    if (!is_right) return false;
  }
  return true;
}

}  // namespace tilewright::test
