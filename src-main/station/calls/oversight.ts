/** Oversight of the station's own work: alarms, overdue cases, raw answers, the audit trail, and its CSV files. */
import type { AuditEntry, NamedEntry } from '../../../src-shared/alarms.ts'
import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { eachSlice } from '../lib/schedule.ts'
import type { AuditFilter } from '../outbox/oversight.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { StoredSubmission } from '../outbox/submissions.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import { stampAt } from './decisions.ts'

export function oversightCalls(parts: StationParts) {
  const { outbox, ports } = parts
  return {
    'station.settleAlarm': ({ id, by, why }) => {
      // Having seen it is not enough: the service does not know.
      if (outbox.openAlarms().some((one) => one.id === id && one.kind === 'sentWrongly'))
        return Promise.resolve(refuse('notAllowed', 'call:callFirst'))
      const isSettled = outbox.settleAlarm(id, { by: by ?? null, why: why ?? null, at: ports.clock.now() })
      if (!isSettled) return Promise.resolve(fail(failureOf('notFound')))
      parts.emitStatus()
      return Promise.resolve(succeed(parts.status()))
    },
    'submissions.export': (input) => exportSubmissions(outbox, input, ports.clock.now()),
    'submissions.ageing': ({ limit }) => {
      const now = ports.clock.now()
      const all = listOverdue(outbox.overdueRows(overdueLimits(now), MAX_OVERDUE), now)
      return Promise.resolve(succeed({ items: all.slice(0, limit), count: all.length }))
    },
    'submissions.answer': ({ attemptId }) =>
      Promise.resolve(
        outbox.attemptRow(attemptId) === undefined
          ? fail(failureOf('notFound'))
          : succeed({ answer: outbox.answerOf(attemptId) }),
      ),
    'audit.list': (query) => Promise.resolve(succeed({ items: named(outbox, outbox.listAudit(query)) })),
    'audit.export': async (filter) => succeed(await exportAudit(outbox, filter, ports.clock.now())),
  } satisfies Partial<CallHandlers>
}

/**
 * Spreadsheets must never compute a cell of our CSV files (RFC 4180): they take a cell that begins with one of these for
 * a formula, even after white space, quotes or invisible characters, and in full-width and small forms.
 */
const STARTS_FORMULA = /^[\s"'\p{Z}\p{C}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]/u

/** Some versions treat these as the start of a formula; others strip them before looking at the rest. */
const STARTS_WITH_CONTROL = /^[\s"'\p{Z}\p{C}]*?[\t\r\n]/u

/** Programs set to another separator, or that ignore quotes when splitting lines, begin a cell here. */
const FORMULA_AFTER_SEPARATOR =
  /(\r\n|[;|\t\r\n])(?=[\s"'\p{Z}\p{C}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b])/gu

/** Puts an apostrophe wherever a formula could begin. */
export function escapeFormula(text: string): string {
  const guarded = text.replace(FORMULA_AFTER_SEPARATOR, "$1'")
  return STARTS_FORMULA.test(guarded) || STARTS_WITH_CONTROL.test(guarded) ? `'${guarded}` : guarded
}

/** One line including its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Always quoted, so that no program has to guess the end of a cell. */
function csvCell(text: string): string {
  return `"${escapeFormula(text).replaceAll('"', '""')}"`
}

/** What may be an id of an image or a submission. */
function idsOf({ submissionId, details }: AuditEntry): string[] {
  return [submissionId, ...Object.values(details)].flat().filter((value) => typeof value === 'string')
}

function named(outbox: Outbox, entries: readonly AuditEntry[]): NamedEntry[] {
  const names = outbox.namesOfIds(entries.flatMap(idsOf))
  const namesIn = (entry: AuditEntry) =>
    Object.fromEntries(
      idsOf(entry).flatMap((id) => {
        const name = names.get(id)
        return name === undefined ? [] : [[id, name]]
      }),
    )
  return entries.map((entry) => ({ ...entry, names: namesIn(entry) }))
}

/** Bounds memory, here and in a spreadsheet. A longer trail loses its oldest lines and says so; `since` gets them. */
const MAX_EXPORT_LINES = 100_000

/** Lines read at once; the station does other work between two pages. */
const PAGE_SIZE = 2_000

/** Without it, Excel reads UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff'

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** An instant in local time with its offset from UTC: `2026-11-20T10:00:00.000+01:00`. */
export function isoWithOffset(at: number, offsetMinutes = -new Date(at).getTimezoneOffset()): string {
  const local = new Date(at + offsetMinutes * MINUTE).toISOString().slice(0, -1)
  const distance = Math.abs(offsetMinutes)
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${padTwo(Math.floor(distance / 60))}:${padTwo(distance % 60)}`
}

type AuditExport = { readonly fileName: string; readonly csv: string; readonly entries: number }

export async function exportAudit(
  outbox: Outbox,
  filter: AuditFilter,
  now: number,
  maxLines = MAX_EXPORT_LINES,
): Promise<AuditExport> {
  const total = outbox.countAudit(filter)
  const lines = [headLine(AUDIT_COLUMNS)]
  let last = 0
  while (lines.length - 1 < maxLines) {
    const page = outbox.auditAfter(filter, last, Math.min(PAGE_SIZE, maxLines - (lines.length - 1)))
    if (page.length === 0) break
    lines.push(...page.map((entry) => csvLine(cellsOf(AUDIT_COLUMNS, entry))))
    last = page.at(-1)?.id ?? last
    await new Promise((resolve) => setImmediate(resolve))
  }
  const entries = lines.length - 1
  const part = entries < total ? `_first-${entries}-of-${total}` : ''
  return { fileName: `fundus-courier-audit_${fileStamp(now)}${part}.csv`, csv: lines.join(''), entries }
}

/** A column: its heading, and its cell of one row. */
type Columns<Row> = readonly (readonly [heading: string, cell: (row: Row) => unknown])[]

/** `from` and `to` are states, or centers if the case was moved. */
const AUDIT_COLUMNS: Columns<AuditEntry> = [
  ['id', ({ id }) => String(id)],
  ['time', ({ at }) => isoWithOffset(at)],
  ['reference', ({ reference }) => reference],
  ['what', ({ what }) => what],
  ['from', ({ details }) => details['from']],
  ['to', ({ details }) => details['to']],
  ['by', ({ by }) => by],
  ['why', ({ details }) => details['why']],
  [
    'details',
    ({ details: { from: _from, to: _to, why: _why, ...rest } }) =>
      Object.keys(rest).length === 0 ? '' : rest,
  ],
]

function headLine<Row>(columns: Columns<Row>): string {
  return BYTE_ORDER_MARK + csvLine(columns.map(([heading]) => heading))
}

function cellsOf<Row>(columns: Columns<Row>, row: Row): string[] {
  return columns.map(([, cell]) => formatCell(cell(row)))
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const SUBMISSION_COLUMNS: Columns<StoredSubmission> = [
  ['reference', ({ reference }) => reference],
  ['state', ({ state }) => state],
  ['history_number', ({ fields }) => fields.history_number],
  ['last_name', ({ fields }) => fields.last_name],
  ['first_name', ({ fields }) => fields.first_name],
  ['visit_date', ({ fields }) => fields.visit_date],
  ['images_od', (submission) => countImages(submission, 'right')],
  ['images_os', (submission) => countImages(submission, 'left')],
  ['images_without_eye', (submission) => countImages(submission, 'unknown')],
  ['attempts', ({ attempts }) => attempts],
  ['center', ({ centerId }) => centerId],
  ['case_id', ({ caseId }) => caseId],
  ['added', ({ addedAt }) => formatInstant(addedAt)],
  ['sent', ({ sentAt }) => formatInstant(sentAt)],
  ['confirmed', ({ confirmedAt }) => formatInstant(confirmedAt)],
  ['reason', formatReasons],
]

function formatInstant(at: number | null): string {
  return at === null ? '' : isoWithOffset(at)
}

/** For the name of a file: `2026-11-20T10-00-00`. */
function fileStamp(now: number): string {
  return isoWithOffset(now).slice(0, 19).replaceAll(':', '-')
}

function countImages({ images }: StoredSubmission, eye: Eye): number {
  return images.filter(
    (image) => image.eye === eye && image.excludedBecause === null && image.twinOf === null,
  ).length
}

/** The cells of one case. Pure. */
export function submissionCells(submission: StoredSubmission): string[] {
  return cellsOf(SUBMISSION_COLUMNS, submission)
}

/** Why the case is not sent, in the sentences of the screens: the service's answer, or what a person has to complete. */
function formatReasons({ failure, reasons }: StoredSubmission): string {
  const failureText = failure?.serviceSaid ?? failure?.message
  return [failureText, ...reasons.map(({ message }) => message)].filter(Boolean).join(' ')
}

/** Names leave the station with this file, so first the trail of each case records the export and who made it. */
export async function exportSubmissions(
  outbox: Outbox,
  input: ParsedInput<'submissions.export'>,
  now: number,
): Promise<Result<CallOutput<'submissions.export'>>> {
  const { at, by = null, details } = stampAt(input, now)
  const lines = [headLine(SUBMISSION_COLUMNS)]
  const exportRow = (id: string): string[] => {
    const submission = outbox.submissionOf(id)
    if (!submission) return []
    outbox.appendAudit({ at, submissionId: id, what: 'exported', by, details })
    return [csvLine(submissionCells(submission))]
  }
  await eachSlice([...new Set(input.ids)], (slice) => {
    lines.push(...outbox.write(() => slice.flatMap(exportRow)))
  })
  if (lines.length === 1) return fail(failureOf('notFound'))
  return succeed({ fileName: `fundus-courier-cases_${fileStamp(now)}.csv`, csv: lines.join('') })
}
