// How long a schedule takes.
#pragma once

#include "out_of_core/tile_form.hpp"

namespace tilewright::detail {

/// What the model knows of a call beside its schedule.
struct TileCost {
  const TileForm& form;
  const TransferSpeeds& speeds;
  unsigned copy_threads = 1;
};

/// The seconds of a schedule in closed form: that of uploads, downloads, copies and products which takes longest, and
/// what nothing overlaps with at the beginning and at the end. Good enough to tell thousands of schedules apart.
double estimated_seconds(const TileCost& cost, const TileSchedule& schedule);

/// Goes through a schedule step by step, with every slab that is uploaded or there already, and notes the bytes and
/// seconds. C is taken for not read. Schedules of very many steps are estimated instead.
void predict(const TileCost& cost, TileSchedule& schedule);

/// What predicted schedules are compared by: their seconds, and a small part of all that is overlapped, as the model
/// is not exact and the least work is the safest.
double ranking_seconds(const TileSchedule& schedule);

}  // namespace tilewright::detail
