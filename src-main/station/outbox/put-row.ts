import type { ManifestRow } from './manifest.ts'
import type { WriteThrough } from './write-through.ts'

/** Writes a row by those columns that this database has; one with the same key is brought to what is given. */
export function upsertRow(
  store: WriteThrough,
  table: 'submissions' | 'images' | 'image_copies' | 'attempts',
  key: readonly string[],
  row: ManifestRow,
): void {
  const has = new Set(
    store.sql
      .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name),
  )
  const columns = Object.keys(row).filter((name) => has.has(name))
  const changes = columns.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
  const values = columns.map((name) => `@${name}`)
  store.sql
    .prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})
       ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`,
    )
    .run(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
}
