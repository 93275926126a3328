// What `tune` says on its way.
#pragma once

#include <vector>

#include "session.hpp"
#include "text/table.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tool {

/// The line that says what the run is at, one of so many problems.
void show_tuning(const tuning::TuneProgress& progress, std::size_t problems);

/// With the unit of speed of such work.
RowPrinter make_tune_table(const tuning::Work& work);

/// What came of a problem: a row of the table or a line of JSON on standard output, what went wrong on standard error.
void print_tuned(const tuning::Tuned& tuned, const tuning::Operation& operation, const Device& device, bool json,
                 RowPrinter& table);

/// Notes on what the budget's time did not suffice for, and on timings that vary too much.
void tell_what_was_cut(const std::vector<tuning::Tuned>& results);
void tell_noise(const std::vector<tuning::Tuned>& results);

}  // namespace tilewright::tool
