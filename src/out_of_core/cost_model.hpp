// Predicts how long a schedule takes.
#pragma once

#include "out_of_core/tile_form.hpp"

namespace tilewright::detail {

/// The call that a schedule is for, as the model sees it.
struct TileCost {
  const TileForm& form;
  const TransferSpeeds& speeds;
  unsigned copy_threads = 1;
};

/// Estimates the seconds of a schedule in closed form: the longest of uploads, downloads, copies and products, and the
/// first and last steps, which overlap with nothing. Accurate enough to rank thousands of schedules.
double estimated_seconds(const TileCost& cost, const TileSchedule& schedule);

/// Simulates a schedule step by step, with every upload of a slab, and stores its bytes and seconds in the schedule.
/// Assumes that C is not read. Schedules of more than 20,000 steps are estimated instead.
void predict(const TileCost& cost, TileSchedule& schedule);

/// Returns the number by which predicted schedules are compared: their seconds, and a small part of the time that is
/// overlapped. The model is not exact, so less total work is safer.
double ranking_seconds(const TileSchedule& schedule);

}  // namespace tilewright::detail
