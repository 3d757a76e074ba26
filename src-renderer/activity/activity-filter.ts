/** What the trail is narrowed by, and how the calls want to be asked for it. Pure. */
import type { CallInput } from '../../src-shared/contract.ts'
import { isReference } from '../../src-shared/reference.ts'
import { ENTRY_GROUPS, type EntryGroup } from './what-groups.ts'

export type ActivityFilter = {
  readonly what: EntryGroup | ''
  readonly by: string
  /** The reference of a case, or the id that the service gave it. */
  readonly reference: string
  /** Days on this computer as `YYYY-MM-DD`, both included; empty means no end. */
  readonly since: string
  readonly until: string
}

export const NO_FILTER: ActivityFilter = { what: '', by: '', reference: '', since: '', until: '' }

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.values(filter).some((value) => value.trim() !== '')
}

/** The first instant of a day on this computer's calendar, some days later; null for what is no day. */
function startOfDay(day: string, daysLater = 0): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!match) return null
  const [year, month, date] = match.slice(1).map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + daysLater).getTime()
}

/** The input of the calls: a day that is included as last ends with the next day's first instant. */
export function auditQuery(filter: ActivityFilter, submissionId: string | null): CallInput<'audit.export'> {
  const since = startOfDay(filter.since)
  const until = startOfDay(filter.until, 1)
  const by = filter.by.trim()
  const reference = readReference(filter.reference)
  return {
    ...(filter.what !== '' && { what: [...ENTRY_GROUPS[filter.what]] }),
    ...(by !== '' && { by }),
    ...(reference !== '' && { reference }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(submissionId !== null && { submissionId }),
  }
}

/** As it is written at the service: read out over the telephone it comes in small letters and with gaps. */
function readReference(text: string): string {
  const block = text.replaceAll(/\s+/g, '')
  return isReference(block.toUpperCase()) ? block.toUpperCase() : block
}

/** The facts of an entry as one line: `review to waiting`, then the rest as names and values. */
export function detailsLine(details: Readonly<Record<string, unknown>>, labels: DetailLabels): string {
  const { from, to, why, ...rest } = details
  const isMove = typeof from === 'string' && typeof to === 'string'
  const parts = [
    ...(typeof why === 'string' ? [`${labels.why}: ${why}`] : []),
    ...(isMove ? [from === to ? labels.state(from) : labels.move(from, to)] : []),
    ...Object.entries(
      isMove ? rest : { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...rest },
    )
      .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(
        ([name, value]) => `${labels.name(name)}: ${valueText(value, (text) => labels.value(name, text))}`,
      ),
  ]
  return parts.join(' \u00b7 ')
}

export type DetailLabels = {
  readonly why: string
  readonly state: (state: string) => string
  readonly move: (from: string, to: string) => string
  readonly name: (name: string) => string
  readonly value: (name: string, value: string) => string
}

function valueText(value: unknown, translate: (text: string) => string): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, translate)).join(', ')
  return typeof value === 'string' ? translate(value) : JSON.stringify(value)
}
