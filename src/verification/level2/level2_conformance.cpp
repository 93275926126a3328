#include "kernels/element_type.hpp"
#include "level2/shape.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/level2/level2_reference.hpp"

namespace tilewright::verification {
namespace {

struct TriangleForm {
  Layout layout;
  Uplo uplo;
  Transpose trans;
  Diag diag;
};

std::vector<TriangleForm> forms_of(Level2Call call, DataType type) {
  std::vector<TriangleForm> forms;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      if (call != Level2Call::trmv) {
        forms.push_back({layout, uplo, Transpose::no, Diag::non_unit});
        continue;
      }
      for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
        for (const Diag diag : {Diag::non_unit, Diag::unit})
          if (trans != Transpose::conjugate_transpose || is_complex(type)) forms.push_back({layout, uplo, trans, diag});
    }
  return forms;
}

std::vector<Choice> choices_of(Level2Call call, DataType type, const DeviceProfile& device) {
  std::vector<Choice> choices{{}, {"rows", {{"groups", 3}}}};
  if (!detail::has_level2_tiles(type, device)) return choices;
  choices.push_back({"tiles", writes_triangle(call) ? Configuration{} : Configuration{{"groups", 4}}});
  return choices;
}

// Compilation takes most of the time, so quick cases deal the choices out instead of combining them with each form.
std::vector<std::string> cases_of(Level2Call call, DataType type, const DeviceProfile& device, Breadth breadth) {
  const std::uint64_t seed = 10 * static_cast<std::uint64_t>(type) + static_cast<std::uint64_t>(call);
  std::vector<std::uint64_t> sizes{1, 5, 33, 70, 131};
  if (breadth != Breadth::quick) sizes.insert(sizes.end(), {2, 3, 16, 17, 63, 64, 65, 127, 128, 200, 257});
  if (breadth == Breadth::full) sizes.push_back(1030);
  ShuffledValues<std::uint64_t> n(sizes, seed + 1), count({1, 1, 3}, seed + 2), offset({0, 3, 16}, seed + 3),
      gap({0, 1, 3}, seed + 4);
  const std::complex<double> factor =
      is_complex(type) && call != Level2Call::her ? std::complex<double>(1.5, -0.5) : 1.5;
  ShuffledValues<std::complex<double>> alpha({factor, factor, 2, 0}, seed + 5), beta({0, 1, -3, factor}, seed + 6);
  ShuffledValues<std::pair<std::int64_t, std::int64_t>> increments({{1, 1}, {1, 1}, {3, 1}, {1, -2}, {-1, 1}, {2, -3}},
                                                                   seed + 7);
  ShuffledValues<Memory> memory(memories_of(breadth), seed + 8);
  ShuffledValues<int> shared({0, 1}, seed + 9);
  const std::vector<Choice> choices = choices_of(call, type, device);
  const bool is_quick = breadth == Breadth::quick;
  const std::size_t repeats = is_quick ? 1 : breadth == Breadth::full ? 12 : 4;
  ShuffledValues<Choice> dealt(choices, seed + 10);
  std::vector<std::string> cases;
  for (const TriangleForm& form : forms_of(call, type))
    for (std::size_t repeat = 0; repeat < repeats * (is_quick ? 1 : choices.size()); ++repeat) {
      const auto [incx, incy] = increments.next();
      cases.push_back(to_string(Level2Case{.call = call,
                                           .choice = is_quick ? dealt.next() : choices[repeat % choices.size()],
                                           .type = type,
                                           .layout = form.layout,
                                           .uplo = form.uplo,
                                           .trans = form.trans,
                                           .diag = form.diag,
                                           .n = n.next(),
                                           .gap = gap.next(),
                                           .incx = incx,
                                           .incy = incy,
                                           .alpha = alpha.next(),
                                           .beta = beta.next(),
                                           .offset = offset.next(),
                                           .count = count.next(),
                                           .shares_inputs = shared.next() != 0,
                                           .memory = memory.next(),
                                           .seed = cases.size() + 1}));
    }
  return cases;
}

std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  std::vector<CheckPart> parts;
  for (const DataType type : {DataType::f32, DataType::f64, DataType::c64, DataType::c128}) {
    CheckPart part{.name = std::string(to_string(type)), .skipped = detail::why_unsupported(type, device)};
    if (part.skipped.empty()) part.cases = cases_of(value_of(level2_calls, "function", name), type, device, breadth);
    parts.push_back(std::move(part));
  }
  return parts;
}

CaseResult run(const Engine& engine, const std::string& text) {
  const Level2Case test = parse_level2_case(text);
  CaseResult result;
  result.wrong = try_level2_case(engine, test);
  result.kernels.push_back(std::string(word_for(level2_calls, test.call)) + ' ' + std::string(to_string(test.type)));
  return result;
}

}  // namespace

CheckedOperation checked_level2() {
  return {.name = "level2",
          .variants = [] { return names_of(level2_calls); },
          .has_functions = true,
          .parts = parts,
          .run = run};
}

}  // namespace tilewright::verification
