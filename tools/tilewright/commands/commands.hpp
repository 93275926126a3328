#pragma once

#include <functional>

#include "options/cli_names.hpp"

namespace tilewright::tool {

/// The requested work; returns the exit status.
using Action = std::function<int()>;

// Each function adds a subcommand, which sets `action` if the command line requests it.
void add_devices_command(CLI::App& app, Action& action);
void add_multiply_command(CLI::App& app, Action& action);
void add_transpose_command(CLI::App& app, Action& action);
void add_solve_command(CLI::App& app, Action& action);
void add_inverse_command(CLI::App& app, Action& action);
void add_lstsq_command(CLI::App& app, Action& action);
void add_ladder_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_check_worker_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_cache_command(CLI::App& app, Action& action);
void add_tune_command(CLI::App& app, Action& action);
void add_tune_worker_command(CLI::App& app, Action& action);
void add_records_command(CLI::App& app, Action& action);
void add_regret_command(CLI::App& app, Action& action);
void add_fit_times_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_help_command(CLI::App& app, Action& action);
void add_document_command(CLI::App& app, Action& action);

}  // namespace tilewright::tool
