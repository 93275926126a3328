// Products in host memory, out of core and by device groups.
#include "tilewright/out_of_core.hpp"

#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "differential/call.hpp"
#include "differential/triangle.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "tilewright/device_group.hpp"
#include "verification/common/residual.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::test::differential {
namespace {

// Made-up speeds, so that nothing is measured.
constexpr TransferSpeeds speeds_of_none{.upload = 1e9, .download = 2e9, .flops = 1e10, .launch = 1e-5};

struct HostForm {
  GemmProblem problem{};
  double alpha = 1, beta = 0;
  Values values = Values::uniform;
  bool has_c_in = false;
  Stored a, b, c;  // storage layouts
  OutOfCoreOptions options{};
  DeviceGroupOptions group{};

  bool reads_product() const { return alpha != 0 && problem.k > 0; }
  std::uint64_t slabs() const {
    const std::uint64_t depth = options.tile.k;
    return depth == 0 ? problem.k : (problem.k + depth - 1) / depth;
  }
};

/// Runs a product on pointers.
using HostProductFunction = std::function<void(const HostOperands&)>;

template <class T>
class HostCall : public Call {
 public:
  HostCall(Random& random, const HostForm& form, HostProductFunction run)
      : Call(random), form_(form), run_(std::move(run)) {
    for (Stored* stored : {&form_.a, &form_.b, &form_.c}) stored->offset = draw_offset(random_, 1);
    of_a_ = reserve(form_.a.end(), sizeof(T));
    of_b_ = reserve(form_.b.end(), sizeof(T));
    of_c_ = reserve(form_.c.end(), sizeof(T));
    of_c_in_ = form.has_c_in ? reserve(form_.c.end(), sizeof(T)) : of_c_;
    const DataType type = form.problem.type;
    if (form.reads_product()) {
      fill(of_a_, form_.a, type, form.values, random_);
      fill(of_b_, form_.b, type, form.values, random_);
    }
    if (form.beta != 0) fill(of_c_in_, form_.c, type, form.values, random_);
    allow(of_c_, form_.c);
  }

  bool is_on_host() const override { return true; }

  Event enqueue(cl_command_queue, std::span<const cl_event>, bool) override {
    const bool is_null = !form_.reads_product();
    run_({.alpha = form_.alpha,
          .a = is_null ? nullptr : of_a_.in_place(form_.a.offset),
          .b = is_null ? nullptr : of_b_.in_place(form_.b.offset),
          .beta = form_.beta,
          .c = of_c_.in_place(form_.c.offset),
          .c_in = form_.has_c_in ? of_c_in_.in_place(form_.c.offset) : nullptr});
    return {};
  }

  std::string check() const override {
    for (std::uint64_t x = 0; x < form_.problem.batch.count; ++x)
      for (std::uint64_t i = 0; i < form_.problem.m; ++i)
        for (std::uint64_t j = 0; j < form_.problem.n; ++j)
          if (std::string wrong = check(x, i, j); !wrong.empty())
            return "product " + std::to_string(x) + ", element (" + std::to_string(i) + ", " + std::to_string(j) + ")" +
                   wrong;
    return {};
  }

 private:
  using Real = verification::Wide<T>;

  // The bound is that of gemm(), except for the factor of |beta||C|.
  std::string check(std::uint64_t x, std::uint64_t i, std::uint64_t j) const {
    const GemmProblem& p = form_.problem;
    verification::DotProduct<T> sum;
    for (std::uint64_t l = 0; form_.reads_product() && l < p.k; ++l)
      sum.add(*of_a_.template sent<T>(p.trans_a == Transpose::no ? form_.a.at(x, i, l) : form_.a.at(x, l, i)),
              *of_b_.template sent<T>(p.trans_b == Transpose::no ? form_.b.at(x, l, j) : form_.b.at(x, j, l)));
    const Real alpha = static_cast<T>(form_.alpha), beta = static_cast<T>(form_.beta);
    const Real c = beta == 0 ? Real{0} : beta * static_cast<Real>(*of_c_in_.template sent<T>(form_.c.at(x, i, j)));
    const Real expected = alpha * sum.value + c;
    Real bound = verification::gamma_factor<T>(p.k + 2) * std::abs(alpha) * sum.size +
                 verification::gamma_factor<T>(form_.slabs() + 1) * std::abs(c) +
                 static_cast<Real>(4 * (p.k + 2)) * small_numbers<T>().error();
    if (form_.values == Values::integers) bound = 0;
    const Real found = *of_c_.template received<T>(form_.c.at(x, i, j));
    if (std::abs(found - expected) <= bound) return {};
    std::ostringstream text;
    text << " is " << found << ", expected " << expected << " within " << bound;
    return text.str();
  }

  HostForm form_;
  HostProductFunction run_;
  Operand of_a_, of_b_, of_c_, of_c_in_;
};

std::string text_of_host(const HostForm& form) {
  const GemmProblem& p = form.problem;
  std::ostringstream text;
  text << tilewright::to_string(p.type) << (p.layout == Layout::row_major ? " row" : " column")
       << " trans=" << static_cast<int>(p.trans_a) << static_cast<int>(p.trans_b) << " size=" << p.m << 'x' << p.n
       << 'x' << p.k << " ld=" << p.lda << ',' << p.ldb << ',' << p.ldc << " count=" << p.batch.count
       << " strides=" << p.batch.stride_a << ',' << p.batch.stride_b << ',' << p.batch.stride_c
       << " alpha=" << form.alpha << " beta=" << form.beta << (form.has_c_in ? " c_in" : "")
       << " values=" << to_string(form.values) << ' ' << tilewright::to_string(form.options.transfer)
       << " tile=" << form.options.tile.m << 'x' << form.options.tile.n << 'x' << form.options.tile.k
       << " memory=" << form.options.memory << " threads=" << form.options.copy_threads;
  return text.str();
}

std::unique_ptr<Call> draw_host_call(Random& random, const HostForm& form, HostProductFunction run) {
  if (form.problem.type == DataType::f64) return std::make_unique<HostCall<double>>(random, form, std::move(run));
  return std::make_unique<HostCall<float>>(random, form, std::move(run));
}

class OutOfCoreCase : public Problem {
 public:
  explicit OutOfCoreCase(const HostForm& form) : form_(form) {}

  std::string text() const override { return text_of_host(form_); }
  bool has_plan() const override { return false; }  // threads cannot share one

  std::unique_ptr<Call> draw_call(const Engine& engine, Random& random, bool) override {
    count_kernel_of("out of core " + std::string(tilewright::to_string(form_.problem.type)));
    // Some cases get the smallest possible memory.
    form_.options.memory = min_memory_out_of_core(engine, form_.problem, form_.options) + random.below(2) * 100'000;
    if (!plan_ || random.chance(30)) plan_.emplace(engine, form_.problem, form_.options);
    return draw_host_call(random, form_, [this](const HostOperands& operands) { run(operands); });
  }

 private:
  void run(const HostOperands& operands) const {
    std::vector<bool> seen(plan_->schedule().tiles(), false);
    std::uint64_t elements = 0;
    const OutOfCoreReport report = plan_->run(operands, {.tile_done = [&](const ResultTile& tile) {
                                                if (seen.at(tile.number)) throw std::logic_error("a tile came twice");
                                                seen[tile.number] = true;
                                                elements += tile.rows * tile.columns;
                                              }});
    if (report.cancelled || elements != form_.problem.m * form_.problem.n)
      throw std::logic_error("tile_done() was not told of every element");
  }

  HostForm form_;
  std::optional<OutOfCorePlan> plan_;
};

class GroupCase : public Problem {
 public:
  explicit GroupCase(const HostForm& form) : form_(form) {}

  std::string text() const override { return text_of_host(form_); }
  bool has_plan() const override { return false; }

  std::unique_ptr<Call> draw_call(const Engine&, Random& random, bool) override {
    count_kernel_of("device group " + std::string(tilewright::to_string(form_.problem.type)));
    return draw_host_call(random, form_, [this](const HostOperands& operands) {
      // Two contexts of one device. Never destroyed, because the driver may be unloaded earlier at exit.
      static const DeviceGroup* const group = new DeviceGroup({shared_engine(), Engine(device_under_test())});
      const DeviceGroupReport report = group->gemm(form_.problem, operands, form_.group);
      for (const DeviceShare& share : report.devices)
        if (!share.error.empty()) throw std::logic_error("a device failed: " + share.error);
    });
  }

 private:
  HostForm form_;
};

HostForm draw_host(Draw& draw) {
  HostForm form;
  GemmProblem& p = form.problem;
  p.type = draw_type(draw, {DataType::f64, DataType::f32});
  p.layout = draw_layout(draw.form);
  p.trans_a = draw.form.pick({Transpose::no, Transpose::yes});
  p.trans_b = draw.form.pick({Transpose::no, Transpose::yes});
  Random& random = draw.random;
  p.m = draw_size(random, 150);
  p.n = draw_size(random, 150);
  p.k = draw_size(random, 150);
  form.values = draw_values(draw, p.type, false);
  form.alpha = draw_scalar(random, form.values == Values::integers);
  form.beta = draw_scalar(random, form.values == Values::integers);
  form.has_c_in = form.beta != 0 && random.chance(40);
  const auto transfer = [&] {
    return draw.device.type == DeviceType::cpu ? random.pick({TileTransfer::staged, TileTransfer::in_place})
                                               : TileTransfer::staged;
  };
  const auto edge = [&] { return random.chance(50) ? 0 : 8 + random.below(80); };
  form.options = {.copy_threads = static_cast<unsigned>(1 + random.below(2)),
                  .transfer = transfer(),
                  .tile = {edge(), edge(), edge()},
                  .speeds = speeds_of_none,
                  .choice = {"naive", {}}};
  return form;
}

void store_host(HostForm& form, Random& random, std::uint64_t count) {
  GemmProblem& p = form.problem;
  const auto stored = [&](Transpose trans, std::uint64_t rows, std::uint64_t columns, bool is_shared) {
    const bool is_transposed = trans != Transpose::no;
    return draw_stored(random, p.layout, is_transposed ? columns : rows, is_transposed ? rows : columns, count,
                       is_shared, 1);
  };
  form.a = stored(p.trans_a, p.m, p.k, true);
  form.b = stored(p.trans_b, p.k, p.n, true);
  form.c = stored(Transpose::no, p.m, p.n, false);
  p.lda = named_ld(random, form.a);
  p.ldb = named_ld(random, form.b);
  p.ldc = named_ld(random, form.c);
  p.batch = {.count = count, .stride_a = form.a.stride, .stride_b = form.b.stride, .stride_c = form.c.stride};
}

}  // namespace

std::unique_ptr<Problem> draw_out_of_core(Draw& draw) {
  HostForm form = draw_host(draw);
  store_host(form, draw.random, 1);
  return std::make_unique<OutOfCoreCase>(form);
}

std::unique_ptr<Problem> draw_group(Draw& draw) {
  HostForm form = draw_host(draw);
  Random& random = draw.random;
  store_host(form, random, random.chance(60) ? 1 : 1 + random.below(8));
  form.group = {.memory = std::uint64_t{1} << 24U,
                .copy_threads = form.options.copy_threads,
                .driver_threads = static_cast<unsigned>(random.below(3)),
                .transfer = form.options.transfer,
                .tile = form.options.tile,
                .speeds = {speeds_of_none, speeds_of_none}};
  form.group.speeds[0].flops *= random.pick({1.0, 0.2, 5.0});
  return std::make_unique<GroupCase>(form);
}

}  // namespace tilewright::test::differential
