#include "tuning/chart.hpp"

#include <algorithm>
#include <cmath>

#include "tuning/html.hpp"

namespace tilewright::tuning {
namespace {

// Room for the labels around the plot, in pixels.
constexpr double left = 64, right = 14, top = 12, bottom = 40;

std::string attribute(std::string_view name, double value) {
  return std::string(" ").append(name) + "=\"" + fixed_number(value, 1) + "\"";
}

std::string of_class(std::string_view kind) { return std::string(" class=\"").append(kind) + "\""; }

std::string with_tooltip(const std::string& tag, const std::string& attributes, std::string_view tooltip) {
  if (tooltip.empty()) return "<" + tag + attributes + "/>\n";
  return "<" + tag + attributes + "><title>" + escaped(tooltip) + "</title></" + tag + ">\n";
}

std::string label(double x, double y, std::string_view kind, std::string_view text, const std::string& more = {}) {
  return "<text" + attribute("x", x) + attribute("y", y) + of_class(kind) + more + ">" + escaped(text) + "</text>\n";
}

std::string stroke(double x1, double y1, double x2, double y2, std::string_view kind, std::string_view tooltip = {}) {
  return with_tooltip(
      "line", attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) + of_class(kind),
      tooltip);
}

}  // namespace

double Axis::position(double value) const {
  if (logarithmic) return std::log(value / least) / std::log(most / least);
  return (value - least) / (most - least);
}

std::vector<double> Axis::ticks() const {
  std::vector<double> result;
  if (logarithmic) {
    for (double power = std::pow(10, std::floor(std::log10(least))); power <= most; power *= 10)
      for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor != 1 && most / least > 300) continue;
        if (const double tick = factor * power; tick >= least * 0.999 && tick <= most * 1.001) result.push_back(tick);
      }
    return result;
  }
  const double rough = (most - least) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
  for (double tick = std::ceil(least / step) * step; tick <= most * 1.0001; tick += step) result.push_back(tick);
  return result;
}

Axis Axis::up_to(std::string title, double most) { return {std::move(title), 0, most > 0 ? most * 1.05 : 1, false}; }

Chart::Chart(Axis x, Axis y, double width, double height)
    : x_(std::move(x)), y_(std::move(y)), width_(width), height_(height) {}

double Chart::across(double x) const { return left + x_.position(x) * (width_ - left - right); }
double Chart::down(double y) const { return height_ - bottom - y_.position(y) * (height_ - top - bottom); }

void Chart::line(const std::vector<Point>& points, std::string_view kind) {
  if (points.empty()) return;
  shapes_ += "<polyline" + of_class(kind) + " points=\"";
  for (const auto& [x, y] : points) shapes_ += fixed_number(across(x), 1) + "," + fixed_number(down(y), 1) + " ";
  shapes_ += "\"/>\n";
}

void Chart::dot(Point at, double radius, std::string_view kind, std::string_view tooltip) {
  shapes_ += with_tooltip(
      "circle",
      attribute("cx", across(at.first)) + attribute("cy", down(at.second)) + attribute("r", radius) + of_class(kind),
      tooltip);
}

void Chart::bar(double from, double to, double height, std::string_view kind, std::string_view tooltip) {
  const double begin = across(from) + 0.5, end = across(to) - 0.5;
  shapes_ += with_tooltip("rect",
                          attribute("x", begin) + attribute("y", down(height)) +
                              attribute("width", std::max(0.5, end - begin)) +
                              attribute("height", down(y_.least) - down(height)) + of_class(kind),
                          tooltip);
}

void Chart::text(Point at, std::string_view text, std::string_view kind) {
  shapes_ += label(across(at.first), down(at.second), kind, text);
}

void Chart::mark(double x, std::string_view kind, std::string_view tooltip) {
  shapes_ += stroke(across(x), height_ - bottom, across(x), height_ - bottom - 8, kind, tooltip);
}

std::string Chart::grid() const {
  std::string result;
  for (const double tick : y_.ticks()) {
    result += stroke(left, down(tick), width_ - right, down(tick), "grid");
    result += label(left - 6, down(tick) + 4, "tick end", short_number(tick));
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    result += label(across(static_cast<double>(i)), height_ - bottom + 16, "tick middle", columns_[i]);
  if (columns_.empty())
    for (const double tick : x_.ticks())
      result += label(across(tick), height_ - bottom + 16, "tick middle", short_number(tick));
  result += stroke(left, height_ - bottom, width_ - right, height_ - bottom, "axis");
  result += label((left + width_ - right) / 2, height_ - 6, "title middle", x_.title);
  const double middle = (top + height_ - bottom) / 2;
  return result +
         label(12, middle, "title middle", y_.title, " transform=\"rotate(-90 12 " + fixed_number(middle, 1) + ")\"");
}

std::string Chart::svg(std::string_view description) const {
  const std::string width = fixed_number(width_, 0);
  return R"(<svg role="img" viewBox="0 0 )" + width + " " + fixed_number(height_, 0) + R"(" style="max-width:)" +
         width + R"(px" aria-label=")" + escaped(description) + "\">\n" + grid() + shapes_ + "</svg>\n";
}

}  // namespace tilewright::tuning
