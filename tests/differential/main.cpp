// Random calls of every operation, each compared with a reference, in memory with guards around the elements.
//   tilewright_differential [--seconds S | --cases N] [--seed X] [--op NAME,...] [--without subnormal,promises]
//   tilewright_differential --seed X --op NAME --case I
// The second form repeats one case. Exits with 1 if a case fails, and prints the command that repeats it.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "differential/call.hpp"
#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "verification/check/repeat.hpp"

namespace tilewright::test::differential {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Operation all_operations[] = {{"vector", draw_vector},
                                        {"gemv", draw_gemv},
                                        {"ger", draw_ger, 4},
                                        {"level2", draw_level2},
                                        {"transpose", draw_transpose},
                                        {"matrix_add", draw_matrix_add},
                                        {"spmm", draw_spmm},
                                        {"trsm", draw_trsm},
                                        {"trsv", draw_trsv},
                                        {"trmm", draw_trmm},
                                        {"symm", draw_symm},
                                        {"rank_k", draw_rank_k},
                                        {"lu", draw_factorisation, 1, false},
                                        {"lu_solution", draw_lu_solution, 1, false},
                                        {"qr", draw_qr, 1, false},
                                        {"cholesky", draw_cholesky},
                                        {"strassen", draw_strassen, 4},
                                        {"gemm", draw_gemm},
                                        {"out_of_core", draw_out_of_core},
                                        {"group", draw_group, 4}};

// Cases of a round share a few forms, because compiling takes longer than running a case.
constexpr std::uint64_t round_length = 30, forms_per_round = 2;
constexpr std::uint64_t max_failures = 10;

struct Options {
  double seconds = 0;
  std::uint64_t cases = test_level() == TestLevel::quick ? 2 : 10;
  std::uint64_t seed = test_seed();
  std::optional<std::uint64_t> only{};
  std::vector<Operation> operations{};
  Exclusions without{};
  std::string program{};
};

// The command that repeats the running case; the signal handler prints it.
char running[1024] = "";

struct sigaction handlers_before[NSIG];

// Restores the previous handler, such as a sanitizer's. The fault recurs when this handler returns.
void print_running(int signal) {
  const auto ignored = write(STDOUT_FILENO, running, std::strlen(running));
  static_cast<void>(ignored);
  sigaction(signal, &handlers_before[signal], nullptr);
  if (signal == SIGTERM) std::raise(signal);
}

void handle_signals() {
  struct sigaction action {};
  action.sa_handler = print_running;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGTERM})
    sigaction(signal, &action, &handlers_before[signal]);
}

std::string repeat_command_of(const Options& options, const Operation& operation, std::uint64_t index) {
  std::ostringstream text;
  text << verification::driver_settings() << "TILEWRIGHT_DEVICE=" << device_under_test().index() << ' '
       << options.program << " --op " << operation.name << " --seed " << options.seed << " --case " << index;
  if (options.without.subnormal || options.without.promises)
    text << " --without " << (options.without.subnormal ? "subnormal" : "")
         << (options.without.subnormal && options.without.promises ? "," : "")
         << (options.without.promises ? "promises" : "");
  return text.str();
}

std::uint64_t mixed(std::uint64_t seed, std::string_view name, std::uint64_t index) {
  for (const char letter : name) seed = verification::random_bits(seed, static_cast<unsigned char>(letter));
  return verification::random_bits(seed, index);
}

/// The device's engine or, on a CPU, sometimes one with kernels for GPUs. CPU kernels need too much private memory for
/// a GPU.
const Engine& engine_for(const Operation& operation, Random& form) {
  if (device_under_test().profile.type != DeviceType::cpu || !operation.runs_gpu_kernels) return shared_engine();
  static const Engine* const other = [] {
    auto* const engine = new Engine(shared_context()(), shared_engine().device());
    DeviceProfile device = engine->profile();
    device.type = DeviceType::gpu;
    state_of(*engine).set_profile(device);
    return engine;
  }();
  return form.chance(20) ? *other : shared_engine();
}

bool run_case(const Options& options, const Operation& operation, std::uint64_t index) {
  const std::uint64_t round = index / round_length, form = index % forms_per_round;
  Random random_form(mixed(options.seed, operation.name, (round * forms_per_round + form) * 2));
  const Engine& engine = engine_for(operation, random_form);
  Draw draw{options.without, engine.profile(), random_form, Random(mixed(options.seed, operation.name, index * 2 + 1))};
  const std::string command = repeat_command_of(options, operation, index);
  std::strncpy(running, ("\nFAILED: ended by a signal; repeat: " + command + "\n").c_str(), sizeof running - 1);
  std::string wrong, text;
  try {
    const std::unique_ptr<Problem> problem = operation.draw(draw);
    text = problem->text();
    if (options.only) std::cout << operation.name << ": " << text << std::endl;
    wrong = run_problem(engine, *problem, draw.random);
  } catch (const std::exception& error) {
    wrong = std::string("unexpected error: ") + error.what();
  }
  running[0] = '\0';
  if (wrong.empty()) return true;
  std::cout << "FAILED: " << operation.name << ": " << text << "\n  " << wrong << "\n  repeat: " << command
            << std::endl;
  return false;
}

int run(const Options& options) {
  if (options.only) {
    const bool is_right = run_case(options, options.operations.front(), *options.only);
    return print_run_report() && is_right ? 0 : 1;
  }
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t failures = 0, index = 0;
  double said = 0;
  std::vector<double> times(options.operations.size(), 0);
  const auto is_over = [&] {
    return failures >= max_failures || (options.seconds > 0 ? elapsed() >= options.seconds : index >= options.cases);
  };
  for (; !is_over(); ++index)
    for (std::size_t i = 0; i < options.operations.size() && !(options.seconds > 0 && is_over()); ++i) {
      if (index % options.operations[i].every != 0) continue;
      const double before = elapsed();
      if (!run_case(options, options.operations[i], index)) ++failures;
      times[i] += elapsed() - before;
      if (elapsed() - said < 10) continue;
      said = elapsed();
      std::cout << "test case: differential: case " << index << " of " << options.operations[i].name << ", "
                << static_cast<int>(said) << " s, " << failures << " failed" << std::endl;
    }
  for (std::size_t i = 0; i < times.size(); ++i)
    std::cout << options.operations[i].name << ": " << times[i] << " s" << std::endl;
  const ProgramStatistics programs = shared_engine().program_statistics();
  std::cout << index << " cases of each operation, seed " << options.seed << ", " << failures << " failed; "
            << programs.compiled << " programs compiled in " << programs.compile_seconds << " s" << std::endl;
  return print_run_report() && failures == 0 ? 0 : 1;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

// Empty if the arguments are wrong.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  options.program = argv[0];
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return {};
    const std::string value = argv[i + 1];
    if (name == "--seconds") {
      options.seconds = std::atof(value.c_str());
    } else if (name == "--cases") {
      options.cases = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--case") {
      options.only = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--op") {
      for (const std::string& word : words_of(value)) {
        const auto* const found = std::find_if(std::begin(all_operations), std::end(all_operations),
                                               [&](const Operation& operation) { return operation.name == word; });
        if (found == std::end(all_operations)) return {};
        options.operations.push_back(*found);
      }
    } else if (name == "--without") {
      for (const std::string& word : words_of(value)) {
        if (word != "subnormal" && word != "promises") return {};
        (word == "subnormal" ? options.without.subnormal : options.without.promises) = true;
      }
    } else {
      return {};
    }
  }
  if (options.operations.empty()) options.operations.assign(std::begin(all_operations), std::end(all_operations));
  return options;
}

}  // namespace
}  // namespace tilewright::test::differential

int main(int argc, char** argv) {
  using namespace tilewright::test::differential;
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::cerr << "usage: tilewright_differential [--seconds S | --cases N] [--seed X] [--op NAME,...] [--case I]\n"
                 "                               [--without subnormal,promises]\noperations:";
    for (const Operation& operation : all_operations) std::cerr << ' ' << operation.name;
    std::cerr << std::endl;
    return 64;
  }
  tilewright::test::shared_engine();  // first, because drivers set signal handlers
  handle_signals();
  return run(*options);
}
