// Progress and results of `tune`.
#pragma once

#include <vector>

#include "session.hpp"
#include "text/table.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tool {

/// Shows the progress line; `problems` is the total number of problems.
void show_tuning(const tuning::TuneProgress& progress, std::size_t problems);

/// Returns a table whose speed column has the work's unit.
RowPrinter make_tune_table(const tuning::Work& work);

/// Prints a problem's result on standard output, as a table row or a line of JSON, and its failures on standard error.
void print_tuned(const tuning::Tuned& tuned, const tuning::Operation& operation, const Device& device, bool json,
                 RowPrinter& table);

/// Prints a note on work that did not fit the time budget.
void print_cut_work(const std::vector<tuning::Tuned>& results);
/// Prints a note on timings that vary too much.
void print_noise(const std::vector<tuning::Tuned>& results);

}  // namespace tilewright::tool
