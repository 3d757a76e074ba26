/** Headings of data files and what they hold, as rows of a form. Pure. */
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { fieldLabel } from '../words/field-label.ts'

import { t } from '../words/t.ts'
export type ColumnRow = {
  /** Ours, for telling rows apart while they are edited. */
  readonly key: string
  readonly heading: string
  readonly holds: string
}

/** What a heading may hold beside the fields; `nothing` is none of them, so that the heading is left alone. */
const EXTRA = ['birth_date', 'eye', 'file'] as const
const IGNORED_COLUMN = 'nothing'

export function columnChoices(holds: string): readonly { readonly value: string; readonly label: string }[] {
  const choices = [
    ...FIELD_NAMES.map((name) => ({ value: name as string, label: fieldLabel(name) })),
    ...EXTRA.map((name) => ({ value: name as string, label: t(`settings:columns.extra.${name}`) })),
    { value: IGNORED_COLUMN, label: t('settings:columns.nothing') },
  ]
  return choices.some(({ value }) => value === holds) ? choices : [...choices, { value: holds, label: holds }]
}

export function columnRowsOf(columns: Readonly<Record<string, string>>): readonly ColumnRow[] {
  return Object.entries(columns).map(([heading, holds], index) => ({ key: `set-${index}`, heading, holds }))
}

/** The row with this heading says something that another row says, too, or nothing. */
export function isHeadingWrong(rows: readonly ColumnRow[], row: ColumnRow): boolean {
  const heading = comparable(row.heading)
  return (
    heading === '' || rows.some((other) => other.key !== row.key && comparable(other.heading) === heading)
  )
}

/** The columns behind the rows, or null where a heading is missing or stands twice. */
export function readColumnRows(rows: readonly ColumnRow[]): Record<string, string> | null {
  if (rows.some((row) => isHeadingWrong(rows, row))) return null
  return Object.fromEntries(rows.map(({ heading, holds }) => [heading.trim(), holds]))
}

function comparable(heading: string): string {
  return heading.trim().normalize('NFC').toLowerCase()
}
