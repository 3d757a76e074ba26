import { describe, expect, it } from 'vitest'
import { filterSources, settingText, sourcesAsText } from '../../../src-renderer/settings/sources.tsx'
import type { ManagedFile, SettingInForce } from '../../../src-shared/settings.ts'

const item = (changes: Partial<SettingInForce>): SettingInForce => ({
  name: 'delivery.concurrency',
  value: 2,
  source: 'builtIn',
  isLocked: false,
  ...changes,
})

const ITEMS = [
  item({ source: 'policyEnforced', isLocked: true }),
  item({ name: 'requireBothEyes', value: true }),
  item({ name: 'centerId', value: null, source: 'person' }),
  item({ name: 'service.clientSecret', value: true, source: 'enrolment' }),
]

it('tells values in words, and of a secret only whether it is there', () => {
  expect(ITEMS.map(settingText)).toEqual(['2', 'true', '\u2013', 'kept, and never shown'])
  expect(settingText(item({ name: 'service.clientSecret', value: false }))).toBe('none is kept')
  expect(settingText(item({ name: 'requiredFields', value: '' }))).toBe('\u2013')
})

describe('the search', () => {
  it.each([
    ['', 4],
    ['CONCURRENCY', 1],
    ['policy enforced', 1],
    ['concurrency person', 0],
    ['set on this', 1],
  ])('for %j finds %d', (search, count) => {
    expect(filterSources(ITEMS, { search, isStatedOnly: false })).toHaveLength(count)
  })

  it('leaves out what is built in', () => {
    expect(filterSources(ITEMS, { search: '', isStatedOnly: true }).map(({ name }) => name)).toEqual([
      'delivery.concurrency',
      'centerId',
      'service.clientSecret',
    ])
  })
})

it('is copied as lines with tabs, the files first', () => {
  const file: ManagedFile = {
    kind: 'policy',
    path: '/etc/fundus-courier/policy.json',
    state: 'read',
    inForce: 'this',
    detail: null,
    unknownNames: [],
  }
  expect(sourcesAsText(ITEMS.slice(0, 2), [file])).toBe(
    'Policy\t/etc/fundus-courier/policy.json\tRead, and in force.\n' +
      'delivery.concurrency\t2\tPolicy, enforced\tCannot be changed on the screens\n' +
      'requireBothEyes\ttrue\tBuilt in',
  )
})
