import { NativeSelect, TextInput } from '@mantine/core'
import { isFiltered, NO_FILTER, type ActivityFilter } from './activity-filter.ts'
import { ClearFilters } from '../parts/clear-filters.tsx'
import listing from '../parts/listing.module.css'
import { ENTRY_GROUPS, type EntryGroup } from './what-groups.ts'
import { t } from '../words/t.ts'

const GROUPS = Object.keys(ENTRY_GROUPS) as EntryGroup[]

export type ActivityFiltersProps = {
  readonly filter: ActivityFilter
  /** Not where one case is looked at already. */
  readonly hasReference: boolean
  readonly onChange: (filter: ActivityFilter) => void
}

/** What, who, which case and when. */
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
