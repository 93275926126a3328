// The tuner's own check of records: whether choices based on the records of other problems are faster than untuned.
#include "selection/cross_validation.hpp"

#include <doctest/doctest.h>

#include "gemm/problem.hpp"
#include "gemm/problem_json.hpp"
#include "gemm/selector.hpp"
#include "selection/record_json.hpp"

namespace tilewright::test {
namespace {

DeviceProfile some_gpu() {
  DeviceProfile device;
  device.type = DeviceType::gpu;
  device.compute_units = 16;
  device.local_memory_bytes = 48 << 10;
  device.max_work_group_size = 1024;
  device.max_work_item_sizes = {1024, 1024, 64};
  return device;
}

GemmProblem square(std::uint64_t size) { return detail::normalized({.m = size, .n = size, .k = size}); }

Configuration tile(std::int64_t size) { return {{"wg_m", size}, {"wg_n", size}}; }

// Times of naive with tiles of 4 and of 8, as fractions of the untuned time.
void add(std::vector<Record<GemmProblem>>& records, std::uint64_t size, double with_4, double with_8) {
  const double untuned = static_cast<double>(size * size * size) * 1e-9;
  records.push_back({square(size), "naive", tile(4), with_4 * untuned, 0.01, 10, untuned, "1", "1", "2026-01-01"});
  records.push_back({square(size), "naive", tile(8), with_8 * untuned, 0.01, 3, untuned, "1", "1", "2026-01-01"});
}

}  // namespace

TEST_SUITE("cross-validation") {
  TEST_CASE("records that gain for other problems are used for them") {
    std::vector<Record<GemmProblem>> records;
    add(records, 256, 0.5, 0.9);
    add(records, 288, 0.5, 0.9);
    const auto found = detail::cross_validate(records, some_gpu());
    CHECK(found.only_own.empty());
    CHECK(found.judged == 2);
    CHECK(found.gain() == doctest::Approx(2));
  }

  TEST_CASE("records that lose elsewhere are used for their own problem only, and others are judged without them") {
    std::vector<Record<GemmProblem>> records;
    add(records, 256, 0.5, 3);  // says that 4 is best, which makes 288 slower than untuned
    add(records, 288, 2, 0.8);
    const auto found = detail::cross_validate(records, some_gpu());
    REQUIRE(found.only_own.size() == 1);
    CHECK(found.only_own.front() == square(256));
    CHECK(found.judged == 1);  // 256: the records of 288 keep the untuned choice
    CHECK(found.gain() == 1);
  }

  TEST_CASE("where choices by others gain less than they err, all records are used for their own problems only") {
    std::vector<Record<GemmProblem>> records;
    for (const std::uint64_t size : {256U, 272U, 288U}) add(records, size, 0.97, 1.2);
    const auto found = detail::cross_validate(records, some_gpu());
    CHECK(found.judged == 3);
    CHECK(found.only_own.size() == 3);
  }

  TEST_CASE("problems that differ in their leading dimensions alone do not judge each other") {
    std::vector<Record<GemmProblem>> records;
    add(records, 1024, 0.5, 0.9);
    GemmProblem padded = square(1024);
    padded.lda = padded.ldb = padded.ldc = 1040;
    for (Record<GemmProblem> record : std::vector<Record<GemmProblem>>(records)) {
      record.problem = detail::normalized(padded);
      record.seconds = 2 * record.untuned_seconds;
      records.push_back(record);
    }
    CHECK(detail::cross_validate(records, some_gpu()).judged == 0);
  }

  TEST_CASE("each type is judged separately") {
    std::vector<Record<GemmProblem>> records;
    for (const std::uint64_t size : {256U, 272U, 288U}) add(records, size, 0.9, 1.2);
    const std::size_t singles = records.size();
    for (const std::uint64_t size : {256U, 272U, 288U}) add(records, size, 0.99, 1.2);
    for (std::size_t i = singles; i < records.size(); ++i) {
      GemmProblem& problem = records[i].problem;
      problem = detail::normalized({.type = DataType::f64, .m = problem.m, .n = problem.n, .k = problem.k});
    }
    DeviceProfile device = some_gpu();
    device.fp64 = true;
    const auto found = detail::cross_validate(records, device);
    CHECK(found.judged == 6);
    REQUIRE(found.only_own.size() == 3);
    for (const GemmProblem& problem : found.only_own) CHECK(problem.type == DataType::f64);
  }

  TEST_CASE("such records are used for their own problem, and for no other") {
    std::vector<Record<GemmProblem>> records;
    add(records, 256, 0.5, 0.9);
    for (Record<GemmProblem>& record : records) record.only_own = true;
    const detail::RecordBook<GemmProblem> book({records, {}}, some_gpu());
    CHECK(book.predict(square(256), some_gpu()).size() == 2);
    CHECK(book.predict(square(288), some_gpu()).empty());
    CHECK(book.gain(square(256)) == doctest::Approx(2));
    CHECK(book.gain(square(288)) == 1);
  }

  TEST_CASE("it is kept in the file, and files without it are used for others") {
    std::vector<Record<GemmProblem>> records;
    add(records, 256, 0.5, 0.9);
    CHECK_FALSE(detail::to_json(records.front()).contains("only_own"));
    CHECK_FALSE(detail::record_from_json<GemmProblem>(detail::to_json(records.front())).only_own);
    records.front().only_own = true;
    CHECK(detail::record_from_json<GemmProblem>(detail::to_json(records.front())).only_own);
  }

  TEST_CASE("a choice that was not timed is not judged, nor are problems without others") {
    std::vector<Record<GemmProblem>> records;
    add(records, 256, 0.5, 0.9);
    CHECK(detail::cross_validate(records, some_gpu()).judged == 0);
    CHECK(detail::cross_validate<GemmProblem>({}, some_gpu()).judged == 0);
    add(records, 288, 0.5, 0.9);
    std::erase_if(records, [](const Record<GemmProblem>& record) {
      return record.problem.m == 288 && record.configuration == tile(4);
    });
    CHECK(detail::cross_validate(records, some_gpu()).judged == 1);
  }
}

}  // namespace tilewright::test
