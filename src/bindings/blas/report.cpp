#include "bindings/blas/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "selection/json.hpp"
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

using Sizes = std::vector<std::pair<const char*, std::uint64_t>>;

// The sizes that a routine has.
Sizes sizes_of(const Call& x) {
  switch (x.routine) {
    case Routine::gemm:
      return {{"m", x.m}, {"n", x.n}, {"k", x.k}};
    case Routine::gemmt:
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      return {{"n", x.n}, {"k", x.k}};
    case Routine::symm:
    case Routine::hemm:
    case Routine::trmm:
    case Routine::trsm:
    case Routine::getrf:
    case Routine::geqrf:
      return {{"m", x.m}, {"n", x.n}};
    case Routine::potrf:
      return {{"n", x.n}};
    case Routine::getrs:
    case Routine::gesv:
    case Routine::potrs:
    case Routine::posv:
      return {{"n", x.n}, {"nrhs", x.nrhs}};
    case Routine::ormqr:
      return {{"m", x.m}, {"n", x.n}, {"k", x.k}};
    case Routine::gels:
      return {{"m", x.m}, {"n", x.n}, {"nrhs", x.nrhs}};
  }
  return {};
}

// The letters of a call in BLAS's order: side, uplo, and transposes.
std::string letters_of(const Call& x) {
  const char uplo = x.uplo == Uplo::lower ? 'l' : 'u', side = x.side == Side::left ? 'l' : 'r';
  const char trans_a = trans_letter(x.trans_a), trans_b = trans_letter(x.trans_b);
  switch (x.routine) {
    case Routine::gemm:
      return {trans_a, trans_b};
    case Routine::gemmt:
      return {uplo, trans_a, trans_b};
    case Routine::syrk:
    case Routine::herk:
    case Routine::syr2k:
    case Routine::her2k:
      return {uplo, trans_a};
    case Routine::symm:
    case Routine::hemm:
      return {side, uplo};
    case Routine::trmm:
    case Routine::trsm:
      return {side, uplo, trans_a};
    case Routine::getrs:
    case Routine::gels:
      return {trans_a};
    case Routine::ormqr:
      return {side, trans_a};
    case Routine::potrf:
    case Routine::potrs:
    case Routine::posv:
      return {uplo};
    case Routine::getrf:
    case Routine::gesv:
    case Routine::geqrf:
      return {};
  }
  return {};
}

// A shape as people read it, such as "nt 512 x 512 x 64".
std::string shape_text(const Call& x) {
  std::string text = letters_of(x);
  const char* before = text.empty() ? "" : " ";
  for (const auto& [name, size] : sizes_of(x)) {
    text += before + std::to_string(size);
    before = " x ";
  }
  return text;
}

void add(Count& count, double flops, double seconds) {
  ++count.calls;
  count.flops += flops;
  count.seconds += seconds;
}

Json to_json(const Count& count) {
  return {{"calls", count.calls}, {"flops", count.flops}, {"seconds", count.seconds}};
}

// Adds what the text of a shape leaves out. Layout and leading dimensions are those of the shape's first call.
void add_form(Json& entry, const Call& call) {
  entry["type"] = to_string(call.type);
  entry["layout"] = call.layout == Layout::row_major ? "row_major" : "column_major";
  if (call.routine == Routine::gemm || call.routine == Routine::gemmt) {
    entry["trans_a"] = std::string(1, trans_letter(call.trans_a));
    entry["trans_b"] = std::string(1, trans_letter(call.trans_b));
  }
  const HostMatrices matrices = matrices_of(call);
  constexpr std::array names{"lda", "ldb", "ldc"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (matrices[i].ld > 0) entry[names[i]] = matrices[i].ld;
}

std::string process_name() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "unknown";
}

// Pads a text on the right, or on the left.
std::string padded_right(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}
std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// A row of the table. Numbers are written in the same way in any locale.
std::string row(const std::string& routine, const std::string& side, const std::array<std::string, 4>& numbers) {
  return padded_right(routine, 10) + " " + padded_right(side, 7) + " " + padded_left(numbers[0], 10) + " " +
         padded_left(numbers[1], 12) + " " + padded_left(numbers[2], 10) + " " + padded_left(numbers[3], 10) + "\n";
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
  const std::string routine_name = type_letter(call.type) + std::string(function_of(call));
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
  text += row("routine", "side", {"calls", "GFLOP", "seconds", "GFLOP/s"});
  for (const auto& [name, routine] : routines_) {
    for (const auto& [side, count] : {std::pair("host", routine.host), std::pair("device", routine.device)}) {
      if (count.calls == 0) continue;
      const double speed = count.seconds > 0 ? count.flops * 1e-9 / count.seconds : 0;
      text += row(name, side,
                  {std::to_string(count.calls), detail::fixed_text(count.flops * 1e-9, 3),
                   detail::fixed_text(count.seconds, 3), detail::fixed_text(speed, 2)});
    }
    for (const auto& [reason, calls] : routine.reasons)
      text += "  " + std::to_string(calls) + " on the host: " + reason + "\n";
  }
  std::vector<const Shape*> shapes;
  for (const auto& [name, routine] : routines_)
    for (const Shape* shape : routine.all_shapes()) shapes.push_back(shape);
  text += "shapes with the most time:\n";
  for (const Shape* shape : slowest(std::move(shapes)))
    text += "  " + shape->name + " on the " + (shape->on_device ? "device" : "host") + ": " +
            std::to_string(shape->count.calls) + " calls, " + detail::fixed_text(shape->count.seconds, 3) + " s\n";
  return text;
}

std::string Report::json(const std::string& device) const {
  const std::lock_guard lock(mutex_);
  if (routines_.empty()) return {};
  Json routines = Json::array();
  for (const auto& [name, routine] : routines_) {
    Json shapes = Json::array();
    for (const Shape* shape : slowest(routine.all_shapes())) {
      Json entry = {{"shape", shape->name}, {"side", shape->on_device ? "device" : "host"}};
      for (const auto& [size_name, size] : sizes_of(shape->call)) entry[size_name] = size;
      add_form(entry, shape->call);
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
