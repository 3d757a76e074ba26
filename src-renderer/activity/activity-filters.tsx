/** Filters of the audit trail, and the pages read with them. */
import { NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { AuditEntry, CallInput } from '../../src-shared/contract.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { isReference } from '../../src-shared/reference.ts'
import { ClearFilters } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { useSession, useStation } from '../store/use-station.ts'

export const ENTRY_GROUPS = {
  decisions: [
    'edited',
    'approved',
    'retriedRefused',
    'held',
    'releasedToReview',
    'releasedToSend',
    'prioritised',
    'discarded',
    'restoredToReview',
    'restoredToUnconfirmed',
    'cancelled',
    'movedToCenter',
    'merged',
    'split',
    'imagesMoved',
    'exported',
    'alarmSettled',
  ],
  delivery: [
    'claimed',
    'deliveredNow',
    'stayedUnsent',
    'wasRefused',
    'becameUnknown',
    'foundDelivered',
    'provenAbsent',
    'postponed',
    'confirmed',
    'cancelled',
    'wasRestored',
    'foundAtService',
    'insistenceNeeded',
  ],
  discards: ['discarded', 'restoredToReview', 'restoredToUnconfirmed'],
  centers: ['movedToCenter'],
  alarms: ['alarmRaised', 'alarmSettled'],
  station: ['settingsChanged', 'existingDecided', 'paused', 'resumed', 'startedNormally', 'namesRuleRead'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Is this entry an act of a person? It may have no initials and is still not the station's. */
export function isPersonEntry(what: string): boolean {
  const { decisions, station } = ENTRY_GROUPS
  return [...decisions, ...station].some((one) => one === what)
}

export type EntryGroup = keyof typeof ENTRY_GROUPS

type ActivityFilter = {
  readonly what: EntryGroup | ''
  readonly by: string
  /** The reference of a case, or the id assigned by the service. */
  readonly reference: string
  /** Local dates as `YYYY-MM-DD`, both inclusive; empty means unlimited. */
  readonly since: string
  readonly until: string
}

export const NO_FILTER: ActivityFilter = { what: '', by: '', reference: '', since: '', until: '' }

export function isFiltered(filter: ActivityFilter): boolean {
  return Object.values(filter).some((value) => value.trim() !== '')
}

/** Midnight at the start of a local date, plus some days; null for an invalid date. */
function startOfDay(day: string, daysLater = 0): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!match) return null
  const [year, month, date] = match.slice(1).map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + daysLater).getTime()
}

/** The input of the calls; since `until` is exclusive, the last day ends with the next midnight. */
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

/** Normalizes a reference: dictated over the telephone, it arrives in lower case and with spaces. */
function readReference(text: string): string {
  const block = text.replaceAll(/\s+/g, '')
  return isReference(block.toUpperCase()) ? block.toUpperCase() : block
}

/** The details of an entry as one line: `review to waiting`, then the rest as names and values. */
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

const GROUPS = Object.keys(ENTRY_GROUPS) as EntryGroup[]

type ActivityFiltersProps = {
  readonly filter: ActivityFilter
  readonly hasReference: boolean
  readonly onChange: (filter: ActivityFilter) => void
}

export function ActivityFilters({ filter, hasReference, onChange }: ActivityFiltersProps) {
  return (
    <div className={listing.filters} role="group" aria-label={t('activity:filters')}>
      <NativeSelect
        label={t('activity:what')}
        w={220}
        value={filter.what}
        data={[
          { value: '', label: t('activity:everything') },
          ...GROUPS.map((group) => ({ value: group, label: t(`activity:whatGroups.${group}`) })),
        ]}
        onChange={(event) => {
          const group = GROUPS.find((group) => group === event.currentTarget.value) ?? ''
          onChange({ ...filter, what: group })
        }}
      />
      <TextInput
        label={t('activity:who')}
        placeholder={t('activity:whoHint')}
        w={120}
        maxLength={40}
        autoComplete="off"
        value={filter.by}
        onChange={(event) => onChange({ ...filter, by: event.currentTarget.value })}
      />
      {hasReference && (
        <TextInput
          label={t('activity:reference')}
          placeholder={t('activity:referenceHint')}
          w={190}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          value={filter.reference}
          onChange={(event) => onChange({ ...filter, reference: event.currentTarget.value })}
        />
      )}
      {(['since', 'until'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={t(`activity:${end}`)}
          w={160}
          value={filter[end]}
          onChange={(event) => onChange({ ...filter, [end]: event.currentTarget.value })}
        />
      ))}
      <ClearFilters
        label={t('activity:clear')}
        isFiltered={isFiltered(filter)}
        onClear={() => onChange(NO_FILTER)}
      />
    </div>
  )
}

const PAGE_SIZE = 100

type Activity = {
  readonly entries: readonly AuditEntry[]
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly failure: Failure | null
  readonly readMore: () => void
}

type ReadEntries = Pick<Activity, 'hasMore' | 'failure'> & {
  readonly of: string
  readonly entries: readonly AuditEntry[]
}

/** Reads the audit trail page by page, newest first; starts over if the input changes or the connection was lost. */
export function useActivity(input: CallInput<'audit.export'>): Activity {
  const session = useSession()
  const isOpen = useStation((state) => state.connection.kind === 'open')
  const snapshots = useStation((state) => state.snapshots)
  const [read, setRead] = useState<ReadEntries>({ of: '', entries: [], hasMore: false, failure: null })
  const [isMoreComing, setMoreComing] = useState(false)
  const asked = JSON.stringify(input)
  const wanted = `${snapshots}/${asked}`
  /** The query whose answers still count. */
  const current = useRef('')

  useEffect(() => {
    if (!isOpen) return
    current.current = wanted
    const begin = async (): Promise<void> => {
      const narrowed = JSON.parse(asked) as CallInput<'audit.export'>
      const answer = await session.call('audit.list', { ...narrowed, limit: PAGE_SIZE })
      if (current.current !== wanted) return
      setRead((before) =>
        answer.ok
          ? {
              of: wanted,
              entries: answer.value.items,
              hasMore: answer.value.items.length === PAGE_SIZE,
              failure: null,
            }
          : { ...before, of: wanted, failure: answer.failure },
      )
    }
    void begin()
  }, [session, isOpen, asked, wanted])

  const readMore = async (): Promise<void> => {
    const last = read.entries.at(-1)
    if (!last || isMoreComing) return
    const mine = current.current
    setMoreComing(true)
    const answer = await session.call('audit.list', { ...input, limit: PAGE_SIZE, before: last.id })
    setMoreComing(false)
    if (current.current !== mine) return
    setRead((before) =>
      answer.ok
        ? {
            ...before,
            entries: [...before.entries, ...answer.value.items],
            hasMore: answer.value.items.length === PAGE_SIZE,
            failure: null,
          }
        : { ...before, failure: answer.failure },
    )
  }
  return {
    entries: read.entries,
    hasMore: read.hasMore,
    isReading: read.of !== wanted || isMoreComing,
    failure: read.failure,
    readMore: () => void readMore(),
  }
}
