// Charts as inline SVG. Colours and fonts come from the page's style sheet, by class.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::tuning {

struct Axis {
  std::string title;
  double least = 0;
  double most = 1;
  bool logarithmic = false;

  /// Where a value lies between least (0) and most (1).
  double position(double value) const;

  /// Round values within the axis, some five of them.
  std::vector<double> ticks() const;

  /// From 0 to a little above `most`.
  static Axis up_to(std::string title, double most);
};

/// A plot with a horizontal and a vertical axis. Texts are escaped; `kind` is a class of the style sheet.
class Chart {
 public:
  using Point = std::pair<double, double>;

  Chart(Axis x, Axis y, double width = 800, double height = 260);

  void line(const std::vector<Point>& points, std::string_view kind);
  void dot(Point at, double radius, std::string_view kind, std::string_view tooltip = {});
  void bar(double from, double to, double height, std::string_view kind, std::string_view tooltip = {});
  void text(Point at, std::string_view text, std::string_view kind);

  /// A short stroke on the horizontal axis.
  void mark(double x, std::string_view kind, std::string_view tooltip = {});

  /// Names on the horizontal axis instead of numbers, at 0, 1, 2, ...
  void name_columns(std::vector<std::string> names) { columns_ = std::move(names); }

  /// The chart, described by a sentence for those who cannot see it.
  std::string svg(std::string_view description) const;

 private:
  double across(double x) const;
  double down(double y) const;
  std::string grid() const;

  Axis x_, y_;
  double width_, height_;
  std::vector<std::string> columns_;
  std::string shapes_;
};

}  // namespace tilewright::tuning
