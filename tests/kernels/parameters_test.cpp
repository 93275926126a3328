#include "kernels/parameters.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

using detail::ParameterList;
using detail::ParameterMember;
using detail::ParameterValues;

struct Tile {
  std::int64_t rows, columns = 8;
};

constexpr ParameterList parameters{{"rows", &Tile::rows, "rows of a tile", {1, 2}},
                                   {"columns", &Tile::columns, "columns of a tile", {4, 8}}};

// Found by constant expressions, so that variants are constants.
static_assert(ParameterMember(&Tile::rows).index == 0);
static_assert(parameters[1].member.index == 1);
static_assert(ParameterValues(Tile{3})[1] == 8);
static_assert(ParameterValues(Tile{3}).as<Tile>().rows == 3);

}  // namespace

TEST_SUITE("parameters") {
  TEST_CASE("a list has every member of the struct, in its order") {
    CHECK_THROWS_AS(ParameterList({{"rows", &Tile::rows}}), std::logic_error);
    CHECK_THROWS_AS(ParameterList({{"columns", &Tile::columns}, {"rows", &Tile::rows}}), std::logic_error);
  }

  TEST_CASE("values come from configurations and return to them by name") {
    const Configuration configuration{{"columns", 4}, {"rows", 2}};
    const ParameterValues values = values_of(parameters, configuration);
    CHECK(values == ParameterValues(Tile{2, 4}));
    CHECK(configuration_of(parameters, values) == Configuration{{"rows", 2}, {"columns", 4}});
    expect_error(ErrorCode::unknown_parameter, [] { (void)values_of(parameters, Configuration{{"rows", 2}}); });
  }

  TEST_CASE("values of some parameters are 1 elsewhere") {
    const ParameterMember some[] = {&Tile::columns};
    CHECK(values_of(parameters, some, Configuration{{"columns", 4}}) == ParameterValues(Tile{1, 4}));
  }

  TEST_CASE("a setting changes one value, and launch parameters are no options") {
    ParameterValues values(Tile{2, 4});
    values.set({&Tile::rows, 16});
    CHECK(values == ParameterValues(Tile{16, 4}));
    const ParameterMember launch[] = {&Tile::columns};
    CHECK(parameter_options(parameters, launch, values) == " -DROWS=16");
  }
}

}  // namespace tilewright::test
