// The fields that cases of linear systems share: a matrix A, and right-hand sides B.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"
#include "verification/common/case_text.hpp"
#include "verification/common/keep_on_oclgrind.hpp"
#include "verification/common/stored_shape.hpp"

namespace tilewright::verification {

/// How the operands of a call are stored, and which kernels compute the products between its blocks.
struct SystemCase {
  DataType type = DataType::f32;           ///< f32, f64, or a complex type if the operation has them
  Layout layout = Layout::row_major;       ///< of A and B
  std::array<std::uint64_t, 2> gaps{};     ///< elements between the lines of A and of B
  std::array<std::uint64_t, 2> offsets{};  ///< elements before A and B, in addition to bands
  std::uint64_t count = 1;                 ///< systems in the batch
  bool shares_a = false;                   ///< all systems of the batch have the same A
  Memory memory = Memory::banded;          ///< of A and B
  Choice products{};                       ///< variant of the products; empty: the library chooses
  std::uint64_t seed = 1;                  ///< of the data

  friend bool operator==(const SystemCase&, const SystemCase&) = default;

  /// Returns the elements between matrices of a batch, more than their span.
  static std::uint64_t stride_of(const StoredShape& shape) { return shape.span() + 3; }
};

/// Lists "type=f32 layout=row gap=3,0 offset=16,0 batch=1 memory=banded products=naive config= seed=1".
void list_fields(CaseText& text, SystemCase& test);

/// The types of an operation: f32 and f64, or c64 and c128 too.
enum class SystemTypes { real, real_and_complex };

/// Throws std::invalid_argument if the type is not one of these, or if there is no system.
void check_fields(const SystemCase& test, SystemTypes types = SystemTypes::real);

/// Returns the type, the layout and the products of a case, which select its kernels: "f32 row naive".
std::string kernels_of(const SystemCase& test);

/// Runs Trial<T>(engine, test).verify(), where T is the host's type of the case. Returns what is wrong; empty if
/// nothing is.
template <template <class> class Trial, SystemTypes types = SystemTypes::real, class Case>
std::string run_trial(const Engine& engine, const Case& test, DataType type) {
  const auto run = [&]<class T>(std::type_identity<T>) {
    const auto trial = std::make_shared<Trial<T>>(engine, test);
    keep_on_oclgrind(engine, trial);
    return trial->verify();
  };
  if constexpr (types == SystemTypes::real_and_complex) {
    if (type == DataType::c64) return run(std::type_identity<std::complex<float>>());
    if (type == DataType::c128) return run(std::type_identity<std::complex<double>>());
  }
  return type == DataType::f64 ? run(std::type_identity<double>()) : run(std::type_identity<float>());
}

}  // namespace tilewright::verification
