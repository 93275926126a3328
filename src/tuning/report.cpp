#include "tuning/report.hpp"

#include <algorithm>
#include <map>

#include "tuning/html.hpp"
#include "tuning/report_charts.hpp"

namespace tilewright::tuning {
namespace {

// Colours are told apart with every kind of colour blindness, in light and in dark.
constexpr const char* style = R"(
:root{color-scheme:light dark;--page:#fcfcfb;--text:#1a1a19;--soft:#6b6a66;--line:#d9d8d3;--grid:#ecebe7;--accent:#2a78d6;
--wash:#9ec5f4;--plain:#98968f;--bad:#d03b3b}
@media(prefers-color-scheme:dark){:root{--page:#1a1a19;--text:#f2f1ee;--soft:#a3a19a;--line:#45443f;--grid:#2c2c2a;
--accent:#3987e5;--wash:#184f95;--plain:#85837c;--bad:#e66767}}
body{margin:0 auto;padding:24px 20px 60px;max-width:960px;background:var(--page);color:var(--text);
font:15px/1.5 system-ui,sans-serif}
h1{font-size:26px;margin:0}h2{font-size:20px;margin:44px 0 8px;border-top:1px solid var(--line);padding-top:20px}
h3{font-size:16px;margin:26px 0 4px}h4{font-size:14px;margin:16px 0 0;font-weight:600}
p{margin:4px 0 10px}p,.tick,.title,.label,.key{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:8px 0}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--grid);vertical-align:top}
td{white-space:nowrap}td:last-child{white-space:normal;min-width:240px}th{color:var(--soft);font-weight:600}.number{text-align:right;font-variant-numeric:tabular-nums}
svg{display:block;width:100%;height:auto;font:11px system-ui,sans-serif}svg text{fill:var(--soft)}
svg .end{text-anchor:end}svg .middle{text-anchor:middle}svg .label{font-size:12px}
svg .grid{stroke:var(--grid)}svg .axis{stroke:var(--line)}svg polyline{fill:none;stroke-width:2;stroke-linejoin:round}
svg polyline.best{stroke:var(--accent)}svg polyline.median{stroke:var(--plain)}
svg polyline.untuned{stroke:var(--plain);stroke-dasharray:5 4}svg polyline.roof{stroke:var(--soft)}
svg circle.best{fill:var(--accent);stroke:var(--page)}svg circle.each{fill:var(--wash)}
svg circle.median,svg circle.untuned{fill:var(--page);stroke:var(--plain);stroke-width:2}
svg .fill{fill:var(--accent)}svg .failed{stroke:var(--bad);stroke-width:1.5}
.pairs{display:grid;grid-template-columns:max-content 1fr max-content;gap:2px 12px;align-items:center;font-size:13px}
.pairs .name{grid-row:span 2}.ranks{display:grid;grid-template-columns:max-content minmax(80px,260px) 48px;gap:3px 12px;
align-items:center;font-size:13px;margin:6px 0 10px}
.bar{height:10px;min-width:1px}.bar i{display:block;height:100%;min-width:1px;border-radius:0 3px 3px 0;
background:var(--accent)}.bar i.plain{background:var(--plain)}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:8px 16px}figure{margin:0}
.key b{display:inline-block;width:14px;height:3px;vertical-align:middle;margin:0 5px 0 12px;background:var(--accent)}
.key b.plain{background:var(--plain)}.key b.bad{background:var(--bad)}.key b.wash{background:var(--wash);height:6px;width:6px;
border-radius:3px}
)";

std::string gain(const ReportShape& shape) {
  if (!(shape.tuned.seconds > 0)) return "";
  return fixed_number(shape.untuned_seconds / shape.tuned.seconds, 2) + "x";
}

std::string speed(const ReportShape& shape, double seconds) { return short_number(gflops(shape.problem, seconds)); }

// With spaces, at which a line may be broken; Configuration::parse reads this too.
std::string spaced(const Configuration& configuration) {
  std::string text;
  for (const char c : to_string(configuration)) text += c == ',' ? std::string(", ") : std::string(1, c);
  return text;
}

// A pair of bars for each shape: tuned above untuned.
std::string gain_bars(const TuneReport& report) {
  double most = 0;
  for (const ReportShape& shape : report.shapes)
    most = std::max({most, gflops(shape.problem, shape.tuned.seconds), gflops(shape.problem, shape.untuned_seconds)});
  std::string result =
      "<p class=\"key\"><b></b>tuned<b class=\"plain\"></b>untuned, GFLOP/s</p>\n<div class=\"pairs\">\n";
  const auto bar = [&](const ReportShape& shape, double seconds, const char* kind) {
    const double share = most > 0 ? gflops(shape.problem, seconds) / most : 0;
    result += R"(<div class="bar"><i class=")" + std::string(kind) + R"(" style="width:)" +
              fixed_number(100 * share, 1) + R"(%"></i></div><span class="number">)" + speed(shape, seconds) +
              "</span>\n";
  };
  std::size_t number = 0;
  for (const ReportShape& shape : report.shapes) {
    result +=
        "<span class=\"name\">" + std::to_string(++number) + ": " + escaped(shape_name(shape.problem)) + "</span>";
    bar(shape, shape.tuned.seconds, "");
    bar(shape, shape.untuned_seconds, "plain");
  }
  return result + "</div>\n";
}

std::string overview(const TuneReport& report) {
  std::vector<std::vector<std::string>> rows{{"", "shape", "untuned", "tuned", "gain", "variation", "winner"}};
  for (const ReportShape& shape : report.shapes)
    rows.push_back({std::to_string(rows.size()), shape_name(shape.problem), speed(shape, shape.untuned_seconds),
                    speed(shape, shape.tuned.seconds), gain(shape), fixed_number(100 * shape.tuned.variation, 1) + "%",
                    shape.tuned.variant + " " + spaced(shape.tuned.configuration)});
  return "<h2>Tuned against untuned</h2>\n" + gain_bars(report) + html_table(rows);
}

std::string roofline(const TuneReport& report) {
  std::string text = "Filled: tuned; hollow: untuned; the numbers are those of the table above.";
  if (report.bandwidth_gbytes > 0)
    text += " Measured bandwidth: " + short_number(report.bandwidth_gbytes) + " GB/s.";
  else
    text += " The device's bandwidth was not measured.";
  if (report.peak_gflops_f32 <= 0 && report.peak_gflops_f64 <= 0) text += " Its peak speed was not measured.";
  return "<h2>Roofline</h2>\n" + element("p", text) + roofline_chart(report);
}

std::string outcomes(const ReportShape& shape) {
  std::map<std::string, std::size_t> counts;
  for (const ReportEvaluation& evaluation : shape.evaluations) ++counts[evaluation.status];
  std::string text = std::to_string(shape.evaluations.size()) + " evaluations";
  for (const auto& [status, count] : counts) text += ", " + status + ": " + std::to_string(count);
  return element("p", text + ".");
}

std::string fastest_configurations(const ReportShape& shape) {
  constexpr std::size_t rows_shown = 10;
  std::vector<const ReportEvaluation*> timed;
  for (const ReportEvaluation& evaluation : shape.evaluations)
    if (was_timed(evaluation)) timed.push_back(&evaluation);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto* left, const auto* right) { return left->seconds < right->seconds; });
  timed.resize(std::min(timed.size(), rows_shown));
  std::vector<std::vector<std::string>> rows{{"GFLOP/s", "microseconds", "variant", "configuration"}};
  for (const auto* evaluation : timed)
    rows.push_back({speed(shape, evaluation->seconds), short_number(1e6 * evaluation->seconds), evaluation->variant,
                    spaced(evaluation->configuration)});
  return element("h3", "Fastest configurations") + html_table(rows);
}

std::string section(const ReportShape& shape, std::size_t number) {
  std::string result = element("h2", std::to_string(number) + ": " + shape_name(shape.problem)) + outcomes(shape);
  if (shape.evaluations.empty()) return result;
  result += element("h3", "Progress") +
            "<p class=\"key\"><b></b>best so far<b class=\"wash\"></b>each configuration"
            "<b class=\"plain\"></b>untuned<b class=\"bad\"></b>failed</p>\n" +
            progress_chart(shape) + fastest_configurations(shape) + element("h3", "Distribution of speeds") +
            speed_histograms(shape);
  if (const std::string charts = influence_charts(shape); !charts.empty())
    result += element("h3", "Influence of the parameters") +
              element("p",
                      "Bars: share of the variance of the logarithm of the time that a parameter explains by "
                      "itself, among the configurations that were tried.") +
              "<p class=\"key\"><b></b>best<b class=\"plain\"></b>median</p>\n" + charts;
  return result;
}

}  // namespace

bool was_timed(const ReportEvaluation& evaluation) {
  return (evaluation.status == "ok" || evaluation.status == "slow") && evaluation.seconds > 0;
}

std::string html_report(const TuneReport& report) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n" +
      element("title", "Tuning " + report.device) + "<style>" + style + "</style>\n</head>\n<body>\n" +
      element("h1", report.device) +
      element("p", report.platform + ", driver " + report.driver + ". Tilewright " + report.library_version + ", " +
                       report.date + ".") +
      overview(report) + roofline(report);
  std::size_t number = 0;
  for (const ReportShape& shape : report.shapes) page += section(shape, ++number);
  return page + "</body>\n</html>\n";
}

}  // namespace tilewright::tuning
