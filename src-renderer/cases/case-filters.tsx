import { NativeSelect, SegmentedControl, Switch } from '@mantine/core'
import type { ListedCase } from '../../src-shared/case.ts'
import { formatCount } from '../format/numbers.ts'
import { ClearFilters } from '../parts/clear-filters.tsx'
import listing from '../parts/listing.module.css'
import { DAY_PRESETS, isFiltered, NO_FILTER, statesOf, type CaseFilter } from './case-filter.ts'
import css from './cases-screen.module.css'
import { t } from '../words/t.ts'

/** An option must be a text: a state is written behind this, so that no word of a service can mean all. */
const OF_STATE = 'state:'
const ANY_STATE = 'any'

export type CaseFiltersProps = {
  readonly items: readonly ListedCase[]
  readonly filter: CaseFilter
  readonly onChange: (filter: CaseFilter) => void
}

/** Which days, which state, and whether only what was sent from here. */
export function CaseFilters({ items, filter, onChange }: CaseFiltersProps) {
  const states = statesOf(items)
  const isGone = filter.state !== null && !states.some(({ state }) => state === filter.state)
  return (
    <div className={listing.filters} role="group" aria-label={t('case:filters')}>
      <SegmentedControl
        className={css.days ?? ''}
        aria-label={t('case:days.label')}
        value={filter.days}
        data={DAY_PRESETS.map((preset) => ({ value: preset, label: t(`case:days.${preset}`) }))}
        onChange={(value) => {
          const days = DAY_PRESETS.find((preset) => preset === value) ?? 'all'
          onChange({ ...filter, days })
        }}
      />
      <NativeSelect
        aria-label={t('case:columns.state')}
        w={210}
        value={filter.state === null ? ANY_STATE : OF_STATE + filter.state}
        data={[
          { value: ANY_STATE, label: t('case:anyState') },
          ...[...states, ...(isGone ? [{ state: filter.state ?? '', count: 0 }] : [])].map(
            ({ state, count }) => ({
              value: OF_STATE + state,
              label: t('case:stateCount', {
                state: state === '' ? t('case:noState') : state,
                count: formatCount(count),
              }),
            }),
          ),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ ...filter, state: value === ANY_STATE ? null : value.slice(OF_STATE.length) })
        }}
      />
      <span className={css.onlyOurs}>
        <Switch
          label={t('case:onlyOurs')}
          checked={filter.isOnlyOurs}
          onChange={(event) => onChange({ ...filter, isOnlyOurs: event.currentTarget.checked })}
        />
      </span>
      <ClearFilters
        label={t('case:clearFilters')}
        isFiltered={isFiltered(filter)}
        onClear={() => onChange(NO_FILTER)}
      />
    </div>
  )
}
