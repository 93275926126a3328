#include "bindings/blas/kept_memory.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

namespace tilewright::blas {

TEST_SUITE("kept memory") {
  TEST_CASE("only matrices that lie within a promise and are only read are held") {
    std::vector<double> memory(100);
    KeptMemory kept;
    HostMatrix matrix{.data = memory.data() + 10, .rows = 5, .columns = 4, .ld = 5, .is_read = true};
    CHECK(!kept.holds(matrix, 160));
    kept.keep(memory.data(), 800);
    CHECK(kept.holds(matrix, 160));
    CHECK(kept.holds(matrix, 720));
    CHECK(!kept.holds(matrix, 721));
    matrix.is_written = true;
    CHECK(!kept.holds(matrix, 160));
    matrix.is_written = false;
    kept.drop(memory.data() + 1);  // no promise begins there
    CHECK(kept.holds(matrix, 160));
    kept.drop(memory.data());
    CHECK(!kept.holds(matrix, 160));
    kept.keep(nullptr, 5);
    kept.drop(nullptr);
  }

  TEST_CASE("a copy that another thread's drop has overtaken is not kept") {
    std::vector<double> memory(100);
    KeptMemory kept;
    const HostMatrix matrix{.data = memory.data(), .rows = 5, .columns = 4, .ld = 5, .is_read = true};
    const Call call{.type = DataType::f64};
    kept.keep(memory.data(), 800);
    REQUIRE(kept.holds(matrix, 160));
    kept.drop(memory.data());
    kept.add(call, matrix, 160, {std::make_shared<const Memory>(), 16}, 512, 1024);
    kept.keep(memory.data(), 800);
    CHECK(kept.find(call, matrix).memory == nullptr);
  }

  TEST_CASE("a promise may reach beyond the address space") {
    std::vector<double> memory(100);
    KeptMemory kept;
    kept.keep(memory.data(), std::numeric_limits<std::size_t>::max());
    CHECK(kept.holds({.data = memory.data(), .rows = 5, .columns = 4, .ld = 5, .is_read = true}, 160));
  }

  TEST_CASE("copies go when the promise ends, memory is written, or others need the place") {
    std::vector<double> memory(100);
    KeptMemory kept;
    kept.keep(memory.data(), 800);
    const Call call{.type = DataType::f64};
    const auto matrix = [&](std::size_t i) {
      return HostMatrix{.data = &memory[i], .rows = 5, .columns = 4, .ld = 5, .is_read = true};
    };
    const auto add = [&](std::size_t i) {
      kept.add(call, matrix(i), 160, {std::make_shared<const Memory>(), 16}, 512, 1024);
    };
    const auto has = [&](std::size_t i) { return kept.find(call, matrix(i)).memory != nullptr; };
    CHECK(!kept.has_copies());
    add(0);
    add(20);
    CHECK(kept.has_copies());
    CHECK(kept.bytes() == 1024);
    CHECK(kept.find(call, matrix(0)).ld == 16);
    HostMatrix other_sizes = matrix(0);
    other_sizes.ld = 6;
    CHECK(kept.find(call, other_sizes).memory == nullptr);
    CHECK(kept.find({.type = DataType::c64}, matrix(0)).memory == nullptr);
    add(40);  // replaces the copy that was not used for the longest time
    CHECK(has(0) + has(20) + has(40) == 2);
    CHECK(has(40));
    kept.note_written(matrix(45), 8);
    CHECK(!has(40));
    add(0);
    Call factorisation{
        .routine = Routine::geqrf, .type = DataType::f64, .m = 5, .n = 4, .lda = 5, .a = memory.data(), .lwork = -1};
    kept.note_written(factorisation);
    CHECK(has(0));  // a workspace query
    factorisation.lwork = 4;
    kept.note_written(factorisation);
    CHECK(!has(0));
    kept.drop(memory.data());
    CHECK(!has(0));
    CHECK(!kept.has_copies());
    CHECK(kept.bytes() == 0);
  }
}

}  // namespace tilewright::blas
