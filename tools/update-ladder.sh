#!/usr/bin/env bash
# Replaces one table of docs/ladder.md by what `tilewright ladder` printed.
#   tilewright ladder --size 512 | tools/update-ladder.sh pocl
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: tilewright ladder ... | tools/update-ladder.sh NAME" >&2; exit 2; }
name=$1
page=$(cd "$(dirname "$0")/.." && pwd)/docs/ladder.md
grep -qF "<!-- ladder:$name -->" "$page" || { echo "$page has no table '$name'" >&2; exit 1; }

table=$(mktemp)
trap 'rm -f "$table" "$page.new"' EXIT
cat > "$table"
[ -s "$table" ] || { echo "nothing was piped in" >&2; exit 1; }

awk -v start="<!-- ladder:$name -->" -v table="$table" '
  $0 == start { print; print "```"; while ((getline line < table) > 0) print line; print "```"; inside = 1; next }
  inside && $0 == "<!-- end -->" { inside = 0 }
  !inside { print }
' "$page" > "$page.new"
mv "$page.new" "$page"
