// The public functions on tuning records serve every operation that has records.
#include <doctest/doctest.h>

#include "selection/made_up.hpp"
#include "support/expect_error.hpp"
#include "tilewright/spmm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::test {
namespace {

template <class Problem>
Record<Problem> record_like(const Record<GemmProblem>& like, const Problem& problem, const char* variant,
                            const Configuration& configuration) {
  return {.problem = problem,
          .variant = variant,
          .configuration = configuration,
          .seconds = like.seconds,
          .variation = like.variation,
          .timings = like.timings,
          .untuned_seconds = like.untuned_seconds,
          .driver = like.driver,
          .library = like.library,
          .date = like.date};
}

Record<TransposeProblem> transpose_record() {
  const TransposeProblem problem{.type = Element::of_bytes(8), .m = 100, .n = 60, .lda = 60, .ldb = 100};
  return record_like(some_record(64), problem, "row_writes", {{"wg_m", 8}, {"wg_n", 8}});
}

Record<SpmmShape> spmm_record() {
  const SpmmShape shape{.n = 8,
                        .rows = {.rows = 300,
                                 .columns = 200,
                                 .nonzeros = 3000,
                                 .longest = 90,
                                 .empty_rows = 50,
                                 .mean = 10,
                                 .deviation = 25.5,
                                 .spread = 12.5}};
  return record_like(some_record(64), shape, "row_per_item", {{"wg", 64}});
}

template <class Problem>
void check_stored(const DeviceProfile& device, const Record<Problem>& record) {
  const Records<Problem> found = load_records<Problem>(device);
  CHECK(found.problems.empty());
  REQUIRE(found.records.size() == 1);
  CHECK(found.records[0].problem == record.problem);
  CHECK(found.records[0].variant == record.variant);
  CHECK(found.records[0].configuration == record.configuration);
  CHECK(found.records[0].seconds == record.seconds);
  CHECK(found.records[0].timings == record.timings);
  CHECK(found.records[0].source == records_file(device)->string());
}

}  // namespace

TEST_SUITE("records") {
  TEST_CASE_FIXTURE(RecordPlace, "records of every operation share a file, and each operation reads its own") {
    const Record<GemmProblem> gemm = some_record(64);
    const Record<TransposeProblem> transpose = transpose_record();
    const Record<SpmmShape> spmm = spmm_record();
    store_records<GemmProblem>(device, {&gemm, 1});
    store_records<TransposeProblem>(device, {&transpose, 1});
    store_records<SpmmShape>(device, {&spmm, 1});
    check_stored(device, gemm);
    check_stored(device, transpose);
    check_stored(device, spmm);

    const std::filesystem::path exported = place.file("spmm.jsonl");
    write_records<SpmmShape>(exported, device, {&spmm, 1});
    const Records<SpmmShape> read = read_records<SpmmShape>(exported, device);
    REQUIRE(read.records.size() == 1);
    CHECK(read.records[0].problem == spmm.problem);
    CHECK(read_records<TransposeProblem>(exported, device).records.empty());

    update_records<SpmmShape>(device, load_records<SpmmShape>(device).records, {});
    CHECK(load_records<SpmmShape>(device).records.empty());
    check_stored(device, gemm);
    check_stored(device, transpose);
  }

  TEST_CASE_FIXTURE(RecordPlace, "a record of any operation that could not be read again is not stored") {
    Record<SpmmShape> spmm = spmm_record();
    spmm.problem.rows.longest = 4000;  // more than there are elements
    expect_error(ErrorCode::invalid_records, [&] { store_records<SpmmShape>(device, {&spmm, 1}); });
    Record<TransposeProblem> transpose = transpose_record();
    transpose.variant = "no_such";
    expect_error(ErrorCode::invalid_records, [&] { store_records<TransposeProblem>(device, {&transpose, 1}); });
  }
}

}  // namespace tilewright::test
