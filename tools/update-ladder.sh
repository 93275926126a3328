#!/usr/bin/env bash
# Keeps what `tilewright ladder` printed in docs/results/ladder-NAME.txt, and writes its table in docs/ladder.md.
#   for size in 512 2048; do tilewright ladder --size $size; done | tools/update-ladder.sh pocl
#   tools/update-ladder.sh --check     changes nothing, fails if a table is not the one of its file
set -euo pipefail

[[ $# -eq 1 ]] || { echo "usage: tilewright ladder ... | tools/update-ladder.sh NAME, or --check" >&2; exit 2; }
docs=$(cd "$(dirname "$0")/.." && pwd)/docs
page=$docs/ladder.md
updated=$(mktemp)
trap 'rm -f "$updated"' EXIT

# Prints the table of one file. Rows of one variant differ by parameters; a row is named after those that differ from
# the variant's first row in every product.
table() {
  awk '
    # Whether key=value of configuration `of` differs in `from`.
    function differs(pair, from) { return index("," from ",", "," pair ",") == 0 }

    /^C = A B, / {
      split($0, part, /, /)
      split(part[2], word, " ")  # M x N x K TYPE TRANSPOSES
      size = word[1] == word[3] && word[3] == word[5] ? word[1] : word[1] " x " word[3] " x " word[5]
      products += 1
      product[products] = size " " word[6] (word[7] == "NN" ? "" : " " word[7])
      delete seen
      next
    }
    /^device / || /^variant / || NF == 0 { next }
    {
      split($0, column, /  +/)
      name = column[1]
      seen[name] += 1
      row = name SUBSEP seen[name]
      if (!(row in known)) { known[row] = 1; rows += 1; order[rows] = row }
      skipped = $2 == "-"
      if (skipped) cell[row, products] = "-"
      else if (column[7] != "yes") cell[row, products] = "wrong"
      else cell[row, products] = column[3] " (" column[4] ")"
      if (skipped || column[8] == "") next
      first = configuration[name, products]
      if (first == "") { configuration[name, products] = column[8]; next }
      count = split(column[8], pair, ",")
      kept = ""
      for (i = 1; i <= count; ++i)
        if (differs(pair[i], first) && (!(row in label) || index("," label[row] ",", "," pair[i] ",")))
          kept = kept (kept == "" ? "" : ",") pair[i]
      label[row] = kept
    }
    END {
      line = "| variant |"; rule = "|---|"
      for (p = 1; p <= products; ++p) { line = line " " product[p] " |"; rule = rule "--:|" }
      print line; print rule
      for (r = 1; r <= rows; ++r) {
        split(order[r], part, SUBSEP)
        line = "| `" part[1] (label[order[r]] == "" ? "" : "," label[order[r]]) "` |"
        for (p = 1; p <= products; ++p) line = line " " cell[order[r], p] " |"
        print line
      }
    }' "$1"
}

# Writes the page with the tables of all files to $updated.
update() {
  local name line inside=no
  while IFS= read -r line; do
    if [[ "$line" =~ ^'<!-- ladder:'(.+)' -->'$ ]]; then
      name=${BASH_REMATCH[1]}
      echo "$line"
      table "$docs/results/ladder-$name.txt"
      inside=yes
    elif [[ "$inside" == no || "$line" == "<!-- end -->" ]]; then
      echo "$line"
      inside=no
    fi
  done <"$page" >"$updated"
}

if [[ "$1" == --check ]]; then
  update
  diff -u "$page" "$updated" || { echo "docs/ladder.md is out of date; run tools/update-ladder.sh" >&2; exit 1; }
else
  grep -qF "<!-- ladder:$1 -->" "$page" || { echo "$page has no table '$1'" >&2; exit 1; }
  cat >"$updated"
  [[ -s "$updated" ]] || { echo "nothing was piped in" >&2; exit 1; }
  cat "$updated" >"$docs/results/ladder-$1.txt"
  update
  cat "$updated" >"$page"
fi
