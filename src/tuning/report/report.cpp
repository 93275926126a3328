#include "tuning/report/report.hpp"

#include <stdexcept>

#include "runtime/system/embedded_file.hpp"
#include "tuning/report/html.hpp"
#include "tuning/report/report_json.hpp"
#include "tuning/report/report_quantities.hpp"

namespace tilewright::tuning {
namespace {

std::string text_of(const Json& text) { return escaped(text.get<std::string>()); }

// A missing quantity is shown as a dash.
std::string quantity_text(const Json& quantity) { return quantity.is_null() ? "–" : text_of(quantity["text"]); }

std::string headline(const Json& data) {
  std::string html;
  for (const Json& fact : data["headline"])
    html += "<div><dt>" + text_of(fact["label"]) + "</dt><dd>" + text_of(fact["value"]) + "</dd><dd class=\"note\">" +
            text_of(fact["note"]) + "</dd></div>\n";
  return "<dl class=\"headline\">\n" + html + "</dl>\n";
}

std::string warnings(const Json& data) {
  std::string html;
  for (const Json& warning : data["warnings"]) html += "<p class=\"warning\">" + text_of(warning) + "</p>\n";
  return html;
}

// On a narrow screen each row becomes a card. `data-label` names the card's entries.
std::string cell(const std::string& label, const std::string& kind, const std::string& html) {
  return "<td class=\"" + kind + "\" data-label=\"" + label + "\">" + html + "</td>";
}

std::string speed(const Json& timing) { return timing.is_null() ? "–" : text_of(timing["speed"]["text"]); }

std::string choice_text(const Json& data, const Json& timing) {
  const Json& choice = data["choices"][timing["choice"].get<std::size_t>()];
  return "<b>" + text_of(choice["variant"]) + "</b> <small>" + text_of(choice["configuration"]) + "</small>";
}

std::string row(const Json& data, std::size_t index) {
  const Json& shape = data["shapes"][index];
  const std::string number = std::to_string(index + 1);
  std::string html = R"(<tr><th scope="row"><a href="#shape-)" + number + R"("><span class="rank">)" + number +
                     "</span> " + text_of(shape["name"]) + "</a></th>";
  const Json& tuned = shape["tuned"];
  html += cell("gain", "number gain", quantity_text(shape["gain"]));
  html += cell("untuned", "number", speed(shape["untuned"])) + cell("tuned", "number", speed(tuned));
  for (const Json& library : data["libraries"]) {
    std::string text = "–";
    for (const Json& reference : shape["references"])
      if (reference["library"] == library["name"]) text = speed(reference);
    html += cell(text_of(library["name"]), "number", text);
  }
  html += cell("noise", "number", tuned.is_null() ? "–" : quantity_text(tuned["variation"]));
  html += cell("tried", "number tried", std::to_string(shape["tried"].get<std::size_t>()));
  return html + cell("winner", "winner", tuned.is_null() ? text_of(shape["message"]) : choice_text(data, tuned)) +
         "</tr>\n";
}

std::string results(const Json& data) {
  if (data["shapes"].empty()) return "";
  std::string html = R"(<table class="results" style="--entries:)" +
                     std::string(data["libraries"].empty() ? "4" : "3") +
                     "\">\n<thead><tr><th scope=\"col\">shape</th><th scope=\"col\" class=\"number\">gain</th>"
                     "<th scope=\"col\" class=\"number\">untuned</th><th scope=\"col\" class=\"number\">tuned</th>";
  for (const Json& library : data["libraries"])
    html += R"(<th scope="col" class="number">)" + text_of(library["name"]) + "</th>";
  html +=
      "<th scope=\"col\" class=\"number\">noise</th><th scope=\"col\" class=\"number\">tried</th>"
      "<th scope=\"col\">winner</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < data["shapes"].size(); ++i) html += row(data, i);
  return html + "</tbody>\n</table>\n";
}

std::string origin(const Json& data) {
  const std::string date = text_of(data["date"]);
  return text_of(data["platform"]) + ", driver " + text_of(data["driver"]) + ". Tilewright " +
         text_of(data["version"]) + (date.empty() ? "" : ", <span class=\"nowrap\">" + date + "</span>") + ".";
}

std::string part(std::string_view name, const Json& data) {
  if (name == "device") return text_of(data["device"]);
  if (name == "origin") return origin(data);
  if (name == "unit") return text_of(data["unit"]);
  if (name == "headline") return headline(data);
  if (name == "warnings") return warnings(data);
  if (name == "results") return results(data);
  if (name == "data") return embeddable(data);
  for (const detail::EmbeddedFile& file : detail::embedded_report())
    if (file.path == name) return std::string(file.text);
  throw std::logic_error("the report's page names an unknown part");
}

}  // namespace

std::string html_report(const TuneReport& report) {
  const Json data = report_json(report);
  const std::string page = part("page.html", data);
  std::string html;
  std::size_t done = 0;
  // Inserted text is not scanned again, so no text of the data can name a part.
  for (std::size_t begin = page.find("{{"); begin != std::string::npos; begin = page.find("{{", done)) {
    const std::size_t end = page.find("}}", begin);
    html += page.substr(done, begin - done) + part(std::string_view(page).substr(begin + 2, end - begin - 2), data);
    done = end + 2;
  }
  return html + page.substr(done);
}

}  // namespace tilewright::tuning
