#include "bindings/blas/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::blas {
namespace {

using Json = nlohmann::ordered_json;

// Shapes beyond these are counted for their routine only.
constexpr std::size_t max_shapes = 4096;
constexpr std::size_t reported_shapes = 10;

char type_letter(DataType type) {
  return type == DataType::f32 ? 's' : type == DataType::f64 ? 'd' : type == DataType::c64 ? 'c' : 'z';
}

char trans_letter(Transpose trans) { return trans == Transpose::no ? 'n' : trans == Transpose::yes ? 't' : 'c'; }

// A shape as people read it, such as "nt 512 x 512 x 64".
std::string shape_text(const Call& x) {
  const auto sizes = [](std::initializer_list<std::uint64_t> all) {
    std::string text;
    for (const std::uint64_t size : all) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
  };
  const std::string uplo = x.uplo == Uplo::lower ? "l" : "u", side = x.side == Side::left ? "l" : "r";
  const std::string trans_a(1, trans_letter(x.trans_a)), trans_b(1, trans_letter(x.trans_b));
  switch (x.routine) {
    case Routine::gemm:
      return trans_a + trans_b + " " + sizes({x.m, x.n, x.k});
    case Routine::gemmt:
      return uplo + trans_a + trans_b + " " + sizes({x.n, x.k});
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      return uplo + trans_a + " " + sizes({x.n, x.k});
    case Routine::symm:
    case Routine::hemm:
      return side + uplo + " " + sizes({x.m, x.n});
    case Routine::trmm:
    case Routine::trsm:
      return side + uplo + trans_a + " " + sizes({x.m, x.n});
    case Routine::getrf:
      return sizes({x.m, x.n});
    case Routine::potrf:
      return uplo + " " + sizes({x.n});
    case Routine::getrs:
      return trans_a + " " + sizes({x.n, x.nrhs});
    case Routine::gesv:
      return sizes({x.n, x.nrhs});
    case Routine::potrs:
    case Routine::posv:
      return uplo + " " + sizes({x.n, x.nrhs});
  }
  return {};
}

void add(Count& count, double flops, double seconds) {
  ++count.calls;
  count.flops += flops;
  count.seconds += seconds;
}

Json to_json(const Count& count) {
  return {{"calls", count.calls}, {"flops", count.flops}, {"seconds", count.seconds}};
}

std::string process_name() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "unknown";
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), format, values...);
  return line.data();
}

}  // namespace

std::vector<const Report::Shape*> Report::Routines::all_shapes() const {
  std::vector<const Shape*> all;
  for (const auto& [name, shape] : shapes) all.push_back(&shape);
  return all;
}

std::vector<const Report::Shape*> Report::slowest(std::vector<const Shape*> shapes) {
  std::sort(shapes.begin(), shapes.end(),
            [](const Shape* x, const Shape* y) { return x->count.seconds > y->count.seconds; });
  if (shapes.size() > reported_shapes) shapes.resize(reported_shapes);
  return shapes;
}

void Report::count(const Call& call, double flops, double seconds, const char* reason) noexcept try {
  const std::lock_guard lock(mutex_);
  const std::string routine_name = type_letter(call.type) + std::string(to_string(call.routine));
  const std::string name = routine_name + " " + shape_text(call);
  Routines& routine = routines_[routine_name];
  add(reason == nullptr ? routine.device : routine.host, flops, seconds);
  if (reason != nullptr) ++routine.reasons[reason];
  const std::string key = (reason == nullptr ? "device " : "host ") + name;
  auto shape = routine.shapes.find(key);
  if (shape == routine.shapes.end()) {
    if (routine.shapes.size() >= max_shapes) return;
    shape = routine.shapes.emplace(key, Shape{.name = name, .call = call, .on_device = reason == nullptr}).first;
  }
  add(shape->second.count, flops, seconds);
} catch (...) {
  return;
}

std::string Report::text(const std::string& device) const {
  const std::lock_guard lock(mutex_);
  if (routines_.empty()) return {};
  std::string text = "BLAS calls of " + process_name() + ", process " + std::to_string(getpid()) +
                     (device.empty() ? ", no device opened" : ", device " + device) + "\n";
  text += formatted("%-10s %-7s %10s %12s %10s %10s\n", "routine", "side", "calls", "GFLOP", "seconds", "GFLOP/s");
  for (const auto& [name, routine] : routines_) {
    for (const auto& [side, count] : {std::pair("host", routine.host), std::pair("device", routine.device)})
      if (count.calls > 0)
        text += formatted("%-10s %-7s %10llu %12.3f %10.3f %10.2f\n", name.c_str(), side,
                          static_cast<unsigned long long>(count.calls), count.flops * 1e-9, count.seconds,
                          count.seconds > 0 ? count.flops * 1e-9 / count.seconds : 0.0);
    for (const auto& [reason, calls] : routine.reasons)
      text += formatted("  %llu on the host: ", static_cast<unsigned long long>(calls)) + reason + "\n";
  }
  std::vector<const Shape*> shapes;
  for (const auto& [name, routine] : routines_)
    for (const Shape* shape : routine.all_shapes()) shapes.push_back(shape);
  text += "shapes with the most time:\n";
  for (const Shape* shape : slowest(std::move(shapes)))
    text += formatted("  %s on the %s: %llu calls, %.3f s\n", shape->name.c_str(), shape->on_device ? "device" : "host",
                      static_cast<unsigned long long>(shape->count.calls), shape->count.seconds);
  return text;
}

std::string Report::json(const std::string& device) const {
  const std::lock_guard lock(mutex_);
  if (routines_.empty()) return {};
  Json routines = Json::array();
  for (const auto& [name, routine] : routines_) {
    Json shapes = Json::array();
    for (const Shape* shape : slowest(routine.all_shapes())) {
      const Call& x = shape->call;
      Json entry = {
          {"shape", shape->name}, {"side", shape->on_device ? "device" : "host"}, {"m", x.m}, {"n", x.n}, {"k", x.k},
          {"nrhs", x.nrhs}};
      entry.update(to_json(shape->count));
      shapes.push_back(std::move(entry));
    }
    routines.push_back({{"routine", name},
                        {"host", to_json(routine.host)},
                        {"device", to_json(routine.device)},
                        {"reasons", routine.reasons},
                        {"shapes", std::move(shapes)}});
  }
  const Json report = {
      {"program", process_name()}, {"process", getpid()}, {"device", device}, {"routines", std::move(routines)}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewright::blas
