import { expect, it } from 'vitest'
import {
  type ProfileChoice,
  profileChoices,
} from '../../../../src-renderer/settings/profiles/profile-editor.tsx'
import { ownFormOf } from '../../../../src-renderer/settings/profiles/profile-form.tsx'
import { profileSchema } from '../../../../src-shared/profile.ts'

const values = (choices: readonly ProfileChoice[]): string[] =>
  choices.flatMap((choice) => ('group' in choice ? choice.items : [choice])).map(({ value }) => value)

it('offers automatic first, and a profile of one’s own in place of the shipped one with its id', () => {
  const own = [profileSchema.parse({ id: 'retcam', title: 'Our RetCam' })]
  const offered = values(profileChoices(own, 'auto'))
  expect(offered[0]).toBe('auto')
  expect(offered.filter((value) => value === 'retcam')).toHaveLength(1)
  expect(offered.indexOf('retcam')).toBe(1)
})

it('shows a profile that has gone as itself and not as another one', () => {
  expect(profileChoices([], 'gone')[1]).toEqual({
    value: 'gone',
    label: 'gone (not there any more, read as automatic)',
  })
})

it('offers what is being written', () => {
  const drafts = { 'new-1': ownFormOf(null, []) }
  expect(values(profileChoices([], 'new-1', drafts)).filter((value) => value === 'new-1')).toHaveLength(1)
})
