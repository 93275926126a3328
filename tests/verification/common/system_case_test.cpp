// Cases of linear systems and of Strassen's products: their texts, and the parts of a check on other devices.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "verification/checked_operations.hpp"
#include "verification/cholesky/cholesky_case.hpp"
#include "verification/gemv/gemv_case.hpp"
#include "verification/lu/lu_case.hpp"
#include "verification/qr/qr_case.hpp"
#include "verification/strassen/strassen_case.hpp"
#include "verification/triangular/triangular_case.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {
namespace {

const SystemCase odd_storage{.type = DataType::f64,
                             .layout = Layout::column_major,
                             .gaps = {3, 0},
                             .offsets = {0, 5},
                             .count = 3,
                             .memory = Memory::page_end,
                             .products = {"local_tile", {{"tile_m", 8}, {"padded", 1}}},
                             .seed = 99};

// Replaces a field of a case's text.
std::string with(std::string text, const std::string& field, const std::string& value) {
  const auto at = (' ' + text).find(' ' + field + '=');
  REQUIRE(at != std::string::npos);
  const auto end = std::min(text.find(' ', at), text.size());
  return text.replace(at, end - at, field + '=' + value);
}

template <class Parse>
void check_refused(const Parse& parse, const std::string& text, const std::string& reason) {
  try {
    parse(text);
    FAIL_CHECK("accepted: " << text);
  } catch (const std::invalid_argument& error) {
    CHECK_MESSAGE(std::string_view(error.what()).find(reason) != std::string_view::npos, error.what());
  }
}

// A device that supports both types, or f32 alone.
DeviceProfile some_device(bool has_doubles, Vendor vendor = Vendor::other) {
  DeviceProfile device;
  device.name = "some device";
  device.fp64 = has_doubles;
  device.vendor = vendor;
  return device;
}

constexpr std::string_view system_operations[] = {"triangular", "cholesky", "lu", "qr", "strassen"};

}  // namespace

TEST_SUITE("system cases") {
  TEST_CASE("a case survives a round trip through its text") {
    const TriangularCase trsm{.side = Side::right,
                              .uplo = Uplo::upper,
                              .trans = Transpose::conjugate_transpose,
                              .diag = Diag::unit,
                              .m = 7,
                              .n = 9,
                              .alpha = -1.5,
                              .data = TriangleKind::alternating,
                              .storage = odd_storage};
    CHECK(parse_triangular_case(to_string(trsm)) == trsm);
    const TriangularCase trsv{
        .call = TriangularCall::trsv, .m = 7, .incx = -3, .data = TriangleKind::any_size, .storage = odd_storage};
    CHECK(parse_triangular_case(to_string(trsv)) == trsv);

    CholeskyCase potrs{.call = CholeskyCall::potrs, .uplo = Uplo::upper, .n = 9, .nrhs = 2, .data = TriangleKind::tiny};
    potrs.storage = odd_storage;
    potrs.storage.shares_a = true;
    CHECK(parse_cholesky_case(to_string(potrs)) == potrs);
    const CholeskyCase potrf{
        .n = 9, .nrhs = 0, .indefinite = 4, .has_nan = true, .info_gap = 2, .storage = odd_storage};
    CHECK(parse_cholesky_case(to_string(potrf)) == potrf);

    for (const LuTask task : lu_tasks) {
      LuCase test{.task = task, .m = 6, .n = 6, .gap = 2, .storage = odd_storage};
      if (task == LuTask::getrf) test.m = 9;
      if (test.does_factor())
        test.matrix = LuKind::scaled_rows;
      else
        test.factors = TriangleKind::huge;
      if (test.does_solve()) test.nrhs = 4;
      if (task == LuTask::getrs) test.trans = Transpose::yes;
      if (task == LuTask::det) test.pivot = LuPivot::nan;
      CHECK(parse_lu_case(to_string(test)) == test);
    }

    for (const QrTask task : qr_tasks) {
      QrCase test{.task = task, .m = 9, .n = 6, .k = 6, .gap = 2, .storage = odd_storage};
      if (task == QrTask::ormqr) test.side = Side::right;
      if (test.has_c()) test.trans = Transpose::yes;
      if (task == QrTask::gels) test.nrhs = 4;
      if (test.does_factor()) test.matrix = QrKind::deficient;
      CHECK(parse_qr_case(to_string(test)) == test);
    }

    StrassenCase product{.type = DataType::f64, .layout = Layout::column_major, .trans_b = Transpose::yes};
    product.m = 3;
    product.n = 4;
    product.k = 5;
    product.alpha = -0.75;
    product.beta = 2;
    product.gaps = {1, 0, 7};
    product.offsets = {16, 0, 3};
    product.data = DataKind::integers;
    product.memory = Memory::sub_buffer;
    product.products = {"naive", {}};
    CHECK(parse_strassen_case(to_string(product)) == product);
    product.levels = 1;
    CHECK(parse_strassen_case(to_string(product)) == product);
  }

  TEST_CASE("a text that does not fit the operation is refused, with the reason") {
    const std::string trsv = to_string(TriangularCase{.call = TriangularCall::trsv});
    check_refused(parse_triangular_case, "call=trsm", "the case lacks side");
    check_refused(parse_triangular_case, with(trsv, "call", "getrf"),
                  "unknown call 'getrf'; expected one of trsm, trsv");
    check_refused(parse_triangular_case, with(trsv, "uplo", "low"), "expected one of lower, upper");
    check_refused(parse_triangular_case, with(trsv, "layout", "rows"), "expected one of row, column");
    check_refused(parse_triangular_case, with(trsv, "side", "right"), "trsv has n = 1");
    check_refused(parse_triangular_case, with(trsv, "inc", "0"), "inc is 0");
    check_refused(parse_triangular_case, with(trsv, "type", "f16"), "the type is f16; expected f32, f64, c64 or c128");
    check_refused(parse_triangular_case, with(trsv, "batch", "0"), "batch is 0");
    check_refused(parse_triangular_case, with(with(trsv, "diag", "unit"), "data", "tiny"), "scales the diagonal");
    check_refused(parse_gemv_case, with(to_string(GemvCase{}), "inc", "0,1"), "inc is 0");
    check_refused(parse_gemv_case, with(to_string(GemvCase{}), "inc", "1,0"), "inc is 0");
    check_refused(parse_vector_case, with(to_string(VectorCase{}), "inc", "1,0,1"), "inc is 0");
    const std::string potrf = to_string(CholeskyCase{.n = 3, .nrhs = 0});
    check_refused(parse_cholesky_case, with(potrf, "size", "3x1"), "no right-hand sides");
    check_refused(parse_cholesky_case, with(potrf, "indefinite", "4"), "above n");
    check_refused(parse_cholesky_case, with(potrf, "batch", "2,A"), "only potrs shares A");
    const std::string posv = to_string(CholeskyCase{.call = CholeskyCall::posv, .n = 3, .indefinite = 1});
    check_refused(parse_cholesky_case, with(posv, "call", "potrs"), "indefinite must be 0");
    const std::string getrf = to_string(LuCase{});
    const std::string geqrf = to_string(QrCase{});
    check_refused(parse_qr_case, with(geqrf, "nrhs", "1"), "nrhs is for gels");
    check_refused(parse_qr_case, with(geqrf, "trans", "T"), "trans is for ormqr and gels");
    check_refused(parse_qr_case, with(geqrf, "size", "5x4x3"), "k must be the smaller size");
    check_refused(parse_lu_case, with(getrf, "nrhs", "1"), "nrhs is for getrs and gesv");
    check_refused(parse_lu_case, with(getrf, "refinements", "1"), "refinements are for gesv");
    check_refused(parse_lu_case, with(getrf, "trans", "T"), "trans is for getrs");
    check_refused(parse_lu_case, with(getrf, "pivot", "zero"), "pivot is for det");
    check_refused(parse_lu_case, with(getrf, "batch", "2,A"), "cannot be shared");
    check_refused(parse_lu_case, with(with(getrf, "call", "gesv"), "size", "1x2"), "not square");
    check_refused(parse_lu_case, with(with(getrf, "call", "det"), "data", "arrow"), "dominant, scaled, tiny or huge");
    check_refused(parse_lu_case, with(with(getrf, "call", "det"), "data", "integers"), "unknown data 'integers'");
    const std::string product = to_string(StrassenCase{});
    check_refused(parse_strassen_case, with(product, "trans", "N"), "a letter for A and one for B");
    check_refused(parse_strassen_case, with(product, "type", "c64"), "the type is c64");
    check_refused(parse_strassen_case, with(product, "data", "arrow"), "unknown data");
  }

  TEST_CASE("parts list every group of cases, equal in every run") {
    for (const std::string_view name : system_operations) {
      const CheckedOperation& operation = find_checked_operation(name);
      CHECK(operation.has_functions);
      for (const std::string& function : operation.variants()) {
        CAPTURE(function);
        std::size_t quick_cases = 0, cases = 0;
        const auto quick = operation.parts(some_device(true), function, Breadth::quick);
        const auto again = operation.parts(some_device(true), function, Breadth::quick);
        REQUIRE(quick.size() == again.size());
        for (std::size_t i = 0; i < quick.size(); ++i) {
          CHECK_FALSE(quick[i].cases.empty());
          CHECK(quick[i].cases == again[i].cases);
          quick_cases += quick[i].cases.size();
        }
        for (const CheckPart& part : operation.parts(some_device(true), function, Breadth::normal))
          cases += part.cases.size();
        CHECK(cases > quick_cases);
        CHECK(quick.front().name == "f32 forms");
      }
    }
    const auto parts = find_checked_operation("lu").parts(some_device(true), "gesv", Breadth::quick);
    CHECK(parts.back().name == "c128 refined");
  }

  TEST_CASE("a device without double precision skips f64 and c128, with the reason") {
    for (const std::string_view name : system_operations) {
      const CheckedOperation& operation = find_checked_operation(name);
      std::string skipped;
      for (const CheckPart& part : operation.parts(some_device(false), operation.variants().front(), Breadth::quick)) {
        if (part.skipped.empty()) continue;
        skipped += part.name + ' ';
        CHECK(part.skipped.find("double precision") != std::string::npos);
        CHECK(part.cases.empty());
      }
      CHECK(skipped.starts_with("f64 "));
      CHECK((skipped == "f64 " || skipped == "f64 c128 "));
    }
  }

  TEST_CASE("a device that interprets kernels gets fewer cases") {
    for (const std::string_view name : system_operations) {
      const CheckedOperation& operation = find_checked_operation(name);
      const auto count = [&](const DeviceProfile& device) {
        std::size_t cases = 0;
        for (const CheckPart& part : operation.parts(device, operation.variants().front(), Breadth::quick))
          cases += part.cases.size();
        return cases;
      };
      CHECK(2 * count(some_device(true, Vendor::oclgrind)) < count(some_device(true)) + 10);
    }
  }
}

}  // namespace tilewright::verification
