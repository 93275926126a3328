// Cells, columns and JSON that the rows of several operations share.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/contest.hpp"
#include "text/json_output.hpp"
#include "text/table.hpp"

namespace tilewright::tool {

/// Appends a column for each library.
void add_reference_columns(std::vector<Column>& columns, const std::vector<std::string>& libraries);

/// Appends for each reference its time over the entrant's, or "-" if it was not measured.
void add_ratios(std::vector<Cell>& row, const Entrant& entrant, const std::deque<Entrant>& references);

/// Appends a time over the entrant's, or "-" if the time is 0.
void add_ratio(std::vector<Cell>& row, const Entrant& entrant, double seconds);

/// Returns "yes" or "NO".
Cell verified_cell(const Entrant& entrant);

/// Returns the times and ratios of the measured references.
Json against_json(const Entrant& entrant, const std::deque<Entrant>& references);

/// Returns the number, or null if the entrant was not measured.
Json if_measured(const Entrant& entrant, double number);

}  // namespace tilewright::tool
