// `multiply --memory`: matrices stay in their files, and C grows tile by tile.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/schedule_output.hpp"
#include "commands/products/multiply_options.hpp"
#include "commands/products/product_files.hpp"
#include "files/partial_output.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "tilewright/out_of_core.hpp"
#include "usage_error.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::tool {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

// The first signal requests a stop; a second one ends the process.
extern "C" void request_end(int signal_number) {
  stop_requested = 1;
  std::signal(signal_number, SIG_DFL);
}

void refuse_other_options(const MultiplyOptions& options) {
  const std::vector<std::string> inputs = options.epilogue.inputs();
  const bool has_inputs = std::any_of(inputs.begin(), inputs.end(), [](const auto& file) { return !file.empty(); });
  if (has_inputs || !(options.epilogue.epilogue() == GemmEpilogue{}))
    throw UsageError("--memory does not work with --scale, --bias, --activation and --residual; leave them out");
  if (options.output.is_standard()) throw UsageError("with --memory the output must be a file, not standard output");
  for (const std::string* const scalar : {&options.alpha, &options.beta})
    if (scalar_of(*scalar).imag() != 0)
      throw UsageError(*scalar + " has an imaginary part, but the matrices are real; use a real factor");
}

// The product in host memory, for checks.
template <class T>
class FileProduct {
 public:
  FileProduct(const GemmProblem& problem, const HostOperands& operands) : problem_(problem), operands_(operands) {}

  verification::Comparison check(const ResultTile& tile) const {
    const GemmProblem& p = problem_;
    GemmProblem part = p;
    part.m = tile.rows;
    part.n = tile.columns;
    part.lda = p.trans_a == Transpose::no ? p.k : p.m;
    part.ldb = p.trans_b == Transpose::no ? p.n : p.k;
    part.ldc = p.n;
    const std::uint64_t c = tile.row * p.n + tile.column;
    const T* const before = static_cast<const T*>(operands_.c_in);
    const verification::HostGemm<T> call{
        part,
        operands_.alpha.value(),
        static_cast<const T*>(operands_.a) + tile.row * (p.trans_a == Transpose::no ? p.k : 1),
        static_cast<const T*>(operands_.b) + tile.column * (p.trans_b == Transpose::no ? 1 : p.k),
        operands_.beta.value(),
        before == nullptr ? nullptr : before + c};
    return verification::GemmCheck<T>(call)(static_cast<const T*>(operands_.c) + c);
  }

 private:
  const GemmProblem& problem_;
  const HostOperands& operands_;
};

verification::Comparison check_tile(const GemmProblem& problem, const HostOperands& operands, const ResultTile& tile) {
  return problem.type == DataType::f64 ? FileProduct<double>(problem, operands).check(tile)
                                       : FileProduct<float>(problem, operands).check(tile);
}

// Each slab after the first rounds beta C once more.
bool is_right(const verification::Comparison& comparison, double beta, std::uint64_t slabs) {
  const double allowed = beta == 0 ? 1.0 : std::max(1.0, (static_cast<double>(slabs) + 1) / 2);
  return comparison.error_over_bound <= allowed;
}

class OutOfCoreCommand {
 public:
  explicit OutOfCoreCommand(const MultiplyOptions& options)
      : options_(options),
        files_(options),
        problem_(files_.problem(options)),
        heading_(files_.heading(options, problem_)),
        session_(options.device) {}

  int run() {
    OutOfCoreOptions options{
        .memory = options_.memory, .copy_threads = copy_threads(), .choice = options_.forced.choice()};
    const NpyHeader header{problem_.type, false, problem_.m, problem_.n};
    if (options_.resume) {
      output_.emplace(options_.output.path, header);
      const Tiling tiling = earlier_tiling();
      options.tile = tiling.tile;
      options.transfer = tiling.transfer;
    }
    const detail::Stopwatch planning;
    const OutOfCorePlan plan(session_.engine(), problem_, options);
    plan_seconds_ = planning.seconds();
    schedule_ = plan.schedule();
    const std::string heading = with_tiling(heading_, schedule_);
    if (!options_.resume) output_.emplace(options_.output.path, header, heading);
    set_operands();
    if (options_.resume) verify_earlier_tiles();
    if (options_.resume && done_.empty()) {
      output_->restart(heading);
      set_operands();
    }
    const OutOfCoreReport report = multiply(plan);
    if (report.cancelled)
      throw std::runtime_error(
          fmt::format("interrupted after {} of {} tiles; continue with the same command and --resume",
                      report.progress.tiles_done, report.progress.tiles));
    return finish(report);
  }

 private:
  void set_operands() {
    operands_ = {.alpha = scalar_of(options_.alpha).real(),
                 .a = files_.a.data(),
                 .b = files_.b.data(),
                 .beta = scalar_of(options_.beta).real(),
                 .c = output_->data(),
                 .c_in = files_.c_in ? files_.c_in->data() : nullptr};
  }

  // One thread does not saturate the link of a GPU; more than a few do not help.
  static unsigned copy_threads() { return std::clamp(std::thread::hardware_concurrency() / 2, 1U, 6U); }

  Tiling earlier_tiling() const {
    if (const auto tiling = tiling_of(output_->journal().heading, heading_)) return *tiling;
    throw std::runtime_error(
        fmt::format("{} belongs to another product, or an input has changed; remove it to start over",
                    PartialOutput::name_of(options_.output.path)));
  }

  // Checks some tiles of the earlier run, because a crashed machine may have lost pages. If one is wrong, discards all.
  void verify_earlier_tiles() {
    constexpr std::size_t max_checked = 4;
    std::vector<ResultTile> tiles;
    for (std::uint64_t number = 0; number < schedule_.tiles(); ++number) {
      const ResultTile tile = tile_of(problem_, schedule_, number);
      if (output_->journal().done.contains({tile.row, tile.column})) tiles.push_back(tile);
    }
    const std::size_t step = std::max<std::size_t>(1, (tiles.size() + max_checked - 1) / max_checked);
    for (std::size_t i = tiles.size(); i-- > 0;) {
      if ((tiles.size() - 1 - i) % step != 0) continue;
      show_progress("verifying earlier tiles");
      if (is_right(check_tile(problem_, operands_, tiles[i]), operands_.beta.real(), schedule_.tiles_k)) continue;
      print_message(
          MessageKind::warning,
          fmt::format("the tile of C at row {}, column {} of the earlier run is wrong; all tiles are recomputed",
                      tiles[i].row, tiles[i].column));
      return;
    }
    clear_progress();
    for (const ResultTile& tile : tiles) done_.insert({tile.row, tile.column});
    resumed_ = done_.size();
    print_note(fmt::format("{} of {} tiles were done by an earlier run", resumed_, schedule_.tiles()));
  }

  OutOfCoreReport multiply(const OutOfCorePlan& plan) {
    for (const int number : {SIGINT, SIGTERM})  // signals that the parent ignored, as nohup does, stay ignored
      if (std::signal(number, request_end) == SIG_IGN) std::signal(number, SIG_IGN);
    return plan.run(operands_, {.keep_going =
                                    [&](const OutOfCoreProgress& progress) {
                                      show(progress);
                                      return stop_requested == 0;
                                    },
                                .tile_done =
                                    [&](const ResultTile& tile) {
                                      output_->note({tile.row, tile.column});
                                    },
                                .has_tile =
                                    [&](const ResultTile& tile) {
                                      return done_.contains({tile.row, tile.column});
                                    }});
  }

  void show(const OutOfCoreProgress& progress) {
    constexpr double between = 0.1, between_lines = 10;
    if (progress.seconds - shown_ < between) return;
    shown_ = progress.seconds;
    constexpr std::size_t bar = 24;
    const double part = std::clamp(progress.work_done, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(part * bar);
    const std::string text =
        fmt::format("[{}{}] {:.0f} %, {} of {} tiles, {:.0f} s", std::string(filled, '#'),
                    std::string(bar - filled, '.'), 100 * part, progress.tiles_done, progress.tiles, progress.seconds);
    show_progress(text);
    if (shows_progress() || progress.seconds - printed_ < between_lines) return;
    printed_ = progress.seconds;
    print_note(text);
  }

  int finish(const OutOfCoreReport& report) {
    show_progress("verifying");
    const verification::Comparison comparison = check_tile(problem_, operands_, {0, 0, 0, problem_.m, problem_.n});
    clear_progress();
    const bool right = is_right(comparison, operands_.beta.real(), schedule_.tiles_k);
    if (right) output_->commit();
    options_.output.print(options_.output.json ? json_line(to_json(report, comparison, right))
                                               : to_text(report, comparison, right));
    if (!right)
      throw std::runtime_error(
          fmt::format("the result is wrong; it is kept in {}", PartialOutput::name_of(options_.output.path)));
    return 0;
  }

  double gflops(const OutOfCoreReport& report) const {
    return flops_of(problem_) * (1 - part_resumed()) / report.progress.seconds * 1e-9;
  }
  double part_resumed() const {
    return schedule_.tiles() == 0 ? 0 : static_cast<double>(resumed_) / static_cast<double>(schedule_.tiles());
  }

  std::string to_text(const OutOfCoreReport& report, const verification::Comparison& comparison, bool right) const {
    const Page& page = options_.output.page();
    const Device& device = session_.device();
    std::string text = format_field("device", device.index() + "  " + device.profile.name, page);
    text += format_field("product", to_string(problem_), page);
    text += schedule_fields(schedule_, page);
    text += format_field("plan time", format_seconds(plan_seconds_), page);
    text += format_field(
        "time",
        fmt::format(
            "{}  {} GFLOP/s{}", format_seconds(report.progress.seconds), format_number(gflops(report)),
            resumed_ > 0 ? fmt::format("  {} of {} tiles done by an earlier run", resumed_, schedule_.tiles()) : ""),
        page);
    text += format_field("error/bound", format_number(comparison.error_over_bound) + (right ? "  verified" : "  WRONG"),
                         page, right ? Style::good : Style::bad);
    if (right)
      text += format_field("output", fmt::format("{}  {} x {}", options_.output.path, problem_.m, problem_.n), page);
    return text;
  }

  Json to_json(const OutOfCoreReport& report, const verification::Comparison& comparison, bool right) const {
    Json json = {{"m", problem_.m},
                 {"n", problem_.n},
                 {"k", problem_.k},
                 {"type", tilewright::to_string(problem_.type)},
                 {"trans", transposes_of(problem_)},
                 {"alpha", operands_.alpha.real()},
                 {"beta", operands_.beta.real()},
                 {"memory_limit", options_.memory},
                 {"schedule", schedule_json(schedule_)},
                 {"plan_seconds", plan_seconds_},
                 {"seconds", report.progress.seconds},
                 {"gflops", gflops(report)},
                 {"bytes_up", report.progress.bytes_up},
                 {"bytes_down", report.progress.bytes_down},
                 {"tiles", schedule_.tiles()},
                 {"tiles_resumed", resumed_},
                 {"error_over_bound", comparison.error_over_bound},
                 {"verified", right},
                 {"output", right ? Json(options_.output.path) : Json()}};
    add_device(json, session_.device());
    return json;
  }

  const MultiplyOptions& options_;
  ProductFiles files_;
  GemmProblem problem_;
  std::string heading_;
  Session session_;
  std::optional<PartialOutput> output_;
  HostOperands operands_;
  TileSchedule schedule_;
  double plan_seconds_ = 0, shown_ = 0, printed_ = 0;
  std::set<TileCorner> done_;
  std::size_t resumed_ = 0;
};

// Returns true if there is an unfinished product to continue. Throws std::runtime_error if FILE.partial must not be
// touched.
bool continues_earlier(const MultiplyOptions& options) {
  const std::string partial = PartialOutput::name_of(options.output.path);
  switch (PartialOutput::state(options.output.path)) {
    case PartialState::in_use:
      throw std::runtime_error(
          fmt::format("another process is writing {}; wait for it, or name another output", partial));
    case PartialState::foreign:
      throw std::runtime_error(
          fmt::format("{} exists, but no journal next to it shows that this command wrote it, so it stays as it is; "
                      "move it away, or name another output",
                      partial));
    case PartialState::unfinished:
      if (options.resume) return true;
      throw std::runtime_error(fmt::format(
          "{} exists, from an unfinished product: continue it with --resume, or remove it to start over", partial));
    case PartialState::none:
      break;
  }
  if (options.resume) print_note("no unfinished product found; starting over");
  return false;
}

}  // namespace

int multiply_out_of_core(const MultiplyOptions& options) {
  refuse_other_options(options);
  options.output.check({options.a, options.b, options.c_in});
  report_lost_pages();  // the constructor reads pages of the mapped files
  MultiplyOptions ours = options;
  ours.resume = continues_earlier(options);
  return OutOfCoreCommand(ours).run();
}

}  // namespace tilewright::tool
