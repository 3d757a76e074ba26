/** The activity screen: the audit trail as a table, with charts and filters. */
import { Anchor, Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconHistory, IconSearchOff, IconX } from '@tabler/icons-react'
import i18next from 'i18next'
import { memo, useEffect, useMemo, useState } from 'react'
import { alarmKindSchema } from '../../src-shared/alarms.ts'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import { offerDownload } from '../components/browser.tsx'
import { LinkButton } from '../components/controls.tsx'
import { EmptyState, FailureNotice } from '../components/notices.tsx'
import { formatExactly } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import { failureTitle, fieldLabel, t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { writeRoute } from '../shell/navigation.tsx'
import { runCall, showToast } from '../shell/toast.tsx'
import { useSession, useStation } from '../store/use-station.ts'
import {
  ActivityFilters,
  auditQuery,
  type DetailLabels,
  detailsLine,
  isFiltered,
  isPersonEntry,
  NO_FILTER,
  useActivity,
} from './activity-filters.tsx'
import css from './activity-screen.module.css'
import { DaysPanel } from './days-chart.tsx'

// What the details of the trail are called: the trail names them as the program does. Pure but for the language.

type Name = keyof Texts['activity']['detail']

type Code = keyof Texts['activity']['code']

/** Details whose values are codes of the program; all others may contain text of a person or the service. */
const CODED = new Set(['decision', 'existing', 'noImageBecause', 'outcome', 'reasons', 'sections'])

export function detailLabels(): DetailLabels {
  return {
    why: t('activity:why'),
    state: stateName,
    move: (from, to) => `${stateName(from)} \u203a ${stateName(to)}`,
    name: (name) => (isName(name) ? t(`activity:detail.${name}`) : splitCamelCase(name)),
    value: valueName,
  }
}

function isName(name: string): name is Name {
  return i18next.exists(`activity:detail.${name}`)
}

function isCode(value: string): value is Code {
  return i18next.exists(`activity:code.${value}`)
}

/** `isListed` as `is listed`: details without a label remain readable. */
function splitCamelCase(name: string): string {
  return name.replaceAll(
    /([a-z])([A-Z])/g,
    (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
}

/** The audit trail stores states by their names in the program. */
function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? t(`state:${state}.name`) : name
}

function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if (name === 'fields' && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return failureTitle(failure.data)
  const alarm = alarmKindSchema.safeParse(value)
  if (name === 'alarm' && alarm.success) return t(`alarm:kind.${alarm.data}`)
  return CODED.has(name) && isCode(value) ? t(`activity:code.${value}`) : value
}

export type ActivityTableProps = { readonly entries: readonly AuditEntry[] }

export const ActivityTable = memo(function ActivityTable({ entries }: ActivityTableProps) {
  const ids = useMemo(() => entries.flatMap(({ submissionId }) => submissionId ?? []), [entries])
  const referenceOf = useReferences(ids)
  const labels = detailLabels()
  return (
    <table className={css.table} aria-label={t('activity:table')}>
      <thead>
        <tr>
          {(['at', 'what', 'case', 'by', 'details'] as const).map((name) => (
            <th key={name} scope="col" className={css[`${name}Column`]}>
              {t(`activity:columns.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, what, submissionId, by, details }) => (
          <tr key={id} data-entry={id}>
            <td className="tabular">{formatExactly(at)}</td>
            <td>{entryLabel(what)}</td>
            <td>
              {submissionId === null ? (
                <span className="dim">{t('activity:station')}</span>
              ) : (
                <CaseLink id={submissionId} reference={referenceOf(submissionId)} />
              )}
            </td>
            <td>
              {by === null ? (
                <span className="dim">
                  {isPersonEntry(what) ? t('activity:noInitials') : t('activity:byItself')}
                </span>
              ) : (
                <strong>{by}</strong>
              )}
            </td>
            <td className={css.details}>{detailsLine(details, labels)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

type CaseLinkProps = { readonly id: string; readonly reference: string | null }

function CaseLink({ id, reference }: CaseLinkProps) {
  return (
    <Anchor
      className={css.reference ?? ''}
      href={writeRoute({ screen: 'submission', id })}
      aria-label={t('activity:openCase', { reference: reference ?? id })}
      title={reference ?? id}
    >
      {reference ?? '\u2026'}
    </Anchor>
  )
}

/** Typed initials are searched after a pause, not after each letter. */
const TYPING_PAUSE_MS = 300

export function ActivityScreen({ submissionId }: { readonly submissionId: string | null }) {
  const session = useSession()
  const [filter, setFilter] = useState(NO_FILTER)
  const [settled] = useDebouncedValue(filter, TYPING_PAUSE_MS)
  const input = auditQuery(settled, submissionId)
  const { entries, hasMore, isReading, failure, readMore } = useActivity(input)
  const [isSaving, setSaving] = useState(false)

  const save = async (): Promise<void> => {
    setSaving(true)
    const saved = await runCall(session, 'audit.export', auditQuery(filter, submissionId))
    setSaving(false)
    if (!saved) return
    offerDownload(new Blob([saved.csv], { type: 'text/csv;charset=utf-8' }), saved.fileName)
    showToast({ tone: 'green', message: t('activity:saved', { count: formatCount(saved.entries) }) })
  }
  return (
    <div className={listing.screen}>
      <div className={listing.top}>
        <div>
          <h1 className={listing.title}>{t('activity:title')}</h1>
          <p className="dim">{t('activity:explain')}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={isSaving}
          onClick={() => void save()}
        >
          {t('activity:csv')}
        </Button>
      </div>
      {submissionId === null ? <DaysPanel /> : <OnlyCase id={submissionId} />}
      <ActivityFilters filter={filter} hasReference={submissionId === null} onChange={setFilter} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={listing.panel} aria-busy={isReading}>
        {entries.length > 0 ? (
          <ActivityTable entries={entries} />
        ) : isReading ? (
          <Loader className={listing.loading} aria-label={t('activity:loading')} />
        ) : isFiltered(filter) ? (
          <EmptyState
            icon={IconSearchOff}
            title={t('activity:notFound.title')}
            body={t(
              filter.reference.trim() === '' ? 'activity:notFound.body' : 'activity:notFound.ofReference',
            )}
          />
        ) : (
          <EmptyState icon={IconHistory} title={t('activity:empty.title')} body={t('activity:empty.body')} />
        )}
        {entries.length > 0 && (
          <div className={listing.foot}>
            <span className="tabular dim">{t('activity:shown', { count: formatCount(entries.length) })}</span>
            {hasMore && (
              <Button variant="default" loading={isReading} onClick={readMore}>
                {t('activity:loadMore')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

function OnlyCase({ id }: { readonly id: string }) {
  const ids = useMemo(() => [id], [id])
  const reference = useReferences(ids)(id) ?? '\u2026'
  return (
    <p className={css.only}>
      <strong>{t('activity:ofCase', { reference })}</strong>
      <LinkButton
        to={{ screen: 'activity', submissionId: null }}
        size="compact-sm"
        leftSection={<IconX size={14} aria-hidden />}
      >
        {t('activity:allCases')}
      </LinkButton>
    </p>
  )
}

/** Returns a lookup of case references, because the audit trail only stores ids. Null until a reference is read. */
export function useReferences(ids: readonly string[]): (id: string) => string | null {
  const session = useSession()
  const submissions = useStation((state) => state.submissions)
  const [asked, setAsked] = useState<ReadonlyMap<string, string>>(new Map())
  // One at a time, because the station has more important work.
  const next = ids.find((id) => !submissions[id] && !asked.has(id))

  useEffect(() => {
    if (next === undefined) return undefined
    let isCurrent = true
    const read = async (): Promise<void> => {
      const answer = await session.call('submissions.get', { id: next })
      // A case that no longer exists is not requested again.
      const name = answer.ok ? answer.value.reference : next
      if (isCurrent) setAsked((before) => new Map(before).set(next, name))
    }
    void read()
    return () => {
      isCurrent = false
    }
  }, [session, next])
  return (id) => submissions[id]?.reference ?? asked.get(id) ?? null
}

/** The label of an entry; unknown entries are shown verbatim. */
export function entryLabel(what: string): string {
  return i18next.exists(`activity:entry.${what}`)
    ? t(`activity:entry.${what as keyof Texts['activity']['entry']}`)
    : what
}
