/** What the demo says, a line at a time, with the seconds since its start. */
const startedAt = performance.now()

export function secondsSinceStart(): number {
  return (performance.now() - startedAt) / 1_000
}

export function print(line: string): void {
  console.log(`${secondsSinceStart().toFixed(1).padStart(6)} s  ${line}`)
}

/** Rows under a heading, columns as wide as their widest entry. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  for (const [index, row] of rows.entries()) {
    console.log(`  ${row.map((entry, column) => entry.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd())
    if (index === 0) console.log(`  ${widths.map((width) => '-'.repeat(width)).join('   ')}`)
  }
}
