/** The activity screen: the audit trail as a table, with filters. */
import { Anchor, Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconHistory, IconSearchOff } from '@tabler/icons-react'
import i18next from 'i18next'
import { memo, useState } from 'react'
import { alarmKindSchema } from '../../src-shared/alarms.ts'
import type { NamedEntry } from '../../src-shared/alarms.ts'
import { failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES } from '../../src-shared/states.ts'
import { offerDownload, TYPING_PAUSE_MS } from '../components/browser.tsx'
import { ActionButton, EmptyState, FailureNotice } from '../components/controls.tsx'
import { baseName } from '../components/photo.tsx'
import { formatExactly, formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import { failureTitle, fieldLabel, joinTexts, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import listing from '../components/listing.module.css'
import { writeRoute } from '../shell/navigation.tsx'
import { showFailure } from '../shell/toast.tsx'
import { useAnswer, useCall } from '../store/use-station.ts'
import { ActivityFilters, auditQuery, isFiltered, isPersonEntry, NO_FILTER } from './activity-filters.tsx'
import css from './activity-screen.module.css'

/** Details whose values are codes of the program; all others may contain text of a person or the service. */
const CODED = new Set('answer decision existing from noImageBecause outcome reasons sections via'.split(' '))

/** Details that need no words beside their value. */
const PLAIN = new Set([...CODED, 'alarm', 'failure', 'pattern', 'reference'])

/** Details whose values are ids of images. */
const OF_IMAGES = new Set(['eyes', 'exclusions', 'excluded', 'included', 'setLeft', 'setRight', 'setUnknown'])

const ID = /^[\da-f]{8}-[\da-f]{4}-/

type NamedDetails = Pick<NamedEntry, 'details' | 'names'>

/**
 * The details of an entry as phrases: `set IMG1.jpg to right eye`. States are in the words of the entry; what has no
 * words here is in the CSV file alone.
 */
export function detailsLine({ details, names }: NamedDetails, shown: Names): string {
  return joinTexts(
    ...Object.entries(details).map(([name, value]) => {
      const text = valueText(name, value, (id) =>
        OF_IMAGES.has(name) ? names[id] && shown.fileName(baseName(names[id])) : names[id],
      )
      if (text === '') return null
      return isName(name) ? t(`activity:detail.${name}`, { value: text }) : PLAIN.has(name) && text
    }),
  )
}

function isName(name: string): name is keyof Texts['activity']['detail'] {
  return i18next.exists(`activity:detail.${name}`)
}

function isCode(value: string): value is keyof Texts['activity']['code'] {
  return i18next.exists(`activity:code.${value}`)
}

/** Empty if there is nothing to show: an id is never shown. */
function valueText(name: string, value: unknown, nameOf: (id: string) => string | undefined): string {
  if (Array.isArray(value)) {
    const texts = value.map((one) => valueText(name, one, nameOf)).filter(Boolean)
    const isNameless = texts.length < value.length && OF_IMAGES.has(name)
    return isNameless ? formatCount(value.length) : texts.join(', ')
  }
  if (typeof value === 'boolean') return t(value ? 'field:yes' : 'field:no')
  if (typeof value === 'number') return formatCount(value)
  if (typeof value !== 'string') return ''
  if (name === 'until') return formatInstant(Date.parse(value))
  if ((name === 'from' || name === 'to') && SUBMISSION_STATES.some((state) => state === value)) return ''
  return nameOf(value) ?? (ID.test(value) ? '' : valueName(name, value))
}

export function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if ((name === 'fields' || name === 'cleared') && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return failureTitle(failure.data)
  const alarm = alarmKindSchema.safeParse(value)
  if (name === 'alarm' && alarm.success) return t(`alarm:kind.${alarm.data}`)
  // The station writes its own reasons as one word with a capital inside.
  const isCoded = CODED.has(name) || (name === 'why' && /^[a-z]+[A-Z][A-Za-z]+$/.test(value))
  return isCoded && isCode(value) ? t(`activity:code.${value}`) : value
}

const ActivityTable = memo(function ActivityTable({ entries }: { readonly entries: readonly NamedEntry[] }) {
  const shown = useNames()
  return (
    <table className={css.table} aria-label={t('activity:table')}>
      <thead>
        <tr>
          {(['at', 'by', 'what', 'case'] as const).map((name) => (
            <th key={name} scope="col" className={css[`${name}Column`]}>
              {t(`activity:columns.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, what, submissionId, reference, by, details, names }) => (
          <tr key={id} data-entry={id}>
            <td className="tabular">{formatExactly(at)}</td>
            <td>
              {by === null ? (
                <span className="dim">
                  {isPersonEntry(what) ? t('activity:noInitials') : t('activity:byItself')}
                </span>
              ) : (
                <strong>{by}</strong>
              )}
            </td>
            <td>{sentence(what, detailsLine({ details, names }, shown))}</td>
            <td>
              {submissionId === null ? (
                <span className="dim">{t('activity:station')}</span>
              ) : (
                <CaseLink
                  id={submissionId}
                  reference={reference ?? submissionId}
                  name={names[submissionId] ?? reference ?? submissionId}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

type CaseLinkProps = { readonly id: string; readonly reference: string; readonly name: string }

function CaseLink({ id, reference, name }: CaseLinkProps) {
  return (
    <Anchor
      className="mono truncate"
      display="block"
      href={writeRoute({ screen: 'submission', id })}
      aria-label={t('shell:openCase', { reference: name })}
      title={reference}
    >
      {name}
    </Anchor>
  )
}

const NO_ENTRIES: readonly NamedEntry[] = []

const PAGE_SIZE = 100

/** The limit of the contract; what is older is found by its day. */
const MAX_ENTRIES = 1_000

type ActivityScreenProps = {
  /** The case that is asked about; empty for all. */
  readonly reference: string
}

export function ActivityScreen({ reference }: ActivityScreenProps) {
  const [filter, setFilter] = useState({ ...NO_FILTER, reference })
  const [settled] = useDebouncedValue(filter, TYPING_PAUSE_MS)
  const input = auditQuery(settled)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const { value, failure, isReading } = useAnswer('audit.list', { ...input, limit })
  const entries = value?.items ?? NO_ENTRIES
  const { isBusy, call } = useCall(showFailure)

  const change = (next: typeof filter): void => {
    setFilter(next)
    setLimit(PAGE_SIZE)
  }
  const save = async (): Promise<void> => {
    const saved = await call('audit.export', auditQuery(filter))
    if (saved) offerDownload(new Blob([saved.csv], { type: 'text/csv;charset=utf-8' }), saved.fileName)
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
      <ActivityFilters filter={filter} onChange={change} />
      {failure && <FailureNotice failure={failure} tone="amber" />}
      <div className={listing.panel} aria-busy={isReading}>
        {entries.length > 0 ? (
          <ActivityTable entries={entries} />
        ) : isReading ? (
          <Loader display="block" m="72px auto" aria-label={t('shell:reading')} />
        ) : isFiltered(filter) ? (
          <EmptyState
            icon={IconSearchOff}
            title={t('activity:notFound.title')}
            body={filter.reference.trim() === '' ? null : t('activity:notFound.ofReference')}
          />
        ) : (
          <EmptyState icon={IconHistory} title={t('activity:empty.title')} />
        )}
        {entries.length > 0 && (
          <div className={listing.foot}>
            <span className="tabular dim">
              {t(entries.length < MAX_ENTRIES ? 'activity:shown' : 'report:onlyNewest', {
                count: formatCount(entries.length),
              })}
            </span>
            {(isReading || entries.length === limit) && limit < MAX_ENTRIES && (
              <Button variant="default" loading={isReading} onClick={() => setLimit(limit + PAGE_SIZE)}>
                {t('activity:loadMore')}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** `Approved`, `Sent \u00b7 case ID 4711`, or of an edit what it changed. */
function sentence(what: string, line: string): string {
  if (what === 'edited' && line !== '') return line
  const label = i18next.exists(`activity:entry.${what}`)
    ? t(`activity:entry.${what as keyof Texts['activity']['entry']}`)
    : what
  return joinTexts(label, line)
}
