#include "kernels/operands/rectangles.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::detail {
namespace {

// The first row of a rectangle, or the row after its last.
struct Edge {
  std::uint64_t row;
  bool begins;
  bool is_other;
  const Rectangle* rectangle;
};

void append_edges(std::vector<Edge>& edges, const std::vector<Rectangle>& rectangles, bool are_others) {
  for (const Rectangle& rectangle : rectangles) {
    if (rectangle.top >= rectangle.bottom || rectangle.left >= rectangle.right) continue;
    edges.push_back({rectangle.top, true, are_others, &rectangle});
    edges.push_back({rectangle.bottom, false, are_others, &rectangle});
  }
}

// Sorts by row, with ends before beginnings.
void sort_edges(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end(),
            [](const Edge& x, const Edge& y) { return x.row != y.row ? x.row < y.row : x.begins < y.begins; });
}

// The rectangles that cross a row, no two of which meet.
class DisjointRectangles {
 public:
  // Returns a rectangle that meets this one, or null.
  const Rectangle* meets(const Rectangle& r) const {
    const auto next = at_.lower_bound(r.right);  // the rectangle before `next` begins left of `right`
    if (next == at_.begin()) return nullptr;
    const Rectangle* const last = std::prev(next)->second;
    return last->right > r.left ? last : nullptr;
  }
  void insert(const Rectangle& r) { at_.emplace(r.left, &r); }
  void erase(const Rectangle& r) { at_.erase(r.left); }

 private:
  std::map<std::uint64_t, const Rectangle*> at_;
};

// The rectangles of the second set that cross a row; they may meet each other.
class OtherRectangles {
 public:
  OtherRectangles(std::uint64_t width, std::uint64_t end) : width_(width), end_(end) {}

  bool meet(const Rectangle& r) const {
    if (!first_.empty() && *first_.rbegin() > r.left) return true;
    if (!last_.empty() && *last_.begin() < r.right) return true;
    const auto at = middle_.lower_bound(r.left < width_ ? 0 : r.left - width_ + 1);
    return at != middle_.end() && *at < r.right;
  }
  void insert(const Rectangle& r) {
    if (r.left == 0) {
      first_.insert(r.right);
    } else if (r.right == end_) {
      last_.insert(r.left);
    } else {
      middle_.insert(r.left);
    }
  }
  void erase(const Rectangle& r) {
    if (r.left == 0) {
      first_.erase(first_.find(r.right));
    } else if (r.right == end_) {
      last_.erase(last_.find(r.left));
    } else {
      middle_.erase(middle_.find(r.left));
    }
  }

 private:
  std::uint64_t width_, end_;
  std::multiset<std::uint64_t> first_, last_, middle_;  // right ends, left ends, left ends
};

}  // namespace

std::optional<std::pair<std::uint64_t, std::uint64_t>> meeting_pair(const std::vector<Rectangle>& rectangles) {
  std::vector<Edge> edges;
  append_edges(edges, rectangles, false);
  sort_edges(edges);
  DisjointRectangles active;
  for (const Edge& edge : edges) {
    if (!edge.begins) {
      active.erase(*edge.rectangle);
      continue;
    }
    if (const Rectangle* const other = active.meets(*edge.rectangle); other != nullptr)
      return std::pair(other->owner, edge.rectangle->owner);
    active.insert(*edge.rectangle);
  }
  return {};
}

bool any_meet(const std::vector<Rectangle>& apart, const std::vector<Rectangle>& others, std::uint64_t width,
              std::uint64_t end) {
  std::vector<Edge> edges;
  append_edges(edges, apart, false);
  append_edges(edges, others, true);
  sort_edges(edges);
  DisjointRectangles active;
  OtherRectangles active_others(width, end);
  for (const Edge& edge : edges) {
    const Rectangle& rectangle = *edge.rectangle;
    if (edge.is_other) {
      if (!edge.begins) {
        active_others.erase(rectangle);
        continue;
      }
      if (active.meets(rectangle) != nullptr) return true;
      active_others.insert(rectangle);
    } else if (edge.begins) {
      if (active_others.meet(rectangle)) return true;
      active.insert(rectangle);
    } else {
      active.erase(rectangle);
    }
  }
  return false;
}

}  // namespace tilewright::detail
