#include "tuning/operations/spmm_tunable.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "spmm/structure.hpp"
#include "tuning/operations/made_up_places.hpp"
#include "tuning/operations/spmm_data.hpp"
#include "verification/spmm/spmm_cases.hpp"

namespace tilewright::tuning {
namespace {

using detail::SpmmCore;

class SpmmTunable : public VariantTunable<SpmmCore> {
 public:
  explicit SpmmTunable(const SpmmCore& core) : VariantTunable(core) {}
  SpmmTunable(const SpmmCore& core, std::shared_ptr<const SparsePlaces> places)
      : VariantTunable(core), has_own_places_(true), places_(std::move(places)) {}

  bool has_own_places() const { return has_own_places_; }

  std::string label() const override { return detail::Operation<SpmmCore>::label(problem()) + ' ' + element(); }
  std::string element() const override { return std::string(to_string(problem().type)); }
  std::optional<DataType> arithmetic() const override { return problem().type; }

  Work work() const override {
    const RowStatistics& a = problem().a;
    const auto n = static_cast<double>(problem().n), size = static_cast<double>(size_of(problem().type));
    const auto rows = static_cast<double>(a.rows), elements = static_cast<double>(a.nonzeros);
    return {2 * elements * n,
            elements * (size + 4) + (rows + 1) * 4 + (rows + static_cast<double>(a.columns)) * n * size};
  }

  // A sixteenth of the rows and columns, with equally many elements per row.
  Problem smaller() const override;

  std::unique_ptr<TunablePlan> plan(const Engine& engine, const Choice& choice) const override {
    return std::make_unique<SpmmTunablePlan>(engine, call(), places(), choice);
  }

  std::unique_ptr<TunableData> data(const Engine& engine, cl_command_queue queue) const override {
    return make_spmm_data(engine, queue, call(), places());
  }

  std::string form() const override { return element() + (problem().n == 1 ? " vector" : ""); }

  std::string verify(const Engine& engine, const Choice& choice, const std::function<void()>& pause) const override {
    for (const auto& test : verification::spmm_cases(choice, problem().type, verification::Breadth::edges)) {
      pause();
      if (const std::string wrong = verification::try_spmm_case(engine, test); !wrong.empty())
        return wrong + "; case: " + to_string(test);
    }
    return {};
  }

 private:
  SpmmProblem call() const {
    const RowStatistics& a = problem().a;
    return {.type = problem().type,
            .index_type = IndexType::i64,
            .m = a.rows,
            .n = problem().n,
            .k = a.columns,
            .nonzeros = a.nonzeros};
  }

  const SparsePlaces& places() const {
    std::call_once(made_up_, [this] {
      if (!places_) places_ = std::make_shared<SparsePlaces>(made_up_places(problem().a));
    });
    return *places_;
  }

  bool has_own_places_ = false;
  mutable std::once_flag made_up_;
  mutable std::shared_ptr<const SparsePlaces> places_;
};

using Row = VariantOperation<SpmmCore, SpmmTunable>;

// A kind of square matrix, for any number of rows.
struct Kind {
  /// Per row; `longest`, `empty` and `spread` are fractions of the rows or columns.
  double mean, deviation, longest, empty, spread;
};

constexpr Kind alike{16, 0, 0, 0, .33};        // in any columns
constexpr Kind stencil{5, .1, 0, 0, 1e-3};     // near the diagonal
constexpr Kind blocks{40, 20, 1e-3, .05, .1};  // longer rows, of all lengths
constexpr Kind graph{12, 60, .02, .3, .25};    // few rows have most elements
constexpr Kind dense_row{8, 300, 1, 0, .33};

struct Shape {
  const Kind& kind;
  std::uint64_t rows, n;
};

constexpr Shape quick_shapes[] = {{alike, 20000, 1}, {graph, 20000, 32}};
constexpr Shape cpu_shapes[] = {{alike, 100000, 1},    {stencil, 300000, 1}, {graph, 100000, 1},
                                {dense_row, 50000, 1}, {alike, 50000, 8},    {graph, 50000, 8},
                                {stencil, 50000, 32},  {blocks, 10000, 32},  {dense_row, 20000, 32},
                                {alike, 10000, 128},   {graph, 10000, 128}};
constexpr Shape gpu_shapes[] = {
    {alike, 20000, 1},       {alike, 1000000, 1},    {stencil, 1000000, 1}, {blocks, 200000, 1},
    {graph, 1000000, 1},     {dense_row, 200000, 1}, {alike, 100000, 8},    {graph, 500000, 8},
    {stencil, 1000000, 8},   {alike, 20000, 32},     {alike, 500000, 32},   {graph, 500000, 32},
    {dense_row, 100000, 32}, {blocks, 100000, 64},   {alike, 200000, 128},  {graph, 200000, 128}};

SpmmCore core_of_shape(const Shape& shape, DataType type) {
  const Kind& kind = shape.kind;
  const auto rows = static_cast<double>(shape.rows);
  RowStatistics a{.rows = shape.rows, .columns = shape.rows};
  a.nonzeros = static_cast<std::uint64_t>(kind.mean * rows);
  a.empty_rows = static_cast<std::uint64_t>(kind.empty * rows);
  a.longest = static_cast<std::uint64_t>(std::max(kind.longest * rows, kind.mean + 3 * kind.deviation));
  if (kind.longest == 0) a.longest = static_cast<std::uint64_t>(kind.mean + (kind.deviation > 0 ? 1 : 0));
  a.mean = kind.mean;
  a.deviation = kind.deviation;
  a.spread = kind.spread * rows;
  return detail::tuned_core(type, shape.n, a);
}

std::vector<Problem> preset(std::string_view name, DataType type, const DeviceProfile& device) {
  std::span<const Shape> shapes = quick_shapes;
  if (name == "default")
    shapes = device.type == DeviceType::gpu ? std::span<const Shape>(gpu_shapes) : std::span<const Shape>(cpu_shapes);
  else if (name != "quick")
    throw std::invalid_argument("there is no preset '" + std::string(name) + "'");
  std::vector<Problem> result;
  for (const Shape& shape : shapes) result.push_back(Row::problem(core_of_shape(shape, type)));
  return result;
}

Problem SpmmTunable::smaller() const {
  constexpr std::uint64_t part = 16, least = 1024;
  RowStatistics a = problem().a;
  if (a.rows < part * least || a.columns < part * least) return Row::problem(problem());
  for (std::uint64_t* const number : {&a.rows, &a.columns, &a.empty_rows}) *number /= part;
  const std::uint64_t filled = a.rows - a.empty_rows;
  a.nonzeros = std::max(filled, a.nonzeros / part);
  a.longest = std::clamp(a.longest, (a.nonzeros + filled - 1) / filled, a.nonzeros - filled + 1);
  a.mean = static_cast<double>(a.nonzeros) / static_cast<double>(a.rows);
  a.spread /= part;
  return Row::problem(detail::tuned_core(problem().type, problem().n, a));
}

}  // namespace

Problem tunable(DataType type, std::uint64_t n, std::shared_ptr<const SparsePlaces> places) {
  const RowStatistics rows =
      detail::statistics_of(detail::Rows<std::int64_t>{places->offsets, places->indices, {}}, places->columns);
  return Problem(std::make_shared<const SpmmTunable>(detail::tuned_core(type, n, rows), std::move(places)));
}

bool has_own_places(const Problem& problem) {
  const auto* const sparse = dynamic_cast<const SpmmTunable*>(&*problem);
  return sparse != nullptr && sparse->has_own_places();
}

constinit const Operation spmm_operation = Row::row(preset);

}  // namespace tilewright::tuning
