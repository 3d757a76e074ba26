import { expect, it } from 'vitest'
import {
  freshKey,
  ownFormOf,
  profileFormOf,
  shownProfile,
  withProfile,
} from '../../../../src-renderer/settings/profiles/profile-form.tsx'
import { type Profile, profileSchema } from '../../../../src-shared/profile.ts'

const own = (id: string, title = id): Profile => profileSchema.parse({ id, title })

it('gives each new draft a key of its own, also after one was given up', () => {
  const form = ownFormOf(null, [])
  expect(freshKey({})).toBe('?1')
  expect(freshKey({ '?2': form })).toBe('?1')
  expect(freshKey({ '?1': form, '?2': form })).toBe('?3')
})

it('puts a profile in its place, and a new one last', () => {
  const before = [own('a'), own('b')]
  expect(withProfile(before, 'a', own('a', 'A')).map(({ title }) => title)).toEqual(['A', 'b'])
  expect(withProfile(before, '?1', own('c')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

it('edits own profiles, and only looks at automatic and shipped ones', () => {
  const kinds = ['auto', 'retcam', 'a'].map((id) => shownProfile(id, {}, [own('a')]).form?.id ?? null)
  expect(kinds).toEqual([null, null, 'a'])
})

it('takes what is being written, and not what is saved, for the profile to try', () => {
  const drafts = { a: { ...profileFormOf(own('a')), title: 'Another' } }
  const shown = shownProfile('a', drafts, [own('a')])
  expect([shown.profile?.title, shown.isDraft, shown.isNew]).toEqual(['Another', true, false])
  expect(shownProfile('a', { a: { ...drafts.a, title: '' } }, [own('a')]).profile).toBeNull()
})
