#!/usr/bin/env bash
# Replaces the table NAME in docs/ladder.md by the output of `tilewright ladder` on standard input.
#
# Usage: tilewright ladder ... | tools/update-ladder.sh NAME
#   tilewright ladder --size 512 | tools/update-ladder.sh pocl
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: tilewright ladder ... | tools/update-ladder.sh NAME" >&2; exit 2; }
name=$1
page=$(cd "$(dirname "$0")/.." && pwd)/docs/ladder.md
grep -qF "<!-- ladder:$name -->" "$page" ||
  { echo "$page has no table '$name'; expected a line <!-- ladder:$name -->" >&2; exit 1; }

table=$(mktemp)
trap 'rm -f "$table" "$page.new"' EXIT
cat > "$table"
[ -s "$table" ] ||
  { echo "standard input is empty; pipe the output of 'tilewright ladder' into this script" >&2; exit 1; }

awk -v start="<!-- ladder:$name -->" -v table="$table" '
  $0 == start { print; print "```"; while ((getline line < table) > 0) print line; print "```"; inside = 1; next }
  inside && $0 == "<!-- end -->" { inside = 0 }
  !inside { print }
' "$page" > "$page.new"
mv "$page.new" "$page"
