#include "compare/transposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "compare/contender.hpp"
#include "compare/measure.hpp"
#include "kernels/host_type.hpp"
#include "runtime/system/stopwatch.hpp"
#include "shape.hpp"
#include "text/progress.hpp"
#include "tilewright/error.hpp"
#include "tuning/measure/median.hpp"
#include "verification/common/random_data.hpp"
#include "verification/transpose/host_transpose.hpp"

namespace tilewright::tool {
namespace {

using namespace verification;

template <std::size_t size>
std::string wrong_element(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                          std::span<const std::byte> b) {
  const auto* const from = reinterpret_cast<const Bits<size>*>(a.data());
  const auto* const to = reinterpret_cast<const Bits<size>*>(b.data());
  constexpr std::uint64_t block = 64;  // keeps both sides in the caches
  for (std::uint64_t i0 = 0; i0 < problem.m; i0 += block)
    for (std::uint64_t j0 = 0; j0 < problem.n; j0 += block)
      for (std::uint64_t i = i0; i < std::min(problem.m, i0 + block); ++i)
        for (std::uint64_t j = j0; j < std::min(problem.n, j0 + block); ++j) {
          const std::uint64_t at = problem.trans == Transpose::yes ? j * problem.m + i : i * problem.n + j;
          const Bits<size> expected = scaled_element(problem.type, from[i * problem.n + j], alpha);
          if (!is_right(problem.type, alpha, expected, to[at]))
            return fmt::format("the element of A({}, {}) became {}, expected {}", i, j, hexadecimal(to[at]),
                               hexadecimal(expected));
        }
  return {};
}

/// The data of one measurement, on the host and on the device.
class Data {
 public:
  Data(const Session& session, const TransposeProblem& problem)
      : session_(session), problem_(problem), a_(bytes_of(session, problem)), b_(a_.size()) {
    detail::with_real_host_type(problem.type.number().value_or(DataType::f32), [&]<class T>(std::type_identity<T>) {
      fill_random(std::span(reinterpret_cast<T*>(a_.data()), a_.size() / sizeof(T)), DataKind::uniform, 1);
    });
    device_a_ = session.make_buffer(a_);
    device_b_ = session.make_buffer(b_);
  }

  TransposeOperands operands() const {
    if (problem_.in_place) return {.a = {device_a_.get()}};
    return {.a = {device_a_.get()}, .b = {device_b_.get()}};
  }
  cl_mem device_a() const { return device_a_.get(); }
  cl_mem device_b() const { return device_b_.get(); }
  const std::byte* a() const { return a_.data(); }
  std::byte* b() { return b_.data(); }
  std::size_t bytes() const { return a_.size(); }

  void reset() {
    session_.write(device_a_.get(), a_);
    std::fill(b_.begin(), b_.end(), std::byte{0xA5});
    if (!problem_.in_place) session_.write(device_b_.get(), b_);
  }
  std::string check_device() {
    session_.read(problem_.in_place ? device_a_.get() : device_b_.get(), b_);
    return check_host();
  }
  std::string check_host() const { return wrong_transposition(problem_, 1, a_, b_); }

 private:
  static std::size_t bytes_of(const Session& session, const TransposeProblem& problem) {
    const double bytes =
        static_cast<double>(problem.m) * static_cast<double>(problem.n) * static_cast<double>(problem.type.bytes());
    session.require_memory(bytes, 2);
    return static_cast<std::size_t>(problem.m * problem.n * problem.type.bytes());
  }

  const Session& session_;
  TransposeProblem problem_;
  std::vector<std::byte> a_;
  std::vector<std::byte> b_;
  Buffer device_a_;
  Buffer device_b_;
};

Timed timed_plan(const Session& session, const std::shared_ptr<TransposePlan>& plan, const TransposeOperands& operands,
                 const std::string& name) {
  return {name,
          [&session, plan, operands](unsigned calls) {
            TransposeOperands each = operands;
            for (unsigned left = calls; left > 0; --left) {
              each.event = left == 1;
              const Event last = plan->enqueue(session.queue(), each);
              if (each.event) last.wait();
            }
          },
          {}};
}

Timed timed_copy(const Session& session, const Data& data) {
  return {"clEnqueueCopyBuffer",
          [&](unsigned calls) {
            for (unsigned call = 0; call < calls; ++call)
              check_opencl(clEnqueueCopyBuffer(session.queue(), data.device_a(), data.device_b(), 0, 0, data.bytes(), 0,
                                               nullptr, nullptr),
                           "clEnqueueCopyBuffer");
            check_opencl(clFinish(session.queue()), "clFinish");
          },
          {}};
}

/// Makes a plan, transposes once and verifies the result. Returns nothing if the variant does not support the problem.
std::optional<Timed> first_call(const Session& session, Data& data, const TransposeProblem& problem,
                                const Choice& choice, Move& move) {
  const Support support =
      choice.variant.empty() ? Support{true, {}} : transpose_support(session.device().profile, choice.variant, problem);
  move.name = choice.variant;
  move.configuration = tilewright::to_string(choice.configuration);
  if (!support.supported) {
    move.note = "skipped: " + support.reason;
    return {};
  }
  data.reset();
  const detail::Stopwatch begin;
  const auto plan = std::make_shared<TransposePlan>(session.engine(), problem, choice);
  move.name = plan->explanation().variant;
  move.configuration = tilewright::to_string(plan->explanation().configuration);
  show_progress(fmt::format("{}: first call of {}", to_string(problem), move.name));
  plan->enqueue(session.queue(), data.operands()).wait();
  move.first_call_seconds = begin.seconds();
  move.wrong = data.check_device();
  return timed_plan(session, plan, data.operands(), move.name);
}

}  // namespace

std::string wrong_transposition(const TransposeProblem& problem, double alpha, std::span<const std::byte> a,
                                std::span<const std::byte> b) {
  switch (problem.type.bytes()) {
    case 1:
      return wrong_element<1>(problem, alpha, a, b);
    case 2:
      return wrong_element<2>(problem, alpha, a, b);
    case 4:
      return wrong_element<4>(problem, alpha, a, b);
    case 8:
      return wrong_element<8>(problem, alpha, a, b);
    default:
      return wrong_element<16>(problem, alpha, a, b);
  }
}

Moves measure_moves(const Session& session, const TransposeProblem& problem, const std::vector<Choice>& choices,
                    const std::vector<std::string>& against, unsigned runs) {
  check_references(against);
  Data data(session, problem);
  Moves result;
  result.bytes = 2 * static_cast<double>(data.bytes());
  std::vector<Timed> timed;
  std::vector<std::pair<std::vector<Move>*, std::size_t>> places;  // vector and index of each timed entry
  for (const Choice& choice : choices) {
    Move& move = result.moves.emplace_back();
    if (auto one = first_call(session, data, problem, choice, move)) {
      timed.push_back(std::move(*one));
      places.emplace_back(&result.moves, result.moves.size() - 1);
    }
  }
  for (const std::string& name : against) {
    Move& move = result.references.emplace_back();
    move.name = name;
    const auto call = name == "openblas" && !problem.in_place ? openblas_transposition(problem, data.a(), data.b())
                                                              : std::function<void()>();
    if (!call) {
      move.note = "skipped: this library has no such transposition";
      continue;
    }
    data.reset();
    const detail::Stopwatch begin;
    call();
    move.first_call_seconds = begin.seconds();
    move.wrong = data.check_host();
    timed.push_back({name,
                     [call](unsigned calls) {
                       for (unsigned x = 0; x < calls; ++x) call();
                     },
                     // OpenBLAS's threads spin for a while after a call, on cores that the next call may need.
                     [] { std::this_thread::sleep_for(std::chrono::milliseconds(120)); }});
    places.emplace_back(&result.references, result.references.size() - 1);
  }
  TransposeProblem copy = problem;
  copy.trans = Transpose::no;
  copy.in_place = false;
  const auto plan = std::make_shared<TransposePlan>(session.engine(), copy);
  timed.push_back(timed_copy(session, data));
  timed.push_back(timed_plan(session, plan, {.a = {data.device_a()}, .b = {data.device_b()}}, "row_copy"));

  MeasureLimits limits;
  limits.runs = runs;
  measure_in_turns(timed, limits);
  clear_progress();
  for (std::size_t i = 0; i < places.size(); ++i) {
    Move& move = (*places[i].first)[places[i].second];
    move.seconds = tuning::median(timed[i].seconds);
    move.measured = true;
  }
  result.copy_seconds = std::min(tuning::median(timed[timed.size() - 2].seconds), tuning::median(timed.back().seconds));
  return result;
}

#ifndef TILEWRIGHT_WITH_OPENBLAS
std::function<void()> openblas_transposition(const TransposeProblem&, const std::byte*, std::byte*) { return {}; }
#endif

}  // namespace tilewright::tool
