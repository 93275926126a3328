// The parameters of variants. A variant knows its own as the members of a struct. Other code knows them as a list of
// values. Names are used only for configurations.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/fixed_list.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::detail {

/// Maximum number of parameters of a variant.
inline constexpr std::size_t max_parameters = 16;

/// A variant's struct: each member is a 64-bit integer, the value of a parameter.
template <class T>
concept ParameterStruct = std::is_aggregate_v<T> && std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T> &&
                                  sizeof(T) %
                                  sizeof(std::int64_t) ==
                              0 &&
                          sizeof(T) <= max_parameters * sizeof(std::int64_t);

template <ParameterStruct P>
inline constexpr std::size_t parameters_in = sizeof(P) / sizeof(std::int64_t);

struct ParameterSetting;

/// The values of a variant's parameters, in the order of its struct's members. Unused places are 0.
class ParameterValues {
 public:
  constexpr ParameterValues() = default;
  template <ParameterStruct P>
  constexpr ParameterValues(const P& parameters) {
    const auto members = std::bit_cast<std::array<std::int64_t, parameters_in<P>>>(parameters);
    std::copy(members.begin(), members.end(), values_.begin());
  }

  /// Returns the values as the struct of the variant that they belong to.
  template <ParameterStruct P>
  constexpr P as() const {
    std::array<std::int64_t, parameters_in<P>> members{};
    std::copy_n(values_.begin(), members.size(), members.begin());
    return std::bit_cast<P>(members);
  }

  constexpr std::int64_t operator[](std::size_t index) const { return values_[index]; }

  /// Changes the value of a parameter.
  void set(const ParameterSetting& setting);

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

 private:
  std::array<std::int64_t, max_parameters> values_{};
};

/// A parameter, named by the member of its variant's struct.
struct ParameterMember {
  std::size_t index = 0;    ///< among the struct's members
  std::size_t members = 0;  ///< in the struct

  constexpr ParameterMember() = default;
  template <ParameterStruct P>
  constexpr ParameterMember(std::int64_t P::*member) : members(parameters_in<P>) {
    P marked = ParameterValues().as<P>();
    marked.*member = 1;
    const ParameterValues values(marked);
    while (values[index] == 0) ++index;
  }
};

/// A parameter and a value for it.
struct ParameterSetting {
  ParameterMember member;
  std::int64_t value = 0;
};

/// A parameter for people and for the tuner; see the public Parameter.
struct VariantParameter {
  const char* name = "";
  ParameterMember member{};
  const char* meaning = "";
  FixedList<std::int64_t, 12> values{};
};

/// All parameters of a variant, in the order of its struct's members. A constant that lacks one does not compile.
class ParameterList : public FixedList<VariantParameter, max_parameters> {
 public:
  constexpr ParameterList(std::initializer_list<VariantParameter> parameters) : FixedList(parameters) {
    for (std::size_t i = 0; i < size(); ++i)
      if (const ParameterMember& member = (*this)[i].member; member.index != i || member.members != size())
        throw std::logic_error("the parameters are not those of the struct, in its order");
  }
};

/// A function of a variant's parameters. It takes the variant's struct first, and then the arguments of `Signature`.
/// Code that does not know the struct calls it with the values.
template <class Signature>
class ParameterFunction;

template <class Result, class... Arguments>
class ParameterFunction<Result(Arguments...)> {
 public:
  constexpr ParameterFunction() = default;
  /// `function` is a lambda expression without captures.
  template <class Function>
  requires(std::is_empty_v<Function> &&
           !std::same_as<Function, ParameterFunction>) constexpr ParameterFunction(Function)
      : call_([](const ParameterValues& values, Arguments... arguments) -> Result {
          using P = typename First<decltype(&Function::operator())>::Type;
          return Function{}(values.as<P>(), arguments...);
        }) {}

  /// Without a function, returns 0 or an empty result.
  Result operator()(const ParameterValues& values, Arguments... arguments) const {
    return call_ == nullptr ? Result() : call_(values, arguments...);
  }

  explicit operator bool() const { return call_ != nullptr; }

 private:
  template <class Member>
  struct First;
  template <class Function, class R, class P, class... Others>
  struct First<R (Function::*)(const P&, Others...) const> {
    using Type = P;
  };

  Result (*call_)(const ParameterValues&, Arguments...) = nullptr;
};

/// Returns the public description of parameters.
std::vector<Parameter> parameter_infos(const ParameterList& parameters);

/// Returns the values of a complete configuration. Throws Error(unknown_parameter) if it lacks a parameter.
ParameterValues values_of(const ParameterList& parameters, const Configuration& configuration);

/// Returns the values of some parameters, with 1 for the others. Throws Error(unknown_parameter) if one is missing.
ParameterValues values_of(const ParameterList& parameters, std::span<const ParameterMember> some,
                          const Configuration& configuration);

/// Returns the values in a configuration that may be incomplete. Throws Error(unknown_parameter) if it names a
/// parameter that the variant does not have.
std::vector<ParameterSetting> settings_of(std::string_view variant, const ParameterList& parameters,
                                          const Configuration& configuration);

Configuration configuration_of(const ParameterList& parameters, const ParameterValues& values);
Configuration configuration_of(const ParameterList& parameters, std::span<const ParameterSetting> settings);

/// Returns " -DNAME=value" for each parameter except some.
std::string parameter_options(const ParameterList& parameters, std::span<const ParameterMember> except,
                              const ParameterValues& values);

}  // namespace tilewright::detail
