#!/usr/bin/env bash
# Fails if README.md or a page of docs/ names a file of this project, in backquotes, that does not exist.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

missing=0
quote='`'
while IFS=: read -r page path; do
  path="${path//${quote}/}"
  [[ -e "${path}" ]] || {
    echo "${page} names ${path}, which does not exist" >&2
    missing=1
  }
done < <(grep -oE "${quote}(src|cl|tests|tools|include|cmake|examples)/[A-Za-z0-9_./-]+${quote}" README.md docs/*.md docs/*/*.md)
exit "${missing}"
