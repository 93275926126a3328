#!/usr/bin/env bash
# Fails if README.md or a page of docs/ names a file of this project that does not exist: in backquotes, or in a link.
# A link with #section also needs the heading.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

missing=0
quote='`'
pages=(README.md CONTRIBUTING.md docs/*.md docs/*/*.md)
while IFS=: read -r page path; do
  path="${path//${quote}/}"
  [[ -e "${path}" ]] || {
    echo "${page} names ${path}, which does not exist" >&2
    missing=1
  }
done < <(grep -oE "${quote}(src|cl|tests|tools|include|cmake|examples)/[A-Za-z0-9_./-]+${quote}" "${pages[@]}")

# The anchors of a page, as GitHub makes them from its headings.
anchors() {
  grep -E '^#+ ' "$1" | sed -E 's/^#+ //' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}
while IFS=: read -r page link; do
  link="${link#](}"
  link="${link%)}"
  path="${link%%#*}"
  target="${page}"
  [[ -z "${path}" ]] || target="$(dirname "${page}")/${path}"
  if [[ ! -e "${target}" ]]; then
    echo "${page} links to ${link}, which does not exist" >&2
    missing=1
  elif [[ "${link}" == *'#'* ]] && ! anchors "${target}" | grep -qxF -- "${link#*#}"; then
    echo "${page} links to ${link}, which has no such heading" >&2
    missing=1
  fi
done < <(grep -oE '\]\([^):[:space:]]+\)' "${pages[@]}")
exit "${missing}"
