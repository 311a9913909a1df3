#!/bin/sh
# Sums up a table file: summary.sh FILE [SEPARATOR]
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: summary.sh FILE [SEPARATOR]" >&2
  exit 2
fi
if [ ! -f "$1" ] || [ ! -r "$1" ]; then
  echo "summary.sh: $1 is not a file that can be read; give the path of a CSV file" >&2
  exit 1
fi

LC_ALL=C awk -v given="${2:-}" '
  # Splits a line into `cell`, honouring double quotes; gives how many there are.
  function split_line(line,    count, inside, at, sign, value) {
    count = 0; inside = 0; value = ""
    for (at = 1; at <= length(line); at++) {
      sign = substr(line, at, 1)
      if (sign == "\"") {
        if (inside && substr(line, at + 1, 1) == "\"") { value = value "\""; at++ }
        else inside = !inside
      } else if (sign == separator && !inside) { cell[++count] = value; value = "" }
      else value = value sign
    }
    cell[++count] = value
    return count
  }
  function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
  function find_separator(line,    best, most, index_, sign, copy, found) {
    best = ","; most = 0
    for (index_ = 1; index_ <= 4; index_++) {
      sign = substr(",;\t|", index_, 1)
      copy = line
      found = gsub(sign == "|" ? "[|]" : sign, "", copy)
      if (found > most) { most = found; best = sign }
    }
    return best
  }
  { sub(/\r$/, "") }
  NR == 1 { sub(/^\357\273\277/, "") }
  $0 == "" { next }
  columns == 0 {
    separator = given == "" ? find_separator($0) : (given == "\\t" ? "\t" : substr(given, 1, 1))
    columns = split_line($0)
    for (i = 1; i <= columns; i++) name[i] = trim(cell[i]) == "" ? "(no name)" : trim(cell[i])
    next
  }
  {
    rows++
    found = split_line($0)
    if (found != columns) { odd++; if (odd <= 20) odd_lines = odd_lines " " NR "(" found ")" }
    for (i = 1; i <= columns && i <= found; i++) {
      value = trim(cell[i])
      if (value == "" || tolower(value) ~ /^(na|n\/a|null|nan)$/) { empty[i]++; continue }
      filled[i]++
      if (distinct[i] < 10000 && !((i, value) in seen)) { seen[i, value] = 1; distinct[i]++ }
      if (value ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/) {
        number = value + 0
        if (numbers[i] == 0 || number < least[i]) least[i] = number
        if (numbers[i] == 0 || number > most_[i]) most_[i] = number
        numbers[i]++; sum[i] += number
      }
      size = length(value)
      if (filled[i] == 1 || size < shortest[i]) shortest[i] = size
      if (size > longest[i]) longest[i] = size
      sizes[i] += size
    }
  }
  END {
    if (columns == 0) { print "the file is empty"; exit }
    printf "%d rows, %d columns, parted by %s\n", rows, columns, (separator == "\t" ? "tab" : "\"" separator "\"")
    for (i = 1; i <= columns; i++) {
      many = distinct[i] >= 10000 ? "10000+" : distinct[i] + 0
      printf "%d. %s: ", i, name[i]
      if (filled[i] == 0) { printf "empty in all rows\n"; continue }
      if (numbers[i] == filled[i])
        printf "number, empty %d, distinct %s, least %s, most %s, mean %.6g\n", empty[i], many, least[i], most_[i], sum[i] / numbers[i]
      else
        printf "text, empty %d, distinct %s, length %d to %d, mean %.3g\n", empty[i], many, shortest[i], longest[i], sizes[i] / filled[i]
    }
    if (odd > 0) printf "%d rows have another number of columns, as line(columns):%s%s\n", odd, odd_lines, (odd > 20 ? " ..." : "")
  }
' "$1"
