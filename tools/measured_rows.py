"""Rows of docs/results/ladder.csv and operations.csv: from the command's JSON, and as tables. For update-results.py."""

import dataclasses
import json
import pathlib
import sys

# Where a figure comes from: columns of every CSV file of docs/results/.
ORIGIN = ["device", "driver", "commit", "command"]

OTHERS = ["openblas", "clblast", "openmp"]
TITLES = {"openblas": "OpenBLAS", "clblast": "CLBlast", "openmp": "OpenMP"}


def three(value):
    """Formats a number with three significant digits, without an exponent."""
    text = f"{value:.3g}"
    return text if "e" not in text else f"{float(text):.0f}" if value >= 1 else f"{float(text):.8f}".rstrip("0")


def driver_of(line):
    """Returns the driver of a line of JSON. Drivers other than NVIDIA's need the platform's name."""
    if line["platform"] == "NVIDIA CUDA":
        return line["driver"]
    return {"Portable Computing Language": "PoCL"}.get(line["platform"], line["platform"]) + " " + line["driver"]


def name_of(line):
    """Returns the name of a measured call of an operation, and its size."""
    operation = line["operation"]
    if operation == "vector":
        return line["name"], str(line["n"])
    if operation == "gemv":
        return "gemv " + line["trans"], f"{line['m']} x {line['n']}"
    if operation == "spmm":
        kind = pathlib.Path(line["file"]).stem
        return "spmm " + kind, f"{line['m']} x {line['k']}, {line['nonzeros']} entries, n {line['n']}"
    sys.exit(f"the operation is '{operation}'; expected vector, gemv or spmm")


def operations_rows(lines):
    for line in lines:
        if not line["verified"]:
            sys.exit(f"the result is not verified; only verified results are added: {json.dumps(line)}")
        call, size = name_of(line)
        row = dict.fromkeys(OPERATIONS.columns, "")
        row.update(call=call, type=line["type"], size=size, seconds=f"{line['seconds']:.4g}")
        row["gigabytes_per_second"] = three(line["gigabytes_per_second"])
        if "of_copy_speed" in line:
            row["of_copy"] = f"{line['of_copy_speed']:.2f}"
        for name, other in line.get("against", {}).items():
            row[name] = f"{other['ratio']:.2f}"
        if line.get("openmp_seconds"):
            row["openmp"] = f"{line['openmp_seconds'] / line['seconds']:.2f}"
        yield row


def time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            break
    return f"{three(seconds / size)} {unit}"


def operations_table(rows):
    """A table for each device."""
    lines = []
    for device, driver in dict.fromkeys((row["device"], row["driver"]) for row in rows):
        mine = [row for row in rows if (row["device"], row["driver"]) == (device, driver)]
        others = [name for name in OTHERS if any(row[name] for row in mine)]
        titles = ["call", "type", "size", "time", "GB/s", "of copy"] + ["x " + TITLES[name] for name in others]
        lines += [f"On {device}, {'driver ' * driver[0].isdigit()}{driver}:", "", "| " + " | ".join(titles) + " |",
                  "|---|---|---|" + "--:|" * (len(titles) - 3)]
        for row in mine:
            cells = [f"`{row['call']}`", row["type"], row["size"], time(float(row["seconds"])),
                     row["gigabytes_per_second"], row["of_copy"]] + [row[name] for name in others]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def ladder_rows(lines):
    """A row for each variant and strategy, and one for each other library."""
    sides = [lines[0][name] for name in ("m", "n", "k")]
    common = {"size": str(sides[0]) if len(set(sides)) == 1 else " x ".join(map(str, sides)), "type": lines[0]["type"],
              "trans": lines[0]["trans"]}
    measured = [line for line in lines if line["seconds"] is not None]
    naive = next((line["seconds"] for line in measured if line["variant"] == "naive"), None)

    def row_of(variant, **cells):
        return {**dict.fromkeys(LADDER.columns, ""), **common, "variant": variant, **cells}

    def speed(seconds, gflops):
        return {"seconds": f"{seconds:.3g}", "gflops": f"{gflops:.0f}" if gflops >= 100 else three(gflops),
                "of_naive": three(naive / seconds) if naive else ""}

    for line in lines:
        if line["seconds"] is None:
            yield row_of(line["variant"], configuration=line["configuration"], note=line["note"].split("\n")[0])
            continue
        error = "" if line["error_over_bound"] is None else f"{line['error_over_bound']:.2g}"
        yield row_of(line["variant"], configuration=line["configuration"], **speed(line["seconds"], line["gflops"]),
                     first_call_seconds=f"{line['first_call_seconds']:.3g}", error_over_bound=error,
                     verified="yes" if line["verified"] else "no")
    for name, other in measured[0]["against"].items() if measured else []:
        operations = measured[0]["gflops"] * measured[0]["seconds"]
        yield row_of(name, **speed(other["seconds"], operations / other["seconds"]))


def ladder_table(rows):
    """A row for each variant, a column for each product. A strategy is named by the parameters that set it apart."""
    products, cells, different, first = {}, {}, {}, {}
    for row in rows:
        product = f"{row['size']} {row['type']}" + (f" {row['trans']}" if row["trans"] != "NN" else "")
        count = products.setdefault(product, {})
        count[row["variant"]] = count.get(row["variant"], 0) + 1
        key = (row["variant"], count[row["variant"]])
        figure = f"{row['gflops']} ({row['of_naive']})" if row["of_naive"] else row["gflops"]
        cells.setdefault(key, {})[product] = "wrong" if row["verified"] == "no" else figure or "-"
        if row["gflops"] and row["configuration"]:
            pairs = row["configuration"].split(",")
            own = [pair for pair in pairs if pair not in first.setdefault((row["variant"], product), pairs)]
            different[key] = [pair for pair in different.get(key, own) if pair in own]
    lines = ["| variant | " + " | ".join(products) + " |", "|---|" + "--:|" * len(products)]
    for key, figures in cells.items():
        name = ",".join([key[0]] + different.get(key, []))
        lines.append(f"| `{name}` | " + " | ".join(figures.get(product, "-") for product in products) + " |")
    return "\n".join(lines) + "\n"


@dataclasses.dataclass
class Kind:
    """A CSV file that the command's JSON is added to. Rows with the same `key` are replaced together."""

    file: str
    key: list
    figures: list
    rows_of: object  # from lines of JSON

    @property
    def columns(self):
        return list(dict.fromkeys(ORIGIN + self.key + self.figures))


LADDER = Kind("ladder.csv", ["device", "size", "type", "trans"],
              ["variant", "seconds", "gflops", "of_naive", "first_call_seconds", "error_over_bound", "verified",
               "configuration", "note"], ladder_rows)
OPERATIONS = Kind("operations.csv", ["device", "call", "type", "size"],
                  ["seconds", "gigabytes_per_second", "of_copy"] + OTHERS, operations_rows)
