import { expect, it } from 'vitest'
import {
  ownFormOf,
  type ProfileForm,
  profileFormOf,
  readProfileForm,
} from '../../../../src-renderer/settings/profiles/profile-form.tsx'
import { SHIPPED_PROFILES } from '../../../../src-shared/profile.ts'

it.each(SHIPPED_PROFILES.map(({ profile }) => [profile.id, profile] as const))(
  'reads the form of %s back into the profile that it was made of',
  (_id, profile) => {
    expect(readProfileForm(profileFormOf(profile), []).profile).toEqual(profile)
  },
)

it('gives a profile of one’s own an id that nobody has', () => {
  const [shipped] = SHIPPED_PROFILES
  if (!shipped) throw new Error('No profile is shipped')
  const first = readProfileForm(ownFormOf(shipped.profile, []), []).profile
  if (!first) throw new Error('An own profile can be read as it begins')
  expect(first.id).toBe(`${shipped.profile.id}-own`)
  expect(ownFormOf(shipped.profile, [first]).id).toBe(`${shipped.profile.id}-own-2`)
})

const form: ProfileForm = {
  ...ownFormOf(null, []),
  patterns: [{ key: 'a', text: '{historyNumber}_{eye}' }],
}

it('takes words with commas between, and no empty ones', () => {
  const { profile } = readProfileForm({ ...form, rightWords: ' rechts, , D,', leaveAlone: 'infrared' }, [])
  expect([profile?.eyeWords, profile?.leaveAlone]).toEqual([
    { right: ['rechts', 'D'], left: [] },
    ['infrared'],
  ])
})

it('takes an empty row for no pattern', () => {
  const rows = [...form.patterns, { key: 'b', text: '  ' }]
  expect(readProfileForm({ ...form, patterns: rows }, []).profile?.patterns).toEqual([
    '{historyNumber}_{eye}',
  ])
})

const columns = [
  { key: 'a', heading: 'Nummer', holds: 'history_number' },
  { key: 'b', heading: 'nummer ', holds: 'age' },
]
it.each<[string, Partial<ProfileForm>, string, string]>([
  ['a title that is missing', { title: ' ' }, 'title', 'Write a title of at most 80 letters.'],
  ['capitals in the id', { id: 'Room' }, 'id', 'Write small letters, digits and dashes only, at most 61.'],
  ['an id that another has', { id: 'taken' }, 'id', 'Another of your profiles has this id.'],
  [
    'one word for both eyes',
    { rightWords: 'd', leftWords: 'D' },
    'leftWords',
    'The same word stands for the right and for the left eye.',
  ],
  [
    'a word of 41 letters',
    { rightWords: 'x'.repeat(41) },
    'rightWords',
    'At most 50 words of at most 40 letters.',
  ],
  ['a heading that stands twice', { columns }, 'columns', 'Write the heading, each only once.'],
])('marks %s', (_what, change, field, sentence) => {
  const { profile, problems } = readProfileForm({ ...form, ...change }, ['taken'])
  expect(profile).toBeNull()
  expect(problems.fields).toEqual({ [field]: sentence })
})

it('says under which pattern it is wrong', () => {
  const rows = [...form.patterns, { key: 'b', text: '{eye' }]
  const { profile, problems } = readProfileForm({ ...form, patterns: rows }, [])
  expect([profile, problems]).toEqual([
    null,
    { fields: {}, patterns: { b: 'A brace { is not closed: a part ends with }.' } },
  ])
})
