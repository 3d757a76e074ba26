/** The activity screen: the audit trail as a table, with filters. */
import { Anchor, Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconHistory, IconSearchOff, IconX } from '@tabler/icons-react'
import i18next from 'i18next'
import { memo, useState } from 'react'
import { alarmKindSchema } from '../../src-shared/alarms.ts'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import { offerDownload } from '../components/browser.tsx'
import { ActionButton, EmptyState, FailureNotice, LinkButton } from '../components/controls.tsx'
import { formatExactly } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import { failureTitle, fieldLabel, joinTexts, t } from '../i18n/i18n.ts'
import listing from '../components/listing.module.css'
import { writeRoute } from '../shell/navigation.tsx'
import { showFailure, showToast } from '../shell/toast.tsx'
import { useCall } from '../store/use-station.ts'
import {
  ActivityFilters,
  auditQuery,
  isFiltered,
  isPersonEntry,
  NO_FILTER,
  useActivity,
} from './activity-filters.tsx'
import css from './activity-screen.module.css'

/** Details whose values are codes of the program; all others may contain text of a person or the service. */
const CODED = new Set(['decision', 'existing', 'noImageBecause', 'outcome', 'reasons', 'sections', 'via'])

/** The details of an entry as one line: `For review > Waiting`, then the rest as names and values. */
export function detailsLine({ from, to, why, ...rest }: AuditEntry['details']): string {
  const isMove = typeof from === 'string' && typeof to === 'string'
  return joinTexts(
    typeof why === 'string' && `${t('activity:why')}: ${why}`,
    isMove && [...new Set([from, to])].map(stateName).join(' \u203a '),
    ...Object.entries(isMove ? rest : { from, to, ...rest })
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => `${detailName(name)}: ${valueText(name, value)}`),
  )
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isName(name: string): name is keyof Texts['activity']['detail'] {
  return i18next.exists(`activity:detail.${name}`)
}

function isCode(value: string): value is keyof Texts['activity']['code'] {
  return i18next.exists(`activity:code.${value}`)
}

/** Details without a label remain readable: `isListed` as `is listed`. */
function detailName(name: string): string {
  if (isName(name)) return t(`activity:detail.${name}`)
  return name.replaceAll(
    /([a-z])([A-Z])/g,
    (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
}

function valueText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => valueText(name, one)).join(', ')
  return typeof value === 'string' ? valueName(name, value) : JSON.stringify(value)
}

function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? t(`state:${state}.name`) : name
}

export function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if (name === 'fields' && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return failureTitle(failure.data)
  const alarm = alarmKindSchema.safeParse(value)
  if (name === 'alarm' && alarm.success) return t(`alarm:kind.${alarm.data}`)
  return CODED.has(name) && isCode(value) ? t(`activity:code.${value}`) : value
}

const ActivityTable = memo(function ActivityTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
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
        {entries.map(({ id, at, what, submissionId, reference, by, details }) => (
          <tr key={id} data-entry={id}>
            <td className="tabular">{formatExactly(at)}</td>
            <td>{entryLabel(what)}</td>
            <td>
              {submissionId === null ? (
                <span className="dim">{t('activity:station')}</span>
              ) : (
                <CaseLink id={submissionId} reference={reference ?? submissionId} />
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
            <td className="dim">{detailsLine(details)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

function CaseLink({ id, reference }: { readonly id: string; readonly reference: string }) {
  return (
    <Anchor
      className="mono truncate"
      display="block"
      href={writeRoute({ screen: 'submission', id })}
      aria-label={t('shell:openCase', { reference })}
      title={reference}
    >
      {reference}
    </Anchor>
  )
}

const TYPING_PAUSE_MS = 300

export function ActivityScreen({ submissionId }: { readonly submissionId: string | null }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const [settled] = useDebouncedValue(filter, TYPING_PAUSE_MS)
  const input = auditQuery(settled, submissionId)
  const { entries, hasMore, isReading, failure, readMore } = useActivity(input)
  const { isBusy, call } = useCall(showFailure)
  /** Of the only case; a filter may leave no entry that names it. */
  const [only, setOnly] = useState<string | null>(null)
  const named = entries[0]?.reference ?? entries[0]?.submissionId ?? only
  if (named !== only) setOnly(named)

  const save = async (): Promise<void> => {
    const saved = await call('audit.export', auditQuery(filter, submissionId))
    if (!saved) return
    offerDownload(new Blob([saved.csv], { type: 'text/csv;charset=utf-8' }), saved.fileName)
    showToast({ tone: 'green', message: t('activity:saved', { count: formatCount(saved.entries) }) })
  }
  return (
    <div className={listing.screen}>
      <div className={listing.top}>
        <div>
          <h1 className="page-title">{t('shell:screens.activity')}</h1>
          <p className="dim">{t('activity:explain')}</p>
        </div>
        <ActionButton icon={IconDownload} loading={isBusy} onClick={() => void save()}>
          {t('queue:csv.name')}
        </ActionButton>
      </div>
      {submissionId !== null && <OnlyCase reference={only ?? '\u2026'} />}
      <ActivityFilters filter={filter} hasReference={submissionId === null} onChange={setFilter} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={listing.panel} aria-busy={isReading}>
        {entries.length > 0 ? (
          <ActivityTable entries={entries} />
        ) : isReading ? (
          <Loader display="block" m="72px auto" aria-label={t('activity:loading')} />
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
              <Button variant="default" loading={isReading} onClick={() => void readMore()}>
                {t('activity:loadMore')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

function OnlyCase({ reference }: { readonly reference: string }) {
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

function entryLabel(what: string): string {
  return i18next.exists(`activity:entry.${what}`)
    ? t(`activity:entry.${what as keyof Texts['activity']['entry']}`)
    : what
}
