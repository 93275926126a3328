// symv, trmv, syr, syr2 and their Hermitian forms: every form in both variants, sizes around vectors, tiles and bands,
// increments of both signs, batches, scalars of zero, and equal bits in every run.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "kernels/element_type.hpp"
#include "level2/shape.hpp"
#include "runtime/engine_state.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"
#include "verification/checked_operations.hpp"
#include "verification/common/random_data.hpp"
#include "verification/level2/level2_case.hpp"

namespace tilewright::test {
namespace {

using namespace verification;
using Call = Level2Call;
using Complex = std::complex<double>;

const Choice rows{"rows", {{"groups", 3}}}, tiles{"tiles", {}};
constexpr Call all_calls[] = {Call::symv, Call::hemv, Call::trmv, Call::syr, Call::her, Call::syr2, Call::her2};

void check(const Level2Case& test) {
  const DeviceProfile& device = shared_engine().profile();
  if (!detail::why_unsupported(test.type, device).empty()) return;
  if (test.choice.variant == "tiles" && !detail::has_level2_tiles(test.type, device)) return;
  const std::string wrong = try_level2_case(shared_engine(), test);
  CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", to_string(test));
  count_cases();
  count_kernel_of(std::string(word_for(level2_calls, test.call)));
}

using C64 = std::complex<float>;
constexpr float inf = std::numeric_limits<float>::infinity();

// A call of order 1: A, x and y have one element.
struct OneElement {
  void write(C64 of_a, C64 of_x, C64 of_y) const {
    const std::array<C64, 3> values{of_a, of_x, of_y};
    for (std::size_t i = 0; i < 3; ++i) queue.enqueueWriteBuffer(buffers[i], CL_TRUE, 0, sizeof(C64), &values[i]);
  }
  C64 read(std::size_t which) const {
    C64 value;
    queue.enqueueReadBuffer(buffers[which], CL_TRUE, 0, sizeof(C64), &value);
    return value;
  }
  MatrixRef a() const { return {buffers[0]()}; }
  MatrixRef x() const { return {buffers[1]()}; }
  MatrixRef y() const { return {buffers[2]()}; }

  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  std::array<cl::Buffer, 3> buffers{cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(C64)),
                                    cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(C64)),
                                    cl::Buffer(context, CL_MEM_READ_WRITE, sizeof(C64))};
};

}  // namespace

TEST_SUITE("level2") {
  TEST_CASE("groups that share rows of tiles, or have several") {
    DailyShare share(5);
    for (const Call call : {Call::symv, Call::hemv, Call::trmv})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const std::int64_t groups : {1, 5, 11, 21})
          for (const std::uint64_t n : {50U, 330U, 384U})  // 1, 21 and 21 tiles, the last ones all whole
            for (const Transpose trans : {Transpose::no, Transpose::yes}) {
              if ((call != Call::trmv && trans == Transpose::yes) || !share.selects_next()) continue;
              check({.call = call,
                     .choice = {"tiles", {{"groups", groups}}},
                     .type = call == Call::hemv ? DataType::c64 : DataType::f32,
                     .uplo = uplo,
                     .trans = trans,
                     .n = n});
            }
  }

  // NVIDIA's devices accept 65535 work-groups in dimension 1 of a grid, which n = 4194304 exceeds.
  TEST_CASE("more tiles than one grid accepts") {
    Engine engine(shared_context()(), shared_engine().device());
    DeviceProfile device = engine.profile();
    device.max_work_groups = {3, 2, 2};
    state_of(engine).set_profile(device);
    DailyShare share(3);
    for (const Call call : all_calls) {
      Level2Case test{.call = call, .choice = tiles, .type = DataType::c64, .n = 330, .count = 3};
      const bool is_product = call == Call::symv || call == Call::hemv || call == Call::trmv;
      if (is_product) test.choice.configuration = {{"groups", 11}};
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        if (!share.selects_next()) continue;
        test.uplo = uplo;
        CAPTURE(to_string(test));
        CHECK(try_level2_case(engine, test) == "");
        count_cases();
      }
    }
  }

  TEST_CASE("real scalars keep the parts of infinite complex numbers apart") {
    const OneElement one;
    const Engine& e = shared_engine();
    const SymvProblem product{.type = DataType::c64, .n = 1};
    for (const Choice& choice : {rows, tiles}) {
      if (choice.variant == "tiles" && !detail::has_level2_tiles(DataType::c64, e.profile())) continue;
      CAPTURE(choice.variant);
      one.write({inf, 0}, {1, 1}, {0, 0});
      symv(e, one.queue(), product, {.a = one.a(), .x = one.x(), .y = one.y()}, {}, choice).wait();
      CHECK(one.read(2) == C64(inf, inf));
      one.write({1, 0}, {1, 1}, {inf, 0});
      symv(e, one.queue(), product, {.a = one.a(), .x = one.x(), .beta = 1, .y = one.y()}, {}, choice).wait();
      CHECK(one.read(2) == C64(inf, 1));
      one.write({1, 0}, {1, 1}, {inf, 3});
      symv(e, one.queue(), product, {.alpha = 0, .beta = 2, .y = one.y()}, {}, choice).wait();
      CHECK(one.read(2) == C64(inf, 6));
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        one.write({0, 0}, {inf, 0}, {0, 0});
        syr(e, one.queue(), {.type = DataType::c64, .layout = layout, .symmetry = Symmetry::hermitian, .n = 1},
            {.x = one.x(), .a = one.a()}, {}, choice)
            .wait();
        CHECK(one.read(0) == C64(inf, 0));
      }
      count_cases();
    }
  }

  TEST_CASE("the cases of tilewright check") {
    const CheckedOperation& operation = find_checked_operation("level2");
    const Breadth breadth = test_level() == TestLevel::quick ? Breadth::quick : Breadth::normal;
    DailyShare share(7);
    for (const std::string& function : operation.variants())
      for (const CheckPart& part : operation.parts(shared_engine().profile(), function, breadth))
        for (const std::string& text : part.cases) {
          if (test_level() == TestLevel::quick && part.name != "f32" && part.name != "c64") continue;
          if (!share.selects_next()) continue;
          const std::string wrong = operation.run(shared_engine(), text).wrong;
          CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", text);
          count_cases();
        }
  }

  TEST_CASE("sizes around vectors, blocks and bands") {
    std::vector<std::uint64_t> sizes{2, 3, 4, 8, 15, 16, 17, 19, 31, 32, 34, 63, 64, 65, 66, 127, 128, 129};
    if (test_level() != TestLevel::quick) sizes.insert(sizes.end(), {255, 256, 300, 515});
    for (const Choice& choice : {rows, tiles})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const std::uint64_t n : sizes)
          for (const Call call : {Call::symv, Call::trmv, Call::syr2})
            check({.call = call, .choice = choice, .uplo = uplo, .n = n, .gap = n % 3, .memory = Memory::page_end});
  }

  TEST_CASE("complex scalars, and scalars of zero and one") {
    for (const DataType type : {DataType::f32, DataType::c64})
      for (const Call call : all_calls)
        for (const Complex alpha :
             {Complex(0), Complex(1), Complex(-0.5, is_complex(type) && call != Call::her ? 2 : 0)})
          for (const Complex beta : {Complex(0), Complex(1), Complex(0.25, is_complex(type) ? -1 : 0)})
            for (const std::int64_t increment : {1, -2})
              if ((call == Call::symv || call == Call::hemv || beta == 0.0) && (call != Call::trmv || alpha == 1.0))
                check({.call = call,
                       .choice = tiles,
                       .type = type,
                       .n = 37,
                       .incx = increment,
                       .incy = increment,
                       .alpha = alpha,
                       .beta = beta});
  }

  TEST_CASE("large batches and shared operands") {
    for (const Choice& choice : {Choice{}, rows, tiles})
      for (const Call call : all_calls)
        for (const bool shares : {false, true})
          check({.call = call, .choice = choice, .n = 9, .incx = 2, .count = 40, .shares_inputs = shares});
  }

  TEST_CASE("equal calls give equal bits") {
    constexpr std::uint64_t n = 700;
    const cl::CommandQueue queue = make_queue();
    const auto of_a = random_data<float>(n * n, DataKind::uniform, 1),
               of_x = random_data<float>(n, DataKind::uniform, 2);
    const auto buffer = [&](const std::vector<float>& values) {
      cl::Buffer result(cl::Context(shared_engine().context(), true), CL_MEM_READ_WRITE, values.size() * sizeof(float));
      queue.enqueueWriteBuffer(result, CL_TRUE, 0, values.size() * sizeof(float), values.data());
      return result;
    };
    const cl::Buffer a = buffer(of_a), x = buffer(of_x), y = buffer(of_x);
    for (const Choice& choice : {rows, tiles}) {
      std::vector<float> first(n), again(n);
      for (int run = 0; run < 4; ++run) {
        symv(shared_engine(), queue(), {.n = n}, {.a = {a()}, .x = {x()}, .y = {y()}}, {}, choice).wait();
        queue.enqueueReadBuffer(y, CL_TRUE, 0, n * sizeof(float), again.data());
        if (run == 0) first = again;
        CHECK(first == again);
      }
      count_cases();
    }
  }
}

// For devices that execute slowly, such as Oclgrind.
TEST_SUITE("every kernel") {
  TEST_CASE("level2") {
    for (const Choice& choice : {rows, tiles})
      for (const Call call : all_calls)
        check({.call = call, .choice = choice, .type = DataType::c64, .n = 35, .incx = -2});
  }
}

}  // namespace tilewright::test
