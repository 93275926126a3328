#include "commands/products/multiply_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "files/matrix_file.hpp"
#include "kernels/host_type.hpp"
#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {

void MultiplyOptions::add_to(CLI::App& command) {
  command.add_option("A", a, fmt::format("file of A, dense: {}; or sparse: {}", dense_files_help, sparse_files_help))
      ->required();
  command.add_option("B", b, fmt::format("file of B: {}", dense_files_help))->required();
  output.add_to(command);
  CLI::Option* const transpose_a = command.add_flag("--trans-a", trans_a, "use the transpose of A");
  CLI::Option* const transpose_b = command.add_flag("--trans-b", trans_b, "use the transpose of B");
  CLI::Option* const adjoint_a =
      command.add_flag("--conjugate-a", conjugate_a, "use the conjugate transpose of A")->excludes(transpose_a);
  command.add_flag("--conjugate-b", conjugate_b, "use the conjugate transpose of B")->excludes(transpose_b);
  command.add_option("--alpha", alpha, "factor of the product; complex products also take factors such as 1+2i")
      ->check(complex_number())
      ->capture_default_str();
  CLI::Option* const factor_of_c = command.add_option("--beta", beta, "factor of the matrix of --c-in")
                                       ->check(complex_number())
                                       ->capture_default_str();
  command.add_option("--c-in", c_in, fmt::format("file of the matrix that --beta scales: {}", dense_files_help))
      ->needs(factor_of_c);
  command
      .add_option("--type", type,
                  fmt::format("{}; default: the largest of the inputs' types. Files store bf16 as bits, '<u2'",
                              join_words(type_names())))
      ->check(one_of("type", type_names()));
  command
      .add_option("--c-type", type_c,
                  "element type of C: the type of A and B (default), f32 if that is f16 or bf16, or i32 (default) if "
                  "it is i8 or u8")
      ->check(one_of("type", type_names()));
  command
      .add_option("--accuracy", accuracy,
                  fmt::format("required accuracy of f32 products: {}", join_words(accuracy_names())))
      ->check(one_of("accuracy", accuracy_names()))
      ->capture_default_str();
  const auto add_structure = [&](const char* name, std::string& uplo, const char* meaning) {
    return command.add_option(name, uplo, meaning)->check(one_of("triangle", {"lower", "upper"}));
  };
  CLI::Option* const symmetric =
      add_structure("--symmetric", structure.symmetric, "A is symmetric; only this triangle is read, lower or upper");
  CLI::Option* const hermitian =
      add_structure("--hermitian", structure.hermitian, "A is Hermitian; only this triangle is read, lower or upper");
  CLI::Option* const triangular =
      add_structure("--triangular", structure.triangular, "A is triangular, lower or upper; the rest is not read");
  symmetric->excludes(hermitian)->excludes(triangular)->excludes(transpose_a)->excludes(adjoint_a);
  hermitian->excludes(triangular)->excludes(transpose_a)->excludes(adjoint_a);
  command.add_flag("--unit-diagonal", structure.has_unit_diagonal, "the diagonal of a triangular A counts as ones")
      ->needs(triangular);
  epilogue.add_to(command);
  forced.add_to(command);
  algorithm.add_to(command);
  group.add_to(command);
  add_device_option(command, device);
  CLI::Option* const limit =
      command
          .add_option("--memory", memory,
                      "device memory to use, in bytes, such as 2G: dense f32 or f64 matrices stay in their files, "
                      "which may exceed all memory, and C grows tile by tile in FILE.partial")
          ->transform(byte_size());
  command.add_flag("--resume", resume, "continue an interrupted call with --memory")->needs(limit);
}

std::complex<double> scalar_of(const std::string& text) { return parse_complex(text).value(); }

Json scalar_json(const std::string& text) {
  const std::complex<double> scalar = scalar_of(text);
  return scalar.imag() == 0 ? Json(scalar.real()) : Json{scalar.real(), scalar.imag()};
}

DataType common_type(DataType left, DataType right) {
  if (left == right) return left;
  if (left == DataType::i32 || right == DataType::i32 || (detail::is_integer(left) && detail::is_integer(right)))
    throw UsageError(
        fmt::format("the matrices are {} and {}, which have no common type; convert them, or give the --type that all "
                    "are to be taken as, such as f64",
                    tilewright::to_string(left), tilewright::to_string(right)));
  if (is_complex(left) || is_complex(right))
    return common_type(detail::part_of(left), detail::part_of(right)) == DataType::f64 ? DataType::c128 : DataType::c64;
  if (detail::is_integer(left)) return right;
  if (detail::is_integer(right)) return left;
  return size_of(left) < size_of(right) ? right : left;
}

template <class T>
void require_finite(std::string_view name, const std::string& text, bool can_convert) {
  if (std::is_integral_v<T>) return;
  using Scalar = detail::Accumulator<T>;
  const std::complex<double> scalar = scalar_of(text);
  for (const double factor : {scalar.real(), scalar.imag()})
    if (std::isfinite(factor) &&
        std::abs(factor) > static_cast<double>(std::numeric_limits<detail::Part<Scalar>>::max()))
      throw UsageError(fmt::format("{}: {} is too large for {}{}", name, factor,
                                   tilewright::to_string(detail::HostType<Scalar>::type),
                                   !can_convert                      ? ""
                                   : detail::is_complex_host_type<T> ? "; use --type c128"
                                                                     : "; use --type f64"));
}

#define TILEWRIGHT_INSTANTIATE(T) template void require_finite<T>(std::string_view, const std::string&, bool);
TILEWRIGHT_FOR_HOST_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::tool
