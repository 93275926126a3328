#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/operands/overlap.hpp"
#include "kernels/sizes.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::byte guard{0xA5};
constexpr std::uint64_t workspace_step = 256;  // bytes
constexpr std::uint64_t page = 4096;           // bytes; a multiple of the alignment of sub-buffers
constexpr std::uint64_t runs_per_sub_buffer = 3;
constexpr std::size_t edges_of_pair = 6, others_of_pair = 2;

// Bytes of one row, relative to the start of an operand.
struct Run {
  std::uint64_t begin, end;
  friend bool operator==(const Run&, const Run&) = default;
};

// Runs in the order of PairOperand::values.
std::vector<Run> runs_of(const PairOperand& operand) {
  std::vector<Run> runs;
  const auto& [rows, columns, ld] = operand.matrix;
  for (std::uint64_t x = 0; x < operand.matrices(); ++x)
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t first = operand.begin_of(x) + row * ld;
      runs.push_back({first * operand.element, (first + columns) * operand.element});
    }
  return runs;
}

std::uint64_t span_of(const std::vector<Run>& runs) {
  std::uint64_t end = 0;
  for (const Run& run : runs) end = std::max(end, run.end);
  return end;
}

std::uint64_t step_of(const PairOperand& operand) { return operand.is_workspace() ? workspace_step : operand.element; }

void put(Bytes& image, const PairOperand& operand, std::uint64_t at, const Bytes& values) {
  std::size_t from = 0;
  for (const Run& run : runs_of(operand)) {
    if (values.empty()) return;
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), run.end - run.begin,
                image.begin() + static_cast<std::ptrdiff_t>(at + run.begin));
    from += run.end - run.begin;
  }
}

Bytes taken(const Bytes& image, const PairOperand& operand, std::uint64_t at) {
  Bytes values;
  for (const Run& run : runs_of(operand))
    values.insert(values.end(), image.begin() + static_cast<std::ptrdiff_t>(at + run.begin),
                  image.begin() + static_cast<std::ptrdiff_t>(at + run.end));
  return values;
}

// The position of an operand: a buffer of the call, and bytes from its start.
struct Place {
  std::size_t buffer;
  std::uint64_t at;
};

// The buffers of one case: one per operand, and one that a pair shares.
class Buffers {
 public:
  explicit Buffers(const OperandPairs& pairs) : pairs_(pairs), queue_(make_queue()) {
    std::uint64_t all = workspace_step;
    for (const PairOperand& operand : pairs.operands) {
      const std::uint64_t span = span_of(runs_of(operand));
      append(span);
      spans_.push_back(span);
      all += detail::rounded_up(span, workspace_step);
    }
    append(2 * all + page);
    for (std::size_t i = 0; i < pairs.operands.size(); ++i) own_.push_back({i, 0});
    if (const auto error = run(own_, shared(), false)) throw *error;
    for (std::size_t i = 0; i < pairs.operands.size(); ++i) after_.push_back(taken(images_[i], pairs.operands[i], 0));
  }

  std::uint64_t span(std::size_t operand) const { return spans_[operand]; }

  // Places operands `one` and `other` in the shared buffer.
  std::vector<Place> places(std::size_t one, std::uint64_t at_one, std::size_t other, std::uint64_t at_other) const {
    std::vector<Place> places = own_;
    places[one] = {shared(), at_one};
    places[other] = {shared(), at_other};
    return places;
  }

  // Fills the buffers, runs the call and reads the buffers. `last` keeps its values where operands share elements.
  // Returns the error. A call that must be refused waits for a gate, and a marker follows it. A marker that cannot
  // complete shows that the call enqueued something, which is an error.
  std::optional<Error> run(const std::vector<Place>& places, std::size_t last, bool must_be_refused) {
    fill(places, last);
    const std::vector<MatrixRef> refs = refs_to(places);
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (is_used(places, i)) queue_.enqueueWriteBuffer(buffers_[i], CL_TRUE, 0, before_[i].size(), before_[i].data());
    std::optional<Error> error;
    cl::UserEvent gate(context_);
    const cl_event gates[] = {gate()};
    try {
      pairs_.call(queue_(), refs, std::span(gates, must_be_refused ? 1 : 0));
    } catch (const Error& thrown) {
      error = thrown;
    }
    if (must_be_refused && error) check_nothing_enqueued();
    gate.setStatus(CL_COMPLETE);
    queue_.finish();
    images_ = before_;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (is_used(places, i)) queue_.enqueueReadBuffer(buffers_[i], CL_TRUE, 0, images_[i].size(), images_[i].data());
    count_cases();
    return error;
  }

  bool are_unchanged() const { return images_ == before_; }

  // Whether written operands hold the expected values, and no other byte has changed, except in a workspace.
  bool are_right(const std::vector<Place>& places) const {
    std::vector<Bytes> expected = before_, found = images_;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& [buffer, at] = places[i];
      const PairOperand& operand = pairs_.operands[i];
      if (operand.written) put(expected[buffer], operand, at, after_[i]);
      if (!operand.is_workspace()) continue;
      for (std::vector<Bytes>* const images : {&expected, &found})
        std::fill_n((*images)[buffer].begin() + static_cast<std::ptrdiff_t>(at), spans_[i], guard);
    }
    return found == expected;
  }

 private:
  std::size_t shared() const { return pairs_.operands.size(); }

  // In some runs the first operand of the pair is in a sub-buffer, which starts at a page.
  std::vector<MatrixRef> refs_to(const std::vector<Place>& places) {
    std::vector<MatrixRef> refs;
    bool is_first = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& [buffer, at] = places[i];
      const std::uint64_t element = pairs_.operands[i].element, origin = at / page * page;
      const bool is_part = buffer == shared() && std::exchange(is_first, false) && ++runs_ % runs_per_sub_buffer == 0;
      if (is_part) {
        const cl_buffer_region region{origin, before_[buffer].size() - origin};
        part_ = buffers_[buffer].createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
      }
      refs.push_back(is_part ? MatrixRef{part_(), (at - origin) / element}
                             : MatrixRef{buffers_[buffer](), at / element});
    }
    return refs;
  }

  void check_nothing_enqueued() {
    cl::Event marker;
    queue_.enqueueMarkerWithWaitList(nullptr, &marker);
    queue_.flush();
    CHECK_MESSAGE(completes_soon(marker()), "a part of the call was enqueued before it was refused");
  }

  bool is_used(const std::vector<Place>& places, std::size_t buffer) const {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) { return place.buffer == buffer; });
  }

  void append(std::uint64_t bytes) {
    before_.emplace_back(detail::rounded_up(bytes, workspace_step) + workspace_step, guard);
    buffers_.emplace_back(context_, CL_MEM_READ_WRITE, before_.back().size());
  }

  void fill(const std::vector<Place>& places, std::size_t last) {
    for (Bytes& image : before_) std::fill(image.begin(), image.end(), guard);
    const auto put_one = [&](std::size_t i) {
      put(before_[places[i].buffer], pairs_.operands[i], places[i].at, pairs_.operands[i].values);
    };
    for (std::size_t i = 0; i < places.size(); ++i) put_one(i);
    if (last < places.size()) put_one(last);
  }

  const OperandPairs& pairs_;
  cl::Context context_ = shared_context();
  cl::CommandQueue queue_;
  std::vector<cl::Buffer> buffers_;
  cl::Buffer part_;  // of the shared buffer
  std::uint64_t runs_ = 0;
  std::vector<Bytes> before_, images_;  // per buffer, before and after the last call
  std::vector<std::uint64_t> spans_;    // bytes per operand
  std::vector<Place> own_;
  std::vector<Bytes> after_;  // per operand, by a call whose operands share no buffer
};

// The bytes of one operand, compared with another operand's bytes at any distance.
class ByteSet {
 public:
  explicit ByteSet(const std::vector<Run>& runs) : before_(span_of(runs) + 1) {
    std::vector<std::uint8_t> is_in(before_.size());
    for (const Run& run : runs)
      std::fill(is_in.begin() + static_cast<std::ptrdiff_t>(run.begin),
                is_in.begin() + static_cast<std::ptrdiff_t>(run.end), std::uint8_t{1});
    for (std::size_t i = 0; i + 1 < before_.size(); ++i) before_[i + 1] = before_[i] + is_in[i];
  }

  // Whether a set that starts at `at` contains a byte of the runs that start at `other`.
  bool meets(std::uint64_t at, const std::vector<Run>& runs, std::uint64_t other) const {
    const auto clamped = [&](std::uint64_t byte) {
      return byte <= at ? 0 : std::min<std::uint64_t>(byte - at, before_.size() - 1);
    };
    return std::any_of(runs.begin(), runs.end(), [&](const Run& run) {
      return before_[clamped(other + run.end)] > before_[clamped(other + run.begin)];
    });
  }

 private:
  std::vector<std::uint32_t> before_;  // number of members before each byte
};

class PairCheck {
 public:
  PairCheck(const OperandPairs& pairs, Buffers& buffers, std::size_t one, std::size_t other, PairDraw& draw)
      : pairs_(pairs),
        buffers_(buffers),
        one_(one),
        other_(other),
        one_runs_(runs_of(pairs.operands[one])),
        other_runs_(runs_of(pairs.operands[other])),
        set_(one_runs_),
        base_(detail::rounded_up(buffers.span(other), workspace_step) + page),
        draw_(draw) {}

  void run() {
    if (one_runs_.empty() || other_runs_.empty() || span_of(one_runs_) == 0 || span_of(other_runs_) == 0) return;
    for (const std::uint64_t at : chosen_positions()) check(at);
  }

 private:
  const PairOperand& one() const { return pairs_.operands[one_]; }
  const PairOperand& other() const { return pairs_.operands[other_]; }
  bool shares(std::uint64_t at) const { return set_.meets(base_, other_runs_, at); }

  // Positions on both sides of edges, where the verdict changes, some others, and the exact position of the other
  // operand.
  std::vector<std::uint64_t> chosen_positions() {
    const std::uint64_t step = step_of(other()), end = base_ + span_of(one_runs_);
    std::vector<std::uint64_t> edges, chosen;
    const std::uint64_t begin = page / step * step;
    bool before = shares(begin);
    for (std::uint64_t at = begin + step; at <= end; at += step)
      if (const bool now = shares(at); now != std::exchange(before, now)) edges.push_back(at);
    for (std::size_t i = 0; i < edges_of_pair && !edges.empty(); ++i) {
      const auto taken = edges.begin() + static_cast<std::ptrdiff_t>(draw_.below(edges.size()));
      chosen.insert(chosen.end(), {*taken - step, *taken});
      edges.erase(taken);
    }
    for (std::size_t i = 0; i < others_of_pair; ++i)
      chosen.push_back(begin + draw_.below((end - begin) / step + 1) * step);
    if (base_ % step == 0) chosen.push_back(base_);
    return chosen;
  }

  bool may_share(std::uint64_t at) const {
    const bool written = one().written || other().written || one().is_workspace() || other().is_workspace();
    if (!written) return true;
    const std::pair pair(one_, other_);
    return at == base_ && one_runs_ == other_runs_ &&
           std::find(pairs_.in_place.begin(), pairs_.in_place.end(), pair) != pairs_.in_place.end();
  }

  void check(std::uint64_t at) {
    CAPTURE(pairs_.what);
    CAPTURE(to_string(one().name));
    CAPTURE(to_string(other().name));
    CAPTURE(one_);
    CAPTURE(other_);
    const std::int64_t distance = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(base_);
    CAPTURE(distance);
    const auto places = buffers_.places(one_, base_, other_, at);
    const bool must_be_refused = shares(at) && !may_share(at);
    const auto error = buffers_.run(places, one().are_indices ? one_ : other_, must_be_refused);
    if (!shares(at)) {
      REQUIRE_MESSAGE(!error, error->what());
      CHECK(buffers_.are_right(places));
    } else if (must_be_refused) {
      check_refusal(error);
    } else {
      REQUIRE_MESSAGE(!error, error->what());
    }
  }

  void check_refusal(const std::optional<Error>& error) const {
    REQUIRE_MESSAGE(error, "operands that share elements were accepted");
    const bool is_of_workspace = one().is_workspace() || other().is_workspace();
    CHECK_MESSAGE(
        error->code() == (is_of_workspace ? ErrorCode::overlapping_workspace : ErrorCode::overlapping_operands),
        error->what());
    CHECK_MESSAGE((error->operand() == one().name || error->operand() == other().name), error->what());
    CHECK(buffers_.are_unchanged());
  }

  const OperandPairs& pairs_;
  Buffers& buffers_;
  std::size_t one_, other_;
  std::vector<Run> one_runs_, other_runs_;
  ByteSet set_;
  std::uint64_t base_;  // position of the first operand, with room for the second one before it
  PairDraw& draw_;
};

}  // namespace

void check_operand_pairs(const OperandPairs& pairs, std::uint64_t seed) {
  PairDraw draw(seed);
  Buffers buffers(pairs);
  for (std::size_t one = 0; one < pairs.operands.size(); ++one)
    for (std::size_t other = one + 1; other < pairs.operands.size(); ++other)
      PairCheck(pairs, buffers, one, other, draw).run();
}

std::uint64_t PairDraw::below(std::uint64_t end) { return verification::random_bits(seed_, index_++) % end; }

detail::StoredMatrix PairDraw::matrix(Layout layout, std::uint64_t rows, std::uint64_t columns) {
  if (layout == Layout::column_major) std::swap(rows, columns);
  const std::uint64_t ld = flip() && pitch_ >= columns ? pitch_ : columns + below(6);
  return {rows, columns, ld};
}

detail::StoredMatrix PairDraw::vector(std::uint64_t length, std::uint64_t max_increment) {
  return {length, 1, 1 + below(max_increment)};
}

std::uint64_t PairDraw::stride(const detail::StoredMatrix& matrix, std::uint64_t count, bool may_share) {
  if (may_share && flip()) return below(matrix.extent() + 1);
  if (flip() && matrix.ld / count >= matrix.columns)
    return matrix.columns + below(matrix.ld / count - matrix.columns + 1);
  return matrix.extent() + below(6);
}

PairOperand integer_operand(OperandName name, std::uint64_t length, bool written, std::uint64_t count,
                            std::uint64_t stride) {
  return {.name = name,
          .element = 8,
          .matrix = {1, length, length},
          .count = count,
          .stride = stride,
          .written = written,
          .are_indices = true,
          .values = pair_values<std::int64_t>(count * length, [length](std::uint64_t i) { return i % length; })};
}

PairOperand workspace_operand(std::uint64_t bytes) {
  return {.name = OperandName::workspace, .element = 1, .matrix = {1, bytes, bytes}};
}

}  // namespace tilewright::test
