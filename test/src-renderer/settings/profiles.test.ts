import { expect, it } from 'vitest'
import {
  ownFormOf,
  type ProfileChoice,
  profileChoices,
  type ProfileForm,
  profileFormOf,
  readProfileForm,
  shownProfile,
  withProfile,
} from '../../../src-renderer/settings/profiles/profile-form.tsx'
import { type Profile, profileSchema, SHIPPED_PROFILES } from '../../../src-shared/profile.ts'

const own = (id: string, title = id): Profile => profileSchema.parse({ id, title })
const values = (choices: readonly ProfileChoice[]): string[] =>
  choices.flatMap((choice) => ('group' in choice ? choice.items : [choice])).map(({ value }) => value)

it('offers automatic first, and a profile of one’s own in place of the shipped one with its id', () => {
  const offered = values(profileChoices([own('retcam')], 'auto'))
  expect(offered.slice(0, 2)).toEqual(['auto', 'retcam'])
  expect(new Set(offered).size).toBe(offered.length)
})

it('shows a profile that has gone as itself and not as another one, and one that is being written once', () => {
  const label = 'gone (not there any more, read as automatic)'
  expect(profileChoices([], 'gone')[1]).toEqual({ value: 'gone', label })
  const offered = values(profileChoices([], 'new-1', { 'new-1': ownFormOf(null, []) }))
  expect(offered.filter((value) => value === 'new-1')).toHaveLength(1)
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

it.each(SHIPPED_PROFILES.map((profile) => [profile.id, profile] as const))(
  'reads the form of %s back into the profile that it was made of',
  (_id, profile) => {
    expect(readProfileForm(profileFormOf(profile), []).profile).toEqual(profile)
  },
)

it('gives a profile of one’s own an id that no one has', () => {
  expect(ownFormOf(own('retcam'), []).id).toBe('retcam-own')
  expect(ownFormOf(own('retcam'), [own('retcam-own')]).id).toBe('retcam-own-2')
})

const pattern = { key: 'a', text: '{historyNumber}_{eye}' }
const form: ProfileForm = { ...ownFormOf(null, []), patterns: [pattern] }

it('takes words with commas between, and neither empty ones nor empty patterns', () => {
  const patterns = [...form.patterns, { key: 'b', text: '  ' }]
  const typed = { ...form, patterns, rightWords: ' rechts, , D,', leaveAlone: 'infrared' }
  expect(readProfileForm(typed, []).profile).toMatchObject({
    patterns: ['{historyNumber}_{eye}'],
    eyeWords: { right: ['rechts', 'D'], left: [] },
    leaveAlone: ['infrared'],
  })
})

const columns = [
  { key: 'a', heading: 'Nummer', holds: 'history_number' },
  { key: 'b', heading: 'nummer ', holds: 'age' },
]
it.each<[string, Partial<ProfileForm>, string, string]>([
  ['a title that is missing', { title: ' ' }, 'title', 'Write a title of at most 80 letters.'],
  ['capitals in the id', { id: 'Room' }, 'id', 'Write small letters, digits and dashes only, at most 61.'],
  ['an id that another has', { id: 'taken' }, 'id', 'Another of your profiles has this id.'],
  ['a word for both eyes', { rightWords: 'd', leftWords: 'D' }, 'leftWords', 'The same word means'],
  ['a word of 41 letters', { rightWords: 'x'.repeat(41) }, 'rightWords', 'At most 50 words of at most 40'],
  ['a heading that stands twice', { columns }, 'columns', 'Write the heading, each only once.'],
])('marks %s', (_what, change, field, sentence) => {
  const { profile, problems } = readProfileForm({ ...form, ...change }, ['taken'])
  expect(profile).toBeNull()
  expect(problems.fields).toEqual({ [field]: expect.stringContaining(sentence) })
})

it('says under which pattern it is wrong', () => {
  const rows = [...form.patterns, { key: 'b', text: '{eye' }]
  const patterns = { b: 'A brace { is not closed: a part ends with }.' }
  const read = { profile: null, problems: { fields: {}, patterns } }
  expect(readProfileForm({ ...form, patterns: rows }, [])).toEqual(read)
})
