/** The trail as a CSV file for people who check what was done: oldest first, for Excel and for programs. */
import { MINUTE } from '../../../src-shared/durations.ts'
import type { AuditFilter, ExportedEntry } from '../outbox/audit-store.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { csvLine } from './csv-cell.ts'

/**
 * One file holds no more lines than this, so that neither the station nor a spreadsheet chokes on it. A longer trail
 * gives its oldest lines, and the name of the file says so; the rest is asked for with `since`.
 */
export const MAX_EXPORT_LINES = 100_000
/** So many are read at once; between two pages the station does its other work. */
const PAGE_SIZE = 2_000

const COLUMNS = ['id', 'time', 'reference', 'what', 'from', 'to', 'by', 'why', 'details']
/** Without it Excel takes UTF-8 for the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff'

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** An instant as people of this computer read it, with its distance from UTC: `2026-11-20T10:00:00.000+01:00`. */
export function isoWithOffset(at: number, offsetMinutes = -new Date(at).getTimezoneOffset()): string {
  const local = new Date(at + offsetMinutes * MINUTE).toISOString().slice(0, -1)
  const distance = Math.abs(offsetMinutes)
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${padTwo(Math.floor(distance / 60))}:${padTwo(distance % 60)}`
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The cells of one line. `from` and `to` are states, or the centers of a case that was given to another one. */
export function cellsOf(entry: ExportedEntry, offsetMinutes?: number): string[] {
  const { from, to, why, ...rest } = entry.details
  return [
    String(entry.id),
    isoWithOffset(entry.at, offsetMinutes),
    formatCell(entry.reference),
    entry.what,
    formatCell(from),
    formatCell(to),
    formatCell(entry.by),
    formatCell(why),
    Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  ]
}

type AuditExport = { readonly fileName: string; readonly csv: string; readonly entries: number }

export async function exportAudit(
  outbox: Pick<Outbox, 'audit'>,
  filter: AuditFilter,
  now: number,
  maxLines = MAX_EXPORT_LINES,
): Promise<AuditExport> {
  const total = outbox.audit.count(filter)
  const lines = [BYTE_ORDER_MARK + csvLine(COLUMNS)]
  let last = 0
  while (lines.length - 1 < maxLines) {
    const page = outbox.audit.after(filter, last, Math.min(PAGE_SIZE, maxLines - (lines.length - 1)))
    if (page.length === 0) break
    lines.push(...page.map((entry) => csvLine(cellsOf(entry))))
    last = page.at(-1)?.id ?? last
    await new Promise((resolve) => setImmediate(resolve))
  }
  const entries = lines.length - 1
  const day = isoWithOffset(now).slice(0, 19).replaceAll(':', '-')
  const part = entries < total ? `_first-${entries}-of-${total}` : ''
  return { fileName: `fundus-courier-audit_${day}${part}.csv`, csv: lines.join(''), entries }
}
