#include "out_of_core/cost_model.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "out_of_core/slab_slots.hpp"

namespace tilewright::detail {
namespace {

constexpr std::uint64_t max_steps = 20'000;

// Fraction of overlapped work that costs time all the same.
constexpr double not_overlapped = 0.05;

double number(std::uint64_t x) { return static_cast<double>(x); }

// Unknown speeds are treated as free.
double seconds_of(double amount, double speed) { return speed > 0 ? amount / speed : 0; }

// Elements that kernels waste along each dimension: they compute whole tiles of their own, of which half of the last
// one is wasted on average, and the last tiles do not fill the device.
constexpr double lost_at_edges = 64;

double product_seconds(const TransferSpeeds& speeds, double m, double n, double k) {
  return seconds_of(2 * (m + lost_at_edges) * (n + lost_at_edges) * k, speeds.flops) +
         seconds_of(m * n, speeds.tile_update) + speeds.launch;
}

// Bytes that kernels on the host's processor copy for each product: they pack B, unless C has few rows, and a
// transposed A. They also read A with large strides.
double packing_bytes(const TileForm& form, double m, double n, double k) {
  const double of_a = form.problem.trans_a == Transpose::no ? 0.5 : 2;
  return number(form.element()) * (2 * k * n + of_a * m * k);
}

double copy_speed(const TileCost& cost) { return cost.speeds.host_copy * std::max(1U, cost.copy_threads); }

// Number of slabs of A and B that are uploaded. At the turn of a line or of a tile, slabs on the device are reused.
struct Uploads {
  double a, b;
};
Uploads uploads_of(const TileSchedule& s) {
  const double k = number(s.tiles_k);
  const auto of = [&](std::uint64_t lines, std::uint64_t along, std::uint64_t slots_line, std::uint64_t slots_along) {
    const double again = k - number(std::min(slots_line, s.tiles_k));
    const double line = number(lines) * (k + number(along - 1) * again);
    const double all = number(along) * k;
    return std::array{line, all + number(lines - 1) * (all - std::min(number(slots_along), all))};
  };
  if (s.tiles() == 0) return {0, 0};
  if (s.by_columns) {
    const auto [b, a] = of(s.tiles_n, s.tiles_m, s.slots_b, s.slots_a);
    return {a, b};
  }
  const auto [a, b] = of(s.tiles_m, s.tiles_n, s.slots_a, s.slots_b);
  return {a, b};
}

double in_place_seconds(const TileCost& cost, const TileSchedule& s) {
  const GemmProblem& p = cost.form.problem;
  const double m = number(s.tile.m), n = number(s.tile.n), k = number(s.tile.k);
  const double steps = number(s.tiles()) * number(std::max<std::uint64_t>(1, s.tiles_k));
  const double edges = (1 + lost_at_edges / m) * (1 + lost_at_edges / n);
  return seconds_of(2 * edges * number(p.m) * number(p.n) * number(p.k), cost.speeds.flops) +
         steps * (seconds_of(m * n, cost.speeds.tile_update) + cost.speeds.launch +
                  seconds_of(packing_bytes(cost.form, m, n, k), cost.speeds.host_copy));
}

// The times at which the device's copy and compute engines and the copying thread are free again.
class Pipeline {
 public:
  Pipeline(const TileCost& cost, const TileSchedule& schedule)
      : cost_(cost), copy_(copy_speed(cost)), chunks_(number(schedule.chunk_bytes) * schedule.chunks_up) {}

  // Returns when the slab is on the device. Its slot there is free from the time `place_free` on.
  double upload(double bytes, double place_free) {
    const double copy = seconds_of(bytes, copy_), link = seconds_of(bytes, cost_.speeds.upload);
    const double copied = host_ + copy;
    up_ = std::max(std::max(up_, place_free) + link, copied);
    host_ = std::max(copied, up_ - seconds_of(chunks_, cost_.speeds.upload));
    return up_;
  }
  double product(double seconds, double ready) { return compute_ = std::max(compute_, ready) + seconds; }
  double download(double bytes) {
    const double copy = seconds_of(bytes, copy_), link = seconds_of(bytes, cost_.speeds.download);
    down_ = std::max(down_, compute_) + std::max(copy, link);
    host_ += copy;
    return down_;
  }
  double end() const { return std::max({up_, compute_, down_, host_}); }

 private:
  const TileCost& cost_;
  double copy_, chunks_;
  double host_ = 0, up_ = 0, compute_ = 0, down_ = 0;
};

// The slabs of one operand on the device.
struct SlabTimes {
  explicit SlabTimes(std::uint64_t slots) : places(slots), ready(slots), free(slots) {}

  SlabSlots places;
  std::vector<double> ready, free;
};

double take(SlabTimes& slabs, std::uint64_t slab, double bytes, Pipeline& pipeline, std::uint64_t& bytes_up,
            std::size_t& slot) {
  const SlabSlots::Place place = slabs.places.take(slab);
  slot = place.slot;
  if (!place.is_there) {
    slabs.ready[slot] = pipeline.upload(bytes, slabs.free[slot]);
    bytes_up += static_cast<std::uint64_t>(bytes);
  }
  return slabs.ready[slot];
}

void walk(const TileCost& cost, TileSchedule& s) {
  const TileForm& form = cost.form;
  const GemmProblem& p = form.problem;
  const double element = number(form.element());
  Pipeline pipeline(cost, s);
  SlabTimes a(s.slots_a), b(s.slots_b);
  std::vector<double> c_free(s.slots_c);
  s.bytes_up = s.bytes_down = 0;
  s.compute_seconds = 0;
  for (std::uint64_t number_of = 0; number_of < s.tiles(); ++number_of) {
    const TilePlace place = tile_place(s, number_of);
    const TileRange m = tile_range(p.m, s.tile.m, place.i), n = tile_range(p.n, s.tile.n, place.j);
    double& c = c_free[number_of % s.slots_c];
    for (std::uint64_t step = 0; step < std::max<std::uint64_t>(1, s.tiles_k); ++step) {
      double ready = c;
      TileRange k{};
      std::size_t slot_a = 0, slot_b = 0;
      if (s.tiles_k > 0) {
        const std::uint64_t l = tile_slab(s.tiles_k, number_of, step);
        k = tile_range(p.k, s.tile.k, l);
        const double of_a = element * number(tile_area(rect_of_a(form, m, k)));
        const double of_b = element * number(tile_area(rect_of_b(form, k, n)));
        ready = std::max(ready, take(a, place.i * s.tiles_k + l, of_a, pipeline, s.bytes_up, slot_a));
        ready = std::max(ready, take(b, place.j * s.tiles_k + l, of_b, pipeline, s.bytes_up, slot_b));
      }
      const double seconds = product_seconds(cost.speeds, number(m.size), number(n.size), number(k.size));
      s.compute_seconds += seconds;
      const double done = pipeline.product(seconds, ready);
      if (s.tiles_k > 0) a.free[slot_a] = b.free[slot_b] = done;
    }
    const std::uint64_t bytes = tile_area({0, 0, m.size, n.size}) * form.element();
    c = pipeline.download(number(bytes));
    s.bytes_down += bytes;
  }
  s.seconds = pipeline.end();
}

}  // namespace

double estimated_seconds(const TileCost& cost, const TileSchedule& s) {
  if (s.transfer == TileTransfer::in_place) return in_place_seconds(cost, s);
  const TransferSpeeds& speeds = cost.speeds;
  const GemmProblem& p = cost.form.problem;
  const double element = number(cost.form.element());
  const double m = number(s.tile.m), n = number(s.tile.n), k = number(s.tile.k);
  const Uploads uploads = uploads_of(s);
  const double up = element * (uploads.a * m * k + uploads.b * k * n), down = element * number(p.m) * number(p.n);
  const double steps = number(s.tiles()) * number(std::max<std::uint64_t>(1, s.tiles_k));
  const double product = steps * product_seconds(speeds, m, n, k), copy = seconds_of(up + down, copy_speed(cost));
  const double upload = seconds_of(up, speeds.upload), download = seconds_of(down, speeds.download);
  double alone = 0;  // seconds that overlap with nothing
  if (std::min(s.slots_a, s.slots_b) < 2 && s.tiles_k > 0) alone += std::max(upload, copy);
  if (s.slots_c < 2) alone += download;
  const double first = element * (m * k + k * n), last = element * m * n;
  alone += std::max(seconds_of(first, speeds.upload), seconds_of(first, copy_speed(cost)));
  alone += std::max(seconds_of(last, speeds.download), seconds_of(last, copy_speed(cost)));
  const double longest = std::max({upload, download, copy, product});
  return longest + not_overlapped * (upload + download + copy + product - longest) + alone;
}

double ranking_seconds(const TileSchedule& s) {
  const double sum = s.upload_seconds + s.download_seconds + s.copy_seconds + s.compute_seconds;
  const double longest = std::max({s.upload_seconds, s.download_seconds, s.copy_seconds, s.compute_seconds});
  return s.seconds + not_overlapped * (sum - longest);
}

void predict(const TileCost& cost, TileSchedule& s) {
  const TransferSpeeds& speeds = cost.speeds;
  s.bytes_up = s.bytes_down = 0;
  s.copy_seconds = s.upload_seconds = s.download_seconds = 0;
  if (s.tiles() == 0) {
    s.compute_seconds = s.seconds = 0;
    return;
  }
  const bool staged = s.transfer != TileTransfer::in_place;
  const double steps = number(s.tiles()) * number(std::max<std::uint64_t>(1, s.tiles_k));
  if (!staged || steps > number(max_steps)) {
    s.seconds = estimated_seconds(cost, s);
    s.compute_seconds =
        staged ? steps * product_seconds(speeds, number(s.tile.m), number(s.tile.n), number(s.tile.k)) : s.seconds;
    if (!staged) return;
    const Uploads uploads = uploads_of(s);
    const double element = number(cost.form.element());
    s.bytes_up = static_cast<std::uint64_t>(element * number(s.tile.k) *
                                            (uploads.a * number(s.tile.m) + uploads.b * number(s.tile.n)));
    s.bytes_down = static_cast<std::uint64_t>(element * number(cost.form.problem.m) * number(cost.form.problem.n));
  } else {
    walk(cost, s);
  }
  s.upload_seconds = seconds_of(number(s.bytes_up), speeds.upload);
  s.download_seconds = seconds_of(number(s.bytes_down), speeds.download);
  s.copy_seconds = seconds_of(number(s.bytes_up + s.bytes_down), copy_speed(cost));
}

}  // namespace tilewright::detail
