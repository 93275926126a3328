#include <stdexcept>

#include "kernels/element_type.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/shuffled_values.hpp"
#include "verification/gemv/gemv_case.hpp"

namespace tilewright::verification {
namespace {

struct GemvForm {
  Layout layout;
  Transpose trans;
  std::int64_t incx, incy;
};

// Returns each layout and transpose with increments of both signs.
std::vector<GemvForm> forms_of(GemvCall call, DataType type) {
  std::vector<GemvForm> forms;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose}) {
      if ((trans == Transpose::conjugate_transpose && !is_complex(type)) ||
          (trans == Transpose::yes && call == GemvCall::ger))
        continue;
      for (const auto& [incx, incy] :
           {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 1}, {1, 2}, {-1, 1}, {2, -3}, {-2, -1}})
        forms.push_back({layout, trans, incx, incy});
    }
  return forms;
}

std::vector<std::string> cases_of(GemvCall call, DataType type, Breadth breadth) {
  struct Size {
    std::uint64_t m, n;
  };
  std::vector<Size> sizes{{1, 1}, {13, 6}, {70, 130}, {301, 64}};
  if (breadth != Breadth::quick) sizes.insert(sizes.end(), {{2, 3000}, {3000, 2}, {255, 257}, {1024, 96}});
  if (breadth == Breadth::full) sizes.push_back({3001, 2999});
  const auto seed = static_cast<std::uint64_t>(type);
  ShuffledValues<Size> size(sizes, seed + 1);
  ShuffledValues<std::uint64_t> count({1, 1, 3}, seed + 2), offset({0, 3, 16}, seed + 3);
  const std::complex<double> factor = is_complex(type) ? std::complex<double>(1.5, -0.5) : 1.5;
  ShuffledValues<std::complex<double>> alpha({factor, 2, 0}, seed + 4), beta({0, 1, -3, factor}, seed + 5);
  std::vector<std::string> cases;
  for (const GemvForm& form : forms_of(call, type)) {
    const auto [m, n] = size.next();
    // The kernels that the selector chooses take long to compile, so most quick cases use `naive`.
    const bool plain = breadth == Breadth::quick && cases.size() % 6 != 0;
    cases.push_back(to_string(GemvCase{.call = call,
                                       .choice = plain ? Choice{"naive", {}} : Choice{},
                                       .type = type,
                                       .layout = form.layout,
                                       .trans = form.trans,
                                       .m = m,
                                       .n = n,
                                       .incx = form.incx,
                                       .incy = form.incy,
                                       .alpha = alpha.next(),
                                       .beta = beta.next(),
                                       .offset = offset.next(),
                                       .count = count.next(),
                                       .seed = cases.size() + 1}));
  }
  return cases;
}

std::vector<CheckPart> parts(const DeviceProfile& device, const std::string& name, Breadth breadth) {
  std::vector<CheckPart> parts;
  for (const detail::ElementType& type : detail::element_types()) {
    if (detail::is_integer(type.type)) continue;
    CheckPart part{.name = std::string(to_string(type.type)), .skipped = detail::why_unsupported(type.type, device)};
    if (part.skipped.empty())
      part.cases = cases_of(name == "gemv" ? GemvCall::gemv : GemvCall::ger, type.type, breadth);
    parts.push_back(std::move(part));
  }
  return parts;
}

CaseResult run(const Engine& engine, const std::string& text) {
  const GemvCase test = parse_gemv_case(text);
  CaseResult result;
  result.wrong = try_gemv_case(engine, test);
  result.kernels.push_back((test.call == GemvCall::gemv ? "gemv " : "ger ") + std::string(to_string(test.type)));
  return result;
}

}  // namespace

CheckedOperation checked_gemv() {
  return {.name = "gemv",
          .variants =
              [] {
                return std::vector<std::string>{"gemv", "ger"};
              },
          .has_functions = true,
          .parts = parts,
          .run = run};
}

}  // namespace tilewright::verification
