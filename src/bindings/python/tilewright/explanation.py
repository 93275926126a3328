"""Explanations that notebooks show as tables."""

import html


def configuration_text(configuration):
    return ", ".join(f"{name}={value}" for name, value in configuration.items())


def row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"


class Explanation(dict):
    """Which kernel runs and why. A dictionary, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        """Return the explanation as HTML."""
        if not self:
            return "<p>The result has no elements, so no kernel runs.</p>"
        text = html.escape
        choice = f"{text(self['variant'])} {text(configuration_text(self['configuration']))}".strip()
        lines = [f"<p><b>{text(self['problem'])}</b>: {choice}<br>{text(self['reason'])}</p>"]
        if self["candidates"]:
            heading = row(("variant", "configuration", "supported", "reason"), "th")
            lines.append(f"<table><thead>{heading}</thead><tbody>")
            for one in self["candidates"]:
                supported = "yes" if one["supported"] else "no"
                cells = (one["variant"], configuration_text(one["configuration"]), supported, one["reason"])
                lines.append(row(cells))
            lines.append("</tbody></table>")
        for part in self["parts"]:
            lines.append(f"<details open><summary>part</summary>{Explanation(part)._repr_html_()}</details>")
        return "\n".join(lines)
