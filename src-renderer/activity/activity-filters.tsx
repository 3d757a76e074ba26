/** Filters of the audit trail. */
import { Group, NativeSelect, TextInput } from '@mantine/core'
import type { CallInput } from '../../src-shared/contract.ts'
import { isReference } from '../../src-shared/reference.ts'
import { ClearFilters, DayInput } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'

const list = (names: string): readonly string[] => names.split(' ')

const ENTRY_GROUPS = {
  decisions: list(
    'edited approved undone retriedRefused held releasedToReview releasedToSend prioritised discarded ' +
      'restoredToReview restoredToUnconfirmed cancelled movedToCenter merged split imagesAdded imagesMoved ' +
      'fileDecided separated separatedFrom samePatient numberAnswered numberAssigned exported alarmSettled ' +
      'sentWrongly sentRightly serviceCalled corrected confirmationEnded ' +
      'patientInformed patientReferred letterWritten nothingToDo reportReopened',
  ),
  delivery: list(
    'claimed deliveredNow stayedUnsent wasRefused becameUnknown foundDelivered provenAbsent postponed ' +
      'confirmed cancelled wasRestored foundAtService insistenceNeeded',
  ),
  discards: list('discarded withdrawn restoredToReview restoredToUnconfirmed'),
  centers: list('movedToCenter'),
  alarms: list('alarmRaised alarmSettled'),
  station: list(
    'settingsChanged existingDecided fileTriedAgain paused resumed startedNormally profileMarked ' +
      'profileConfirmed profileRevoked',
  ),
}

/** Is this entry an act of a person? It may have no initials and is still not the station's. */
export function isPersonEntry(what: string): boolean {
  const { decisions, station } = ENTRY_GROUPS
  return [...decisions, ...station].some((one) => one === what)
}

type EntryGroup = keyof typeof ENTRY_GROUPS

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
export function auditQuery(filter: ActivityFilter): CallInput<'audit.export'> {
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
  }
}

/** Normalizes a reference: dictated over the telephone, it arrives in lower case and with spaces. */
function readReference(text: string): string {
  const block = text.replaceAll(/\s+/g, '')
  return isReference(block.toUpperCase()) ? block.toUpperCase() : block
}

const GROUPS = Object.keys(ENTRY_GROUPS) as EntryGroup[]

type ActivityFiltersProps = {
  readonly filter: ActivityFilter
  readonly onChange: (filter: ActivityFilter) => void
}

export function ActivityFilters({ filter, onChange }: ActivityFiltersProps) {
  return (
    <Group gap={12} align="flex-end" role="group" aria-label={t('shell:showOnly')}>
      <NativeSelect
        label={t('activity:what')}
        w={220}
        value={filter.what}
        data={[
          { value: '', label: t('activity:everything') },
          ...GROUPS.map((group) => ({ value: group, label: t(`activity:whatGroups.${group}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filter, what: GROUPS.find((group) => group === value) ?? '' })
        }
      />
      <TextInput
        label={t('activity:who')}
        placeholder={t('shell:who.placeholder')}
        w={120}
        maxLength={40}
        autoComplete="off"
        value={filter.by}
        onChange={(event) => onChange({ ...filter, by: event.currentTarget.value })}
      />
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
      {(['since', 'until'] as const).map((end) => (
        <DayInput
          key={end}
          label={t(`activity:${end}`)}
          w={160}
          value={filter[end]}
          onChange={(event) => onChange({ ...filter, [end]: event.currentTarget.value })}
        />
      ))}
      <ClearFilters isFiltered={isFiltered(filter)} onClear={() => onChange(NO_FILTER)} />
    </Group>
  )
}
