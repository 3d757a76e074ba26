import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { ACTIVITY_WORDS, WHAT_GROUPS, type WhatGroup } from '../words/activity-words.ts'
import { isFiltered, NO_FILTER, type ActivityFilter } from './activity-filter.ts'
import css from './activity-screen.module.css'

const GROUPS = Object.keys(WHAT_GROUPS) as WhatGroup[]

export type ActivityFiltersProps = {
  readonly filter: ActivityFilter
  readonly onChange: (filter: ActivityFilter) => void
}

/** What, who and when. */
export function ActivityFilters({ filter, onChange }: ActivityFiltersProps) {
  return (
    <div className={css.filters} role="group" aria-label={ACTIVITY_WORDS.filters}>
      <NativeSelect
        label={ACTIVITY_WORDS.what}
        w={220}
        value={filter.what}
        data={[
          { value: '', label: ACTIVITY_WORDS.everything },
          ...GROUPS.map((group) => ({ value: group, label: WHAT_GROUPS[group].name })),
        ]}
        onChange={(event) => {
          const what = GROUPS.find((group) => group === event.currentTarget.value) ?? ''
          onChange({ ...filter, what })
        }}
      />
      <TextInput
        label={ACTIVITY_WORDS.who}
        placeholder={ACTIVITY_WORDS.whoHint}
        w={120}
        maxLength={40}
        autoComplete="off"
        value={filter.by}
        onChange={(event) => onChange({ ...filter, by: event.currentTarget.value })}
      />
      {(['since', 'until'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={ACTIVITY_WORDS[end]}
          w={160}
          value={filter[end]}
          onChange={(event) => onChange({ ...filter, [end]: event.currentTarget.value })}
        />
      ))}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconFilterOff size={17} aria-hidden />}
        disabled={!isFiltered(filter)}
        onClick={() => onChange(NO_FILTER)}
      >
        {ACTIVITY_WORDS.clear}
      </Button>
    </div>
  )
}
