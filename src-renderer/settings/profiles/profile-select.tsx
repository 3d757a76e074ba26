import { NativeSelect } from '@mantine/core'
import type { Profile } from '../../../src-shared/profile.ts'
import { profileChoices } from './profile-choices.ts'
import type { Drafts } from './profile-drafts.ts'

export type ProfileSelectProps = {
  readonly label: string
  readonly description?: string
  readonly own: readonly Profile[]
  /** What is being written and not yet saved. */
  readonly drafts?: Drafts
  readonly value: string
  readonly onChoose: (id: string) => void
}

/** All profiles by their titles. */
export function ProfileSelect({ label, description, own, drafts = {}, value, onChoose }: ProfileSelectProps) {
  return (
    <NativeSelect
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {profileChoices(own, value, drafts).map((choice) =>
        'group' in choice ? (
          <optgroup key={choice.group} label={choice.group}>
            {choice.items.map((item) => (
              <option key={item.value} value={item.value}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ) : (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ),
      )}
    </NativeSelect>
  )
}
